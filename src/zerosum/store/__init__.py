"""Where matches live."""

from __future__ import annotations

from zerosum.store.base import Saved, StoreError, Summary
from zerosum.store.sqlite import SqliteStore

__all__ = ["Saved", "SqliteStore", "StoreError", "Summary", "open_store"]


def open_store(address: str, write: bool = True) -> SqliteStore:
    """Open the store at an address: a file's path."""
    return SqliteStore(address, write)
