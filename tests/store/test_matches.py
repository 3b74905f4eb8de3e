"""What a store is for, and that what happened in a match is what is read back."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from tests.store.places import Opened, execute
from tests.store.support import even, moved
from zerosum.match import Event, Match, check_players
from zerosum.store import StoreError, new_id, sql

# What a store is for.


def test_a_new_match_is_loaded_as_it_was_created(opened: Opened) -> None:
    match = even(7, first=1, length=3, clock=2.5).play(1).play(2).resign()
    id_ = opened().create(match)
    saved = opened().load(id_)
    assert saved.match == match
    assert (saved.id, saved.events) == (id_, 3)


def test_an_appended_event_is_there_for_the_next_reader(opened: Opened) -> None:
    store, match = opened(), even()
    id_ = store.create(match)
    match = match.play(1)
    store.append(id_, 0, Event("move", 1), match)
    assert opened(write=False).load(id_).match == match


def test_an_undone_move_stays_undone(opened: Opened) -> None:
    store, match = opened(), even()
    id_ = store.create(match)
    for seq, event in enumerate([Event("move", 1), Event("undo"), Event("move", 1)]):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    saved = opened().load(id_)
    assert saved.match == match
    assert saved.events == 3
    assert store.matches()[0].plies == 1


def test_the_time_a_match_began_can_be_given_and_is_kept(opened: Opened) -> None:
    store = opened()
    id_ = store.create(even(), started="2001-02-03T04:05:06.000Z")
    store.append(id_, 0, Event("move", 1), even().play(1))
    saved = store.load(id_)
    assert saved.started == "2001-02-03T04:05:06.000Z"
    assert saved.updated > saved.started


def test_ids_differ_and_hold_nothing_that_looks_alike() -> None:
    ids = {new_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert {len(one) for one in ids} == {8}
    assert not set("01ilo") & set("".join(ids))


@pytest.mark.parametrize("typed", ["abcdef", "abcd", "ABCD", "abcdefgh"[:6]])
def test_the_beginning_of_an_id_is_enough(opened: Opened, typed: str) -> None:
    store = opened()
    store.create(even(), "abcdef")
    store.create(even(), "abxyzw")
    assert store.load(typed).id == "abcdef"


@pytest.mark.parametrize("typed", ["ab", "a"])
def test_a_beginning_that_two_ids_have_asks_for_more(opened: Opened, typed: str) -> None:
    store = opened()
    store.create(even(), "abcdef")
    store.create(even(), "abxyzw")
    with pytest.raises(StoreError, match="More than one"):
        store.load(typed)


@pytest.mark.parametrize(
    "typed", ["", "b", "%", "_bcdef", "abcdefg", "abc def", "'", "\0", "\udcff", "٣"]
)
def test_an_id_that_no_match_has_is_refused(opened: Opened, typed: str) -> None:
    store = opened()
    store.create(even(), "abcdef")
    with pytest.raises(StoreError, match="no match"):
        store.load(typed)


def test_a_whole_id_names_its_match_also_where_another_begins_with_it(opened: Opened) -> None:
    store = opened()
    store.create(even(), "abcdef")
    store.create(even(), "abcdefgh")
    assert store.load("abcdef").id == "abcdef"


def test_an_id_that_is_taken_is_not_called_damage(opened: Opened) -> None:
    store = opened()
    store.create(even(9), "abcdef")
    with pytest.raises(StoreError) as caught:
        store.create(even(11), "abcdef")
    assert "damaged" not in str(caught.value)
    assert store.load("abcdef").match == even(9)


def test_the_latest_open_match_is_the_one_played_last(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(sql, "timestamp", lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = opened()
    assert store.latest_open() is None
    one, other = store.create(even()), store.create(even())
    assert store.latest_open() == other
    store.append(one, 0, Event("move", 1), even().play(1))
    assert store.latest_open() == one
    store.append(one, 1, Event("resignation"), even().play(1).resign())
    assert store.latest_open() == other
    store.append(other, 0, Event("agreement"), even().call_off())
    assert store.latest_open() is None


def test_matches_are_listed_latest_first_by_game_and_by_whether_they_are_open(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(sql, "timestamp", lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = opened()
    duel = Match.new(zerosum.game("divisor-duel", start=2), ("Ada", "Bob"))
    one, two = store.create(even(1)), store.create(duel.play(1))
    three = store.create(even(9, length=3).play(1).resign().next_game().play(1))
    assert [line.id for line in store.matches()] == [three, two, one]
    assert [line.id for line in store.matches(game="even-steven")] == [three, one]
    assert [line.id for line in store.matches(unfinished=True)] == [three, one]
    assert [line.id for line in store.matches(most=1)] == [three]
    assert [line.id for line in store.matches(most=0)] == []
    line = store.matches()[0]
    assert (line.game, line.players, line.length) == ("even-steven", ("Ada", "Bob"), 3)
    assert (line.played, line.score, line.plies, line.over) == (1, (1, 0), 2, False)


def test_results_count_each_finished_game_once(opened: Opened) -> None:
    store = opened()
    match = even(2, length=3, first=1)
    id_ = store.create(match)
    events = [Event("move", 1), Event("undo"), Event("move", 1), Event("move", 1)]
    events += [Event("agreement"), Event("resignation")]
    for seq, event in enumerate(events):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    assert match.over
    book, ada, bob = "even-steven", "Ada", "Bob"
    assert store.results() == [
        (book, ada, bob, 0, 1),
        (book, ada, bob, None, 0),
        (book, ada, bob, 0, 1),
    ]


def test_a_game_of_ones_own_is_found_again_by_its_file(opened: Opened, tmp_path: Path) -> None:
    rules = tmp_path / "my_game.py"
    rules.write_text(
        "from dataclasses import dataclass\n"
        "from typing import NamedTuple\n"
        "from zerosum.game import Outcome\n"
        "class State(NamedTuple):\n    number: int\n    player: int\n"
        "@dataclass(frozen=True)\n"
        "class MyGame:\n"
        "    def initial(self): return State(3, 0)\n"
        "    def moves(self, s): return (1,) if s.number else ()\n"
        "    def play(self, s, move): return State(s.number - 1, 1 - s.player)\n"
        "    def outcome(self, s):\n"
        "        return None if s.number else Outcome(1 - s.player, 'zero')\n"
        "    def objection(self, s, move): return None if move == 1 else 'Only 1.'\n"
    )
    match = Match.new(zerosum.game(str(rules))).play(1)
    id_ = opened().create(match)
    code = (
        "import sys; from zerosum.store import open_store;"
        "print(open_store(sys.argv[1]).load(sys.argv[2]).match.state.number)"
    )
    command = [sys.executable, "-c", code, opened.place, id_]
    done = subprocess.run(command, capture_output=True, cwd="/")
    assert done.stdout == b"2\n", done.stderr


def test_a_match_that_the_rules_no_longer_allow_is_refused_with_the_event(opened: Opened) -> None:
    id_ = moved(opened(), 3)
    execute(opened.place, "update events set move = '2' where seq = 1")
    with pytest.raises(StoreError, match=r"event 2 .*even number"):
        opened().load(id_)
    assert execute(opened.place, "select move from events order by seq") == [("1",), ("2",), ("1",)]


# Whatever happens in a match is what is read back.

ENDS = ("resignation", "concession", "time", "agreement", "endless")
names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
small_or_huge = st.integers(2, 60) | st.integers(10**300, 10**700)


def _different(pair: tuple[str, str]) -> bool:
    try:
        check_players(pair)
    except zerosum.OptionError:
        return False
    return True


@st.composite
def variants(draw: st.DrawFn) -> Any:
    name = draw(st.sampled_from(zerosum.games()[:5]))
    options: dict[str, Any] = {"start": draw(small_or_huge)}
    if name == "even-steven":
        options["subtract_two"] = draw(st.booleans())
    elif name == "dual-digits":
        options["numbers"] = tuple(draw(st.sets(st.integers(1, 9), max_size=4)) | {2})
    elif name == "digit-battle":
        options = {"lives": draw(small_or_huge), "limit_penalty": draw(small_or_huge)}
    return zerosum.game(name, **options)


@st.composite
def happenings(draw: st.DrawFn) -> tuple[Match, list[Event]]:
    begun = match = Match.new(
        draw(variants()),
        draw(st.tuples(names, names).filter(_different)),
        draw(st.integers(0, 1)),
        draw(st.integers(1, 4)),
        draw(st.none() | st.floats(0.001, 86_400) | st.integers(1, 86_400)),
    )
    events: list[Event] = []
    kinds = ("move", "move", "move", "move", "undo", *ENDS)
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=14)):
        if match.over:
            break
        now = match.next_game() if match.round.end else match
        if kind == "undo" and not now.ply:
            continue
        moves = now.game.moves(now.state) if kind == "move" else ()
        event = Event(kind, draw(st.sampled_from(moves)) if moves else None)
        match = match.apply(event)
        events.append(event)
    return begun, events


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(happened=happenings())
def test_what_was_appended_is_what_is_loaded(
    opened: Opened, happened: tuple[Match, list[Event]]
) -> None:
    match, events = happened
    store, again = opened(), opened()
    others = Counter(store.results())
    id_ = store.create(match)
    for seq, event in enumerate(events):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    saved = again.load(id_)
    assert saved.match == match
    assert saved.events == len(events)
    (line,) = (one for one in again.matches() if one.id == id_)
    ended = [played for played in match.rounds if played.end]
    assert (line.players, line.length, line.score) == (match.players, match.length, match.score)
    assert (line.played, line.over) == (len(ended), match.over)
    assert line.plies == sum(len(played.moves) for played in match.rounds)
    assert Counter(again.results()) - others == Counter(
        (line.game, *match.players, played.end.winner, played.first)
        for played in ended
        if played.end
    )
    copy = again.load(again.create(saved.match)).match
    # A next game in which nothing has happened yet is none to a copy.
    assert copy == match or copy.next_game() == match
    store.close()
    again.close()


@pytest.mark.parametrize("length", [1, 1_000_000])
def test_a_series_of_any_length_that_can_be_played_is_kept(opened: Opened, length: int) -> None:
    store = opened()
    assert store.load(store.create(even(length=length))).match.length == length
