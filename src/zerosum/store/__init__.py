"""Where matches live."""

from __future__ import annotations

from zerosum.store.base import Saved, StoreError, Summary
from zerosum.store.ids import new_id
from zerosum.store.rows import events_of
from zerosum.store.server import ServerStore as Store
from zerosum.store.sqlite import SqliteStore

__all__ = [
    "Saved",
    "SqliteStore",
    "Store",
    "StoreError",
    "Summary",
    "events_of",
    "new_id",
    "open_store",
]


def open_store(address: str, write: bool = True) -> Store:
    """Open the store at an address: a file's path."""
    return SqliteStore(address, write)
