"""The tables a process has in memory, who watches them, and who of their players is here."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

from zerosum.web.tables.table import LiveTable

# A state takes about 200 bytes, and a table without moves up to 100 times as much.
MOST_PLIES = 1_000_000
PLIES_PER_TABLE = 100
MOST_ANNOUNCED = 10_000
# After a lost connection any table may have changed: its watchers look again, some at a time.
WAKE_AT_ONCE = 50
WAKE_SECONDS = 0.05
# Hears the id of a table that has changed; or of whom it is, if any of their tables may have.
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
        # By the id of a table, or by the holder whose tables are watched.
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
        self._wake(table.id, *table.concerned)
        return True

    def forget(self, id: str) -> None:  # noqa: A002
        """Drop a table; it is reread when needed."""
        known = self._known.pop(id, None)
        if known is not None:
            self._plies -= PLIES_PER_TABLE + known.ply

    def outdated(self, id: str, version: int, epoch: int) -> bool:  # noqa: A002
        """Return whether a table has changed since it was read, in an epoch."""
        return epoch < self.epoch or version < self._announced.get(id, 0)

    def noticed(self, id: str, version: int, holders: Sequence[str] = ()) -> None:  # noqa: A002
        """Note that another process changed a table, and whom that concerns from now on.

        Without an id, any table may have changed.
        """
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
            self._wake(id, *holders)

    def watch(self, key: str, watcher: Watcher) -> None:
        """Call a watcher whenever a table changes, or a holder's tables do."""
        self._watchers.setdefault(key, set()).add(watcher)

    def leave(self, key: str, watcher: Watcher) -> None:
        """Stop watching."""
        watchers = self._watchers.get(key, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(key, None)

    def is_watched(self, key: str) -> bool:
        """Return whether anybody watches a table, or a holder's tables."""
        return key in self._watchers

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

    def _wake(self, id: str, *holders: str) -> None:  # noqa: A002
        """Wake the watchers of a table, and those of some holders' tables."""
        for key in (id, *holders):
            for watcher in self._watchers.get(key, ()):
                watcher(id)

    def _wake_all(self, keys: list[str]) -> None:
        """Wake the watchers of several keys, with pauses so that others are served too."""
        for key in keys[:WAKE_AT_ONCE]:
            self._wake(key)
        if rest := keys[WAKE_AT_ONCE:]:
            asyncio.get_running_loop().call_later(WAKE_SECONDS, self._wake_all, rest)
