"""The first bytes of a SQLite file, read without opening it as one: reading must not touch it."""

from __future__ import annotations

import os
from typing import NamedTuple

from zerosum.store.base import StoreError, Unwritable

MAGIC = b"SQLite format 3\0"
LENGTH = 100


class Header(NamedTuple):
    """What the first bytes of a file say."""

    sqlite: bool
    application: int
    version: int
    cut_short: bool


_open: dict[tuple[int, int], int] = {}


def _first_bytes(path: str) -> tuple[bytes, int]:
    """Read a file's beginning and its size.

    On POSIX, closing a file gives up every lock that this process has on it, SQLite's too. So
    what was opened here once stays open.
    """
    about = os.stat(path)
    key = (about.st_dev, about.st_ino)
    if os.name != "posix" or not about.st_ino:
        with open(path, "rb") as file:
            return file.read(LENGTH), about.st_size
    if key not in _open:
        _open[key] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.pread(_open[key], LENGTH, 0), about.st_size


def read_header(path: str) -> Header | None:
    """Read a file's header; None where there is no file yet, or an empty one."""
    try:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder, not a file.")
        head, size = _first_bytes(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unwritable(f"{path} cannot be read: {reason}") from error
    if not head:
        return None
    if len(head) < LENGTH or not head.startswith(MAGIC):
        return Header(False, 0, 0, False)
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    # What is missing at the end may still stand in the journal beside the file.
    journal = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    cut_short = not journal and size < pages * (65536 if page == 1 else page)
    application, version = int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
    return Header(True, application, version, cut_short)
