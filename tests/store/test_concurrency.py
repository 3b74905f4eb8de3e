"""Several processes with one database: every version has one writer, and nothing is lost."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.support import ONE, PREAMBLE, Stores, begin, even, often, race, write
from zerosum.errors import Conflict, Unwritable
from zerosum.store import open_store, sqlite

# Terminals.


def test_a_terminal_does_not_continue_a_live_match(stores: Stores) -> None:
    store = stores()
    assert write(store, [begin("aaaaaa", even())]) == [None]
    with pytest.raises(Conflict):
        store.append(store.load("aaaaaa"), ONE)
    assert store.load("aaaaaa").events == 0


def test_processes_that_append_at_once_write_every_event_once_and_disturb_no_other_match(
    stores: Stores,
) -> None:
    stores().create(even(1000), "shared")
    script = """
store = open_store(sys.argv[1])
own = store.create(Match.new(zerosum.game("even-steven", start=1000)))
saved = store.load("shared")
won = 0
while saved.events < 30:
    own = store.append(own, Event("move", 1))
    try:
        saved = store.append(saved, Event("move", 1))
        won += 1
    except Conflict:
        saved = store.load("shared")
print(won, own.id, own.events)
"""
    found = [out.split() for out in race(script, stores.address, 2)]
    assert sum(int(won) for won, *_ in found) == 30
    store = stores()
    assert store.load("shared").match.state.number == 970
    plies = {line.id: line.plies for line in store.matches()}
    assert plies == {"shared": 30, **{id_: int(events) for _, id_, events in found}}
    for _, id_, events in found:
        assert store.load(id_).match.state.number == 1000 - int(events)


# SQLite files.


def test_processes_that_create_the_same_file_at_once_all_use_it(tmp_path: Path) -> None:
    rounds, count = often(4, 50), 3
    script = f"""
for number in range({rounds}):
    path = f"{{sys.argv[1]}}{{number}}.db"
    open_store(path).create(Match.new(zerosum.game("even-steven")))
    open_store(path, write=False).matches()
"""
    race(script, tmp_path / "many", count)
    for number in range(rounds):
        store = open_store(str(tmp_path / f"many{number}.db"))
        assert len(store.matches()) == count
        store.close()


def test_a_file_that_stays_locked_is_unwritable_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "STORE_SECONDS", 0.01)
    path = tmp_path / "a.db"
    store = open_store(str(path))
    saved = store.create(even())
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("begin immediate")
        with pytest.raises(Unwritable, match="locked"):
            store.append(saved, ONE)
        assert store.load(saved.id) == saved
        holder.execute("rollback")
    assert store.load(saved.id) == saved
    assert store.append(saved, ONE).match == store.load(saved.id).match == even().play(1)
    store.close()


# Servers.


def test_servers_that_start_at_once_share_a_secret_and_a_time_and_expire_matches_once(
    stores: Stores,
) -> None:
    stores().server.beat(100.0, 0.0)
    write(stores(), [begin(f"old{number:03}", even()) for number in range(60)])
    script = """
store = server(sys.argv[1])
print(store.secret().hex(), *(store.beat(now, 0.0) for now in (0.0, 0.0, 150.0)))
count = 0
while (expired := store.expire(1e12, 1, 1, 1, 7)):
    count += len(expired)
print(count)
"""
    outputs = [out.split() for out in race(script, stores.address, 2)]
    assert len({secret for secret, *_ in outputs}) == 1
    assert {time for _, *times, _, _ in outputs for time in times} <= {"100.0", "150.0"}
    assert {last for *_, last, _ in outputs} == {"150.0"}
    assert sum(int(count) for *_, count in outputs) == 60
    assert stores().matches() == []


# A server that is killed while it writes.

WRITER = (
    PREAMBLE
    + """
store = server(sys.argv[1])
ids = [f"match{number}" for number in range(8)]
states = [(id, *replayed(store, id)) for id in ids]
while True:
    batch = [
        move(id, match, version, version - 1, f"key{version}") for id, match, version in states
    ]
    assert store.write([[change] for change in batch]) == [None] * len(batch)
    states = [(change.id, change.match, change.version + 1) for change in batch]
    print(states[0][2], flush=True)
"""
)


def test_a_reader_never_sees_half_a_change(stores: Stores) -> None:
    store = stores()
    write(store, [begin(f"match{number}", even(100_000)) for number in range(8)])
    reader = stores(write=False)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, stores.address], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        seen = set()
        for _ in range(20):
            writer.stdout.readline()
            live = reader.live("match5")
            assert live.saved.events == live.version - 1
            assert reader.load("match5").match.ply >= live.saved.match.ply
            seen.add(live.version)
        writer.kill()
    assert len(seen) > 1
