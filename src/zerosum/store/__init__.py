"""Where matches live: one store over a SQLite file or a PostgreSQL database."""

from __future__ import annotations

from zerosum.errors import MissingExtra
from zerosum.store.batch import Change, LiveUpdate
from zerosum.store.rows import (
    ID_LENGTH,
    Damaged,
    Live,
    LiveRows,
    Saved,
    Summary,
    events_of,
    new_id,
)
from zerosum.store.sqlite import SqliteDatabase
from zerosum.store.store import Store

__all__ = [
    "ID_LENGTH",
    "Change",
    "Damaged",
    "Live",
    "LiveRows",
    "LiveUpdate",
    "Saved",
    "Store",
    "Summary",
    "events_of",
    "new_id",
    "open_store",
]


def open_store(address: str, write: bool = True) -> Store:
    """Open the database at an address: a file's path, or postgresql://HOST/DATABASE."""
    from zerosum.store.address import is_address, libpq_address

    if "://" in address or is_address(address):
        libpq_address(address)  # refuses every other kind of address
        try:
            from zerosum.store.postgres import PostgresDatabase
        except ImportError as error:
            raise MissingExtra("A PostgreSQL database", "postgres") from error
        return Store(PostgresDatabase(address, write))
    return Store(SqliteDatabase(address, write))
