"""Versions: an older file moves forward, a newer one is left alone."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.places import begin
from tests.store.support import even, execute, filled, plain_copy, pragma, race, refused, snapshot
from zerosum.match import Event
from zerosum.store import SqliteStore, file
from zerosum.store.base import Unreadable
from zerosum.store.schema import APPLICATION, MIGRATIONS, VERSION


@pytest.fixture
def one_more_step(monkeypatch: pytest.MonkeyPatch) -> None:
    step = "alter table matches add column note text default 'none';create table notes (line text)"
    monkeypatch.setattr(file, "MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr(file, "VERSION", VERSION + 1)


@pytest.mark.usefixtures("one_more_step")
def test_an_older_file_moves_forward_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.MonkeyPatch.context() as before:
        before.setattr(file, "MIGRATIONS", MIGRATIONS)
        before.setattr(file, "VERSION", VERSION)
        (id_,) = filled(path)
    assert pragma(path, "user_version") == VERSION
    store = SqliteStore(str(path))
    assert pragma(path, "user_version") == VERSION + 1
    saved = store.load(id_)
    assert saved.match.state.number == 997
    store.append(id_, saved.events, Event("move", 1), saved.match.play(1))
    assert SqliteStore(str(path)).load(id_).match.state.number == 996
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select note from matches").fetchall() == [("none",)]
    store.close()


@pytest.mark.usefixtures("one_more_step")
def test_reading_an_older_file_leaves_it_older(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.MonkeyPatch.context() as before:
        before.setattr(file, "MIGRATIONS", MIGRATIONS)
        before.setattr(file, "VERSION", VERSION)
        (id_,) = filled(path)
    plain_copy(path)
    bytes_before = path.read_bytes()
    assert SqliteStore(str(path), write=False).load(id_).match.ply == 3
    assert path.read_bytes() == bytes_before


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_the_first_version_is_read(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "a.db"
    execute(
        path,
        *MIGRATIONS[0].split(";"),
        "insert into matches values ('abcdefgh', 'even-steven', null, '{\"start\": 8}',"
        " 'Ada', 'Bob', 1, 3, 2.5, 't1', 't2', 0, 0, 0, 2, 0)",
        "insert into events values ('abcdefgh', 0, 'move', '2', 't1')",
        "insert into events values ('abcdefgh', 1, 'move', '1', 't2')",
        f"pragma application_id = {APPLICATION}",
        "pragma user_version = 1",
    )
    before = snapshot(tmp_path)
    store = SqliteStore(str(path), write)
    saved = store.load("abc")
    assert saved.match == even(8, first=1, games=3, clock=2.5).play(2).play(1)
    assert store.latest_open() == "abcdefgh"
    if write:
        store.append("abcdefgh", 2, Event("move", 1), saved.match.play(1))
        assert store.write([begin("live2345", even())]) == [None]
    store.close()
    assert pragma(path, "user_version") == (VERSION if write else 1)
    assert write or snapshot(tmp_path) == before
    assert SqliteStore(str(path), write=False).load("abc").match.ply == (3 if write else 2)


def written_by_version_3(path: Path, game: str, file: str | None, *events: str) -> None:
    """Make a file as it was before draws were worth anything: scores are games won."""
    named = "null" if file is None else f"'{file}'"
    execute(
        path,
        *(statement for step in MIGRATIONS[:3] for statement in step.split(";")),
        f"insert into matches values ('abcdefgh', '{game}', {named}, '{{}}', 'Ada', 'Bob', 0, 4,"
        " null, 't1', 't2', 0, 1, 3, 2, 0, null, null, null)",
        *(
            f"insert into events values ('abcdefgh', {seq}, {event}, 't1')"
            for seq, event in enumerate(events)
        ),
        *(
            f"insert into results values ('abcdefgh', {number}, {number % 2}, {winner}, '{by}')"
            for number, winner, by in (
                (0, "null", "agreement"),
                (1, 1, "resignation"),
                (2, "null", "endless"),
            )
        ),
        f"pragma application_id = {APPLICATION}",
        "pragma user_version = 3",
    )


@pytest.mark.parametrize("write", [True, False])
def test_games_called_off_before_draws_counted_are_draws(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "a.db"
    called_off = ("'move', '1'", "'agreement', null", "'move', '1'", "'resignation', null")
    written_by_version_3(path, "even-steven", None, *called_off, "'endless', null")
    store = SqliteStore(str(path), write)
    saved = store.load("abc")
    expected = even(games=4).play(1).call_off().next_game().play(1).resign().next_game().endless()
    assert saved.match == expected
    (line,) = store.matches()
    assert line.score == saved.match.score == (1, 2)
    if write:
        match = saved.match.apply(Event("agreement"))
        store.append("abcdefgh", saved.events, Event("agreement"), match)
        (line,) = store.matches()
        assert line.score == match.score == (1.5, 2.5)
        assert store.load("abc").match == match
    assert [winner for *_, winner, _ in store.results()] == [None, 1, None, *[None] * write]


OLD_RULES = """
from dataclasses import dataclass
from typing import NamedTuple
from {package} import Outcome

