"""Matches in a database: the journal, the history, live matches and puzzles."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from math import isfinite
from typing import Any

from zerosum.errors import Rejected, StoreError, Unreadable
from zerosum.match import Event, Match
from zerosum.registry import entry_of
from zerosum.store.batch import DELETE_LIVE, DELETE_PLAYED, SELECT_ID, Batch, Change
from zerosum.store.database import Callback, Closable, Database
from zerosum.store.journal import MOST_EVENTS, entry_for, read_events, replay
from zerosum.store.rows import (
    COLUMNS,
    Damaged,
    Live,
    LiveRow,
    LiveRows,
    Puzzle,
    Result,
    Row,
    Saved,
    Summary,
    events_of,
    new_id,
    read_match,
    read_result,
    read_row,
    summarize,
    timestamp,
)
from zerosum.text import brief

SELECT_MATCH = f"select {COLUMNS} from matches"  # noqa: S608
SELECT_IDS = "select id from matches"
SELECT_EVENTS = (
    f"select seq, kind, move from events where match = ? order by seq limit {MOST_EVENTS + 1}"  # noqa: S608
)
SELECT_LIVE = (
    f"select {', '.join(f'm.{name}' for name in Row._fields)}, l.version, l.data, l.due"  # noqa: S608
    " from live l join matches m on m.id = l.id where l.id = ?"
)
SELECT_OLD = "select id from live where stage = ? and changed <= ? order by changed limit ?"
SELECT_META = "select value from meta where name = ?"
UPDATE_META = "update meta set value = ? where name = ?"
INSERT_META = "insert into meta (name, value) values (?, ?) on conflict do nothing"
# How many matches are searched for the latest readable one.
NEAREST = 50
Groups = Sequence[Sequence[Change]]


class Store:
    """A journal of matches: every event is on the disk before it is acknowledged."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def again(self) -> Store:
        """Open the same database once more, for another thread."""
        return Store(self.database.again())

    def create(
        self,
        match: Match[Any],
        id: str | None = None,  # noqa: A002
        started: str | None = None,
        updated: str | None = None,
        coach: bool = False,
    ) -> Saved:
        """Save a new match with all its events, and whether it has a coach."""
        at = updated or timestamp()
        events = tuple(events_of(match))
        change = Change(id or new_id(), match, events, None, started=started or at, coach=coach)
        return self._save(change, at)

    def append(self, saved: Saved, event: Event, after: Match[Any] | None = None) -> Saved:
        """Save an event of a saved match; `after` is the match after it, if already known."""
        match = after or saved.match.apply(event)
        events, coach = saved.events, saved.coach
        change = Change(saved.id, match, (event,), events, started=saved.started, coach=coach)
        return self._save(change, timestamp())

    def _save(self, change: Change, at: str) -> Saved:
        """Save one change, or raise the reason why not."""
        (refusal,) = self._write([[change]], at)
        if refusal is not None:
            raise refusal
        events = (change.seq or 0) + len(change.events)
        return Saved(change.id, change.match, events, change.started or at, at, change.coach)

    def write(self, groups: Groups) -> list[StoreError | None]:
        """Save changes in one transaction; return for each group why it was refused, or None.

        They are on the disk on return. The changes of a group are saved together or not at all;
        a group that is refused does not affect the others.
        """
        return self._write(groups, timestamp()) if groups else []

    def _write(self, groups: Groups, at: str) -> list[StoreError | None]:
        """Save all groups at once, or each by itself where the database rejects one."""
        try:
            return self.database.transact(lambda: self._write_together(groups, at))
        except Rejected:
            return self.database.transact(lambda: self._write_singly(groups, at))

    def _write_together(self, groups: Groups, at: str) -> list[StoreError | None]:
        """Save groups with as few statements as possible."""
        try:
            batch = Batch.read(self.database, [change for group in groups for change in group], at)
            refusals = [batch.add(group) for group in groups]
            notifications = self.database.notifications(batch.versions)
            self.database.many([*batch.statements(), *notifications])
        except self.database.faults as error:
            # Further lines would show the values.
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise Rejected(f"The database rejected this change: {reason}") from error
        return refusals

    def _write_singly(self, groups: Groups, at: str) -> list[StoreError | None]:
        """Save each group in a savepoint of its own."""
        # Locks all rows, in their order.
        Batch.read(self.database, [change for group in groups for change in group], at)
        return [self._write_group(group, at) for group in groups]

    def _write_group(self, group: Sequence[Change], at: str) -> StoreError | None:
        """Save one group, or return the reason why not."""
        result: StoreError | None = None
        # Twice: the first time, another process may have been saving the same key.
        for _ in range(2):
            try:
                (result,) = self.database.savepoint(lambda: self._write_together([group], at))
                break
            except Rejected as error:
                result = error
        return result

    def load(self, id: str, game: str | None = None) -> Saved:  # noqa: A002
        """Replay a match from its journal; `game` is the name or file of its rules, as typed.

        The start of an id is enough if only one match has it. A file that only the database
        mentions is not loaded, and FileNotNamed is raised.
        """

        def read() -> tuple[Row, list[tuple[Any, ...]]]:
            row = self._find(id)
            return row, self.database.rows(SELECT_EVENTS, row.id)

        row, events = self.database.snapshot(read)
        return replay(row, read_events(row.id, events), entry_for(row, game))

    def save_rules(self, saved: Saved) -> None:
        """Save which game a match is of, and where its file is now."""
        entry = entry_of(saved.match.game)
        query = "update matches set game = ?, file = ? where id = ?"
        self.database.transact(lambda: self.database.run(query, entry.name, entry.file, saved.id))

    def save_coach(self, saved: Saved, coach: bool) -> None:
        """Save whether a match has a coach from now on."""
        query = "update matches set coach = ? where id = ?"
        self.database.transact(lambda: self.database.run(query, int(coach), saved.id))

    def _find(self, id: str) -> Row:  # noqa: A002
        """Find the only match with this id, or with an id that starts so."""
        return read_match(self._only(id, COLUMNS))

    def _only(self, id: str, columns: str = "id") -> tuple[Any, ...]:  # noqa: A002
        """Read columns, the id first, of the only match with this id or with one that starts so."""
        typed, name = brief(id), id.strip().lower()
        rows: list[tuple[Any, ...]] = []
        if name.isascii() and name.isalnum():
            # Ids that start with a text sort before the same text with the last ASCII character.
            query = f"select {columns} from matches where id >= ? and id < ? order by id limit 2"  # noqa: S608
            rows = self.database.rows(query, name, f"{name}\x7f")
        if len(rows) == 1 or (rows and rows[0][0] == name):
            return rows[0]
        if rows:
            raise StoreError(f"More than one id starts with '{typed}'; type more of it.")
        raise StoreError(f"There is no match '{typed}'; zerosum history lists them.")

    def matches(self, game: str | None = None, most: int = -1, **which: bool) -> list[Summary]:
        """List the readable matches, the latest first, in the way of `listing`."""
        listed = self.listing(game, most=most, **which)
        return [match for match in listed if isinstance(match, Summary)]

    def listing(
        self,
        game: str | None = None,
        unfinished: bool = False,
        most: int = -1,
        reviewable: bool = False,
    ) -> list[Summary | Damaged]:
        """List matches, the latest first; with `unfinished`, those that a terminal can resume.

        With `reviewable`, those with moves, and last those that nobody played but two bots.
        """
        conditions: list[str] = []
        values: list[str | int] = []
        if unfinished:
            conditions += ["over = 0", "id not in (select id from live)"]
        if reviewable:
            conditions.append("plies > 0")
        if game is not None:
            conditions.append("game = ?")
            values.append(game)
        query = f" where {' and '.join(conditions)}" if conditions else ""
        watched = "(bot_1 is not null and bot_2 is not null), " if reviewable else ""
        query += f" order by {watched}updated desc, started desc, id desc"
        if most >= 0:
            query += " limit ?"
            values.append(most)
        try:
            rows = self.database.rows(SELECT_MATCH + query, *values)
        except Unreadable:  # a row spoils the others, so each is read by itself
            ids = self.database.rows(SELECT_IDS + query, *values)
            return [self._listed(id_) for (id_,) in ids]
        return [summarize(row) for row in rows]

    def _listed(self, id: Any) -> Summary | Damaged:  # noqa: A002
        """Summarize one match, or return why it cannot be read."""
        try:
            return summarize(self.database.rows(f"{SELECT_MATCH} where id = ?", id)[0])
        except (Unreadable, IndexError):
            name = brief(id)
            return Damaged(name, f"Match {name} is damaged: a value in it cannot be read.")

    def latest(self, game: str | None = None, **which: bool) -> str | None:
        """Return the id of the readable match (of a game) that was played last."""
        found = self.matches(game, NEAREST, **which)
        return next((match.id for match in found), None)

    def latest_open(self, game: str | None = None) -> str | None:
        """Return the id of the unfinished match (of a game) that was played last in a terminal."""
        return self.latest(game, unfinished=True)

    def delete(self, id: str) -> None:  # noqa: A002
        """Delete a match with its moves, by its whole id; whoever still plays it is refused."""

        def work() -> None:
            self.database.rows(f"{SELECT_ID}{self.database.lock}", id)
            self.database.many([(query, [(id,)]) for query in DELETE_LIVE + DELETE_PLAYED])

        self.database.transact(work)

    def identify(self, id: str) -> str:  # noqa: A002
        """Return the whole id of a match by its beginning; a damaged match has one too."""
        return str(self._only(id)[0])

    def results(self) -> list[Result]:
        """List every finished game."""
        rows = self.database.rows(
            "select m.game, m.player_1, m.player_2, r.winner, r.first"
            " from results r join matches m on m.id = r.match order by m.started, m.id, r.game"
        )
        return [read_result(row) for row in rows]

    def puzzles(self) -> dict[str, tuple[str, int, bool]]:
        """Return every puzzle that was tried: its grade, the tries, and whether it was solved."""
        rows = self.database.rows(
            "select id, grade, tries, solved from puzzles order by coalesce(solved, ''), id"
        )
        tried = (read_row(Puzzle, row) for row in rows)
        return {id_: (grade, tries, solved is not None) for id_, grade, tries, solved in tried}

    def try_puzzle(self, id: str, game: str, grade: str, solved: bool) -> None:  # noqa: A002
        """Save one try at a puzzle."""
        query = (
            "insert into puzzles (id, game, grade, tries, solved) values (?, ?, ?, 1, ?)"
            " on conflict (id) do update set tries = puzzles.tries + 1,"
            " solved = coalesce(puzzles.solved, excluded.solved)"
        )
        at = timestamp() if solved else None
        self.database.transact(lambda: self.database.run(query, id, game, grade, at))

    def live(self, id: str, game: str | None = None) -> Live | None:  # noqa: A002
        """Replay a match that is played through a server, if there is one with this id."""
        rows = self.live_rows(id)
        if rows is None:
            return None
        saved = replay(rows.row, rows.events, entry_for(rows.row, game))
        return Live(saved, rows.version, rows.data, rows.due)

    def live_rows(self, id: str) -> LiveRows | None:  # noqa: A002
        """Return what `live` replays."""
        rows, events = self.database.snapshot(
            lambda: (self.database.rows(SELECT_LIVE, id), self.database.rows(SELECT_EVENTS, id))
        )
        if not rows:
            return None
        count = len(Row._fields)
        row = read_match(rows[0][:count])
        live = read_row(LiveRow, rows[0][count:], f"Match {row.id}")
        return LiveRows(row, read_events(row.id, events), *live)

    def live_version(self, id: str) -> int | None:  # noqa: A002
        """Return the version of a live match."""
        rows = self.database.rows("select version from live where id = ?", id)
        return rows[0][0] if rows else None

    def key(self, id: str, key: str) -> str | None:  # noqa: A002
        """Return the digest that was saved with a key of a match."""
        rows = self.database.rows("select digest from keys where match = ? and key = ?", id, key)
        return rows[0][0] if rows else None

    def created(self, key: str) -> tuple[str, str] | None:
        """Return the id of the live match that was created with a key, and its digest."""
        rows = self.database.rows("select id, digest from live where key = ?", key)
        return (rows[0][0], rows[0][1]) if rows else None

    def due(self, now: float, most: int) -> list[str]:
        """List live matches in which something is due, the earliest first."""
        query = "select id from live where due <= ? order by due limit ?"
        return [id_ for (id_,) in self.database.rows(query, now, most)]

    def expire(
        self, now: float, waiting: float, unfinished: float, finished: float, most: int
    ) -> list[str]:
        """Delete live matches that have not changed for so many seconds, and list them.

        A match that is over stays in the history.
        """

        def work() -> list[str]:
            old: list[tuple[str]] = []
            deleted: list[tuple[str]] = []
            for stage, age in (("waiting", waiting), ("playing", unfinished), ("over", finished)):
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

    def stored(self, owner: str) -> tuple[int, int]:
        """Count the live matches that an owner created, and the events in them."""
        query = "select count(*), coalesce(sum(seq), 0) from live where owner = ?"
        ((matches, events),) = self.database.rows(query, owner)
        return int(matches), int(events)

    def secret(self) -> bytes:
        """Return 32 random bytes that are created once for a database."""
        if not self.database.rows(SELECT_META, "secret"):
            secret = os.urandom(32).hex()
            self.database.transact(lambda: self.database.run(INSERT_META, "secret", secret))
        ((secret,),) = self.database.rows(SELECT_META, "secret")
        if not isinstance(secret, str) or not re.fullmatch("[0-9a-f]{64}", secret):
            raise StoreError("The database is damaged: its secret cannot be read.")
        return bytes.fromhex(secret)

    def beat(self, now: float, pause: float) -> float:
        """Record and return for how many seconds servers have run, which is `now` by the caller's.

        What another server has recorded no longer than a `pause` ago counts, with the time since.
        """

        def work() -> float:
            self.database.run(INSERT_META, "beat", repr(now))
            ((recorded,),) = self.database.rows(SELECT_META + self.database.lock, "beat")
            known = max(now, _seconds(recorded))
            clock = self.database.now()
            if clock is not None:  # which all servers can see, but anyone can set
                self.database.run(INSERT_META, "clock", repr(clock))
                ((before,),) = self.database.rows(SELECT_META, "clock")
                gap = clock - _seconds(before)
                if 0 <= gap <= pause:
                    known = max(known, _seconds(recorded) + gap)
                self.database.run(UPDATE_META, repr(clock), "clock")
            self.database.run(UPDATE_META, repr(known), "beat")
            return known

        return self.database.transact(work)

    def listen(self, callback: Callback) -> Closable | None:
        """Call back with every change, until it is closed; None where nobody is notified."""
        return self.database.listen(callback)


def _seconds(recorded: Any) -> float:
    """Read a time that a server has recorded."""
    with suppress(TypeError, ValueError):
        if isfinite(seconds := float(recorded)):
            return seconds
    raise StoreError("The database is damaged: its time cannot be read.")
