"""Matches that are played through a server, on both kinds of databases."""

from __future__ import annotations

import pytest

from tests.store.places import Opened, begin, change, execute
from tests.store.support import even
from zerosum.match import Event, Match
from zerosum.store import StoreError, server
from zerosum.store.base import Moved
from zerosum.store.live import Begin, Change, KeyUsed

ONE = Event("move", 1)


def test_a_new_match_stands_at_version_1_with_all_that_has_happened_in_it(opened: Opened) -> None:
    match = even(9, games=3, first=1, clock=30).play(1).resign()
    entry = begin("aaaaaa", match, data='{"é": "🎲"}', due=12.5, stage="waiting")
    assert opened().write([entry]) == [None]
    live = opened(write=False).live("aaaaaa")
    assert live is not None
    assert (live.saved.id, live.saved.match, live.saved.events) == ("aaaaaa", match, 2)
    assert (live.version, live.data, live.due) == (1, '{"é": "🎲"}', 12.5)
    (line,) = opened().matches()
    assert (line.score, line.played, line.plies, line.over) == ((0, 1), 1, 1, False)


def test_a_change_brings_the_match_its_line_and_its_results_forward(opened: Opened) -> None:
    store, match = opened(), even(2, games=3)
    store.write([begin("aaaaaa", match)])
    happened = [ONE, Event("undo"), ONE, ONE, Event("resignation"), ONE]
    entry = change("aaaaaa", match, *happened, data="later", due=3.0)
    assert store.write([entry]) == [None]
    live = opened().live("aaaaaa")
    assert live is not None
    assert live.saved.match == entry.match
    assert (live.saved.events, live.version, live.data, live.due) == (6, 2, "later", 3.0)
    (line,) = store.matches()
    assert (line.score, line.played, line.plies, line.over) == ((1, 1), 2, 3, False)
    over = change("aaaaaa", entry.match, Event("concession"), version=2, seq=6, stage="over")
    assert store.write([over]) == [None]
    assert [result[3] for result in store.results()] == [1, 0, 1]
    assert store.matches()[0].over


def test_a_change_without_events_keeps_the_data_and_leaves_the_time_of_the_last_move(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    store.write([begin("aaaaaa", even())])
    before = store.matches()
    monkeypatch.setattr(server, "timestamp", lambda: "2999-01-01T00:00:00.000Z")
    assert store.write([change("aaaaaa", even(), data="coach")]) == [None]
    assert store.matches() == before
    live = store.live("aaaaaa")
    assert live is not None
    assert (live.data, live.version, live.saved.events) == ("coach", 2, 0)


def test_a_friend_who_joins_brings_a_name(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even(), stage="waiting")])
    named = Match.new(even().game, ("Ada", "Zoë"))
    assert store.write([change("aaaaaa", named)]) == [None]
    live = store.live("aaaaaa")
    assert live is not None
    assert live.saved.match == named
    assert store.matches()[0].players == ("Ada", "Zoë")


@pytest.mark.parametrize(
    ("version", "seq", "name"),
    [(0, 0, "aaaaaa"), (2, 0, "aaaaaa"), (1, 1, "aaaaaa"), (1, 0, "bbbbbb"), (1, 0, "cccccc")],
)
def test_a_change_to_what_does_not_stand_so_is_refused(
    opened: Opened, version: int, seq: int, name: str
) -> None:
    store = opened()
    store.write([begin("aaaaaa", even())])
    store.create(even(), "cccccc")  # which is played in a terminal
    (error,) = store.write([change(name, even(), ONE, version=version, seq=seq)])
    assert isinstance(error, Moved)
    assert name in str(error)
    live = store.live("aaaaaa")
    assert live is not None
    assert (live.version, live.saved.events) == (1, 0)


def test_answers_come_in_the_order_of_the_entries(opened: Opened) -> None:
    store = opened()
    store.write([begin(name, even()) for name in ("cccccc", "aaaaaa", "bbbbbb")])
    results = store.write(
        [
            change("cccccc", even(), ONE),
            change("bbbbbb", even(), ONE, version=7),
            begin("dddddd", even()),
            change("aaaaaa", even(), ONE),
            begin("aaaaaa", even(), key="another"),
        ]
    )
    assert [type(result) for result in results] == [
        type(None),
        Moved,
        type(None),
        type(None),
        StoreError,
    ]
    assert {name: store.live_version(name) for name in ("aaaaaa", "bbbbbb", "cccccc")} == {
        "aaaaaa": 2,
        "bbbbbb": 1,
        "cccccc": 2,
    }
    assert store.live_version("dddddd") == 1
    assert store.live_version("eeeeee") is None


def test_one_batch_can_begin_a_match_and_go_on_with_it(opened: Opened) -> None:
    store, match = opened(), even(2)
    results = store.write(
        [
            change("aaaaaa", match, ONE, key="early", digest="0"),
            begin("aaaaaa", match),
            change("aaaaaa", match, ONE, key="first", digest="1"),
            change("aaaaaa", match.play(1), ONE, version=2, seq=1, stage="over"),
            change("aaaaaa", match, ONE, key="late", digest="2"),
        ]
    )
    assert [type(result) for result in results] == [Moved, *[type(None)] * 3, Moved]
    live = store.live("aaaaaa")
    assert live is not None
    assert (live.version, live.saved.events, live.saved.match.over) == (3, 2, True)
    assert store.key("aaaaaa", "first") == "1"
    assert store.key("aaaaaa", "early") is store.key("aaaaaa", "late") is None


def test_no_entries_are_no_work(opened: Opened) -> None:
    assert opened().write([]) == []


# Keys: a request that comes again is not carried out again.


