"""What is known of games too large for a table: exact, or unknown, and never wrong."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import NOUGHTS
from tests.games import Sticks, broken
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.naive import RANK, Naive
from zerosum.errors import (
    GameError,
    NotSolved,
    Unknown,
    ZerosumError,
)
from zerosum.limits import Limits
from zerosum.protocol import Game, Outcome, Value
from zerosum.solver import knowledge as module
from zerosum.solver import solve, solved_table
from zerosum.solver.knowledge import MOST_TABLES, Knowledge

NOTHING = Limits(nodes=0, seconds=None)
SOME = Limits(nodes=6, seconds=None)


def reachable(game: Game[Any], state: Any) -> int:
    """Count the positions that can follow one, and itself; equal ones once."""
    return len(set(map(game.canonical, Naive(game, [state]).after)))


@given(graphs() | mirrored(), st.integers(1, 8), st.sampled_from((NOTHING, SOME)), st.randoms())
def test_what_is_known_is_true_and_all_that_fits_is_known(
    game: Graph | Mirrored, limit: int, budget: Limits, rng: Any
) -> None:
    rules: Game[Any] = game
    naive, knowledge = Naive(game), Knowledge(rules, limit, budget=budget)
    states = list(naive.after)
    rng.shuffle(states)  # whatever was asked before
    for state in states:
        fits = reachable(game, state) <= limit or knowledge.solution is not None
        assert (knowledge.onward(state) is not None) == fits
        try:
            value = knowledge.value(state)
        except Unknown:
            assert not fits
        else:
            truth = naive.values[state]
            assert value == truth if fits else value == Value(truth.result)
        check_moves(naive, knowledge, state, fits)


def check_moves(naive: Naive, knowledge: Knowledge[Any], state: Any, fits: bool) -> None:
    """Compare the values of the moves, and the best ones, as far as they are known."""
    truth, values, best = naive.moves(state), knowledge.moves(state), knowledge.best(state)
    assert list(values) == list(truth)
    if fits:
        assert values == truth
        assert best == naive.best(state)
        return
    for move, value in values.items():
        assert value is None or value == truth[move] or value == Value(truth[move].result)
    top = max(RANK[value.result] for value in truth.values())
    assert all(RANK[truth[move].result] == top for move in best)


class Nothing:
    """A search that proves nothing."""

    def __init__(self, game: Game[Any], progress: object = None) -> None:
        self.asked: list[Any] = []

    def known(self, state: Any) -> None:
        return None

    def prove(self, state: Any, budget: Limits) -> None:
        self.asked.append(state)


class Proofs(Nothing):
    """A search that proves the positions it is told to."""

    proved: dict[Any, Any] = {}  # noqa: RUF012

    def known(self, state: Any) -> Any:
        return self.proved.get(state)


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """Results by position, which the search proves and no others."""
    monkeypatch.setattr(module, "Search", Proofs)
    monkeypatch.setattr(Proofs, "proved", {})
    return Proofs.proved


def test_table_is_found_again_for_every_later_position(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zerosum.game(NOUGHTS)
    knowledge, state = Knowledge(game, 200), game.initial()
    tables = []

    def counting(*arguments: Any, **named: Any) -> Any:
        tables.append(named["root"])
        return solved_table(*arguments, **named)

    monkeypatch.setattr(module, "solved_table", counting)
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        state = game.play(state, move)
        knowledge.onward(state)
        assert knowledge.onward(state) is knowledge.found(state)
    # The third one fits; nothing is tried twice, and nothing after that.
    assert len(tables) == 3
    assert knowledge.value(state) == Value("draw")


def test_only_a_few_tables_are_kept() -> None:
    game = zerosum.game(NOUGHTS)
    knowledge = Knowledge(game, 700, onward_limit=40)
    first = [game.play(game.initial(), move) for move in game.moves(game.initial())]
    states = [
        game.play(game.play(state, move), other)
        for state in first
        for move, other in pairwise(game.moves(state))
    ]
    for state in states:
        for move in game.moves(state):
            knowledge.onward(game.play(state, move))
            assert len(knowledge._tables) <= MOST_TABLES
            assert knowledge._size <= 80
    assert knowledge._tables


def test_walk_stops_at_a_position_that_is_known_to_lead_too_far() -> None:
    # Whoever is on the ring can come back to where a walk was refused.
    count = 40
    game = graph([0] * count, [((node + 1) % count, (node - 1) % count) for node in range(count)])
    knowledge = Knowledge(game, limit=30, budget=NOTHING)
    assert knowledge.onward(game.node(0)) is None
    played = 0

    class Counted(type(game)):  # type: ignore[misc]
        def play(self, state: Any, move: Any) -> Any:
            nonlocal played
            played += 1
            return super().play(state, move)

    knowledge.game = Counted()
    assert knowledge.onward(game.node(1)) is None
    assert played <= 2


def test_long_numbers_leave_the_same_room_whatever_was_asked_before() -> None:
    # A long number has less room than the short ones that follow it.
    long = 2**300

    def play(self: Any, state: Any, move: int) -> Any:
        number = 20 if state.number == long else 0 if state.number <= move else state.number - move
        return state._replace(number=number, player=1 - state.player)

    def outcome(self: Any, state: Any) -> Any:
        return None if state.number else zerosum.Outcome(state.player, "")

    game = broken(
        initial=lambda self: Sticks().initial()._replace(number=long),
        moves=lambda self, state: (1, 2) if state.number else (),
        play=play,
        outcome=outcome,
    )
    first = game.initial()
    then = game.play(first, 1)
    for limit in range(30, 100, 4):
        fits = []
        for states in ((first, then), (then, first), (then, then._replace(number=long), first)):
            knowledge = Knowledge(game, 1, onward_limit=limit, budget=NOTHING)
            for state in states:
                knowledge.onward(state)
            fits.append([knowledge.onward(state) is not None for state in (first, then)])
        assert fits[0] == fits[1] == fits[2], limit
        fresh = [Knowledge(game, 1, onward_limit=limit).onward(state) for state in (first, then)]
        assert fits[0] == [solution is not None for solution in fresh]


def test_a_question_has_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, played = 0.0, 0
    game = zerosum.game(NOUGHTS)

    class Slow(type(game)):  # type: ignore[misc]
        def play(self, state: Any, move: Any) -> Any:
            nonlocal clock, played
            clock, played = clock + 1.0, played + 1
            return super().play(state, move)

    monkeypatch.setattr(module, "Search", Nothing)
    monkeypatch.setattr(module, "monotonic", lambda: clock)
    knowledge: Knowledge[Any] = Knowledge(Slow(), 5, budget=Limits(nodes=100, seconds=2.5))
    assert knowledge.onward(game.initial()) is None
    played = 0
    assert set(knowledge.moves(game.initial()).values()) == {None}
    assert played == 3


def test_a_theory_answers_everything() -> None:
    game = zerosum.game("even-steven", start=10**50)
    knowledge = Knowledge(game, limit=1)
    assert knowledge.reason == ""
    assert knowledge.value(game.initial()) == solve(game).value(game.initial())
    assert knowledge.onward(game.initial()) is knowledge.solution is knowledge.found(game.initial())


def test_knowledge_of_a_solution_is_that_solution() -> None:
    solution = solve(zerosum.game("dual-digits"))
    knowledge, state = Knowledge.of(solution), solution.game.initial()
    assert knowledge.solution is solution
    assert knowledge.moves(state) == solution.moves(state)
    assert knowledge.best(state) == solution.best(state)


def test_what_is_unknown_is_told_in_a_sentence(proofs: dict[Any, Any]) -> None:
    endless = broken(
        moves=lambda self, state: (1, 2),
        play=lambda self, state, move: state._replace(number=state.number * 2 + move),
        outcome=lambda self, state: None,
    )
    knowledge, state = Knowledge(endless, 5000), endless.initial()
    assert knowledge.unknown(state) == "The value of this position is not known yet."
    assert knowledge.reason == "Broken has more than 5,000 positions, the limit for a table."
    for _ in range(3):
        with pytest.raises(Unknown) as caught:
            knowledge.value(state)
        assert str(caught.value) == (
            "The value of this position is not known yet: too many positions can follow it."
        )
        state = endless.play(state, 1)
    assert not proofs


def test_proofs_have_no_plies_and_fill_in_moves(proofs: dict[Any, Any]) -> None:
    game = zerosum.game(NOUGHTS)
    state = game.initial()
    after = {move: game.play(state, move) for move in game.moves(state)}
    knowledge = Knowledge(game, 5)
    assert knowledge.best(state) == ()
    proofs[after["a1"]] = "draw"
    assert knowledge.moves(state) == {**dict.fromkeys(after), "a1": Value("draw")}
    assert knowledge.best(state) == ()  # another may win
    proofs[state] = "draw"
    assert knowledge.value(state) == Value("draw")
    assert knowledge.best(state) == ("a1",)
    proofs[after["b2"]] = "loss"
    assert knowledge.best(state) == ("b2",)
    proofs.clear()
    proofs[state] = "loss"
    assert knowledge.moves(state) == dict.fromkeys(after, Value("loss"))
    assert knowledge.best(state) == tuple(after)


def test_what_was_not_proved_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Search", Nothing)
    game = zerosum.game(NOUGHTS)
    knowledge, state = Knowledge(game, 5), game.initial()
    for _ in range(3):
        with pytest.raises(Unknown):
            knowledge.value(state)
        knowledge.moves(state)
    # The start, and the corner, the edge and the middle.
    assert len(knowledge._search.asked) == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize("late", [True, False])
def test_what_there_was_no_time_for_is_searched_again_with_more(
    late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, asked = 0.0, []

    class Slow(Nothing):
        def prove(self, state: Any, budget: Limits) -> None:
            nonlocal clock
            clock += late * 2 * (budget.seconds or 0.0)
            asked.append(budget.seconds)

    monkeypatch.setattr(module, "Search", Slow)
    monkeypatch.setattr(module, "monotonic", lambda: clock)
    game = zerosum.game(NOUGHTS)
    knowledge = Knowledge(game, 5)
    for seconds in (1.0, 1.0, 1.2, 60.0, 30.0, None, None):
        knowledge.move_value(game.initial(), "b2", Limits(nodes=100, seconds=seconds))
    assert asked == ([1.0, 60.0, None] if late else [1.0])
    knowledge.move_value(game.initial(), "b2", Limits(nodes=200, seconds=1.0))
    assert asked[-1] == 1.0
    knowledge.stop()
    assert set(knowledge.moves(game.initial()).values()) == {None}
    assert asked[-1] == 1.0


def test_positions_that_are_none_are_refused() -> None:
    game = zerosum.game(NOUGHTS)
    knowledge = Knowledge(game, 5)
    for state in ((), "x", game.initial()._replace(player=2)):
        with pytest.raises(NotSolved, match=r"cannot be reached|is not a position"):
            knowledge.value(state)
    ended = game.initial()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        ended = game.play(ended, move)
    onward = knowledge.onward(ended)
    assert onward is not None
    with pytest.raises(NotSolved, match=r"cannot be reached from State\("):
        onward.value(game.initial())


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"canonical": lambda self, state: 1 / 0}, "ZeroDivisionError"),
        ({"canonical": lambda self, state: [state]}, "must be a NamedTuple"),
        ({"moves": lambda self, state: 1 / 0}, "ZeroDivisionError"),
        ({"outcome": lambda self, state: None}, "there are no moves, and no outcome"),
    ],
)
def test_rules_that_fail_are_named(parts: dict[str, Any], message: str) -> None:
    game = broken(**parts)
    knowledge = Knowledge(game, 100)
    for ask in (knowledge.value, knowledge.moves, knowledge.onward, knowledge.best):
        with pytest.raises(GameError, match=message):
            ask(game.initial())


def test_canonical_that_lies_hangs_nothing() -> None:
    # Every pile is called equal to the first, or to one that no game reaches.
    for canonical in (
        lambda self, state: self.initial(),
        lambda self, state: state._replace(number=state.number + 10**6),
        lambda self, state: state._replace(number=state.number * 3),
    ):
        game = broken(canonical=canonical)
        for limit in (2, 100):
            knowledge = Knowledge(game, limit, budget=Limits(nodes=100, seconds=1.0))
            state = game.initial()
            for move in (1, 1, 1, 1, 1):
                with suppress(ZerosumError):
                    knowledge.moves(state)
                    knowledge.value(state)
                state = game.play(state, move)


def test_slow_rules_are_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch, proofs: dict[Any, Any]
) -> None:
    clock = 0.0

    def play(self: Any, state: Any, move: Any) -> Any:
        nonlocal clock
        clock += 1.0
        return Sticks.play(self, state, move)

    for name in ("size", "table"):
        monkeypatch.setattr(f"zerosum.solver.{name}.monotonic", lambda: clock)
    game = broken(play=play)
    knowledge = Knowledge(game, seconds=2.5)
    with pytest.raises(Unknown) as caught:
        knowledge.value(game.initial())
    assert str(caught.value) == (
        "The value of this position is not known yet: "
        "there was no time to visit all that can follow it."
    )
    assert clock <= 8
    clock = 0.0
    for knowledge.onward_seconds in (1.0, 2.5, 3.0):
        assert knowledge.onward(game.initial()) is None
    assert clock == 0.0
    monkeypatch.setattr("zerosum.solver.table.SOON", 60.0)
    for knowledge.onward_seconds in (60.0, 1.0):  # notably more time; then it is known
        assert knowledge.onward(game.initial()) is not None
    small = Sticks.play(game, game.initial(), 2)._replace(number=1)
    assert knowledge.value(small) == Value("win", 1)
    assert not proofs


@pytest.mark.parametrize("limit", [0, 100])
def test_an_ended_game_has_no_moves_even_where_the_rules_list_some(limit: int) -> None:
    game = broken(
        moves=lambda game, state: Sticks.moves(game, state) or (1, 2),
        outcome=lambda game, state: None if state.number > 0 else Outcome(0, "over"),
    )
    knowledge, over = Knowledge(game, limit, budget=NOTHING), game.initial()._replace(number=0)
    assert (knowledge.solution is not None) == bool(limit)
    assert knowledge.value(over) == Value("win", 0)
    assert knowledge.moves(over) == {}
    assert knowledge.best(over) == ()
