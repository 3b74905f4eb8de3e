"""Where matches live: a history and live matches, in a SQLite file or a PostgreSQL database."""

from __future__ import annotations

from zerosum.errors import MissingExtra
from zerosum.store.changes import Change, LiveUpdate
from zerosum.store.database import Database
from zerosum.store.rows import ID_LENGTH, Damaged, GameResult, Saved, Summary, new_id
from zerosum.store.sqlite import SqliteDatabase
from zerosum.store.store import Store

__all__ = [
    "ID_LENGTH",
    "Change",
    "Damaged",
    "GameResult",
    "LiveUpdate",
    "Saved",
    "Store",
    "Summary",
    "new_id",
    "open_database",
    "open_store",
]


def open_store(address: str, write: bool = True) -> Store:
    """Open the history at an address: a file's path, or postgresql://HOST/DATABASE."""
    return Store(open_database(address, write))


def open_database(address: str, write: bool = True) -> Database:
    """Open the database at an address."""
    from zerosum.store.address import is_address, libpq_address

    if "://" in address or is_address(address):
        libpq_address(address)  # refuses every other kind of address
        try:
            from zerosum.store.postgres import PostgresDatabase
        except ImportError as error:
            raise MissingExtra("A PostgreSQL database", "postgres") from error
        return PostgresDatabase(address, write)
    return SqliteDatabase(address, write)