def test_a_key_that_was_used_is_told_with_its_digest_also_when_the_match_has_moved(
    opened: Opened,
) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    entry = change("aaaaaa", even(), ONE, key="k", digest="one")
    assert store.write([entry]) == [None]
    (error,) = opened().write([entry])
    assert isinstance(error, KeyUsed)
    assert error.digest == "one"
    again = change("aaaaaa", even().play(1), ONE, version=2, seq=1, key="k", digest="two")
    results = store.write([again, change("bbbbbb", even(), ONE, key="k", digest="three")])
    assert isinstance(results[0], KeyUsed)
    assert results[0].digest == "one"
    assert results[1] is None  # the keys of one match are nothing to another
    assert (store.key("aaaaaa", "k"), store.key("bbbbbb", "k")) == ("one", "three")
    assert store.key("aaaaaa", "l") is None


def test_of_two_equal_keys_in_one_batch_the_first_counts(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even())])
    results = store.write(
        [
            change("aaaaaa", even(), ONE, key="k", digest="one"),
            change("aaaaaa", even().play(1), ONE, version=2, seq=1, key="k", digest="two"),
            begin("bbbbbb", even(), key="k", digest="three"),
            begin("cccccc", even(), key="k", digest="four"),
        ]
    )
    assert results[0] is results[2] is None
    assert [error.digest for error in results if isinstance(error, KeyUsed)] == ["one", "three"]
    assert store.live("cccccc") is None


def test_a_key_makes_one_match_and_leads_to_it(opened: Opened) -> None:
    store = opened()
    assert store.created("k") is None
    assert store.key("", "k") is None
    assert store.write([begin("aaaaaa", even(), key="k", digest="d")]) == [None]
    (error,) = store.write([begin("bbbbbb", even(), key="k", digest="e")])
    assert isinstance(error, KeyUsed)
    assert error.digest == "d"
    assert store.created("k") == ("aaaaaa", "d")
    assert store.key("", "k") == "d"
    assert [line.id for line in store.matches()] == ["aaaaaa"]


# Entries that go together, and entries at fault.


def test_the_entries_of_a_tuple_are_kept_together_or_not_at_all(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    results = store.write(
        [
            (change("aaaaaa", even(), ONE, version=9), begin("rematch1", even(), key="r1")),
            (change("bbbbbb", even(), ONE), begin("rematch2", even(), key="r2")),
            (change("aaaaaa", even(), ONE), begin("rematch3", even(), key="r2")),
            change("aaaaaa", even(), ONE),
        ]
    )
    assert [type(result) for result in results] == [Moved, type(None), KeyUsed, type(None)]
    found = {line.id: line.plies for line in store.matches()}
    assert found == {"aaaaaa": 1, "bbbbbb": 1, "rematch2": 0}
    assert store.created("r1") is None


@pytest.mark.parametrize(
    "broken",
    [
        begin("zzzzzz", even(), data="\udcff"),
        begin("zzzzzz", even(), due="soon\udcff"),
        change("aaaaaa", even(), ONE, data="\udcff", key="k", digest="d"),
        change("aaaaaa", even(), ONE, stage=None),
    ],
)
def test_an_entry_that_the_database_does_not_take_leaves_the_others_alone(
    opened: Opened, broken: Begin | Change
) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    results = store.write(
        [
            change("bbbbbb", even(), ONE, key="k", digest="d"),
            broken,
            begin("yyyyyy", even()),
            change("bbbbbb", even(), ONE, version=1),
        ]
    )
    assert [type(result) for result in results] == [type(None), server.Fault, type(None), Moved]
    assert store.live("zzzzzz") is None
    assert {line.id: line.plies for line in store.matches()} == {
        "aaaaaa": 0,
        "bbbbbb": 1,
        "yyyyyy": 0,
    }
    assert store.key("aaaaaa", "k") is None
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]


def test_an_event_that_stands_in_the_journal_already_is_not_written_over(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    statement = "insert into events (match, seq, kind, move, at) values (?, 0, 'move', '1', 't')"
    execute(opened.place, statement, "aaaaaa")
    results = store.write([change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)])
    assert [type(result) for result in results] == [server.Fault, type(None)]
    assert store.live_version("aaaaaa") == 1
    assert store.live_version("bbbbbb") == 2


# What the terminal sees of it.


def test_the_match_to_resume_is_never_one_of_the_browser(opened: Opened) -> None:
    store = opened()
    mine = store.create(even(), updated="2001-01-01T00:00:00.000Z")
    store.write([begin("aaaaaa", even())])
    assert {line.id for line in store.matches()} == {mine, "aaaaaa"}
    assert [line.id for line in store.matches(unfinished=True)] == [mine]
    assert store.latest_open() == mine


def test_a_live_match_is_loaded_like_any_other(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), change("aaaaaa", even(), ONE)])
    assert store.load("aaaa").match == even().play(1)


def test_a_store_for_reading_takes_no_changes(opened: Opened) -> None:
    opened().write([begin("aaaaaa", even())])
    reader = opened(write=False)
    with pytest.raises(StoreError):
        reader.write([change("aaaaaa", even(), ONE)])
    with pytest.raises(StoreError):
        reader.beat(1.0, 1.0)
    with pytest.raises(StoreError):
        reader.expire(1e12, 1, 1, 1, 9)
    with pytest.raises(StoreError):
        reader.secret()
    assert reader.live_version("aaaaaa") == 1


def test_a_store_can_be_closed_by_another_thread(opened: Opened) -> None:
    import threading

    store, errors = opened(), []

    def close() -> None:
        try:
            store.close()
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=close)
    thread.start()
    thread.join()
    assert errors == []
