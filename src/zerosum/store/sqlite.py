"""Matches in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from zerosum.game import MoveError, UnknownGame, ZerosumError, brief, variant_of
from zerosum.match import EVENTS, Event, Match, MatchError
from zerosum.registry import entry_of, find
from zerosum.store.base import Moved, Saved, StoreError, Summary
from zerosum.store.file import SqliteFile

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without what looks alike
ID_LENGTH = 8


class SqliteStore(SqliteFile):
    """A journal of matches: every event is on the disk before `append` returns."""

    def create(
        self,
        match: Match,
        id: str | None = None,  # noqa: A002
        started: str | None = None,
        updated: str | None = None,
    ) -> str:
        """Keep a match with all that has happened in it, and give its id."""
        id = id or new_id()  # noqa: A001
        now = updated or timestamp()
        entry = entry_of(match.game)
        with self._writing() as db:
            if db.execute("select 1 from matches where id = ?", (id,)).fetchone():
                raise StoreError(f"There is a match {id} already; it was left as it is.")
            db.execute(
                "insert into matches (id, game, file, options, player_1, player_2, first, length,"
                " clock, started, updated, bot_1, bot_2, seed,"
                " score_1, score_2, played, plies, over)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)",
                (
                    id,
                    entry.name,
                    entry.file,
                    _json(variant_of(match.game)),
                    *match.players,
                    match.rounds[0].first,
                    match.length,
                    match.clock,
                    started or now,
                    now,
                    *match.bots,
                    None if match.seed is None else str(match.seed),
                ),
            )
            for seq, event in enumerate(events_of(match)):
                _insert(db, id, seq, event, now)
            _summarise(db, id, match, now)
        return id

    def append(self, id: str, seq: int, event: Event, match: Match) -> None:  # noqa: A002
        """Keep the event that led to this match, as number `seq` of its events."""
        now = timestamp()
        with self._writing() as db:
            try:
                _insert(db, id, seq, event, now)
            except sqlite3.IntegrityError as error:
                raise Moved(
                    f"Match {id} has gone on in another place since it was read here; "
                    f"nothing was lost: zerosum resume {id}"
                ) from error
            _summarise(db, id, match, now)

    def load(self, id: str, game: str | None = None) -> Saved:  # noqa: A002
        """Replay a match from its journal; `game` names the rules where they have moved.

        The beginning of an id is enough, if only one match has it.
        """
        row = self._one(id)
        with self._errors():
            rows = self._db.execute(
                "select seq, kind, move from events where match = ? order by seq", (row["id"],)
            ).fetchall()
        try:
            match = _begun(row, game)
            for seq, (place, kind, move) in enumerate(rows):
                if place != seq:
                    raise MatchError(f"event {seq + 1} is missing.")
                match = _after(match, seq, kind, move)
        except UnknownGame as error:
            raise StoreError(
                f"The rules of match {row['id']} are not where they were. {error} "
                "If they have moved, name them: --game FILE"
            ) from error
        except (ZerosumError, ValueError, TypeError, IndexError) as error:
            raise StoreError(f"Match {row['id']} cannot be read: {error}") from error
        plies = sum(len(played.moves) for played in match.rounds)
        if (plies, match.over) != (row["plies"], bool(row["over"])):
            raise StoreError(f"Match {row['id']} is damaged: its journal has lost events.")
        return Saved(row["id"], match, len(rows), row["started"], row["updated"])

    def latest_open(self) -> str | None:
        """Give the id of the unfinished match that was played last."""
        return next((one.id for one in self.matches(unfinished=True, most=1)), None)

    def matches(
        self, game: str | None = None, unfinished: bool = False, most: int = -1
    ) -> list[Summary]:
        """List matches, the latest first."""
        with self._errors():
            rows = self._db.execute(
                "select * from matches where (:game is null or game = :game) and over <= :over"
                " order by updated desc, rowid desc limit :most",
                {"game": game, "over": 0 if unfinished else 1, "most": most},
            ).fetchall()
            return [_summary(row) for row in rows]

    def results(self) -> list[tuple[str, str, str, int | None, int]]:
        """List every finished game: its rule book, both names, the winner and who moved first."""
        with self._errors():
            rows = self._db.execute(
                "select m.game, m.player_1, m.player_2, r.winner, r.first"
                " from results r join matches m on m.id = r.match order by r.rowid"
            ).fetchall()
        return [tuple(row) for row in rows]

    def puzzles(self) -> dict[str, tuple[str, int, bool]]:
        """Give every puzzle that was tried: its grade, the tries, and whether it was solved."""
        with self._errors():
            rows = self._db.execute(
                "select id, grade, tries, solved from puzzles order by coalesce(solved, ''), rowid"
            ).fetchall()
        return {id_: (grade, tries, solved is not None) for id_, grade, tries, solved in rows}

    def try_puzzle(self, id: str, game: str, grade: str, solved: bool) -> None:  # noqa: A002
        """Keep one try at a puzzle."""
        with self._writing() as db:
            db.execute(
                "insert into puzzles values (:id, :game, :grade, 1, :at) on conflict (id) do"
                " update set tries = tries + 1, solved = coalesce(solved, excluded.solved)",
                {"id": id, "game": game, "grade": grade, "at": timestamp() if solved else None},
            )

    def _one(self, id: str) -> sqlite3.Row:  # noqa: A002
        """Find the one match whose id is this, or begins so."""
        id = id.strip().lower()  # noqa: A001
        rows: list[sqlite3.Row] = []
        if id.isascii() and id.isalnum():
            with self._errors():
                rows = self._db.execute(
                    "select * from matches where substr(id, 1, ?) = ? order by id limit 2",
                    (len(id), id),
                ).fetchall()
        if len(rows) == 1 or (rows and rows[0]["id"] == id):
            return rows[0]
        if rows:
            raise StoreError(f"More than one match begins with '{brief(id)}': type more of it.")
        raise StoreError(f"There is no match '{brief(id)}'; zerosum history lists them.")


def _summary(row: sqlite3.Row) -> Summary:
    """Read a match's line."""
    players, score = (row["player_1"], row["player_2"]), (row["score_1"], row["score_2"])
    times = (row["started"], row["updated"])
    counts = (row["length"], row["played"])
    over = bool(row["over"])
    return Summary(row["id"], row["game"], players, *times, *counts, score, row["plies"], over)


