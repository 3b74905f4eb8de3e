"""Matches in tables: the journal, the history, the results and the puzzles."""

from __future__ import annotations

from typing import Any

from zerosum.match import Event, Match
from zerosum.store.base import Moved, Saved, StoreError, Summary
from zerosum.store.database import Database
from zerosum.store.ids import new_id, timestamp
from zerosum.store.rows import (
    COLUMNS,
    Row,
    ended,
    event_row,
    events_of,
    plies_in,
    replayed,
    results_of,
    row_of,
    summary_of,
    wins_in,
)
from zerosum.text import brief

INSERT_MATCH = f"insert into matches ({COLUMNS}) values ({', '.join('?' * len(Row._fields))})"  # noqa: S608
INSERT_EVENT = "insert into events (match, seq, kind, move, at) values (?, ?, ?, ?, ?)"
INSERT_RESULT = (
    "insert into results (match, game, first, winner, ended_by) values (?, ?, ?, ?, ?)"
    " on conflict do nothing"
)
SELECT_MATCH = f"select {COLUMNS} from matches"  # noqa: S608
SELECT_EVENTS = "select seq, kind, move from events where match = ? order by seq"


class SqlStore(Database):
    """A journal of matches: every event is on the disk before `append` returns."""

    def create(
        self,
        match: Match[Any],
        id: str | None = None,  # noqa: A002
        started: str | None = None,
        updated: str | None = None,
    ) -> str:
        """Keep a match with all that has happened in it, and give its id."""
        name = id or new_id()
        now = updated or timestamp()
        row = row_of(name, match, started or now, now)
        events = [event_row(name, seq, event, now) for seq, event in enumerate(events_of(match))]

        def work() -> str:
            if not self._run(f"{INSERT_MATCH} on conflict do nothing", *row):
                raise StoreError(f"Match {name} already exists; not overwritten.")
            self._many((INSERT_EVENT, events), (INSERT_RESULT, results_of(name, match)))
            return name

        return self._transact(work)

    def append(self, id: str, seq: int, event: Event, match: Match[Any]) -> None:  # noqa: A002
        """Keep the event that led to this match, as number `seq` of its events."""
        now = timestamp()
        # One event ends one game at the most, so only the last can be new.
        results = results_of(id, match, match.number - 1)

        def work() -> None:
            row = event_row(id, seq, event, now)
            if not self._run(f"{INSERT_EVENT} on conflict do nothing", *row):
                raise Moved(
                    f"Match {id} was continued in another terminal; nothing is lost. "
                    f"Resume with: zerosum resume {id}"
                )
            self._run(
                "update matches set updated = ?, score_1 = score_1 + ?, score_2 = score_2 + ?,"
                " played = ?, plies = plies + ?, over = ? where id = ?",
                *(now, *wins_in(results), ended(match), plies_in([event]), int(match.over), id),
            )
            self._many((INSERT_RESULT, results))

        self._transact(work)

    def load(self, id: str, game: str | None = None) -> Saved:  # noqa: A002
        """Replay a match from its journal; `game` names the rules where they have moved.

        The beginning of an id is enough, if only one match has it.
        """

        def work() -> tuple[Row, list[tuple[Any, ...]]]:
            row = self._find(id)
            return row, self._rows(SELECT_EVENTS, row.id)

        return replayed(*self._snapshot(work), game)

    def latest_open(self) -> str | None:
        """Give the id of the unfinished match that was played last in a terminal."""
        return next((line.id for line in self.matches(unfinished=True, most=1)), None)

    def matches(
        self, game: str | None = None, unfinished: bool = False, most: int = -1
    ) -> list[Summary]:
        """List matches, the latest first; with `unfinished`, those that a terminal can resume."""
        query = f"{SELECT_MATCH} where over <= ?"
        given: list[str | int] = [0 if unfinished else 1]
        if unfinished:
            query += " and not exists (select 1 from live where live.id = matches.id)"
        if game is not None:
            query += " and game = ?"
            given.append(game)
        query += " order by updated desc, started desc, id desc"
        if most >= 0:
            query += " limit ?"
            given.append(most)
        return [summary_of(Row(*row)) for row in self._rows(query, *given)]

    def results(self) -> list[tuple[str, str, str, int | None, int]]:
        """List every finished game: its rule book, both names, the winner and who moved first."""
        return self._rows(
            "select m.game, m.player_1, m.player_2, r.winner, r.first"
            " from results r join matches m on m.id = r.match order by m.started, m.id, r.game"
        )

    def puzzles(self) -> dict[str, tuple[str, int, bool]]:
        """Give every puzzle that was tried: its grade, the tries, and whether it was solved."""
        rows = self._rows(
            "select id, grade, tries, solved from puzzles order by coalesce(solved, ''), id"
        )
        return {id_: (grade, tries, solved is not None) for id_, grade, tries, solved in rows}

    def try_puzzle(self, id: str, game: str, grade: str, solved: bool) -> None:  # noqa: A002
        """Keep one try at a puzzle."""
        at = timestamp() if solved else None
        self._transact(
            lambda: self._run(
                "insert into puzzles (id, game, grade, tries, solved) values (?, ?, ?, 1, ?)"
                " on conflict (id) do update set tries = puzzles.tries + 1,"
                " solved = coalesce(puzzles.solved, excluded.solved)",
                *(id, game, grade, at),
            )
        )

    def _find(self, id: str) -> Row:  # noqa: A002
        """Find the only match whose id is this, or begins so."""
        name = id.strip().lower()
        rows: list[Row] = []
        if name.isascii() and name.isalnum():
            # What begins with a text stands between it and the same with the last sign of all.
            found = self._rows(
                f"{SELECT_MATCH} where id >= ? and id < ? order by id limit 2", name, f"{name}\x7f"
            )
            rows = [Row(*row) for row in found]
        if len(rows) == 1 or (rows and rows[0].id == name):
            return rows[0]
        if rows:
            raise StoreError(f"More than one id begins with '{brief(name)}'; type more of it.")
        raise StoreError(f"There is no match '{brief(name)}'; zerosum history lists them.")
