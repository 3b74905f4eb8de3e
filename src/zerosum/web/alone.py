"""One server for one file: two would not hear of each other's moves."""

from __future__ import annotations

import os

from zerosum.store.base import StoreError

MARK = ".served"


class Alone:
    """Holds a file of matches for one server, until it is let go or its process ends."""

    def __init__(self, db: str) -> None:
        """Take the store's file, or say that another server has it."""
        self._file: int | None = None
        try:
            import fcntl
        except ImportError:  # Windows, where nobody is kept from starting a second one
            return
        path = os.path.abspath(os.path.expanduser(db))
        try:
            self._file = os.open(path + MARK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:  # a folder that cannot be written to; the store says it better
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise StoreError(
                f"Another server already serves the matches in {path}. Use that one, or give this "
                "one a place of its own with --db. Several servers can share a PostgreSQL database."
            ) from error

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
