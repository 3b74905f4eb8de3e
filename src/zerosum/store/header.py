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


def read_header(path: str) -> Header | None:
    """Read a file's header; None where there is no file yet, or an empty one."""
    try:
        with open(path, "rb") as file:
            head = file.read(LENGTH)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return None
    except IsADirectoryError as error:
        raise StoreError(f"{path} is a folder, not a file.") from error
    except OSError as error:
        raise Unwritable(f"{path} cannot be read: {error.strerror}") from error
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
