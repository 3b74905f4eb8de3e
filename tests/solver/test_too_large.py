"""Solutions of games too large for a table: exact, proved or unknown, and never wrong."""

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import NOUGHTS
from tests.games import Sticks, broken
from tests.graphs import Graph, Mirrored, graphs, mirrored
from tests.naive import RANK, Naive
from zerosum.errors import Unknown, ZerosumError
from zerosum.limits import Limits
from zerosum.protocol import Game, Outcome, Value
from zerosum.solver import solution as module
from zerosum.solver import solved_table
from zerosum.solver.solution import MOST_TABLES, Solution

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
    naive, solution = Naive(game), Solution(rules, Limits(limit), search=budget)
    states = list(naive.after)
    rng.shuffle(states)  # whatever was asked before
    for state in states:
        fits = reachable(game, state) <= limit or solution.is_whole
        assert solution.is_exact(state) == fits
        try:
            value = solution.value(state)
        except Unknown:
            assert not fits
        else:
            truth = naive.values[state]
            assert value == truth or (not fits and value == Value(truth.result))
            assert solution.how(state) in (("table", "onward") if fits else ("search",))
        check_moves(naive, solution, state, fits)


def check_moves(naive: Naive, solution: Solution[Any], state: Any, fits: bool) -> None:
    """Compare the values of the moves, and the best ones, as far as they are known."""
    truth, values, best = naive.moves(state), solution.known_moves(state), solution.best(state)
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
    solution, state = Solution(game, Limits(200)), game.initial()
    tables = []

    def counting(*arguments: Any, **named: Any) -> Any:
        tables.append(named)
        return solved_table(*arguments, **named)

    monkeypatch.setattr(module, "solved_table", counting)
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        state = game.play(state, move)
        assert solution.table(state) is solution.table(state)
    # After the whole game, the third one fits; nothing is tried twice, and nothing after that.
    assert len(tables) == 4
    assert solution.value(state) == Value("draw")


def test_only_a_few_tables_are_kept() -> None:
    game = zerosum.game(NOUGHTS)
    solution = Solution(game, Limits(700), here=Limits(40))
    first = [game.play(game.initial(), move) for move in game.moves(game.initial())]
    states = [
        game.play(game.play(state, move), other)
        for state in first
        for move, other in pairwise(game.moves(state))
    ]
    for state in states:
        for move in game.moves(state):
            solution.is_exact(game.play(state, move))
            assert len(solution._tables) <= MOST_TABLES
            assert solution._size <= 80
    assert solution._tables


def test_a_question_has_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, played = 0.0, 0
    game = zerosum.game(NOUGHTS)

    class Slow(type(game)):  # type: ignore[misc]
        def play(self, state: Any, move: Any) -> Any:
            nonlocal clock, played
            clock, played = clock + 1.0, played + 1
            return super().play(state, move)

    monkeypatch.setattr(module, "Search", Nothing)
    for where in ("solver.solution", "limits"):
        monkeypatch.setattr(f"zerosum.{where}.monotonic", lambda: clock)
    solution: Solution[Any] = Solution(Slow(), Limits(5), search=Limits(nodes=100, seconds=2.5))
    assert not solution.is_exact(game.initial())
    played = 0
    assert set(solution.known_moves(game.initial()).values()) == {None}
    assert played == 3


def test_what_is_unknown_is_told_in_a_sentence(proofs: dict[Any, Any]) -> None:
    endless = broken(
        moves=lambda self, state: (1, 2),
        play=lambda self, state, move: state._replace(number=state.number * 2 + move),
        outcome=lambda self, state: None,
    )
    solution, state = Solution(endless, Limits(5000)), endless.initial()
    assert solution.unknown(state) == "The value of this position is still unknown."
    assert solution.reason == "Broken has more than 5,000 positions, the limit for a table."
    for _ in range(3):
        with pytest.raises(Unknown) as caught:
            solution.value(state)
        assert str(caught.value) == ("Too many positions follow to know who is winning.")
        state = endless.play(state, 1)
    assert not proofs


