"""The tables a process has in memory, and who watches them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from zerosum.web.tables.table import Table


class Memory:
    """The tables used last; those that another process changed are dropped."""

    def __init__(self, most: int) -> None:
        """Remember at most this many tables."""
        self._most = most
        self._known: OrderedDict[str, Table] = OrderedDict()
        # Versions announced by other processes and not read yet; `cuts` counts lost connections.
        self._heard: OrderedDict[str, int] = OrderedDict()
        self.cuts = 0
        self._watchers: dict[str, set[asyncio.Event]] = {}

    def find(self, id: str) -> Table | None:  # noqa: A002
        """Return a table, if it is in memory."""
        table = self._known.get(id)
        if table is not None:
            self._known.move_to_end(id)
        return table

    def put(self, table: Table) -> bool:
        """Remember a stored table and wake its watchers; return False if it is outdated."""
        known = self._known.get(table.id)
        if known is not None and known.change >= table.change:
            return False
        # If another process has already changed it, it is reread when needed.
        if self._heard.get(table.id, 0) <= table.change:
            self._heard.pop(table.id, None)
            self._known[table.id] = table
            _cut(self._known, self._most)
        self._wake(table.id)
        return True

    def forget(self, id: str) -> None:  # noqa: A002
        """Drop a table that is no longer in the store."""
        self._known.pop(id, None)

    def forget_unwatched(self) -> None:
        """Drop every table that nobody watches; it is reread when needed."""
        for id_ in [known for known in self._known if known not in self._watchers]:
            del self._known[id_]

    def outdated(self, id: str, version: int, cuts: int) -> bool:  # noqa: A002
        """Return whether a table changed since it was requested, at that count of `cuts`."""
        return cuts < self.cuts or version < self._heard.get(id, 0)

    def noticed(self, id: str, version: int) -> None:  # noqa: A002
        """Note that another process changed a table; without an id, any may have changed."""
        if not id:
            self.cuts += 1
            self._known.clear()
            for watched in self._watchers:
                self._wake(watched)
            return
        known = self._known.get(id)
        if known is None or known.change < version:
            self._known.pop(id, None)
            self._heard[id] = max(version, self._heard.get(id, 0))
            _cut(self._heard, self._most)
            self._wake(id)

    def watch(self, id: str) -> asyncio.Event:  # noqa: A002
        """Return an event that is set whenever a table changes."""
        waiting = asyncio.Event()
        self._watchers.setdefault(id, set()).add(waiting)
        return waiting

    def leave(self, id: str, waiting: asyncio.Event) -> None:  # noqa: A002
        """Stop watching."""
        events = self._watchers.get(id, set())
        events.discard(waiting)
        if not events:
            self._watchers.pop(id, None)

    def _wake(self, id: str) -> None:  # noqa: A002
        """Wake the watchers of a table."""
        for waiting in self._watchers.get(id, ()):
            waiting.set()


def _cut(kept: OrderedDict[str, Table] | OrderedDict[str, int], most: int) -> None:
    """Drop the least recently used."""
    while len(kept) > most:
        kept.popitem(last=False)
