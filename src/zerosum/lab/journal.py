"""A journal: what is done so far, so that a long task can continue."""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from typing import Any, Literal

from zerosum.errors import ZerosumError

Kind = Literal["measurement", "audit", "questions", "arena"]
KINDS: dict[Kind, str] = {
    "measurement": "a measurement",
    "audit": "an audit",
    "questions": "questions",
    "arena": "an arena",
}


class Journal:
    """The rows that are done, in a file to which lines are only added."""

    def __init__(self, file: FileIO, kind: Kind) -> None:
        """Read the rows that are there; an unfinished line is dropped."""
        self._file = file
        self._rows: dict[str, Any] = {}
        self._head = json.dumps({"journal": kind}).encode() + b"\n"
        file.seek(0)
        content = file.readall()
        if not content:
            self._write(self._head)
        elif not content.startswith(self._head):
            raise ZerosumError(
                f"{file.name} is not a journal of {KINDS[kind]}; not overwritten. Delete it, or "
                "choose another file."
            )
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            file.truncate(len(whole))
        for line in whole[len(self._head) :].splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
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
        self._file.truncate(len(self._head))

    def _write(self, line: bytes) -> None:
        """Add a line to the file; a part of one is dropped when the journal is opened again."""
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise ZerosumError(f"{self._file.name} cannot be written: {error.strerror}.") from error


@contextmanager
def open_journal(path: str, fresh: bool = False, kind: Kind = "measurement") -> Iterator[Journal]:
    """Open a journal, for one run at a time; a fresh one has no rows.

    A file that is not a journal of this kind is refused. One that was made now, and has no rows in
    the end, is removed.
    """
    import fcntl

    new = not os.path.lexists(path)
    # Whatever else there may be, such as a device, is not even opened.
    if not new and not os.path.isfile(path):
        raise ZerosumError(f"{path} is not a regular file; choose another one for the journal.")
    try:
        file = FileIO(path, "a+")
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which ends with the process
        except BlockingIOError as error:
            raise ZerosumError(f"Another command is writing {path} now.") from error
        journal = Journal(file, kind)
        if fresh:
            journal.clear()
        try:
            yield journal
        finally:
            if new and not len(journal):
                os.unlink(path)
