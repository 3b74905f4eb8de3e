"""The lock that a server holds on its database file."""

import os
from contextlib import suppress

from zerosum.errors import StoreError
from zerosum.text import printable

SUFFIX = ".served"
LONGEST_URL = 300


class LockFile:
    """One server per database file: two would not see each other's moves.

    The lock is held until it is closed, or until the process ends.
    """

    def __init__(self, db: str, url: str = "") -> None:
        """Lock the database file, or fail if another server has it, by any name.

        The server's address is left in the file for whoever finds it locked.
        """
        self._file: int | None = None
        path = os.path.realpath(os.path.expanduser(db))
        try:
            import fcntl
        except ImportError:  # Windows has no such lock
            return
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            # A link is not followed: what it leads to would be overwritten.
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(path + SUFFIX, flags, 0o600)
        except OSError:  # not writable; the store explains it better
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            left = os.pread(self._file, LONGEST_URL, 0)
            found = printable(left.decode("ascii", "replace"))
            self.close()
            at = f" at {found}" if found else ""
            raise StoreError(
                f"Another server{at} already uses {path}. Use that server, or choose another file "
                "for this one with --db. Several servers can share a PostgreSQL database."
            ) from error
        with suppress(OSError):  # a full disk: the lock is held all the same
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, url.encode("ascii", "replace")[:LONGEST_URL], 0)

    def close(self) -> None:
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