def test_proofs_have_no_plies_and_fill_in_moves(proofs: dict[Any, Any]) -> None:
    game = zerosum.game(NOUGHTS)
    state = game.initial()
    after = {move: game.play(state, move) for move in game.moves(state)}
    solution = Solution(game, Limits(5))
    assert solution.best(state) == ()
    proofs[after["a1"]] = "draw"
    assert solution.known_moves(state) == {**dict.fromkeys(after), "a1": Value("draw")}
    with pytest.raises(Unknown):
        solution.moves(state)
    assert solution.best(state) == ()  # another may win
    proofs[state] = "draw"
    assert solution.value(state) == Value("draw")
    assert solution.best(state) == ("a1",)
    proofs[after["b2"]] = "loss"
    assert solution.best(state) == ("b2",)
    proofs.clear()
    proofs[state] = "loss"
    assert solution.moves(state) == dict.fromkeys(after, Value("loss"))
    assert solution.best(state) == tuple(after)


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
    solution = Solution(game, Limits(5))
    for seconds in (1.0, 1.0, 1.2, 60.0, 30.0, None, None):
        solution.search = Limits(nodes=100, seconds=seconds)
        with pytest.raises(Unknown):
            solution.move_value(game.initial(), "b2")
    assert asked == ([1.0, 60.0, None] if late else [1.0])
    solution.search = Limits(nodes=200, seconds=1.0)
    with pytest.raises(Unknown):
        solution.move_value(game.initial(), "b2")
    assert asked[-1] == 1.0
    solution.stop()
    assert set(solution.known_moves(game.initial()).values()) == {None}
    assert asked[-1] == 1.0


def test_canonical_that_lies_hangs_nothing() -> None:
    # Every pile is called equal to the first, or to one that no game reaches.
    for canonical in (
        lambda self, state: self.initial(),
        lambda self, state: state._replace(number=state.number + 10**6),
        lambda self, state: state._replace(number=state.number * 3),
    ):
        game = broken(canonical=canonical)
        for limit in (2, 100):
            solution = Solution(game, Limits(limit), search=Limits(nodes=100, seconds=1.0))
            state = game.initial()
            for move in (1, 1, 1, 1, 1):
                with suppress(ZerosumError):
                    solution.moves(state)
                    solution.value(state)
                state = game.play(state, move)


def test_slow_rules_are_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch, proofs: dict[Any, Any]
) -> None:
    clock = 0.0

    def play(self: Any, state: Any, move: Any) -> Any:
        nonlocal clock
        clock += 1.0
        return Sticks.play(self, state, move)

    for name in ("solver.size", "solver.table", "limits"):
        monkeypatch.setattr(f"zerosum.{name}.monotonic", lambda: clock)
    game = broken(play=play)
    solution = Solution(game, Limits(seconds=2.5))
    with pytest.raises(Unknown) as caught:
        solution.value(game.initial())
    assert str(caught.value) == ("There was not enough time to find out who is winning.")
    assert clock <= 8
    clock = 0.0
    for seconds in (1.0, 2.5, 3.0):
        solution.here = Limits(seconds=seconds)
        assert not solution.is_exact(game.initial())
    assert clock == 0.0
    monkeypatch.setattr("zerosum.solver.table.SLOW_SECONDS", 60.0)
    for seconds in (60.0, 1.0):  # notably more time; then it is known
        solution.here = Limits(seconds=seconds)
        assert solution.is_exact(game.initial())
    small = Sticks.play(game, game.initial(), 2)._replace(number=1)
    assert solution.value(small) == Value("win", 1)
    assert not proofs


@pytest.mark.parametrize("limit", [0, 100])
def test_an_ended_game_has_no_moves_even_where_the_rules_list_some(limit: int) -> None:
    game = broken(
        moves=lambda game, state: Sticks.moves(game, state) or (1, 2),
        outcome=lambda game, state: None if state.number > 0 else Outcome(0, "over"),
    )
    solution, over = (
        Solution(game, Limits(limit), search=NOTHING),
        game.initial()._replace(number=0),
    )
    assert solution.is_whole == bool(limit)
    assert solution.value(over) == Value("win", 0)
    assert solution.moves(over) == {}
    assert solution.best(over) == ()
