"""Matches in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

from zerosum.game import MoveError, brief, variant_of
from zerosum.match import EVENTS, Event, Match, MatchError
from zerosum.registry import entry_of, find
from zerosum.store.base import Moved, Saved, StoreError, Summary, Unwritable
from zerosum.store.header import Header, read_header
from zerosum.store.schema import APPLICATION, MIGRATIONS, VERSION

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without what looks alike
ID_LENGTH = 8
WAIT_SECONDS = 10.0


class SqliteStore:
    """A journal of matches: every event is on the disk before `append` returns."""

    def __init__(self, path: str, write: bool = True) -> None:
        """Open the file, create it, or refuse it as it is."""
        self.path = os.path.abspath(os.path.expanduser(path))
        header = read_header(self.path)
        self._refuse(header)
        with self._errors():
            self._db = self._connect(header, write)
            self._db.execute("pragma synchronous = full")
            if write:
                self._prepare()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def create(self, match: Match, id: str | None = None, started: str | None = None) -> str:  # noqa: A002
        """Keep a match with all that has happened in it, and give its id."""
        id = id or new_id()  # noqa: A001
        now = timestamp()
        entry = entry_of(match.game)
        with self._writing() as db:
            db.execute(
                "insert into matches (id, game, file, options, player_1, player_2, first, length,"
                " clock, started, updated, score_1, score_2, played, plies, over)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)",
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

    def load(self, id: str) -> Saved:  # noqa: A002
        """Replay a match from its journal; the beginning of an id is enough if only one has it."""
        row = self._one(id)
        game = find(row["file"] or row["game"]).variant(**_unjson(row["options"]))
        match = Match.new(
            game, (row["player_1"], row["player_2"]), row["first"], row["length"], row["clock"]
        )
        with self._errors():
            rows = self._db.execute(
                "select kind, move from events where match = ? order by seq", (row["id"],)
            ).fetchall()
        for seq, (kind, move) in enumerate(rows, 1):
            try:
                match = match.apply(Event(kind, None if move is None else int(move)))
            except (MoveError, MatchError) as error:
                raise StoreError(
                    f"Match {row['id']} does not fit the rules of {row['game']} any more: event "
                    f"{seq} ({kind} {brief(move or '')}) is refused. {error}"
                ) from error
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
        return [
            Summary(
                row["id"],
                row["game"],
                (row["player_1"], row["player_2"]),
                row["started"],
                row["updated"],
                row["length"],
                row["played"],
                (row["score_1"], row["score_2"]),
                row["plies"],
                bool(row["over"]),
            )
            for row in rows
        ]

    def results(self) -> list[tuple[str, str, str, int | None, int]]:
        """List every finished game: its rule book, both names, the winner and who moved first."""
        with self._errors():
            rows = self._db.execute(
                "select m.game, m.player_1, m.player_2, r.winner, r.first"
                " from results r join matches m on m.id = r.match order by r.rowid"
            ).fetchall()
        return [tuple(row) for row in rows]

    def _one(self, id: str) -> sqlite3.Row:  # noqa: A002
        """Find the one match whose id begins so."""
        with self._errors():
            rows: list[sqlite3.Row] = self._db.execute(
                "select * from matches where substr(id, 1, ?) = ? limit 2",
                (len(id), id.lower()),
            ).fetchall()
        if len(rows) == 1 and id:
            return rows[0]
        if rows:
            raise StoreError(f"More than one match begins with '{id}': type more of it.")
        raise StoreError(f"There is no match '{id[:40]}'; zerosum history lists them.")

    def _connect(self, header: Header | None, write: bool) -> sqlite3.Connection:
        """Open the file for writing, or only for reading where nothing may be written."""
        if write:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            db = _open(self.path, "rwc")
        elif header is None:
            db = sqlite3.connect(":memory:", isolation_level=None)
            for step in MIGRATIONS:
                db.executescript(step)
        else:
            db = self._reader()
        db.row_factory = sqlite3.Row
        return db

    def _reader(self) -> sqlite3.Connection:
        """Open the file for reading: as others write it or, where that cannot be, as it lies."""
        db = _open(self.path, "ro")
        try:
            db.execute("select count(*) from sqlite_master")
        except sqlite3.OperationalError:
            # A journal beside a file in a read-only folder cannot be shared.
            db.close()
            db = _open(self.path, "ro&immutable=1")
        return db

    def _refuse(self, header: Header | None) -> None:
        """Refuse a file that is not ours, from its first bytes and without opening it."""
        if header is None:
            return
        left = "It was not touched; another place is chosen with --db or ZEROSUM_DB."
        if not header.sqlite or header.application != APPLICATION:
            raise StoreError(f"{self.path} is no Zerosum file. {left}")
        if header.cut_short:
            raise StoreError(f"{self.path} is damaged: its end is missing. {left}")
        if header.version > VERSION:
            raise StoreError(
                f"{self.path} was made by a newer Zerosum (version {header.version}; this one "
                f"knows up to {VERSION}). {left}"
            )

    def _prepare(self) -> None:
        """Bring the file to this version, in one step that others wait for."""
        version = self._version()
        if version < VERSION:
            self._db.execute("begin immediate")
            for step in MIGRATIONS[self._version() :]:
                for statement in step.split(";"):
                    self._db.execute(statement)
            self._db.execute(f"pragma application_id = {APPLICATION}")
            self._db.execute(f"pragma user_version = {VERSION}")
            self._db.execute("commit")
        if version > VERSION:
            raise StoreError(f"{self.path} was made by a newer Zerosum. It was not touched.")
        if self._db.execute("pragma journal_mode").fetchone()[0] != "wal":
            # Another process may be doing the same; the file is as safe without, only slower.
            with suppress(sqlite3.OperationalError):
                self._db.execute("pragma journal_mode = wal")

    def _version(self) -> int:
        """Read the version of the file's schema."""
        return int(self._db.execute("pragma user_version").fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction, on the disk when it ends."""
        with self._errors():
            self._db.execute("begin immediate")
            try:
                yield self._db
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of SQLite and of the disk into sentences."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise Unwritable(f"{self.path} cannot be used: {error}") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{self.path} is damaged ({error}). It was left as it is; "
                "another place is chosen with --db or ZEROSUM_DB."
            ) from error


def _open(path: str, mode: str) -> sqlite3.Connection:
    """Connect to a file that may have any character in its name."""
    name = "".join(c if c.isalnum() or c in "/._-~" else _quoted(c) for c in path)
    return sqlite3.connect(
        f"file:{name}?mode={mode}", uri=True, timeout=WAIT_SECONDS, isolation_level=None
    )


def _quoted(character: str) -> str:
    """Quote a character for a URI; urllib would do it, and costs more to load than SQLite."""
    return "".join(f"%{byte:02x}" for byte in os.fsencode(character))


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
