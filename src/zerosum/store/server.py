"""Matches that are played through a server: written in batches, found when something is due."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Protocol

from zerosum.store.base import StoreError
from zerosum.store.ids import timestamp
from zerosum.store.live import OVER, PLAYING, WAITING, Batch, Begin, Change, Entry, Live
from zerosum.store.rows import Row, replayed
from zerosum.store.sql import INSERT_EVENT, INSERT_MATCH, INSERT_RESULT, SELECT_EVENTS, SqlStore
from zerosum.store.steps import (
    INSERT_KEY,
    INSERT_LIVE,
    STANDING,
    UPDATE_LIVE,
    UPDATE_MATCH,
    Standing,
    Steps,
)

SELECT_LIVE = (
    f"select {', '.join(f'm.{name}' for name in Row._fields)}, l.version, l.data, l.due"  # noqa: S608
    " from live l join matches m on m.id = l.id where l.id = ?"
)
SELECT_OLD = "select id from live where stage = ? and changed <= ? order by changed limit ?"
SELECT_BEAT = "select value from meta where name = 'beat'"
Groups = list[tuple[Entry, ...]]


class Closable(Protocol):
    """Something that ends when it is closed."""

    def close(self) -> None:
        """End it."""


class Fault(StoreError):
    """An entry that the database does not take, whatever else stands in the batch."""


class ServerStore(SqlStore):
    """The part of the store that a server needs."""

    def write(self, batch: Batch) -> list[StoreError | None]:
        """Keep changes in one transaction, and tell for each why it was not kept, or None.

        They are on the disk when this returns. An entry that is refused leaves the others
        alone; the entries of a tuple are kept together or not at all, and get one answer.
        """
        groups = [(item,) if isinstance(item, Begin | Change) else item for item in batch]
        if not groups:
            return []
        try:
            return self._transact(lambda: self._together(groups))
        except Fault:
            return self._transact(lambda: self._singly(groups))

    def _together(self, groups: Groups) -> list[StoreError | None]:
        """Write a batch with as few statements as possible."""
        try:
            steps = self._standing([entry for group in groups for entry in group])
            results = [steps.take(group) for group in groups]
            self._many(
                (INSERT_MATCH, steps.matches),
                (INSERT_LIVE, sorted(steps.begun, key=lambda row: row[-2])),
                (INSERT_EVENT, steps.events),
                (INSERT_RESULT, steps.results),
                (UPDATE_MATCH, list(steps.lines.values())),
                (UPDATE_LIVE, list(steps.live.values())),
                (INSERT_KEY, steps.used),
                *self._notices(steps.told.items()),
            )
        except self.faults as error:
            raise Fault(f"The store does not take this: {_first_line(error)}") from error
        return results

    def _singly(self, groups: Groups) -> list[StoreError | None]:
        """Write a batch of which something is at fault, each entry for itself."""
        self._standing([entry for group in groups for entry in group])
        return [self._alone(group) for group in groups]

    def _alone(self, group: tuple[Entry, ...]) -> StoreError | None:
        """Write one entry of a batch, in a step of its own."""
        # Twice: the first time it may have met the same key of another process on its way.
        for _ in range(2):
            try:
                (result,) = self._savepoint(lambda: self._together([group]))
                break
            except Fault as error:
                result = error
        return result

    def _standing(self, entries: list[Entry]) -> Steps:
        """Read what entries are checked against, so that it stays so until they are written."""
        changes = [entry for entry in entries if isinstance(entry, Change)]
        begins = [entry for entry in entries if isinstance(entry, Begin)]
        # Rows are waited for in the order of ids, and keys in their own: two processes that
        # waited for each other would wait for ever.
        ids = sorted({(entry.id,) for entry in changes})
        rows = [Standing(*row) for row in self._each(STANDING + self.lock, ids)]
        keyed = [(entry.id, entry.key) for entry in changes if entry.key is not None]
        asked = "select match, key, digest from keys where match = ? and key = ?"
        keys = {(id_, key): digest for id_, key, digest in self._each(asked, keyed)}
        made = "select key, digest from live where key = ?"
        for key, digest in self._each(made, [(entry.key,) for entry in begins]):
            keys["", key] = digest
        there = "select id from matches where id = ?"
        taken = {id_ for (id_,) in self._each(there, [(entry.id,) for entry in begins])}
        return Steps(time.time(), timestamp(), {row.id: row for row in rows}, keys, taken)

    def live(self, id: str) -> Live | None:  # noqa: A002
        """Give a match that is played through a server; None where there is none of this id."""
        rows, events = self._snapshot(
            lambda: (self._rows(SELECT_LIVE, id), self._rows(SELECT_EVENTS, id))
        )
        if not rows:
            return None
        *row, version, data, due = rows[0]
        return Live(replayed(Row(*row), events), version, data, due)

    def live_version(self, id: str) -> int | None:  # noqa: A002
        """Give the version at which a live match stands."""
        rows = self._rows("select version from live where id = ?", id)
        return rows[0][0] if rows else None

    def key(self, id: str, key: str) -> str | None:  # noqa: A002
        """Give the digest that was kept with a key of a match; without an id, of a new match."""
        if not id:
            made = self.created(key)
            return None if made is None else made[1]
        rows = self._rows("select digest from keys where match = ? and key = ?", id, key)
        return rows[0][0] if rows else None

    def created(self, key: str) -> tuple[str, str] | None:
        """Give the id of the match that was made with a key, and the digest kept with it."""
        rows = self._rows("select id, digest from live where key = ?", key)
        return (rows[0][0], rows[0][1]) if rows else None

    def due(self, now: float, most: int) -> list[str]:
        """List matches in which something is due, the earliest first."""
        rows = self._rows("select id from live where due <= ? order by due limit ?", now, most)
        return [id_ for (id_,) in rows]

    def expire(
        self, now: float, waiting: float, unfinished: float, finished: float, most: int
    ) -> int:
        """Forget matches that have not changed for so many seconds, and tell how many.

        Nothing is left of one that nobody has joined or finished. One that is over stays in
        the history, and is no longer open in the browser.
        """

        def work() -> int:
            old: list[tuple[str]] = []
            dead: list[tuple[str]] = []
            for stage, age in ((WAITING, waiting), (PLAYING, unfinished), (OVER, finished)):
                found = self._rows(SELECT_OLD + self.lock_free, stage, now - age, most - len(old))
                old += [(id_,) for (id_,) in found]
                dead += [(id_,) for (id_,) in found if stage != OVER]
            self._many(
                ("delete from keys where match = ?", old),
                ("delete from live where id = ?", old),
                ("delete from results where match = ?", dead),
                ("delete from events where match = ?", dead),
                ("delete from matches where id = ?", dead),
            )
            return len(old)

        return self._transact(work)

    def secret(self) -> bytes:
        """Give 32 random bytes that were made once for this store."""
        asked = "select value from meta where name = 'secret'"
        if not self._rows(asked):
            made = os.urandom(32).hex()
            put = "insert into meta (name, value) values ('secret', ?) on conflict do nothing"
            self._transact(lambda: self._run(put, made))
        return bytes.fromhex(self._rows(asked)[0][0])

    def beat(self, now: float, pause: float) -> float:
        """Say that a server is alive; after a pause of all servers give its length.

        Everything that is due is then put off by as much, once.
        """

        def work() -> float:
            put = "insert into meta (name, value) values ('beat', ?) on conflict do nothing"
            self._run(put, repr(now))
            ((last,),) = self._rows(SELECT_BEAT + self.lock)
            gone = now - float(last)
            if gone <= 0:  # a clock that is behind another server's
                return 0.0
            self._run("update meta set value = ? where name = 'beat'", repr(now))
            if gone <= pause:
                return 0.0
            self._run("update live set due = due + ? where due is not null", gone)
            return gone

        return self._transact(work)

    def listen(self, callback: Callable[[str, int], None]) -> Closable | None:
        """Hear of the changes of other processes, if the database tells of them."""
        return None


def _first_line(error: Exception) -> str:
    """Give what an error says; more lines would show what was to be kept."""
    return next(iter(str(error).splitlines()), type(error).__name__)
