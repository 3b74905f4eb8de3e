"""The file of a SQLite database, apart from what SQLite does with it: header, mode and place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from zerosum.errors import StoreError, Unwritable

MAGIC = b"SQLite format 3\0"
HEADER_LENGTH = 100
# What older versions created, readable by everybody.
OLD_MODE, OWN_MODE = 0o644, 0o600
# What a creator names its files until one of them is in its place.
NEW = r"\.new-[0-9a-f]{12}(-journal|-wal|-shm)?"


@contextmanager
def locked(folder: str, shared: bool) -> Iterator[bool]:
    """Hold a lock on a folder, and say whether it is held; only a shared one is waited for."""
    with ExitStack() as stack:
        try:
            import fcntl

            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        except ImportError:  # Windows, where an open file cannot be removed
            held = True
        except OSError:  # somebody else has it, or this file system has none
            held = False
        yield held


def sweep(path: str) -> None:
    """Remove what creators that were killed have left beside a path; those at work hold a lock."""
    folder, name = os.path.split(path)
    left, found = re.compile(re.escape(name) + NEW), []
    with suppress(OSError):  # a folder may be entered, but not listed
        found = [other for other in os.listdir(folder) if left.fullmatch(other)]
    if not found:
        return
    with locked(folder, shared=False) as alone:
        for other in found if alone else ():
            with suppress(OSError):
                os.unlink(os.path.join(folder, other))


def move_into_place(new: str, path: str) -> None:
    """Rename a new file, unless the path is taken; the name is on the disk on return."""
    try:
        os.link(new, path)
    except FileExistsError:
        _replace_empty(new, path)
    except OSError:  # a file system without links
        if os.path.exists(path):
            _replace_empty(new, path)
        else:
            os.rename(new, path)
    with suppress(OSError):  # not every system can open a folder
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _replace_empty(new: str, path: str) -> None:
    """Replace an empty file; of several processes that try, one does."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file is not replaced
        if not os.path.getsize(path):
            os.replace(new, path)
        return
    with open(path, "rb") as empty:
        fcntl.flock(empty, fcntl.LOCK_EX)
        locked, current = os.fstat(empty.fileno()), os.stat(path)
        if os.path.samestat(locked, current) and not current.st_size:
            os.replace(new, path)


class Header(NamedTuple):
    """What the first bytes of a file say."""

    sqlite: bool
    application: int
    version: int
    truncated: bool


_descriptors: dict[tuple[int, int], int] = {}


def _first_bytes(path: str) -> tuple[bytes, int]:
    """Read the header and the size of a file.

    On POSIX, closing a file drops every lock that this process has on it, SQLite's too. So a
    descriptor that was opened here stays open.
    """
    stat = os.stat(path)
    key = (stat.st_dev, stat.st_ino)
    if os.name != "posix" or not stat.st_ino:
        with open(path, "rb") as file:
            return file.read(HEADER_LENGTH), stat.st_size
    if key not in _descriptors:
        _descriptors[key] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.pread(_descriptors[key], HEADER_LENGTH, 0), stat.st_size


def read_header(path: str) -> Header | None:
    """Read the header of a file without SQLite, which might modify it; None for an empty one."""
    try:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder, not a file.")
        head, size = _first_bytes(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unwritable(f"{path} cannot be read: {reason}.") from error
    if not head:
        return None
    if len(head) < HEADER_LENGTH or not head.startswith(MAGIC):
        return Header(False, 0, 0, False)
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    # What is missing at the end may still be in the journal beside the file.
    journal = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    truncated = not journal and size < pages * (65536 if page == 1 else page)
    application, version = int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
    return Header(True, application, version, truncated)


def is_read_only(path: str) -> bool:
    """Return whether a path is on a file system that cannot be written, as far as is known."""
    while not os.path.exists(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except (AttributeError, OSError):  # Windows does not say
        return False


def identity(path: str) -> tuple[int, int] | None:
    """Return what tells a file from any other; None if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def check_single_name(path: str) -> None:
    """Refuse a file with a second name: SQLite names its journal after the one it is given."""
    folder = os.path.dirname(path)
    for left in os.listdir(folder) if os.stat(path).st_nlink > 1 else ():
        # A creator that was killed has left it, or one that is at work is about to remove it.
        with suppress(OSError):
            left = os.path.join(folder, left)
            if left.startswith(f"{path}.new-") and os.path.samefile(left, path):
                os.unlink(left)
    if os.stat(path).st_nlink > 1:
        raise StoreError(
            f"{path} has a second name (a hard link); through it, another program could damage the "
            "file. Delete one of the two names. The matches stay."
        )


def tighten(path: str) -> None:
    """Take away what older versions let everybody read; any other mode is somebody's decision."""
    if os.name != "posix":
        return
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):
            stat = os.stat(name)
            if stat.st_uid == os.geteuid() and stat.st_mode & 0o777 == OLD_MODE:
                os.chmod(name, OWN_MODE)
