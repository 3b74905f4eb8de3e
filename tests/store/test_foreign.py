"""Databases from elsewhere: what is in them is data, which never runs and is checked when read."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import COUNTDOWN
from tests.store.support import (
    ONE,
    Stores,
    begin,
    checkpoint,
    even,
    execute,
    execute_all,
    files_in,
    filled,
    refused,
    write,
)
from zerosum.errors import FileNotNamed, FileReplaced, StoreError, Unreadable, Unwritable
from zerosum.match import Event, Match, Trail
from zerosum.registry import Entry, find
from zerosum.store import Store, open_store
from zerosum.store.journal import replay, variant_of
from zerosum.store.rows import Row

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
        ("/tmp/a b.py", "'/tmp/a b.py'"),
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
    "computed column": (
        "alter table matches rename column player_1 to old",
        "alter table matches add column player_1 text as (hex(zeroblob(1000)))",
    ),
    "virtual table": (
        "alter table puzzles rename to old",
        "create virtual table puzzles using rtree(id, game, grade)",
    ),
    "missing column": ("alter table matches drop column seed",),
    "missing table": ("drop table puzzles",),
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


LONG_QUERY = f"""
import sys
from zerosum.store import open_store
store = open_store(sys.argv[1], write=False)
try:
    print("ready", flush=True)
    store.database.rows("select max(i) from ({ENDLESS})")
except KeyboardInterrupt:
    print("interrupted", len(store.matches()))
