"""Due and expired live matches, and what servers share: a secret and a heartbeat."""

from __future__ import annotations

import pytest

from tests.store.support import ONE, Stores, begin, change, even, execute, write


def test_due_matches_are_listed_earliest_first(stores: Stores) -> None:
    store = stores()
    dues = {"aaaaaa": 30.0, "bbbbbb": 10.0, "cccccc": None, "dddddd": 20.0, "eeeeee": 40.0}
    write(store, [begin(name, even(), due=due) for name, due in dues.items()])
    assert store.due(9.9, 10) == []
    assert store.due(30.0, 10) == ["bbbbbb", "dddddd", "aaaaaa"]
    assert store.due(99.0, 2) == ["bbbbbb", "dddddd"]
    write(store, [change("bbbbbb", even(), due=None), change("dddddd", even(), due=50.0)])
    assert store.due(45.0, 10) == ["aaaaaa", "eeeeee"]


def test_after_a_pause_of_all_servers_everything_due_is_postponed_once(stores: Stores) -> None:
    store, other = stores(), stores()
    write(store, [begin("aaaaaa", even(), due=105.0), begin("bbbbbb", even())])
    assert store.beat(100.0, 10.0) == 0.0
    assert other.beat(110.0, 10.0) == 0.0
    assert store.due(105.0, 9) == ["aaaaaa"]
    assert store.beat(140.0, 10.0) == 30.0
    assert other.beat(140.5, 10.0) == 0.0
    assert store.due(134.9, 9) == []
    assert store.due(135.0, 9) == ["aaaaaa"]
    live = store.live("aaaaaa")
    assert live is not None
    assert (live.due, live.version) == (135.0, 1)


def test_a_clock_that_is_behind_postpones_nothing(stores: Stores) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even(), due=105.0)])
    assert store.beat(100.0, 10.0) == 0.0
    assert store.beat(70.0, 10.0) == 0.0
    assert store.beat(101.0, 10.0) == 0.0
    assert store.due(105.0, 9) == ["aaaaaa"]


def test_the_secret_is_created_once(stores: Stores) -> None:
    secret = stores().secret()
    assert len(secret) == 32
    assert stores().secret() == stores(write=False).secret() == secret


def ids_in_tables(address: str) -> dict[str, set[str]]:
    """Return the ids of the matches in each table."""
    tables = {"matches": "id", "events": "match", "results": "match", "live": "id", "keys": "match"}
    return {
        table: {id_ for (id_,) in execute(address, f"select {column} from {table}")}
        for table, column in tables.items()
    }


@pytest.mark.parametrize(
    ("now", "gone"),
    [(109, ""), (110, "w"), (120, "wp"), (130, "wpo"), (1000, "wpo")],
)
def test_old_matches_expire_by_their_stage(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, now: float, gone: str
) -> None:
    store = stores()
    times = iter([100.0, 100.0, 990.0, 990.0])
    monkeypatch.setattr("time.time", lambda: next(times))
    stages = {"w": "waiting", "p": "playing", "o": "over"}
    played = even(2, games=2).play(1).play(1)
    write(store, [begin(f"old{stage}aa", played, stage=word) for stage, word in stages.items()])
    changes = [
        change(f"old{stage}aa", played, ONE, seq=2, stage=word, key="k", digest="d")
        for stage, word in stages.items()
    ]
    assert write(store, changes) == [None] * 3
    write(store, [begin("young1", played)])
    terminal = store.create(played).id
    assert store.expire(now, 10, 20, 30, 100) == len(gone)
    every = {f"old{stage}aa" for stage in stages}
    dead = {f"old{stage}aa" for stage in gone}
    there = {*(every - (dead - {"oldoaa"})), "young1", terminal}
    assert ids_in_tables(stores.address) == {
        "matches": there,
        "events": there,
        "results": there,
        "live": {*(every - dead), "young1"},
        "keys": every - dead,
    }
    assert {line.id for line in store.matches()} == there
    assert store.expire(now, 10, 20, 30, 100) == 0
    assert store.created("key of oldwaa") == (None if "w" in gone else ("oldwaa", "made"))
    if "o" in gone:
        assert store.live("oldoaa") is None
        assert store.load("oldoaa").match.ply == 1


def test_at_most_so_many_matches_expire_and_the_oldest_first(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stores()
    times = iter(range(100, 200))
    monkeypatch.setattr("time.time", lambda: float(next(times)))
    for name in ("bbbbbb", "aaaaaa", "cccccc"):
        write(store, [begin(name, even())])
    assert store.expire(1000, 1, 1, 1, 2) == 2
    assert [line.id for line in store.matches()] == ["cccccc"]
    assert store.expire(1000, float("inf"), float("inf"), float("inf"), 2) == 0
    assert store.expire(1000, 1, 1, 1, 2) == 1
