"""Stores at a place of either kind, closed when a test is over."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from tests.helpers import PATIENCE
from tests.store.support import race
from zerosum.match import Event, Match
from zerosum.store import Store, open_store
from zerosum.store.address import is_address
from zerosum.store.live import Begin, Change


class Opened:
    """Opens stores at one place, and remembers them."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._stores: list[Store] = []

    def __call__(self, write: bool = True) -> Store:
        store = open_store(self.place, write)
        self._stores.append(store)
        return store

    def close(self) -> None:
        for store in self._stores:
            store.close()


def execute(place: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Do something to a database behind the store's back."""
    if is_address(place):
        import psycopg

        with psycopg.connect(place, autocommit=True) as db:
            cursor = db.execute(statement.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(place, isolation_level=None)) as file:
        return file.execute(statement, values).fetchall()


def eventually(happens: Callable[[], bool]) -> None:
    """Wait until something happens, and give up when it has been too long."""
    limit = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < limit, "it has not happened"
        time.sleep(0.01)


def begin(name: str, match: Match[Any], **more: Any) -> Begin:
    given: dict[str, Any] = {"data": "{}", "due": None, "key": f"key of {name}", "digest": "made"}
    return Begin(name, match, **{**given, "stage": "playing", **more})


def change(
    name: str, match: Match[Any], *events: Event, version: int = 1, seq: int = 0, **more: Any
) -> Change:
    """Write what events do to a match; the match is the one before them."""
    for event in events:
        match = match.apply(event)
    given: dict[str, Any] = {"data": "{}", "due": None, "key": None, "digest": None}
    return Change(name, version, seq, events, match, **{**given, "stage": "playing", **more})


def race_at(place: str, script: str, count: int) -> list[str]:
    """Run a script in several processes at once; its store is at a place."""
    begin = (
        "import zerosum\n"
        "from zerosum.match import Event, Match\n"
        "from zerosum.store import open_store\n"
        "from zerosum.store.live import Begin, Change, KeyUsed\n"
        "from zerosum.store.base import Moved\n"
        "store = open_store(sys.argv[1])\n"
    )
    return race(begin + script, place, count)