class State(NamedTuple):
    number: int
    player: int

@dataclass(frozen=True)
class Countdown:
    def initial(self): return State(15, 0)
    def moves(self, state): return (1,) if state.number else ()
    def objection(self, state, move): return None if move == 1 else "Only 1."
    def play(self, state, move): return State(state.number - 1, 1 - state.player)
    def outcome(self, state): return None if state.number else Outcome(1 - state.player, "zero")
"""


@pytest.mark.parametrize(
    ("package", "message"),
    [
        ("zerosum", r"write class Countdown\(Game\[State\]\), with Game from zerosum"),
        ("zerosum.game", "Import from zerosum itself: from zerosum import Game, Outcome"),
    ],
)
def test_rules_written_for_the_old_protocol_are_refused_with_what_to_do(
    tmp_path: Path, package: str, message: str
) -> None:
    path, rules = tmp_path / "a.db", tmp_path / "countdown.py"
    rules.write_text(OLD_RULES.format(package=package))
    written_by_version_3(path, "countdown", str(rules), "'move', '1'")
    with pytest.raises(Unreadable, match=f"Match abcdefgh is intact.*{message}.*zerosum check"):
        SqliteStore(str(path)).load("abc")


def test_a_step_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    step = "create table notes (line text); create table matches (id text)"
    monkeypatch.setattr(file, "MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr(file, "VERSION", VERSION + 1)
    refused(path, True)
    monkeypatch.undo()
    assert pragma(path, "user_version") == VERSION
    with closing(sqlite3.connect(path)) as db:
        tables = {row[0] for row in db.execute("select name from sqlite_master")}
    assert "notes" not in tables
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_a_file_without_a_version_gets_all_steps(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    execute(path, f"pragma application_id = {APPLICATION}", "vacuum")
    assert pragma(path, "user_version") == 0
    (id_,) = filled(path)
    assert pragma(path, "user_version") == VERSION
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_processes_that_move_a_file_forward_at_once_do_it_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    script = f"""
import zerosum.store.file as f
f.MIGRATIONS = (*f.MIGRATIONS, "alter table matches add column note text default 'none'")
f.VERSION = {VERSION + 1}
store = q.SqliteStore(sys.argv[1])
print(store.load({id_!r}).match.state.number)
"""
    assert race(script, path, 6) == ["997\n"] * 6
    assert pragma(path, "user_version") == VERSION + 1


def test_a_file_that_moves_past_us_while_we_wait_is_not_moved_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    execute(path, f"pragma application_id = {APPLICATION}", "vacuum")
    asked = SqliteStore._version
    calls = itertools.count()

    def version(self: SqliteStore) -> int:
        found = asked(self)
        if next(calls) == 0:
            execute(path, "create table future (line text)", f"pragma user_version = {VERSION + 1}")
        return found

    monkeypatch.setattr(SqliteStore, "_version", version)
    error = refused(path, True)
    assert "newer" in str(error)
    assert pragma(path, "user_version") == VERSION + 1
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select name from sqlite_master").fetchall() == [("future",)]
