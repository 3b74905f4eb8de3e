"""What a store is for, and that what happened in a match is what is read back."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from tests.store.places import Opened, begin, change, execute
from tests.store.support import even, moved
from tests.strategies import names, variants
from zerosum.match import Event, EventKind, Match
from zerosum.protocol import Move
from zerosum.store import StoreError, new_id, sql

# What a store is for.


def test_a_new_match_is_loaded_as_it_was_created(opened: Opened) -> None:
    match = even(7, first=1, games=3, clock=2.5).play(1).play(2).resign()
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
    assert {len(id_) for id_ in ids} == {8}
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
    first, second = store.create(even()), store.create(even())
    assert store.latest_open() == second
    store.append(first, 0, Event("move", 1), even().play(1))
    assert store.latest_open() == first
    store.append(first, 1, Event("resignation"), even().play(1).resign())
    assert store.latest_open() == second
    store.append(second, 0, Event("agreement"), even().call_off())
    assert store.latest_open() is None


def test_matches_are_listed_latest_first_by_game_and_by_whether_they_are_open(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(sql, "timestamp", lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = opened()
    duel = Match.new(zerosum.game("divisor-duel", start=2), ("Ada", "Bob"))
    first, second = store.create(even(1)), store.create(duel.play(1))
    third = store.create(even(9, games=3).play(1).resign().next_game().play(1))
    assert [line.id for line in store.matches()] == [third, second, first]
    assert [line.id for line in store.matches(game="even-steven")] == [third, first]
    assert [line.id for line in store.matches(unfinished=True)] == [third, first]
    assert [line.id for line in store.matches(most=1)] == [third]
    assert [line.id for line in store.matches(most=0)] == []
    line = store.matches()[0]
    assert (line.game, line.players, line.games) == ("even-steven", ("Ada", "Bob"), 3)
    assert (line.played, line.score, line.plies, line.over) == (1, (1, 0), 2, False)


def test_results_count_each_finished_game_once(opened: Opened) -> None:
    store = opened()
    match = even(2, games=3, first=1)
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
        "from zerosum import Game, Outcome\n"
        "class State(NamedTuple):\n    number: int\n    player: int\n"
        "@dataclass(frozen=True)\n"
        "class MyGame(Game[State]):\n"
        "    def initial(self): return State(3, 0)\n"
        "    def moves(self, s): return (1,) if s.number else ()\n"
        "    def play(self, s, move): return State(s.number - 1, 1 - s.player)\n"
        "    def outcome(self, s):\n"
        "        return None if s.number else Outcome(1 - s.player, 'zero')\n"
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

KINDS: tuple[EventKind, ...] = (
    *("move", "move", "move", "move", "undo"),
    *("resignation", "concession", "time", "agreement", "endless"),
)
huge = st.builds(
    lambda name, start: zerosum.game(name, start=start),
    st.sampled_from(("even-steven", "divisor-duel", "dual-digits", "number-navigator")),
    st.integers(10**300, 10**700),
)


@st.composite
def happenings(draw: st.DrawFn) -> tuple[Match[Any], list[Event]]:
    begun = match = Match.new(
        draw(variants() | huge),
        draw(names),
        draw(st.integers(0, 1)),
        draw(st.integers(1, 4)),
        draw(st.none() | st.floats(0.001, 86_400) | st.integers(1, 86_400)),
    )
    events: list[Event] = []
    for kind in draw(st.lists(st.sampled_from(KINDS), max_size=14)):
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
    opened: Opened, happened: tuple[Match[Any], list[Event]]
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
    (line,) = (line for line in again.matches() if line.id == id_)
    ended = [played for played in match.rounds if played.end]
    assert (line.players, line.games, line.score) == (match.players, match.games, match.score)
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


# Numbers and texts that are easily taken for each other, or for something else.
MOVES: tuple[Move, ...] = (
    7,
    "7",
    -7,
    10**4000,
    "a",
    "A",
    " b ",
    "",
    "null",
    "[7]",
    '"',
    "\\",
    "\0",
    "\ud800",
    "ß" * 99,
)
RULES = f"""
from dataclasses import dataclass
from typing import NamedTuple
from zerosum import Game, Outcome

