"""A journal: what is done so far, a row each, so that a long task can continue."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from zerosum.errors import ZerosumError

Kind = Literal["measurement", "audit"]
# Called with the reason when writing fails.
Lost = Callable[[str], None]
KINDS: dict[Kind, str] = {"measurement": "a measurement", "audit": "an audit"}


class Journal:
    """The rows that are done, a line each, in a file to which lines are only added."""

    def __init__(self, path: str, file: int, kind: Kind, lost: Lost | None) -> None:
        """Read the rows that are there; a line that was not finished is dropped."""
        self._path, self._file, self._lost = path, file, lost
        self._writable = True
        self._rows: dict[str, Any] = {}
        head = json.dumps({"journal": kind}).encode() + b"\n"
        content = _read(file)
        if not content:
            self._write(head)
        elif not content.startswith(head):
            raise ZerosumError(
                f"{path} is not a journal of {KINDS[kind]}; not overwritten. Delete it, or choose "
                "another file."
            )
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.ftruncate(file, len(whole))
        for line in whole[len(head) :].splitlines():
            with suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                self._rows[entry["key"]] = entry["row"]

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    def get(self, key: str) -> Any:
        """Return the row of a key; None if it is not done."""
        return self._rows.get(key)

    def add(self, key: str, row: Any) -> None:
        """Keep a row."""
        self._rows[key] = row
        self._write(json.dumps({"key": key, "row": row}).encode() + b"\n")

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()
        os.ftruncate(self._file, len(_read(self._file).partition(b"\n")[0]) + 1)

    def _write(self, line: bytes) -> None:
        """Add a line to the file; a part of one is dropped when the journal is opened again."""
        try:
            if self._writable and os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self._writable = False
            message = f"{self._path} cannot be written: {error.strerror}."
            if self._lost is None:
                raise ZerosumError(message) from error
            self._lost(message)


@contextmanager
def open_journal(
    path: str,
    fresh: bool = False,
    kind: Kind = "measurement",
    lost: Lost | None = None,
) -> Iterator[Journal]:
    """Open a journal, for one run at a time; a fresh one has no rows.

    A file that is not a journal of this kind is refused. One that was made now, and has no rows in
    the end, is removed. If writing fails, `lost` is called with the reason; without it, that is
    an error.
    """
    new = not os.path.lexists(path)
    # Whatever else there may be, such as a device, is not even opened.
    if not new and not os.path.isfile(path):
        raise ZerosumError(f"{path} is not a regular file; choose another one for the journal.")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        _lock(file, path)
        journal = Journal(path, file, kind, lost)
        if fresh:
            journal.clear()
        try:
            yield journal
        finally:
            if new and not len(journal):
                os.unlink(path)
    finally:
        os.close(file)


def _read(file: int) -> bytes:
    """Read all of a file."""
    os.lseek(file, 0, os.SEEK_SET)
    content = b""
    while chunk := os.read(file, 1 << 20):
        content += chunk
    return content


def _lock(file: int, path: str) -> None:
    """Make sure that no other run writes the same journal; the lock ends with the process."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ZerosumError(f"Another command is writing {path} now.") from error
