"""Databases from elsewhere: what is in them is data, which never runs and is checked when read."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import COUNTDOWN
from tests.store.support import (
    ONE,
    BothStores,
    Stores,
    begin,
    checkpoint,
    even,
    execute,
    execute_all,
    files_in,
    filled,
    open_both,
    refused,
    write,
)
from zerosum.errors import FileNotNamed, StoreError, Unreadable, Unwritable
from zerosum.store import Damaged, Store, open_store

ESCAPE = "\x1b]0;owned\x07\x1b[2J\u202egpj\x9b31m"


def marked(tmp_path: Path) -> tuple[Path, Path]:
    """Write a file of rules that leaves a mark when it is run."""
    rules, mark = tmp_path / "evil.py", tmp_path / "mark"
    rules.write_text(f"open({str(mark)!r}, 'w').close()\n{COUNTDOWN}")
    return rules, mark


# Nothing in a database is run.


@pytest.mark.parametrize("column", ["file", "game", "both"])
def test_file_mentioned_by_a_row_is_not_run(stores: Stores, tmp_path: Path, column: str) -> None:
    rules, mark = marked(tmp_path)
    store = stores()
    assert write(store, [begin("aaaaaa", even())]) == [None]
    for name in ("game", "file") if column == "both" else (column,):
        execute(stores.address, f"update matches set {name} = ?", str(rules))
    for read in (store.load, store.live):
        with pytest.raises(Unreadable) as caught:
            read("aaaaaa")
        assert isinstance(caught.value, FileNotNamed) == (column != "game")
        assert "--game" in str(caught.value)
    assert store.matches()
    assert not mark.exists()
    assert store.load("aaaaaa", "even-steven").match == even()


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("/tmp/x.py; rm -rf ~", "'/tmp/x.py; rm -rf ~'"),
        ("/tmp/\x1b[31mx.py", "FILE"),
        ("--db=elsewhere.db", "FILE"),
        (f"/{'x' * 4000}.py", "FILE"),
    ],
)
def test_mentioned_path_is_quoted_or_left_out(tmp_path: Path, file: str, shown: str) -> None:
    (id_,) = filled(tmp_path / "a.db")
    execute(tmp_path / "a.db", "update matches set file = ?", file)
    with pytest.raises(FileNotNamed) as caught:
        open_store(str(tmp_path / "a.db")).load(id_)
    assert str(caught.value).endswith(f"If you trust that file, add --game {shown}.")
    assert str(caught.value).isprintable()


ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
HOSTILE = {
    "view": (
        "alter table matches rename to old",
        f"create view matches as select old.* from old, ({ENDLESS})",
    ),
    "other view": (f"create view more as {ENDLESS}",),
    "trigger": ("create trigger t after insert on events begin delete from matches; end",),
    "virtual table": (
        "alter table puzzles rename to old",
        "create virtual table puzzles using rtree(id, game, grade)",
    ),
}


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("statements", HOSTILE.values(), ids=HOSTILE)
def test_file_with_other_tables_than_ours_is_refused_and_not_modified(
    tmp_path: Path, statements: tuple[str, ...], write: bool
) -> None:
    path = tmp_path / "a.db"
    filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
    checkpoint(path)
    before = files_in(tmp_path)
    error = refused(path, write)
    assert "is damaged" in str(error)
    assert not isinstance(error, Unwritable)
    assert files_in(tmp_path) == before


def test_ordinary_maintenance_is_not_taken_for_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute_all(path, "analyze", "vacuum", "create index more on matches (player_1)")
    assert open_store(str(path)).load(id_).match.ply == 3


# What is read has the types and the bounds that it should have.


@pytest.mark.parametrize("column", ["game", "player_1", "updated"])
def test_control_characters_are_replaced(stores: Stores, column: str) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even(1).play(1))])
    execute(stores.address, f"update matches set {column} = ?", f"Eve{ESCAPE}")
    (line,) = store.matches()
    assert all(text.isprintable() for text in (line.game, *line.players, line.updated))
    assert all(str(value).isprintable() for value in store.results()[0])
    with pytest.raises(Unreadable) if column == "game" else open(os.devnull):
        assert store.load("aaaaaa").match.over


DAMAGE = [
    *(f"{column} = x'ff'" for column in ("options", "clock", "bot_1", "plies", "player_1")),
    "plies = -1",
    "length = 9223372036854775807",
    "clock = 9e999",
    "score_1 = 2",
    "player_1 = cast(zeroblob(20000000) as text)",
    "id = '../../x'",
]


@pytest.mark.parametrize("change", DAMAGE)
def test_value_of_a_wrong_type_or_size_is_reported_as_damage(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute(path, f"update matches set {change}")
    store = open_both(path)
    intact = store.create(even()).id
    assert [match.id for match in store.matches()] == [intact]
    (damaged,) = (match for match in store.listing() if isinstance(match, Damaged))
    assert "is damaged" in damaged.reason
    assert damaged.reason.isprintable()
    if not change.startswith("id"):
        with pytest.raises(StoreError, match="is damaged") as caught:
            store.load(id_)
        assert not isinstance(caught.value, Unwritable)


@pytest.mark.parametrize(
    "change",
    [
        *(f"update matches set options = '{text}'" for text in ("{", "[]", '{"strat": 3}')),
        f"update matches set options = '{'[' * 99_999}'",
        *(f"""update matches set {name} = '{{"{ESCAPE}": 1}}'""" for name in ("options", "seed")),
        "update matches set player_2 = player_1",
        *(f"update matches set seed = '{text}'" for text in ("chance", "7" * 300_000)),
        *(f"update events set kind = {text}" for text in ("x'ff'", "'flip'")),
        *(f"update events set move = {text}" for text in ("x'31'", "1.5", "null")),
        *(f"update events set move = '{text}'" for text in ("[", '"1"', "1.0", "true", "null")),
        *(f"update events set move = '{text}'" for text in ("7" * 300_000, "[" * 99_999)),
        "delete from events where seq = 1",
    ],
)
def test_journal_that_makes_no_sense_is_unreadable(tmp_path: Path, change: str) -> None:
    (id_,) = filled(tmp_path / "a.db")
    execute(tmp_path / "a.db", change)
    store = open_store(str(tmp_path / "a.db"))
    assert len(store.matches()) == 1
    with pytest.raises(Unreadable, match=rf"Match {id_} cannot be read: .*\.$") as caught:
        store.load(id_)
    assert str(caught.value).isprintable()


def beat(store: BothStores) -> float:
    return store.server.beat(1.0, 10.0)


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("update results set winner = 5", Store.results),
        ("update live set version = 'one'", lambda store: store.live("aaaaaa")),
        ("update live set due = 9e999", lambda store: store.live("aaaaaa")),
        ("update puzzles set tries = 'often'", Store.puzzles),
        ("drop table puzzles", Store.puzzles),
        (
            "update meta set value = 'none' where name = 'secret'",
            lambda store: store.server.secret(),
        ),
        ("update meta set value = 'noon' where name = 'beat'", beat),
        ("update matches set score_1 = x'00'", lambda store: write(store, [move("aaaaaa")])),
        ("update live set seq = 'one'", lambda store: write(store, [move("aaaaaa")])),
    ],
)
def test_every_table_is_checked_where_it_is_read(tmp_path: Path, change: str, read: Any) -> None:
    path = tmp_path / "a.db"
    store = open_both(path)
    write(store, [begin("aaaaaa", even(1).play(1))])
    store.try_puzzle("p", "even-steven", "easy", solved=True)
    store.server.secret()
    beat(store)
    execute(path, change)
    with pytest.raises(StoreError, match="damaged"):
        read(store)


def move(id_: str) -> Any:
    """Return a change to the live match of the test above."""
    return begin(id_, even(1))._replace(seq=1, events=(ONE,))


def test_text_that_is_not_utf_8_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute(path, "update matches set player_1 = cast(x'457665ff' as text)")
    store = open_store(str(path))
    assert store.matches()[0].players == store.load(id_).match.players == ("Eve\ufffd", "Bob")
    store.close()
