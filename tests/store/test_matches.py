"""Matches of a terminal: saved event by event, and replayed as they were."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from tests.game_files import COUNTDOWN
from tests.store.support import ONE, Stores, begin, change, even, execute, play, write
from tests.strategies import names, variants
from zerosum.errors import IllegalMove, MatchError, StoreError
from zerosum.match import Event, EventKind, Match
from zerosum.protocol import Move
from zerosum.registry import entry_of

TIMESTAMP = "zerosum.store.store.timestamp"


def test_an_event_that_cannot_happen_is_not_saved(stores: Stores) -> None:
    store = stores()
    saved = store.create(even())
    with pytest.raises(MatchError):
        store.append(saved, Event("undo"))
    with pytest.raises(IllegalMove):
        store.append(saved, Event("move", 2))
    assert stores().load(saved.id) == saved


def test_the_time_a_match_started_can_be_passed_and_is_saved(stores: Stores) -> None:
    store = stores()
    saved = store.append(store.create(even(), started="2001-02-03T04:05:06.000Z"), ONE)
    assert store.load(saved.id) == saved
    assert saved.started == "2001-02-03T04:05:06.000Z"
    assert saved.updated > saved.started


def test_the_new_path_of_a_moved_game_is_saved(stores: Stores, tmp_path: Path) -> None:
    rules = tmp_path / "my_game.py"
    rules.write_text(COUNTDOWN)
    id_ = stores().create(Match.new(zerosum.game(str(rules))).play(1)).id
    moved = rules.rename(tmp_path / "moved.py")
    stores().save_about(stores().load(id_, str(moved)))
    assert execute(stores.address, "select file from matches") == [(str(moved),)]
    assert stores().load(id_, str(moved)).match.round.moves == (1,)


def test_a_match_that_the_rules_no_longer_allow_is_refused_with_the_event(stores: Stores) -> None:
    id_ = play(stores(), 3)
    execute(stores.address, "update events set move = '2' where seq = 1")
    with pytest.raises(StoreError, match=r"event 2 .*even number"):
        stores().load(id_)
    moves = execute(stores.address, "select move from events order by seq")
    assert moves == [("1",), ("2",), ("1",)]


# What is saved is what is loaded.

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
def matches_with_events(draw: st.DrawFn) -> tuple[Match[Any], list[Event]]:
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


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(played=matches_with_events())
def test_every_appended_event_is_loaded(
    stores: Stores, played: tuple[Match[Any], list[Event]]
) -> None:
    match, events = played
    store, again = stores.pair()
    others = Counter(store.results())
    saved = store.create(match)
    for event in events:
        match = match.apply(event)
        saved = store.append(saved, event)
    assert again.load(saved.id, entry_of(match.game).file) == saved
    assert (saved.match, saved.events) == (match, len(events))
    (line,) = (line for line in again.matches() if line.id == saved.id)
    ended = [round_ for round_ in match.rounds if round_.end]
    assert (line.players, line.games, line.score) == (match.players, match.games, match.score)
    assert (line.played, line.over) == (len(ended), match.over)
    assert line.plies == sum(len(round_.moves) for round_ in match.rounds)
    assert Counter(again.results()) - others == Counter(
        (line.game, *match.players, *match.bots, round_.end.winner, round_.first)
        for round_ in ended
        if round_.end
    )
    copy = again.load(again.create(saved.match).id, entry_of(match.game).file).match
    # A copy does not start the next game before its first event.
    assert copy == match or copy.next_game() == match


# Numbers and strings that are easily confused.
MOVES: tuple[Move, ...] = (
    *(7, "7", -7, 10**4000, "a", "A", " b ", ""),
    *("null", "[7]", '"', "\\", "\0", "\ud800", "ß" * 99),
)
ANY_MOVE = (
    COUNTDOWN.replace("State(3", f"State({len(MOVES)}")
    .replace("(1,) if state.number else ()", repr(MOVES))
    .replace("Outcome(1 - state.player", "Outcome(None")
)


def test_every_move_is_loaded_exactly_as_it_was_played(stores: Stores, tmp_path: Path) -> None:
    rules = tmp_path / "any_move.py"
    rules.write_text(ANY_MOVE)
    store, match = stores(), Match.new(zerosum.game(str(rules)))
    saved, events = store.create(match), [Event("move", move) for move in MOVES]
    for event in events:
        saved = store.append(saved, event)
    copy = store.create(saved.match)
    live = [begin("live2345", match), change("live2345", match, *events)]
    assert write(store, live) == [None, None]
    for id_ in (saved.id, copy.id, "live2345"):
        assert store.load(id_, str(rules)).match.round.moves == MOVES
    assert {line.score for line in store.matches()} == {(0.5, 0.5)}


def test_an_event_is_saved_without_reading_the_earlier_games(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, match = stores(), even(1, games=3)
    saved = store.create(match)
    write(store, [begin("live2345", match)])

    def fail(self: Match[Any]) -> None:
        raise AssertionError("the cost of a series would grow with the square of its length")

    with monkeypatch.context() as patched:
        patched.setattr(Match, "rounds", property(fail))
        for seq in range(3):
            played = change("live2345", saved.match, ONE, version=seq + 1, seq=seq)
            saved = store.append(saved, ONE)
            assert write(store, [played]) == [None]
    assert saved.match.over
    assert store.load(saved.id).match == store.load("live2345").match == saved.match
    assert {line.score for line in store.matches()} == {(2, 1)}
