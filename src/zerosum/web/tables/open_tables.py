"""The tables a process has in memory, who watches them, and who of their players is here."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable

from zerosum.web.tables.table import LiveTable

# A state takes about 200 bytes, and a table without moves up to 100 times as much.
MOST_PLIES = 1_000_000
PLIES_PER_TABLE = 100
MOST_ANNOUNCED = 10_000
# After a lost connection any table may have changed: its watchers look again, some at a time.
WAKE_AT_ONCE = 50
WAKE_SECONDS = 0.05
# Hears the id of a table that has changed.
Watcher = Callable[[str], None]


class OpenTables:
    """The tables used last; those that another process changed are read again when needed."""

    def __init__(self, most: int = MOST_PLIES) -> None:
        """Remember tables with at most this many plies in all."""
        self._most = most
        self._plies = 0
        self._known: OrderedDict[str, LiveTable] = OrderedDict()
        # Versions announced by other processes and not read yet.
        self._announced: OrderedDict[str, int] = OrderedDict()
        # A new one begins with a lost connection, when announcements may have been missed.
        self.epoch = 0
        # Versions that this process is writing: hearing of them before they are stored is not news.
        self.writing: dict[str, int] = {}
        self._watchers: dict[str, set[Watcher]] = {}
        # How many streams each holder of a seat has open.
        self._present: dict[str, Counter[str]] = {}

    def find(self, id: str) -> LiveTable | None:  # noqa: A002
        """Return a table, if it is in memory and not outdated."""
        if id in self._known:
            self._known.move_to_end(id)
        return self._known.get(id)

    def put(self, table: LiveTable, epoch: int) -> bool:
        """Remember a table stored in an epoch, and wake its watchers; False if it is not new."""
        known = self.find(table.id)
        if known is not None and known.change >= table.change:
            return False
        if self.outdated(table.id, table.change, epoch):
            self.noticed(table.id, table.change)
            return True
        self._announced.pop(table.id, None)
        self.forget(table.id)
        self._known[table.id] = table
        self._plies += PLIES_PER_TABLE + table.ply
        while self._plies > self._most and len(self._known) > 1:
            self.forget(next(iter(self._known)))
        self._wake(table.id)
        return True

    def forget(self, id: str) -> None:  # noqa: A002
        """Drop a table; it is reread when needed."""
        known = self._known.pop(id, None)
        if known is not None:
            self._plies -= PLIES_PER_TABLE + known.ply

    def outdated(self, id: str, version: int, epoch: int) -> bool:  # noqa: A002
        """Return whether a table has changed since it was read, in an epoch."""
        return epoch < self.epoch or version < self._announced.get(id, 0)

    def noticed(self, id: str, version: int) -> None:  # noqa: A002
        """Note that another process changed a table; without an id, any may have changed."""
        if not id:
            self.epoch += 1
            self._known.clear()
            self._plies = 0
            self._wake_all(list(self._watchers))
            return
        known = self._known.get(id)
        if version <= self.writing.get(id, 0):
            return
        if known is None or known.change < version:
            self.forget(id)
            self._announced[id] = max(version, self._announced.get(id, 0))
            if len(self._announced) > MOST_ANNOUNCED:
                self._announced.popitem(last=False)
            self._wake(id)

    def watch(self, id: str, watcher: Watcher) -> None:  # noqa: A002
        """Call a watcher whenever a table changes."""
        self._watchers.setdefault(id, set()).add(watcher)

    def leave(self, id: str, watcher: Watcher) -> None:  # noqa: A002
        """Stop watching."""
        watchers = self._watchers.get(id, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(id, None)

    def arrive(self, id: str, holder: str) -> None:  # noqa: A002
        """Note that the holder of a seat follows a table, and tell the others."""
        here = self._present.setdefault(id, Counter())
        here[holder] += 1
        if here[holder] == 1:
            self._wake(id)

    def depart(self, id: str, holder: str) -> None:  # noqa: A002
        """Note that the holder of a seat has closed a stream."""
        here = self._present[id]
        here[holder] -= 1
        if not here[holder]:
            del here[holder]
            self._wake(id)
        if not here:
            del self._present[id]

    def present(self, table: LiveTable) -> tuple[bool, bool]:
        """Return which players of a table follow it from this process."""
        here = {
            player for held in self._present.get(table.id, ()) for player in table.players_of(held)
        }
        return 0 in here, 1 in here

    def _wake(self, id: str) -> None:  # noqa: A002
        """Wake the watchers of a table."""
        for watcher in self._watchers.get(id, ()):
            watcher(id)

    def _wake_all(self, ids: list[str]) -> None:
        """Wake the watchers of several tables, with pauses so that others are served too."""
        for id_ in ids[:WAKE_AT_ONCE]:
            self._wake(id_)
        if rest := ids[WAKE_AT_ONCE:]:
            asyncio.get_running_loop().call_later(WAKE_SECONDS, self._wake_all, rest)
