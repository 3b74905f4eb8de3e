"""Matches in a PostgreSQL database, which servers on several machines can share."""

from __future__ import annotations

from collections.abc import Callable

from zerosum.store.connection import PostgresDatabase
from zerosum.store.listening import Listener
from zerosum.store.server import ServerStore


class PostgresStore(PostgresDatabase, ServerStore):
    """A journal of matches in a database."""

    def listen(self, callback: Callable[[str, int], None]) -> Listener:
        """Hear of every change that is committed, by this process and by others.

        A thread calls back with the id and the version, and with ("", 0) when it was cut off for
        a while and may have missed some. The listener ends with its `close`.
        """
        with self._errors():
            return Listener(self._settings, callback)
