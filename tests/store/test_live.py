"""Live matches, which are played through a server."""

from typing import Any

import pytest

from tests.store.support import ONE, Stores, begin, change, even, execute, write
from zerosum.errors import Conflict, KeyUsed, Rejected, StoreError, Unreadable
from zerosum.match import Event, Match
from zerosum.registry import Entry, find
from zerosum.store import Change
from zerosum.store.replay import replay, variant_of


def test_a_change_updates_the_match_its_summary_and_its_results(stores: Stores) -> None:
    store, match = stores(), even(2, games=3)
    write(store, [begin("aaaaaa", match)])
    happened = [ONE, Event("undo"), ONE, ONE, Event("resignation"), ONE]
    entry = change("aaaaaa", match, *happened, data="later", due=3.0)
    assert write(store, [entry]) == [None]
    live = stores().live("aaaaaa")
    assert live.saved.match == entry.match
    assert (live.saved.events, live.version, live.data, live.due) == (6, 2, "later", 3.0)
    (line,) = store.matches()
    assert (line.score, line.played, line.plies, line.over) == ((1, 1), 2, 3, False)
    over = change("aaaaaa", entry.match, Event("concession"), version=2, seq=6, stage="over")
    assert write(store, [over]) == [None]
    assert [result.winner for result in store.results()] == [1, 0, 1]
    assert store.matches()[0].over


def test_a_result_that_is_undone_in_the_same_batch_is_not_saved(stores: Stores) -> None:
    store, match = stores(), even(1)
    undo = change("aaaaaa", match.play(1), Event("undo"), version=2, seq=1)
    assert write(store, [begin("aaaaaa", match), change("aaaaaa", match, ONE), undo]) == [None] * 3
    assert store.results() == []
    assert store.matches()[0].played == 0


def test_a_change_without_events_saves_the_data_and_not_the_time(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even())])
    before = store.matches()
    monkeypatch.setattr("zerosum.store.live.timestamp", lambda: "2999-01-01T00:00:00.000Z")
    assert write(store, [change("aaaaaa", even(), data="coach")]) == [None]
    assert store.matches() == before
    live = store.live("aaaaaa")
    assert (live.data, live.version, live.saved.events) == ("coach", 2, 0)


def test_a_player_who_joins_changes_the_name(stores: Stores) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even(), stage="waiting")])
    named = Match.new(even().game, ("Ada", "Zoë"))
    assert write(store, [change("aaaaaa", named)]) == [None]
    live = store.live("aaaaaa")
    assert live.saved.match == named
    assert store.matches()[0].players == ("Ada", "Zoë")


@pytest.mark.parametrize(
    ("version", "seq", "name"), [(1, 1, "aaaaaa"), (1, 0, "bbbbbb"), (1, 0, "cccccc")]
)
def test_a_change_to_another_version_is_a_conflict(
    stores: Stores, version: int, seq: int, name: str
) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even())])
    store.create(even(), "cccccc")  # which is played in a terminal
    (error,) = write(store, [change(name, even(), ONE, version=version, seq=seq)])
    assert isinstance(error, Conflict)
    assert name in str(error)
    live = store.live("aaaaaa")
    assert (live.version, live.saved.events) == (1, 0)


# Groups of changes, and changes that are rejected.


def test_the_changes_of_a_group_are_saved_together_or_not_at_all(stores: Stores) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    results = write(
        store,
        [
            (change("aaaaaa", even(), ONE, version=9), begin("rematch1", even(), key="r1")),
            (change("bbbbbb", even(), ONE), begin("rematch2", even(), key="r2")),
            (change("aaaaaa", even(), ONE), begin("rematch3", even(), key="r2")),
            change("aaaaaa", even(), ONE),
        ],
    )
    assert [type(result) for result in results] == [Conflict, type(None), KeyUsed, type(None)]
    found = {line.id: line.plies for line in store.matches()}
    assert found == {"aaaaaa": 1, "bbbbbb": 1, "rematch2": 0}
    assert store.server.created("r1") is None


@pytest.mark.parametrize(
    "broken",
    [
        begin("zzzzzz", even(), data="\udcff"),
        change("aaaaaa", even(), ONE, data="\udcff", key="k", digest="d"),
    ],
)
def test_a_change_that_the_database_rejects_does_not_affect_the_others(
    stores: Stores, broken: Change
) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    results = write(
        store,
        [
            change("bbbbbb", even(), ONE, key="k", digest="d"),
            broken,
            begin("yyyyyy", even()),
            change("bbbbbb", even(), ONE, version=1),
        ],
    )
    assert [type(result) for result in results] == [type(None), Rejected, type(None), Conflict]
    assert store.server.rows("zzzzzz") is None
    assert {line.id: line.plies for line in store.matches()} == {
        "aaaaaa": 0,
        "bbbbbb": 1,
        "yyyyyy": 0,
    }
    assert store.server.key("aaaaaa", "k") is None
    assert write(store, [change("aaaaaa", even(), ONE)]) == [None]


def test_an_event_in_the_journal_is_not_overwritten(stores: Stores) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    statement = "insert into events (match, seq, kind, move, at) values (?, 0, 'move', '1', 't')"
    execute(stores.address, statement, "aaaaaa")
    results = write(store, [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)])
    assert [type(result) for result in results] == [Rejected, type(None)]
    assert store.server.version("aaaaaa") == 1
    assert store.server.version("bbbbbb") == 2


# Live matches in the terminal.


def test_the_match_to_resume_is_never_a_live_one(stores: Stores) -> None:
    store = stores()
    mine = store.create(even(), updated="2001-01-01T00:00:00.000Z").id
    write(store, [begin("aaaaaa", even())])
    assert {line.id for line in store.matches()} == {mine, "aaaaaa"}
    assert [line.id for line in store.matches(unfinished=True)] == [mine]
    assert store.latest(unfinished=True) == mine


def test_a_store_opened_for_reading_refuses_changes(stores: Stores) -> None:
    write(stores(), [begin("aaaaaa", even())])
    reader = stores(write=False)
    for use in (
        lambda: write(reader, [change("aaaaaa", even(), ONE)]),
        lambda: reader.server.beat(1.0, 1.0),
        lambda: reader.server.expire(1e12, 1, 1, 1, 9),
        reader.server.secret,
    ):
        with pytest.raises(StoreError):
            use()
    assert reader.server.version("aaaaaa") == 1


def test_match_is_replayed_from_known_states_without_asking_the_rules(stores: Stores) -> None:
    store, match = stores(), even(3, games=2)
    events = (ONE, Event("undo"), ONE, ONE, ONE, ONE)
    results: list[tuple[Any, Any]] = [(match.state, None)]
    for event in events:
        match = match.apply(event)
        if event.kind == "move":
            results.append((match.state, match.game.outcome(match.state)))
    assert write(store, [begin("aaaaaa", even(3, games=2))._replace(match=match, events=events)])
    rows = store.server.rows("aaaaaa")
    assert rows is not None
    row, saved, _ = rows
    assert saved == list(events)
    entry = find("even-steven")

    class Silent(entry.game):  # type: ignore[misc, name-defined]
        def play(self, state: Any, move: Any) -> Any:
            raise AssertionError

        initial = moves = objection = outcome = play

    silent = Entry("even-steven", Silent)
    replayed = replay(row, saved, silent, results).match
    assert replayed.rounds == match.rounds
    assert (replayed.score, replayed.over) == (match.score, match.over)
    assert variant_of(row, entry) == match.game
    with pytest.raises(Unreadable, match="cannot be replayed"):
        replay(row, saved, silent, results[:-1])
