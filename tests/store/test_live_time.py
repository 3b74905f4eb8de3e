"""Due and expired live matches, and what servers share: a secret and a heartbeat."""

import pytest

from tests.store.support import ONE, Stores, begin, change, even, execute, write


def test_due_matches_are_listed_earliest_first(stores: Stores) -> None:
    store = stores()
    dues = {"aaaaaa": 30.0, "bbbbbb": 10.0, "cccccc": None, "dddddd": 20.0, "eeeeee": 40.0}
    write(store, [begin(name, even(), due=due) for name, due in dues.items()])
    assert store.server.due(9.9, 10) == []
    assert store.server.due(30.0, 10) == ["bbbbbb", "dddddd", "aaaaaa"]
    assert store.server.due(99.0, 2) == ["bbbbbb", "dddddd"]
    write(store, [change("bbbbbb", even(), due=None), change("dddddd", even(), due=50.0)])
    assert store.server.due(45.0, 10) == ["aaaaaa", "eeeeee"]


def test_time_never_goes_back(stores: Stores) -> None:
    store = stores()
    assert store.server.beat(100.0, 0.0) == 100.0
    assert store.server.beat(70.0, 0.0) == 100.0
    assert stores().server.beat(0.0, 0.0) == 100.0
    assert store.server.beat(101.0, 0.0) == 101.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of a PostgreSQL server, which tests can set."""
    from zerosum.store.postgres import PostgresDatabase

    shows = [1_000_000.0]
    clock = property(lambda self: f"select {shows[0]!r}::double precision")
    monkeypatch.setattr(PostgresDatabase, "clock", clock)
    return shows


# How far the clock has moved, which server beats, its own time, the longest pause, the answer.
BEATS = {
    # Just started, it knows nothing yet; later its own clock is behind.
    "shared": [(1.5, 1, 0.0, 4.0, 101.5), (2.0, 1, 102.0, 4.0, 103.5), (0.0, 0, 103.5, 4.0, 103.5)],
    "set forward": [(31 * 86_400.0, 0, 102.0, 4.0, 102.0), (2.0, 0, 104.0, 4.0, 104.0)],
    "set back": [(-8.0, 0, 102.0, 4.0, 102.0), (2.0, 0, 104.0, 4.0, 104.0)],
    "stopped": [(30_000.0, 0, 0.0, 0.0, 100.0), (2.0, 0, 101.9, 4.0, 102.0)],
}


@pytest.mark.parametrize("beats", BEATS.values(), ids=BEATS)
def test_servers_share_a_time_that_only_goes_on_while_they_run(
    postgres_stores: Stores, clock: list[float], beats: list[tuple[float, int, float, float, float]]
) -> None:
    servers = [store.server for store in postgres_stores.pair()]
    assert servers[0].beat(100.0, 0.0) == 100.0
    for passed, number, now, pause, answer in beats:
        clock[0] += passed
        assert servers[number].beat(now, pause) == answer


def test_owner_counts_their_own_live_matches_and_events(stores: Stores) -> None:
    store = stores()
    played = even(1000).play(1).play(1)
    write(store, [begin("aaaaaa", played, owner="ada"), begin("bbbbbb", even(), owner="ada")])
    waiting = begin("cccccc", played, owner="bob", stage="waiting")
    write(store, [waiting, begin("dddddd", played)])
    store.create(played)
    write(store, [change("aaaaaa", played, ONE, seq=2, changed=1.0)])
    stored, nothing = store.server.stored, (0, 0, 0)
    assert list(map(stored, ("ada", "bob", "eve"))) == [(2, 3, 0), (1, 2, 1), nothing]
    assert store.server.count() == 5
    assert len(store.server.expire(10.0, 1.0, 9.5, 1.0, 9)) == 3
    assert list(map(stored, ("ada", "bob", "eve"))) == [(1, 3, 0), nothing, nothing]


def ids_in_tables(address: str) -> dict[str, set[str]]:
    """Return the ids of the matches in each table."""
    tables = {"matches": "id", "events": "match", "results": "match", "live": "id", "keys": "match"}
    return {
        table: {id_ for (id_,) in execute(address, f"select {column} from {table}")}
        for table, column in tables.items()
    }


@pytest.mark.parametrize(("now", "gone"), [(109, ""), (110, "w"), (120, "wp"), (130, "wpo")])
def test_old_matches_expire_by_their_stage(stores: Stores, now: float, gone: str) -> None:
    store = stores()
    stages = {"w": "waiting", "p": "playing", "o": "over"}
    played = even(2, games=2).play(1).play(1)
    write(store, [begin(f"old{stage}aa", played, stage=word) for stage, word in stages.items()])
    changes = [
        change(f"old{stage}aa", played, ONE, seq=2, changed=100.0, stage=word, key="k", digest="d")
        for stage, word in stages.items()
    ]
    assert write(store, changes) == [None] * 3
    write(store, [begin("young1", played, changed=990.0)])
    terminal = store.create(played).id
    every = {f"old{stage}aa" for stage in stages}
    dead = {f"old{stage}aa" for stage in gone}
    assert set(store.server.expire(now, 10, 20, 30, 100)) == dead
    there = {*(every - (dead - {"oldoaa"})), "young1", terminal}
    assert ids_in_tables(stores.address) == {
        "matches": there,
        "events": there,
        "results": there,
        "live": {*(every - dead), "young1"},
        "keys": every - dead,
    }
    assert {line.id for line in store.matches()} == there
    assert store.server.expire(now, 10, 20, 30, 100) == []
    assert store.server.created("key of oldwaa") == (None if "w" in gone else ("oldwaa", "made"))
    if "o" in gone:
        assert store.server.rows("oldoaa") is None
        assert store.load("oldoaa").match.ply == 1


def test_expiry_is_limited_and_takes_the_oldest_first(stores: Stores) -> None:
    store = stores()
    for number, name in enumerate(("bbbbbb", "aaaaaa", "cccccc")):
        write(store, [begin(name, even(), changed=100.0 + number)])
    assert store.server.expire(1000, 1, 1, 1, 2) == ["bbbbbb", "aaaaaa"]
    assert [line.id for line in store.matches()] == ["cccccc"]
    assert store.server.expire(1000, float("inf"), float("inf"), float("inf"), 2) == []
    assert store.server.expire(1000, 1, 1, 1, 2) == ["cccccc"]
