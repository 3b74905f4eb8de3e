"""Where matches live: a history and live matches, in SQLite or PostgreSQL."""

from zerosum.store.changes import Change, LiveUpdate
from zerosum.store.database import open_database
from zerosum.store.rows import ID_LENGTH, Damaged, GameResult, Saved, Summary, new_id
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
