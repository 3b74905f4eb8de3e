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
    """Open the store at an address: a file's path, or postgresql://HOST/DATABASE."""
    if "://" in address:
        from zerosum.store.address import is_address

        if is_address(address):
            return _postgres(address, write)
    return SqliteStore(address, write)


def _postgres(address: str, write: bool) -> Store:
    """Open a PostgreSQL database, with the library that is not always there."""
    try:
        from zerosum.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreError("PostgreSQL needs psycopg: pip install 'zerosum[postgres]'") from error
    return PostgresStore(address, write)