"""


def test_long_query_is_interrupted_by_ctrl_c(tmp_path: Path) -> None:
    filled(tmp_path / "a.db")
    command = [sys.executable, "-c", LONG_QUERY, str(tmp_path / "a.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted 1\n"


# What is read has the types and the bounds that it should have.


@pytest.mark.parametrize("column", ["game", "player_1", "player_2", "started", "updated", "bot_1"])
def test_control_characters_are_replaced(stores: Stores, column: str) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even(1).play(1))])
    execute(stores.address, f"update matches set {column} = ?", f"Eve{ESCAPE}")
    (line,) = store.matches()
    assert all(text.isprintable() for text in (line.game, *line.players, line.updated))
    assert all(str(value).isprintable() for value in store.results()[0])
    with pytest.raises(Unreadable) if column in ("game", "bot_1") else open(os.devnull):
        assert store.load("aaaaaa").match.over


@pytest.mark.parametrize("column", ["options", "seed"])
def test_control_characters_in_what_is_parsed_are_not_shown(tmp_path: Path, column: str) -> None:
    (id_,) = filled(tmp_path / "a.db")
    execute(tmp_path / "a.db", f"update matches set {column} = ?", f'{{"{ESCAPE}": 1}}')
    with pytest.raises(Unreadable) as caught:
        open_store(str(tmp_path / "a.db")).load(id_)
    assert str(caught.value).isprintable()


DAMAGE = [
    *(f"{column} = x'ff'" for column in Row._fields if column != "id"),
    *(f"{column} = -1" for column in ("first", "length", "score_1", "played", "plies", "over")),
    *(f"{column} = 9223372036854775807" for column in ("length", "score_1", "plies")),
    *(f"{column} = 1.5" for column in ("first", "length", "played")),
    "clock = 9e999",
    "score_1 = 2",
    "over = 2",
    f"player_1 = '{'x' * 5000}'",
    "player_1 = cast(zeroblob(20000000) as text)",
    "options = cast(zeroblob(20000000) as text)",
    "id = '../../x'",
    "id = x'aa'",
]


@pytest.mark.parametrize("change", DAMAGE)
def test_value_of_a_wrong_type_or_size_is_reported_as_damage(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute(path, f"update matches set {change}")
    store = open_store(str(path))
    with pytest.raises(StoreError, match="is damaged") as caught:
        assert store.matches() or store.load(id_)  # one that is neither over nor open is not listed
    assert not isinstance(caught.value, Unwritable)


@pytest.mark.parametrize(
    "change",
    [
        "update events set kind = x'ff'",
        "update events set move = x'31'",
        "update events set move = 1.5 where seq = 1",
        "update events set move = '[' where seq = 1",
        "update events set seq = 'two' where seq = 2",
        "update matches set seed = 'chance'",
        f"update matches set seed = '{'7' * 300_000}'",
        f"update events set move = '{'7' * 300_000}'",
        "update matches set length = 1000001",
    ],
)
def test_journal_that_makes_no_sense_is_unreadable(tmp_path: Path, change: str) -> None:
    (id_,) = filled(tmp_path / "a.db")
    execute(tmp_path / "a.db", change)
    store = open_store(str(tmp_path / "a.db"))
    assert len(store.matches()) == 1
    with pytest.raises(Unreadable, match=rf"Match {id_} cannot be read: .*\.$"):
        store.load(id_)


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("update results set winner = 5", Store.results),
        ("update results set first = x'01'", Store.results),
        ("update live set version = 'one'", lambda store: store.live("aaaaaa")),
        ("update live set data = x'7b7d'", lambda store: store.live("aaaaaa")),
        ("update live set due = 9e999", lambda store: store.live("aaaaaa")),
        ("update puzzles set tries = 'often'", Store.puzzles),
        ("update puzzles set grade = x'ff'", Store.puzzles),
        ("update meta set value = 'none' where name = 'secret'", Store.secret),
        ("update meta set value = 'noon' where name = 'beat'", lambda store: store.beat(1.0, 10.0)),
        ("update meta set value = 'inf' where name = 'beat'", lambda store: store.beat(1.0, 10.0)),
        ("update matches set score_1 = x'00'", lambda store: write(store, [move("aaaaaa")])),
        ("update live set seq = 'one'", lambda store: write(store, [move("aaaaaa")])),
    ],
)
def test_every_table_is_checked_where_it_is_read(tmp_path: Path, change: str, read: Any) -> None:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    write(store, [begin("aaaaaa", even(1).play(1))])
    store.try_puzzle("p", "even-steven", "easy", solved=True)
    store.secret()
    store.beat(1.0, 10.0)
    execute(path, change)
    with pytest.raises(StoreError, match="damaged"):
        read(store)


def move(id_: str) -> Any:
    """Return a change to the live match of the test above."""
    return begin(id_, even(1))._replace(seq=1, events=(ONE,))


def test_text_that_is_not_utf_8_is_reported_without_being_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    filled(path)
    execute(path, "update matches set player_1 = cast(x'53656372657420ff' as text)")
    with pytest.raises(StoreError, match="not UTF-8") as caught:
        open_store(str(path)).matches()
    assert "Secret" not in str(caught.value)
    assert not isinstance(caught.value, Unwritable)


# Replaying.


def test_undone_moves_are_not_copied_in_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(str(tmp_path / "a.db"))
    saved = store.create(even(1000))
    events = [ONE] * 40 + [Event("undo"), ONE] * 30 + [Event("undo")] * 20 + [ONE] * 5
    for event in events:
        saved = store.append(saved, event)
    copies = []
    add = Trail.add

    def watched(trail: Trail[Any], item: Any) -> Trail[Any]:
        longer = add(trail, item)
        if longer._items is not trail._items:
            copies.append(len(trail))
        return longer

    monkeypatch.setattr(Trail, "add", watched)
    assert store.load(saved.id).match == saved.match
    assert copies == []


def test_match_is_replayed_from_known_states_without_asking_the_rules(stores: Stores) -> None:
    store, match = stores(), even(3, games=2)
    events = (ONE, Event("undo"), ONE, ONE, ONE, ONE)
    results = []
    for event in events:
        match = match.apply(event)
        if event.kind == "move":
            results.append((match.state, match.game.outcome(match.state)))
    assert write(store, [begin("aaaaaa", even(3, games=2))._replace(match=match, events=events)])
    rows = store.live_rows("aaaaaa")
    assert rows is not None
    assert rows.events == list(events)
    entry = find("even-steven")

    class Silent(entry.game):  # type: ignore[misc, name-defined]
        def play(self, state: Any, move: Any) -> Any:
            raise AssertionError

        moves = objection = play

    silent = Entry("even-steven", Silent)
    replayed = replay(rows.row, rows.events, silent, results).match
    assert replayed.rounds == match.rounds
    assert (replayed.score, replayed.over) == (match.score, match.over)
    assert variant_of(rows.row, entry) == match.game
    with pytest.raises(Unreadable, match="cannot be replayed"):
        replay(rows.row, rows.events, silent, results[:-1])


def test_missing_live_match_has_no_rows(stores: Stores) -> None:
    assert stores().live_rows("aaaaaa") is None


# The file itself.


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_files_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = open_store(str(tmp_path / "a.db"))
        store.create(even())
    finally:
        os.umask(before)
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == {
        "a.db": 0o600,
        "a.db-shm": 0o600,
        "a.db-wal": 0o600,
    }
    store.close()


@pytest.mark.parametrize(
    ("given", "write", "left"),
    [
        (0o644, True, 0o600),  # which older versions created
        (0o644, False, 0o644),
        (0o640, True, 0o640),
        (0o664, True, 0o664),
    ],
)
def test_mode_of_an_older_file_is_tightened(
    tmp_path: Path, given: int, write: bool, left: int
) -> None:
    path = tmp_path / "a.db"
    filled(path)
    path.chmod(given)
    store = open_store(str(path), write)
    store.matches()
    assert {mode(file) for file in tmp_path.iterdir()} == {left}
    store.close()


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_file_that_is_no_longer_there_is_not_used(tmp_path: Path, how: str) -> None:
    path, elsewhere = tmp_path / "a.db", tmp_path / "b.db"
    store = open_store(str(path))
    saved = store.create(even())
    if how == "deleted":
        path.unlink()
    else:
        path.rename(elsewhere)
    if how == "replaced":
        filled(path)
    before = files_in(tmp_path)
    for use in (store.matches, lambda: store.load(saved.id), lambda: store.append(saved, ONE)):
        with pytest.raises(FileReplaced, match="was deleted or replaced"):
            use()
    with pytest.raises(FileReplaced):
        store.again()
    assert files_in(tmp_path) == before
    if how == "moved":
        elsewhere.rename(path)
        assert store.append(saved, ONE).match.ply == 1
    store.close()


def test_write_into_a_file_that_is_deleted_meanwhile_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    with pytest.raises(FileReplaced):
        store.database.transact(path.unlink)
    store.close()


def test_write_into_a_journal_that_was_deleted_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    store.create(even())
    (tmp_path / "a.db-wal").unlink()
    for _ in range(2):
        with pytest.raises(FileReplaced):
            store.create(even())
    store.close()


def test_file_with_two_names_is_not_written(tmp_path: Path) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    open_store(str(first)).close()
    os.link(first, second)
    for path in (first, second):
        with pytest.raises(StoreError, match=rf"{path} has a second name \(a hard link\)"):
            open_store(str(path))
        open_store(str(path), write=False).close()
    second.unlink()
    # As a process leaves it that is killed while it creates a file.
    os.link(first, tmp_path / "a.db.new-123456")
    open_store(str(first)).close()
    assert not (tmp_path / "a.db.new-123456").exists()


def test_store_is_opened_again_for_another_thread(stores: Stores) -> None:
    store = stores()
    again = store.again()
    saved = store.create(even())
    assert again.append(saved, ONE).match.ply == 1
    again.close()


NO_ROOM = """
import resource, sys
from zerosum.store import open_store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
store = open_store(sys.argv[1], write=False)
print(len(store.matches()), store.load(sys.argv[2]).match.ply)
store.close()
"""


@pytest.mark.parametrize("journal", [True, False])
def test_full_disk_can_be_read(tmp_path: Path, journal: bool) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    if journal:  # as a killed process leaves it
        store = open_store(str(path))
        store.append(store.load(id_), ONE)
        left = files_in(tmp_path)
        store.close()
        for name in ("a.db", "a.db-wal"):
            (tmp_path / name).write_bytes(left[name])
    command = [sys.executable, "-c", NO_ROOM, str(path), id_]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == f"1 {3 + journal}\n", done.stderr


def test_played_match_equals_the_one_that_calls_the_rules() -> None:
    match: Match[Any] = even(2)
    after = match.game.play(match.state, 1)
    assert match.played(1, after, match.game.outcome(after)) == match.play(1)
