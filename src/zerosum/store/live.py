"""What a server does with a database: live matches, their keys and deadlines, and its own time."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from math import isfinite
from typing import Any

from zerosum.errors import StoreError
from zerosum.match import Event
from zerosum.store.changes import DELETE_LIVE, DELETE_PLAYED, Groups, save_hint, write_changes
from zerosum.store.database import Database
from zerosum.store.people import PeopleStore
from zerosum.store.replay import SELECT_EVENTS, SELECT_HINTS, read_events
from zerosum.store.rows import LiveRow, MatchRow, read_match, read_row, timestamp

SELECT_LIVE = (
    f"select {', '.join(f'm.{name}' for name in MatchRow._fields)}, l.version, l.data, l.due"  # noqa: S608
    " from live l join matches m on m.id = l.id where l.id = ?"
)
SELECT_OLD = (
    "select l.id from live l join matches m on m.id = l.id"
    " where l.stage = ? and l.changed <= ? order by l.changed limit ?"
)
SELECT_META = "select value from meta where name = ?"
UPDATE_META = "update meta set value = ? where name = ?"
INSERT_META = "insert into meta (name, value) values (?, ?) on conflict do nothing"


class LiveStore:
    """The live matches of a database, played through one server or several."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database
        self.people = PeopleStore(database)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def again(self) -> LiveStore:
        """Open the same database once more, for another thread."""
        return LiveStore(self.database.again())

    def write(self, groups: Groups) -> list[StoreError | None]:
        """Save groups of changes; return what `write_changes` returns: why each was refused."""
        return write_changes(self.database, groups, timestamp()) if groups else []

    def rows(self, id: str) -> tuple[MatchRow, list[Event], LiveRow] | None:  # noqa: A002
        """Return a live match, to be replayed."""
        rows, events = self.database.snapshot(
            lambda: (self.database.rows(SELECT_LIVE, id), self.database.rows(SELECT_EVENTS, id))
        )
        if not rows:
            return None
        count = len(MatchRow._fields)
        row = read_match(rows[0][:count])
        live = read_row(LiveRow, rows[0][count:], f"Match {row.id}")
        return row, read_events(row.id, events), live

    def hints(self, id: str) -> list[tuple[int, int]]:  # noqa: A002
        """List where the coach helped in a match: games and plies, from 0."""
        return [(game, ply) for game, ply in self.database.rows(SELECT_HINTS, id)]

    def save_hint(self, id: str, game: int, ply: int) -> None:  # noqa: A002
        """Save that the coach helped whoever was to move."""
        save_hint(self.database, id, game, ply)

    def version(self, id: str) -> int | None:  # noqa: A002
        """Return the version of a live match."""
        rows = self.database.rows("select version from live where id = ?", id)
        return rows[0][0] if rows else None

    def key(self, id: str, key: str) -> str | None:  # noqa: A002
        """Return the digest that was saved with a key of a match."""
        rows = self.database.rows("select digest from keys where match = ? and key = ?", id, key)
        return rows[0][0] if rows else None

    def created(self, key: str) -> tuple[str, str] | None:
        """Return the id and digest of the live match created with a key."""
        rows = self.database.rows("select id, digest from live where key = ?", key)
        return (rows[0][0], rows[0][1]) if rows else None

    def due(self, now: float, most: int) -> list[str]:
        """List live matches in which something is due, the earliest first."""
        query = "select id from live where due <= ? order by due limit ?"
        return [id_ for (id_,) in self.database.rows(query, now, most)]

    def expire(
        self, now: float, waiting: float, unfinished: float, finished: float, most: int
    ) -> list[str]:
        """Delete live matches unchanged for some time, and list them.

        A match that is over stays in the history.
        """

        def work() -> list[str]:
            old: list[tuple[str]] = []
            deleted: list[tuple[str]] = []
            ages = {"declined": waiting, "waiting": waiting, "playing": unfinished}
            for stage, age in (*ages.items(), ("over", finished)):
                values = (stage, now - age, most - len(old))
                found = self.database.rows(SELECT_OLD + self.database.lock_free, *values)
                old += [(id_,) for (id_,) in found]
                deleted += [(id_,) for (id_,) in found if stage != "over"]
            live = [(query, old) for query in DELETE_LIVE]
            self.database.many([*live, *((query, deleted) for query in DELETE_PLAYED)])
            return [id_ for (id_,) in old]

        return self.database.transact(work)

    def count(self) -> int:
        """Count all matches, those in the history too."""
        return int(self.database.rows("select count(*) from matches")[0][0])

    def stored(self, owner: str) -> tuple[int, int, int]:
        """Count an owner's live matches, the events in them, and who waits."""
        query = (
            "select count(*), coalesce(sum(seq), 0), count(*) filter (where stage = 'waiting')"
            " from live where owner = ?"
        )
        ((matches, events, waiting),) = self.database.rows(query, owner)
        return int(matches), int(events), int(waiting)

    def secret(self) -> bytes:
        """Return 32 random bytes that are created once for a database."""
        if not self.database.rows(SELECT_META, "secret"):
            secret = os.urandom(32).hex()
            self.database.transact(lambda: self.database.rows(INSERT_META, "secret", secret))
        ((secret,),) = self.database.rows(SELECT_META, "secret")
        if not isinstance(secret, str) or not re.fullmatch("[0-9a-f]{64}", secret):
            raise StoreError("The database is damaged: its secret cannot be read.")
        return bytes.fromhex(secret)

    def beat(self, now: float, pause: float) -> float:
        """Record and return the seconds that servers have run; the caller counts `now`.

        What another server has recorded no longer than a `pause` ago counts, with the time since.
        """

        def work() -> float:
            self.database.rows(INSERT_META, "beat", repr(now))
            ((recorded,),) = self.database.rows(SELECT_META + self.database.lock, "beat")
            known = max(now, _seconds(recorded))
            if self.database.clock:  # which all servers can see, but anyone can set
                ((clock,),) = self.database.rows(self.database.clock)
                self.database.rows(INSERT_META, "clock", repr(clock))
                ((before,),) = self.database.rows(SELECT_META, "clock")
                gap = clock - _seconds(before)
                if 0 <= gap <= pause:
                    known = max(known, _seconds(recorded) + gap)
                self.database.rows(UPDATE_META, repr(clock), "clock")
            self.database.rows(UPDATE_META, repr(known), "beat")
            return known

        return self.database.transact(work)


def _seconds(recorded: Any) -> float:
    """Read a time that a server has recorded."""
    with suppress(TypeError, ValueError):
        if isfinite(seconds := float(recorded)):
            return seconds
    raise StoreError("The database is damaged: its time cannot be read.")
