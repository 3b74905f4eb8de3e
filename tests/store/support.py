"""Helpers for the tests of the store."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.helpers import PATIENCE
from zerosum.errors import StoreError
from zerosum.match import Event, Match
from zerosum.store import Change, LiveUpdate, Saved, Store, open_database, open_store
from zerosum.store.address import is_address
from zerosum.store.database import Database
from zerosum.store.live import LiveStore
from zerosum.store.replay import entry_for, replay

PAGE = 4096
ONE = Event("move", 1)


class Live(NamedTuple):
    """A live match, replayed."""

    saved: Saved
    version: int
    data: str
    due: float | None


class BothStores(Store):
    """The history of a database, and what a server does with it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.server = LiveStore(database)

    def live(self, id: str, game: str | None = None) -> Live:  # noqa: A002
        """Replay a live match; a game in a file is named by its path."""
        rows = self.server.rows(id)
        assert rows is not None
        row, events, live = rows
        return Live(replay(row, events, entry_for(row, game)), *live)


def open_both(address: str | Path, write: bool = True) -> BothStores:
    return BothStores(open_database(str(address), write))


class Stores:
    """Opens stores at one address, and closes them all."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opened: list[BothStores] = []

    def __call__(self, write: bool = True) -> BothStores:
        store = open_both(self.address, write)
        self._opened.append(store)
        return store

    def pair(self) -> tuple[BothStores, BothStores]:
        """Return two open stores, the same ones every time."""
        while len(self._opened) < 2:
            self()
        return self._opened[0], self._opened[1]

    def close(self) -> None:
        for store in self._opened:
            store.close()


def even(start: int = 15, **options: Any) -> Match[Any]:
    return Match.new(zerosum.game("even-steven", start=start), ("Ada", "Bob"), **options)


def play(store: Store, moves: int, start: int = 1000, id: str | None = None) -> str:  # noqa: A002
    """Save a match in which 1 was played this many times, and return its id."""
    saved = store.create(even(start), id)
    for _ in range(moves):
        saved = store.append(saved, ONE)
    return saved.id


def filled(path: Path, matches: int = 1, moves: int = 3) -> list[str]:
    """Create a file with matches in which 1 was played this many times; return their ids."""
    store = open_store(str(path))
    ids = [play(store, moves, 1000 + number, f"match{number:03}") for number in range(matches)]
    store.close()
    return ids


def begin(id: str, match: Match[Any], **live: Any) -> Change:  # noqa: A002
    """Return the change that creates a live match."""
    usual = {"data": "{}", "changed": 0.0, "due": None, "stage": "playing"}
    usual |= {"key": f"key of {id}", "digest": "made"}
    return Change(id, match, tuple(match.events), None, LiveUpdate(0, **{**usual, **live}))


def change(
    id: str,  # noqa: A002
    match: Match[Any],
    *events: Event,
    version: int = 1,
    seq: int = 0,
    **live: Any,
) -> Change:
    """Return the change that events make to a live match; the match is the one before them."""
    for event in events:
        match = match.apply(event)
    usual = {"data": "{}", "changed": 0.0, "due": None, "stage": "playing"}
    return Change(id, match, events, seq, LiveUpdate(version, **{**usual, **live}))


def write(
    store: BothStores, changes: Sequence[Change | tuple[Change, ...]]
) -> list[StoreError | None]:
    """Write changes, each by itself; those in a plain tuple together."""
    return store.server.write([[item] if isinstance(item, Change) else item for item in changes])


def execute(address: str | Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run a statement in a database without the store."""
    if is_address(str(address)):
        import psycopg

        with psycopg.connect(str(address), autocommit=True) as db:
            cursor = db.execute(statement.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(address, isolation_level=None)) as file:
        return file.execute(statement, values).fetchall()


def execute_all(path: Path, *statements: str) -> None:
    """Run several statements in a file without the store."""
    for statement in statements:
        execute(path, statement)


def pragma(path: Path, name: str) -> int:
    return int(execute(path, f"pragma {name}")[0][0])


def checkpoint(path: Path) -> None:
    """Move everything from the journal into the file itself."""
    execute(path, "pragma wal_checkpoint(truncate)")
    execute(path, "pragma journal_mode = delete")


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def refused(address: str | Path, write: bool = True) -> StoreError:
    """Return the error with which a database is not opened."""
    with pytest.raises(StoreError) as caught:
        open_store(str(address), write)
    return caught.value


def often(quickly: int, thoroughly: int) -> int:
    """Return how often something is tried: more often if tests may take their time."""
    return thoroughly if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else quickly


PREAMBLE = """
import sys
import zerosum
from zerosum.errors import Conflict
from zerosum.match import Event, Match
from zerosum.store import Change, LiveUpdate, open_database, open_store
from zerosum.store.live import LiveStore
from zerosum.store.replay import entry_for, replay

def server(address):
    return LiveStore(open_database(address))

def replayed(store, id):
    row, events, live = store.rows(id)
    return replay(row, events, entry_for(row)).match, live.version

def begin(id, match, key):
    live = LiveUpdate(0, "{}", 0.0, None, "playing", key, "d")
    return Change(id, match, tuple(match.events), None, live)

def move(id, match, version, seq, key):
    live = LiveUpdate(version, f"{version}", 0.0, None, "playing", key, "d" if key else "")
    return Change(id, match.play(1), (Event("move", 1),), seq, live)
"""


def race(script: str, address: str | Path, count: int) -> list[str]:
    """Run a script in several processes; all are ready before any of them starts."""
    barrier = "print('ready', flush=True); input()\n"
    racers: list[Any] = [
        subprocess.Popen(
            [sys.executable, "-c", PREAMBLE + barrier + script, str(address)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for racer in racers:
        racer.stdout.readline()
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    ended = [racer.communicate(timeout=PATIENCE) for racer in racers]
    assert [error for _, error in ended] == [""] * count
    return [out for out, _ in ended]
