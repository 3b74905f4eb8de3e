"""Matches in one SQLite file."""

from __future__ import annotations

from zerosum.store.file import SqliteFile
from zerosum.store.ids import new_id
from zerosum.store.rows import events_of
from zerosum.store.server import ServerStore

__all__ = ["SqliteStore", "events_of", "new_id"]


class SqliteStore(SqliteFile, ServerStore):
    """A journal of matches in a file of this machine."""