def _begun(row: sqlite3.Row, game: str | None) -> Match:
    """Begin the match that a row describes."""
    options = _unjson(row["options"])
    if not isinstance(options, dict):
        raise MatchError("its options are no options.")
    rules = find(game or row["file"] or row["game"]).variant(**options)
    players = (row["player_1"], row["player_2"])
    seed = None if row["seed"] is None else int(row["seed"])
    bots = (row["bot_1"], row["bot_2"])
    return Match.new(rules, players, row["first"], row["length"], row["clock"], bots, seed)


def _after(match: Match, seq: int, kind: str, move: str | None) -> Match:
    """Let an event of the journal happen again."""
    try:
        return match.apply(Event(kind, None if move is None else int(move)))
    except (MoveError, MatchError) as error:
        said = f"{kind} {brief(move or '')}".strip()
        raise MatchError(f"event {seq + 1} ({said}) breaks the rules. {error}") from error


def _insert(db: sqlite3.Connection, id: str, seq: int, event: Event, now: str) -> None:  # noqa: A002
    """Write one event."""
    move = None if event.move is None else str(event.move)
    db.execute("insert into events values (?, ?, ?, ?, ?)", (id, seq, event.kind, move, now))


def _summarise(db: sqlite3.Connection, id: str, match: Match, now: str) -> None:  # noqa: A002
    """Bring a match's line up to date, and the results of its games."""
    ended = [played for played in match.rounds if played.end]
    plies = sum(len(played.moves) for played in match.rounds)
    db.execute(
        "update matches set updated = ?, score_1 = ?, score_2 = ?, played = ?, plies = ?, over = ?"
        " where id = ?",
        (now, *match.score, len(ended), plies, match.over, id),
    )
    for number, played in enumerate(ended):
        assert played.end is not None  # noqa: S101 (for the type checker)
        db.execute(
            "insert or ignore into results values (?, ?, ?, ?, ?)",
            (id, number, played.first, played.end.winner, played.end.by),
        )


def events_of(match: Match) -> Iterator[Event]:
    """List the events that lead to a match, without those that were undone."""
    for played in match.rounds:
        yield from (Event("move", move) for move in played.moves)
        if played.end and played.end.by in EVENTS:
            yield Event(played.end.by)


def new_id() -> str:
    """Make an id that can be typed and will not be made twice."""
    number = int.from_bytes(os.urandom(8), "big")
    letters = []
    for _ in range(ID_LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def timestamp() -> str:
    """Give the time now, as it is written in records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: Any) -> str:
    """Write options down."""
    import json  # not needed until a match is kept

    return json.dumps(value)


def _unjson(text: str) -> Any:
    """Read options back."""
    import json

    return json.loads(text)
