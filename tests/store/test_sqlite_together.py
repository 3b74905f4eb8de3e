"""Two at once, and many: processes that share one file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.support import even, race
from zerosum.match import Event
from zerosum.store import SqliteStore, file
from zerosum.store.base import Moved, Unwritable


def test_of_two_who_append_the_same_event_the_second_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    one = SqliteStore(path)
    match = even(8)
    id_ = one.create(match)
    other = SqliteStore(path)
    assert other.load(id_).match == match
    one.append(id_, 0, Event("move", 1), match.play(1))
    with pytest.raises(Moved, match=f"zerosum resume {id_}"):
        other.append(id_, 0, Event("move", 2), match.play(2))
    saved = other.load(id_)
    assert saved.match == match.play(1)
    assert other.matches()[0].plies == 1
    other.append(id_, saved.events, Event("move", 1), saved.match.play(1))
    assert one.load(id_).match == match.play(1).play(1)


def test_a_file_that_stays_locked_is_unwritable_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "WAIT_SECONDS", 0.01)
    path = tmp_path / "a.db"
    store, match = SqliteStore(str(path)), even()
    id_ = store.create(match)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("begin immediate")
        with pytest.raises(Unwritable, match="locked"):
            store.append(id_, 0, Event("move", 1), match.play(1))
        assert store.load(id_).match == match
        holder.execute("rollback")
    store.append(id_, 0, Event("move", 1), match.play(1))
    assert store.load(id_).match == match.play(1)


@pytest.mark.parametrize("write", [True, False])
def test_a_second_look_at_a_file_leaves_the_locks_of_the_first(tmp_path: Path, write: bool) -> None:
    # Closing any descriptor of a file gives up the process's locks on it, SQLite's own included;
    # then the next process to leave takes the journal away from under us.
    path = tmp_path / "a.db"
    store, match = SqliteStore(str(path)), even()
    id_ = store.create(match)
    second = SqliteStore(str(path), write)
    script = """
import zerosum
from zerosum.match import Match
store = q.SqliteStore(sys.argv[1])
store.create(Match.new(zerosum.game("even-steven")))
store.close()
"""
    race(script, path, 1)
    store.append(id_, 0, Event("move", 1), match.play(1))
    read = f"print(q.SqliteStore(sys.argv[1]).load({id_!r}).match.ply)"
    assert race(read, path, 1) == ["1\n"]
    second.close()
    store.close()
    assert SqliteStore(str(path)).load(id_).match == match.play(1)


def test_many_processes_create_the_same_file_at_once(tmp_path: Path) -> None:
    rounds, count = 30, 6
    script = f"""
import zerosum
from zerosum.match import Match
for number in range({rounds}):
    store = q.SqliteStore(f"{{sys.argv[1]}}{{number}}.db")
    store.create(Match.new(zerosum.game("even-steven")))
    q.SqliteStore(f"{{sys.argv[1]}}{{number}}.db", write=False).matches()
"""
    race(script, tmp_path / "many", count)
    for number in range(rounds):
        store = SqliteStore(str(tmp_path / f"many{number}.db"))
        assert len(store.matches()) == count
        store.close()


def test_many_processes_append_to_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    script = """
import zerosum
from zerosum.match import Event, Match
store = q.SqliteStore(sys.argv[1])
match = Match.new(zerosum.game("even-steven", start=1000))
id = store.create(match)
for seq in range(25):
    match = match.play(1)
    store.append(id, seq, Event("move", 1), match)
print(id)
"""
    ids = [out.strip() for out in race(script, path, 5)]
    store = SqliteStore(str(path))
    assert {line.id for line in store.matches()} == set(ids)
    assert [store.load(id_).match.state.number for id_ in ids] == [975] * 5