class State(NamedTuple):
    left: int
    player: int

@dataclass(frozen=True)
class AnyMove(Game[State]):
    def initial(self): return State({len(MOVES)}, 0)
    def moves(self, state): return {MOVES!r}
    def play(self, state, move): return State(state.left - 1, 1 - state.player)
    def outcome(self, state): return None if state.left else Outcome(None, "enough")
"""


def test_every_move_comes_back_exactly_as_it_was_played(opened: Opened, tmp_path: Path) -> None:
    rules = tmp_path / "any_move.py"
    rules.write_text(RULES)
    store, match = opened(), Match.new(zerosum.game(str(rules)))
    id_ = store.create(match)
    for seq, move in enumerate(MOVES):
        match = match.play(move)
        store.append(id_, seq, Event("move", move), match)
    copied = store.create(match)
    events = [Event("move", move) for move in MOVES]
    entry = begin("live2345", Match.new(match.game))
    assert store.write([entry, change("live2345", entry.match, *events)]) == [None, None]
    for name in (id_, copied, "live2345"):
        assert store.load(name).match.round.moves == MOVES
    assert {line.score for line in store.matches()} == {(0.5, 0.5)}


@pytest.mark.parametrize("move", [np.int64(1), np.uint8(1)])
def test_an_event_with_another_type_of_integer_can_be_read(opened: Opened, move: Any) -> None:
    store, match = opened(), even()
    id_ = store.create(match)
    store.append(id_, 0, Event("move", move), match.play(1))
    (played,) = store.load(id_).match.round.moves
    assert (played, type(played)) == (1, int)


def test_a_draw_is_half_a_point_and_no_win(opened: Opened) -> None:
    store, match = opened(), even(games=4)
    id_, copies = store.create(match), []
    kinds: tuple[EventKind, ...] = ("agreement", "resignation", "endless", "agreement")
    for seq, kind in enumerate(kinds):
        match = match.apply(Event(kind))
        store.append(id_, seq, Event(kind), match)
        copies.append(store.create(match))
        assert store.load(id_).match.score == match.score
    asked = "select score_1, score_2, played from matches where id = ?"
    assert [execute(opened.place, asked, name)[0] for name in (*copies, id_)] == [
        *((0, 0, 1), (1, 0, 2), (1, 0, 3), (1, 0, 4), (1, 0, 4)),
    ]
    points = {line.id: line.score for line in store.matches()}
    assert [points[name] for name in (*copies, id_)] == [
        *((0.5, 0.5), (1.5, 0.5), (2, 1), (2.5, 1.5), (2.5, 1.5)),
    ]
    assert match.score == (2.5, 1.5)
    assert [winner for *_, winner, _ in store.results()].count(None) == 1 + 1 + 2 + 3 + 3


def test_an_event_is_kept_without_going_through_the_earlier_games(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, match = opened(), even(1, games=3)
    id_, live = store.create(match), "live2345"
    store.write([begin(live, match)])

    def looked_at(self: Match[Any]) -> None:
        raise AssertionError("the cost of a series would grow with the square of its length")

    with monkeypatch.context() as patched:
        patched.setattr(Match, "rounds", property(looked_at))
        for seq in range(3):
            before, match = match, match.apply(Event("move", 1))
            store.append(id_, seq, Event("move", 1), match)
            played = change(live, before, Event("move", 1), version=seq + 1, seq=seq)
            assert store.write([played]) == [None]
    assert match.over
    assert store.load(id_).match == store.load(live).match == match
    assert {line.score for line in store.matches()} == {(2, 1)}


@pytest.mark.parametrize("length", [1, 1_000_000])
def test_a_series_of_any_length_that_can_be_played_is_kept(opened: Opened, length: int) -> None:
    store = opened()
    assert store.load(store.create(even(games=length))).match.games == length
