"""Older databases are upgraded with all they hold; newer ones are refused and not modified."""

import itertools
import sqlite3
from pathlib import Path

import pytest

from tests.game_files import COUNTDOWN
from tests.store.support import (
    ONE,
    Stores,
    begin,
    change,
    even,
    execute,
    execute_all,
    files_in,
    open_both,
    play,
    pragma,
    refused,
    write,
)
from zerosum.errors import Unreadable, Unwritable
from zerosum.match import Event
from zerosum.store import open_store, schema, sqlite
from zerosum.store.schema import APPLICATION, MIGRATIONS, POSTGRES, SQLITE, VERSION

NOTES = "alter table matches add column note text default 'none';create table notes (line text)"


def add_step(patch: pytest.MonkeyPatch, step: str = NOTES) -> None:
    """Let this be a newer version, with one more step."""
    patch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, step))
    patch.setattr(schema, "VERSION", VERSION + 1)


# On both kinds of databases.


def test_an_older_database_is_upgraded_by_the_first_writer(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = play(stores(), 3)
    add_step(monkeypatch)
    store = stores()
    saved = store.load(id_)
    assert saved.match.state.number == 997
    store.append(saved, ONE)
    for write_ in (True, False):
        assert stores(write_).load(id_).match.state.number == 996
    assert execute(stores.address, "select note from matches") == [("none",)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = play(stores(), 3)
    add_step(monkeypatch, "create table notes (line text);create table matches (id text)")
    refused(stores.address)
    monkeypatch.undo()
    assert stores().load(id_).match.ply == 3
    execute(stores.address, "create table notes (line text)")  # there was none


# SQLite files.


def create_tables(path: Path, version: int, *statements: str) -> None:
    """Create a file as an older version did."""
    steps = [step.format(**SQLITE) for step in MIGRATIONS[:version]]
    tables = [statement for step in steps for statement in step.split(";")]
    about = (f"pragma application_id = {APPLICATION}", f"pragma user_version = {version}")
    execute_all(path, *tables, *statements, *about)


@pytest.mark.parametrize("write_", [True, False])
def test_a_file_of_the_first_version_is_read(tmp_path: Path, write_: bool) -> None:
    path = tmp_path / "a.db"
    create_tables(
        path,
        1,
        "insert into matches values ('abcdefgh', 'even-steven', null, '{\"start\": 8}',"
        " 'Ada', 'Bob', 1, 3, 2.5, 't1', 't2', 0, 0, 0, 2, 0)",
        "insert into events values ('abcdefgh', 0, 'move', '2', 't1')",
        "insert into events values ('abcdefgh', 1, 'move', '1', 't2')",
    )
    before = files_in(tmp_path)
    store = open_both(path, write_)
    saved = store.load("abc")
    assert saved.match == even(8, first=1, games=3, clock=2.5).play(2).play(1)
    assert store.latest(unfinished=True) == "abcdefgh"
    if write_:
        store.append(saved, ONE)
        assert write(store, [begin("live2345", even())]) == [None]
    store.close()
    assert pragma(path, "user_version") == (VERSION if write_ else 1)
    assert write_ or files_in(tmp_path) == before
    assert open_store(str(path), write=False).load("abc").match.ply == (3 if write_ else 2)


def written_by_version_3(path: Path, game: str, file: str | None, *events: str) -> None:
    """Create a file from before draws counted: its scores are games won."""
    rules = "null" if file is None else f"'{file}'"
    create_tables(
        path,
        3,
        f"insert into matches values ('abcdefgh', '{game}', {rules}, '{{}}', 'Ada', 'Bob', 0, 4,"
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
    )


@pytest.mark.parametrize("write_", [True, False])
def test_games_that_ended_before_draws_counted_are_draws(tmp_path: Path, write_: bool) -> None:
    path = tmp_path / "a.db"
    drawn = ("'move', '1'", "'agreement', null", "'move', '1'", "'resignation', null")
    written_by_version_3(path, "even-steven", None, *drawn, "'endless', null")
    store = open_store(str(path), write_)
    saved = store.load("abc")
    expected = even(games=4).play(1).agree_draw().next_game().play(1).resign().next_game().endless()
    assert saved.match == expected
    (line,) = store.matches()
    assert line.score == saved.match.score == (1, 2)
    if write_:
        saved = store.append(saved, Event("agreement"))
        (line,) = store.matches()
        assert line.score == saved.match.score == (1.5, 2.5)
        assert store.load("abc") == saved
    assert [winner for *_, winner, _ in store.results()] == [None, 1, None, *[None] * write_]
    store.close()


def test_rules_for_the_old_protocol_are_refused_with_what_to_do(tmp_path: Path) -> None:
    path, rules = tmp_path / "a.db", tmp_path / "countdown.py"
    rules.write_text(COUNTDOWN.replace("(Game[State])", "").replace("import Game,", "import"))
    written_by_version_3(path, "countdown", str(rules), "'move', '1'")
    message = r"Match abcdefgh is intact.*write class Countdown\(Game\[State\]\).*zerosum check"
    with pytest.raises(Unreadable, match=message):
        open_store(str(path)).load("abc", str(rules))


def test_a_file_that_another_process_upgrades_further_is_not_downgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    create_tables(path, 0, "vacuum")
    read, calls = sqlite._version, itertools.count()

    def version(db: sqlite3.Connection) -> int:
        found = read(db)
        if next(calls) == 0:
            execute_all(path, "create table future (line text)")
            execute(path, f"pragma user_version = {VERSION + 1}")
        return found

    monkeypatch.setattr(sqlite, "_version", version)
    assert "newer" in str(refused(path))
    assert pragma(path, "user_version") == VERSION + 1
    assert execute(path, "select name from sqlite_master") == [("future",)]


# PostgreSQL databases, which once counted their versions by themselves.


def test_a_postgresql_database_with_its_old_version_number_is_read_and_written(
    postgres_stores: Stores,
) -> None:
    address = postgres_stores.address
    for step in MIGRATIONS[:3]:
        for statement in step.format(**POSTGRES).split(";"):
            execute(address, statement)
    execute(address, "insert into meta values ('application', 'zerosum'), ('version', '1')")
    execute(
        address,
        "insert into matches values ('abcdefgh', 'even-steven', null, '{}', 'Ada', 'Bob', 1, 3,"
        " 2.5, 't1', 't2', 0, 0, 0, 1, 0, null, null, null)",
    )
    execute(address, "insert into events values ('abcdefgh', 0, 'move', '1', 't1')")
    store = postgres_stores()
    saved = store.load("abc")
    assert saved.match == even(first=1, games=3, clock=2.5).play(1)
    assert store.load(store.append(saved, ONE).id).match.ply == 2
    live = [begin("aaaaaa", even()), change("aaaaaa", even(), ONE, key="k", digest="d")]
    assert write(store, live) == [None, None]
    assert postgres_stores(write=False).load("abc").match.ply == 2


def test_a_newer_postgresql_database_is_refused_and_not_modified(postgres_stores: Stores) -> None:
    play(postgres_stores(), 2)
    execute(postgres_stores.address, "update meta set value = '99' where name = 'version'")
    for write_ in (True, False):
        error = refused(postgres_stores.address, write_)
        assert not isinstance(error, Unwritable)
        assert f"newer Zerosum (version 99; this one knows up to {VERSION})" in str(error)
    assert execute(postgres_stores.address, "select count(*) from events") == [(2,)]
