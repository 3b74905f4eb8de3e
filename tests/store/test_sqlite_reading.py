"""Reading, which changes nothing and leaves nothing behind."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import zerosum
from tests.store.support import even, filled, snapshot
from zerosum.errors import MatchError
from zerosum.match import Event, Match
from zerosum.store import SqliteStore, StoreError, open_store

HUGE = 10**600 + 7


def test_reading_where_there_is_nothing_creates_nothing(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "x" / "a.db"), write=False)
    assert store.matches() == []
    assert store.results() == []
    assert store.latest_open() is None
    with pytest.raises(StoreError, match="no match"):
        store.load("abc")
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_reading_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    store = open_store(str(path), write=False)
    assert store.matches() == []
    store.close()
    assert snapshot(tmp_path) == {"a.db": b""}


def test_reading_changes_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    before = snapshot(tmp_path)
    store = open_store(str(path), write=False)
    assert store.load(id_).match.ply == 3
    assert len(store.matches()) == 1
    store.close()
    assert snapshot(tmp_path) == before


def test_what_is_open_for_reading_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    store = open_store(str(path), write=False)
    with pytest.raises(StoreError):
        store.append(id_, 3, Event("move", 1), even().play(1))
    with pytest.raises(StoreError):
        store.create(even())
    store.close()
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_a_reader_sees_what_a_writer_has_not_yet_closed(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    writer, match = SqliteStore(path), even()
    id_ = writer.create(match)
    reader = SqliteStore(path, write=False)
    assert reader.load(id_).match == match
    writer.append(id_, 0, Event("move", 1), match.play(1))
    assert reader.load(id_).match == match.play(1)
    assert SqliteStore(path, write=False).load(id_).match == match.play(1)


def test_options_are_kept_as_json_that_other_programs_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    variant = zerosum.game("dual-digits", start=HUGE, numbers=(1, 5))
    store = SqliteStore(str(path))
    store.create(Match.new(variant))
    store.close()
    with closing(sqlite3.connect(path)) as db:
        (text,) = db.execute("select options from matches").fetchone()
    assert json.loads(text) == {"start": HUGE, "numbers": [1, 5]}


def test_an_event_that_cannot_happen_is_not_in_the_store() -> None:
    with pytest.raises(MatchError):
        even().apply(Event("undo"))
