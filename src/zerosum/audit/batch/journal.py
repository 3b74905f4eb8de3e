"""The journal of a batch: the rows that are done, so that the same command continues."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from zerosum.audit.batch.isolation import Job, Row
from zerosum.errors import ZerosumError


def key_of(job: Job) -> str:
    """Return a digest of everything that a row depends on."""
    digest = hashlib.sha256(repr((job[:2], job.limits, job[4:], sys.version_info[:2])).encode())
    for name, content in job.contents:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


# How every line begins.
HEAD = b'{"key": "'


class Journal:
    """The rows that are done, a line each, in a file to which lines are only added."""

    def __init__(self, file: IO[bytes]) -> None:
        """Read the rows that are there; a line that was not finished is dropped."""
        self._file = file
        self._rows: dict[str, Row] = {}
        whole = 0
        for line in file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            with suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                self._rows[entry["key"]] = entry["row"]
        file.truncate(whole)
        file.seek(whole)

    def get(self, job: Job) -> Row | None:
        """Return the row of a job, if it is done."""
        return self._rows.get(key_of(job))

    def add(self, job: Job, row: Row) -> None:
        """Keep a row."""
        key = key_of(job)
        self._rows[key] = row
        self._file.write(json.dumps({"key": key, "row": row}).encode() + b"\n")
        self._file.flush()


@contextmanager
def open_journal(path: str, fresh: bool = False) -> Iterator[Journal]:
    """Open a journal, for one run at a time; a fresh one has no rows."""
    try:
        with open(path, "a+b") as file:
            _lock(file, path)
            _check(file, path)
            if fresh:
                file.truncate(0)
            file.seek(0)
            try:
                yield Journal(file)
            finally:
                if not os.path.getsize(path):
                    os.unlink(path)
    except OSError as error:
        if error.filename != path:
            raise
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error


def _check(file: IO[bytes], path: str) -> None:
    """Refuse a file that is not a journal; the first line of one may be torn."""
    file.seek(0)
    begins = file.read(len(HEAD))
    if not HEAD.startswith(begins):
        raise ZerosumError(
            f"{path} is not a journal of an audit; not overwritten. "
            "Delete it, or name another file with --out."
        )


def _lock(file: IO[bytes], path: str) -> None:
    """Make sure that no other run writes the same journal; the lock ends with the process."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ZerosumError(f"Another audit is writing {path} now.") from error
