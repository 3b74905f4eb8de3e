"""The tables that a process remembers, and who watches them; other processes may know more."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from zerosum.web.table import Table


class Memory:
    """The tables used last, as new as was heard; what others have changed is forgotten here."""

    def __init__(self, most: int) -> None:
        """Remember so many tables."""
        self._most = most
        self._known: OrderedDict[str, Table] = OrderedDict()
        # What others have told of and has not been read yet; and how often they were not heard.
        self._heard: OrderedDict[str, int] = OrderedDict()
        self.cuts = 0
        self._watchers: dict[str, set[asyncio.Event]] = {}

    def find(self, id: str) -> Table | None:  # noqa: A002
        """Give a table, if it is remembered."""
        table = self._known.get(id)
        if table is not None:
            self._known.move_to_end(id)
        return table

    def put(self, table: Table) -> bool:
        """Remember a table that is in the store, and wake who watches it; False: it is old."""
        known = self._known.get(table.id)
        if known is not None and known.change >= table.change:
            return False
        # Another process may have gone on from it already; then it is read again when wanted.
        if self._heard.get(table.id, 0) <= table.change:
            self._heard.pop(table.id, None)
            self._known[table.id] = table
            _cut(self._known, self._most)
        self._wake(table.id)
        return True

    def forget(self, id: str) -> None:  # noqa: A002
        """Let go of a table that is no longer in the store."""
        self._known.pop(id, None)

    def forget_unwatched(self) -> None:
        """Let go of everything that nobody looks at; what is wanted again is read again."""
        for id_ in [known for known in self._known if known not in self._watchers]:
            del self._known[id_]

    def outdated(self, id: str, version: int, cuts: int) -> bool:  # noqa: A002
        """Tell whether a table has changed since it was asked for, when there were so many cuts."""
        return cuts < self.cuts or version < self._heard.get(id, 0)

    def noticed(self, id: str, version: int) -> None:  # noqa: A002
        """Hear that another process has changed a table; without a name, any may have changed."""
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
        """Give an event that is set whenever a table changes."""
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
        """Wake who watches a table."""
        for waiting in self._watchers.get(id, ()):
            waiting.set()


def _cut(kept: OrderedDict[str, Table] | OrderedDict[str, int], most: int) -> None:
    """Let go of what was not used for longest."""
    while len(kept) > most:
        kept.popitem(last=False)
