"""The history of matches: saved event by event, listed, loaded, deleted; and puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from zerosum.errors import NoMatch, StoreError, Unreadable
from zerosum.match import Event, Match
from zerosum.registry import entry_of
from zerosum.store.changes import (
    DELETE_LIVE,
    DELETE_PLAYED,
    SELECT_ID,
    Change,
    save_hint,
    select,
    write_changes,
)
from zerosum.store.database import Database
from zerosum.store.replay import SELECT_EVENTS, SELECT_HINTS, entry_for, read_events, replay
from zerosum.store.rows import (
    COLUMNS,
    Damaged,
    GameResult,
    MatchRow,
    Saved,
    Summary,
    TriedPuzzle,
    new_id,
    read_match,
    read_result,
    read_row,
    summarize,
    timestamp,
)
from zerosum.text import brief

# How many matches are searched for the latest readable one.
NEAREST = 50


class Store:
    """A database's matches: every event is on the disk before it is acknowledged."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def create(
        self,
        match: Match[Any],
        id: str | None = None,  # noqa: A002
        started: str | None = None,
        updated: str | None = None,
        coach: bool = False,
        assistant: int | None = None,
    ) -> Saved:
        """Save a new match with all its events, and what goes with it.

        That is whether it has a coach, and the player for whom an assistant moves, if any.
        """
        at = updated or timestamp()
        new = (id or new_id(), match, tuple(match.events), None, None, started or at)
        return self._save(Change(*new, coach, assistant), at)

    def append(self, saved: Saved, event: Event, after: Match[Any] | None = None) -> Saved:
        """Save an event of a saved match; `after` is the match after it, if known."""
        match = after or saved.match.apply(event)
        about = (saved.started, saved.coach, saved.assistant)
        return self._save(
            Change(saved.id, match, (event,), saved.events, None, *about), timestamp()
        )

    def _save(self, change: Change, at: str) -> Saved:
        """Save one change, or raise the reason why not."""
        (refusal,) = write_changes(self.database, [[change]], at)
        if refusal is not None:
            raise refusal
        events = (change.seq or 0) + len(change.events)
        about = (change.coach, change.assistant)
        return Saved(change.id, change.match, events, change.started or at, at, *about)

    def load(self, id: str, game: str | None = None) -> Saved:  # noqa: A002
        """Replay a match from its events; `game` is the name or file of its rules, as typed.

        The start of an id is enough if only one match has it. A file that only the database
        mentions is not loaded, and FileNotNamed is raised.
        """
        row, events = self.journal(id)
        return replay(row, events, entry_for(row, game))

    def journal(self, id: str) -> tuple[MatchRow, list[Event]]:  # noqa: A002
        """Return the row and the events of a match, to be replayed elsewhere."""

        def read() -> tuple[MatchRow, list[tuple[Any, ...]]]:
            row = read_match(self._only(id, COLUMNS))
            return row, self.database.rows(SELECT_EVENTS, row.id)

        row, events = self.database.snapshot(read)
        return row, read_events(row.id, events)

    def save_about(self, saved: Saved) -> None:
        """Save a match's game, where its file is now, and whether it has a coach."""
        entry = entry_of(saved.match.game)
        query = "update matches set game = ?, file = ?, coach = ? where id = ?"
        self._run(query, entry.name, entry.file, int(saved.coach), saved.id)

    def _run(self, query: str, *values: Any) -> None:
        """Run a statement in a transaction of its own."""
        self.database.transact(lambda: self.database.rows(query, *values))

    def _only(self, id: str, columns: str = "id") -> tuple[Any, ...]:  # noqa: A002
        """Read columns, the id first, of the only match whose id starts so."""
        typed, name = brief(id), id.strip().lower()
        rows: list[tuple[Any, ...]] = []
        if name.isascii() and name.isalnum():
            # Such ids sort before the prefix followed by the last ASCII character.
            query = f"select {columns} from matches where id >= ? and id < ? order by id limit 2"  # noqa: S608
            rows = self.database.rows(query, name, f"{name}\x7f")
        if len(rows) == 1 or (rows and rows[0][0] == name):
            return rows[0]
        if rows:
            raise StoreError(f"More than one id starts with '{typed}'; type more of it.")
        raise NoMatch(f"There is no match '{typed}'; zerosum history lists them.")

    def identify(self, id: str) -> str:  # noqa: A002
        """Return the whole id of a match by its beginning; a damaged match has one too."""
        return str(self._only(id)[0])

    def is_live(self, id: str) -> bool:  # noqa: A002
        """Return whether a match is played through a server."""
        return bool(self.database.rows("select id from live where id = ?", id))

    def invited(self) -> set[str]:
        """Return the ids of the matches whose two seats are held by two people."""
        query = "select match from seats group by match having count(*) > 1"
        return {id_ for (id_,) in self.database.rows(query)}

    def matches(self, game: str | None = None, most: int = -1, **which: bool) -> list[Summary]:
        """List the readable matches, chosen and ordered like `listing`."""
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

        With `reviewable`, those with moves, a person's too unless two bots played; those come last.
        """
        conditions: list[str] = []
        values: list[str | int] = []
        if unfinished:
            conditions += ["over = 0", "id not in (select id from live)"]
        if reviewable:
            opened = "(first = 0 and bot_1 is not null or first = 1 and bot_2 is not null)"
            alone = "(bot_1 is null or bot_2 is null)"
            conditions.append(f"plies > case when {opened} and {alone} then 1 else 0 end")
        if game is not None:
            conditions.append("game = ?")
            values.append(game)
        where = f" where {' and '.join(conditions)}" if conditions else ""
        watched = "(bot_1 is not null and bot_2 is not null), " if reviewable else ""
        query = f"select {COLUMNS} from matches{where} order by {watched}updated desc, started desc, id desc"  # noqa: S608, E501
        if most >= 0:
            query += " limit ?"
            values.append(most)
        return [summarize(row) for row in self.database.rows(query, *values)]

    def latest(self, game: str | None = None, **which: bool) -> str | None:
        """Return the latest readable match's id, chosen like `listing`."""
        found = self.matches(game, NEAREST, **which)
        return found[0].id if found else None

    def delete(self, id: str) -> None:  # noqa: A002
        """Delete a match by its whole id; whoever still plays it is refused."""

        def work() -> None:
            select(self.database, SELECT_ID, [id], end=self.database.lock)
            self.database.many([(query, [(id,)]) for query in DELETE_LIVE + DELETE_PLAYED])

        self.database.transact(work)

    def results(self) -> list[GameResult]:
        """List every finished game."""
        rows = self.database.rows(
            "select m.game, m.player_1, m.player_2, m.bot_1, m.bot_2, r.winner, r.first"
            " from results r join matches m on m.id = r.match where r.game < m.played"
            " order by m.started, m.id, r.game"
        )
        return [read_result(row) for row in rows]

    def journals(self) -> Iterator[tuple[MatchRow, list[Event], list[tuple[int, int]]]]:
        """Read people's matches in which a game has ended, and where the coach helped.

        What is damaged is left out.
        """
        query = (
            f"select {COLUMNS} from matches where played > 0"  # noqa: S608
            " and (bot_1 is null or bot_2 is null) order by started, id"
        )
        for values in self.database.rows(query):
            with suppress(Unreadable):
                row = read_match(values)
                events = read_events(row.id, self.database.rows(SELECT_EVENTS, row.id))
                hints = self.database.rows(SELECT_HINTS, row.id)
                yield row, events, [(game, ply) for game, ply in hints]

    def save_hint(self, id: str, game: int, ply: int) -> None:  # noqa: A002
        """Save that the coach helped whoever was to move."""
        save_hint(self.database, id, game, ply)

    def puzzles(self) -> dict[str, tuple[str, int, bool]]:
        """Return every tried puzzle: its grade, the tries, and whether it was solved."""
        rows = self.database.rows(
            "select id, grade, tries, solved from puzzles order by coalesce(solved, ''), id"
        )
        tried = (read_row(TriedPuzzle, row) for row in rows)
        return {id_: (grade, tries, solved is not None) for id_, grade, tries, solved in tried}

    def try_puzzle(self, id: str, game: str, grade: str, solved: bool) -> None:  # noqa: A002
        """Save one try at a puzzle."""
        query = (
            "insert into puzzles (id, game, grade, tries, solved) values (?, ?, ?, 1, ?)"
            " on conflict (id) do update set tries = puzzles.tries + 1,"
            " solved = coalesce(puzzles.solved, excluded.solved)"
        )
        self._run(query, id, game, grade, timestamp() if solved else None)
