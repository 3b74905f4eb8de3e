"""Values by search: against tables, published values, and games that are not as they should be."""

import sys
from collections.abc import Iterator
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.game_files import CONNECT_FOUR, DOTS, NOUGHTS
from tests.games import Claims, Palindromes, Pile, Sticks, broken
from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum.errors import GameError
from zerosum.limits import Limits, reporting
from zerosum.protocol import Game, Outcome, Result, Value
from zerosum.solver import proofs, search, solution, solve_table
from zerosum.solver.search import STEP, Search
from zerosum.solver.solution import Solution
from zerosum.states import walk

AMPLE = Limits(nodes=100_000)


def check(game: Game[Any], rng: Random, most: int = 12) -> None:
    """Compare a search with the table: what it proves first, and everything that it knows then."""
    solution, searching = solve_table(game), Search(game)
    states = list(walk(game))
    for state in rng.sample(states, min(most, len(states))):
        hasty = searching.prove(state, Limits(nodes=rng.randrange(20)))
        assert hasty in (None, solution.value(state).result)
        assert searching.prove(state, AMPLE) == solution.value(state).result, state
        assert searching.known(state) == solution.value(state).result
    for state in states:
        assert searching.known(state) in (None, solution.value(state).result), state


@settings(max_examples=3 * settings().max_examples)
@given(graphs(most=24) | mirrored(), st.randoms(use_true_random=False))
def test_search_agrees_with_the_table_in_any_game(game: Graph | Mirrored, rng: Random) -> None:
    check(game, rng)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        # John's Connect Four Playground, tromp.github.io/c4/c4.html, has a table of board sizes.
        (zerosum.game(CONNECT_FOUR, width=4, height=4), "draw"),
        # Berlekamp, Conway and Guy, Winning Ways, go through the board of 2 by 2.
        (zerosum.game(DOTS, width=2, height=2), "win"),
        (zerosum.game(NOUGHTS), "draw"),
        (Palindromes(), "draw"),
    ],
    ids=repr,
)
def test_published_values_are_found(game: Game[Any], value: Result) -> None:
    assert Search(game).prove(game.initial(), AMPLE) == value


def test_thousands_of_plies_are_searched_with_progress() -> None:
    game, reports = Sticks(start=5_002), list[int]()
    searching = Search(game)
    with reporting(reports.append):
        assert searching.prove(game.initial(), AMPLE) == "win"
    assert searching.known(Pile(5_001, 1)) == "loss"
    assert reports == [STEP * n for n in range(1, 1 + searching.nodes // STEP)]


class Numbers(NamedTuple):
    left: frozenset[int]
    parity: int | None
    player: int


class OddAndEven(Game[Numbers]):
    """Take odd and even numbers in turn; whoever finds none left loses."""

    def initial(self) -> Numbers:
        return Numbers(frozenset(range(18)), None, 0)

    def moves(self, state: Numbers) -> tuple[int, ...]:
        return tuple(n for n in sorted(state.left) if n % 2 != state.parity)

    def play(self, state: Numbers, move: int) -> Numbers:
        return Numbers(state.left - {move}, move % 2, 1 - state.player)

    def outcome(self, state: Numbers) -> Outcome | None:
        return None if self.moves(state) else Outcome(1 - state.player, "no number is left")


def test_a_game_where_the_order_of_moves_hardly_matters_takes_few_positions() -> None:
    game = OddAndEven()
    # A table would hold 184,755 positions.
    assert Search(game).prove(game.initial(), Limits(nodes=20_000)) == "loss"


def test_a_loss_is_never_concluded_from_some_of_the_moves() -> None:
    partial = broken(lists_all=lambda game, state: state.number != 3)
    searching = Search(partial)
    assert [searching.prove(Pile(n, 0), AMPLE) for n in range(6)] == [
        "loss", "win", "win", None, None, None,
    ]  # fmt: skip
    # A pile of 4 loses one and leaves 3, which might have been lost.
    assert Search(Sticks()).prove(Pile(4, 0), AMPLE) == "win"


def test_a_budget_of_positions_is_kept_and_deterministic() -> None:
    game = Claims()
    first, second = Search(game), Search(game)
    for nodes in (0, 1, 10, 300):
        before = first.nodes
        assert first.prove(game.initial(), Limits(nodes=nodes)) is None
        assert first.nodes <= max(before + nodes, 1)
        second.prove(game.initial(), Limits(nodes=nodes))
        assert list(first._graph.states) == list(second._graph.states)
    assert Search(Sticks()).known(Pile(0, 1)) is None
    assert Search(Sticks()).prove(Pile(0, 1), Limits(nodes=0)) == "loss"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only moves when the test says so."""
    now = [0.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

    monkeypatch.setattr(search, "time", Clock)
    monkeypatch.setattr("zerosum.limits.monotonic", Clock.monotonic)
    return now


def test_slow_rules_are_stopped_between_two_calls(clock: list[float]) -> None:
    class Slow(Claims):
        def play(self, state: Any, move: Any) -> Any:
            clock[0] += 1
            return super().play(state, move)

    game = Slow()
    searching = Search(game)
    assert searching.prove(game.initial(), Limits(nodes=10_000, seconds=5)) is None
    assert clock == [6]
    # What was found is there for the next search.
    assert searching.prove(game.initial(), Limits(nodes=10_000, seconds=30)) is None
    assert clock == [37]
    assert searching.nodes > 30


def interruptions(module: Any, most: int, rng: Random) -> Iterator[Any]:
    """Yield trace functions that interrupt what runs in a module, at any of the first lines."""
    for _ in range(60):
        left = rng.randrange(1, most)

        def trace(frame: FrameType, event: str, arg: object) -> Any:
            nonlocal left
            if frame.f_code.co_filename != module.__file__:
                return None
            left -= event == "line"
            if not left:
                raise KeyboardInterrupt
            return trace

        yield trace


@pytest.mark.parametrize(
    ("module", "most"),
    [(proofs, 600), (search, 600), (solution, 200)],
    ids=["proofs", "search", "solution"],
)
def test_nothing_is_wrong_after_an_interruption(module: Any, most: int) -> None:
    game = zerosum.game("digit-battle", lives=2)
    solution, known, rng = (
        solve_table(game),
        Solution(game, Limits(40), search=Limits(nodes=200)),
        Random(3),
    )
    states, searching = list(walk(game)), known._searching
    interrupted, previous = 0, sys.gettrace()
    for trace in interruptions(module, most, rng):
        state = rng.choice(states)
        try:
            sys.settrace(trace)
            known.known_moves(state)
        except KeyboardInterrupt:
            interrupted += 1
        finally:
            sys.settrace(previous)
        assert searching.known(state) in (None, solution.value(state).result)
    assert interrupted > 20
    for state in states:
        assert searching.known(state) in (None, solution.value(state).result)
    for state in rng.sample(states, 20):
        for move, value in known.known_moves(state).items():
            truth = solution.move_value(state, move)
            assert value in (None, truth, Value(truth.result))
    assert searching.prove(game.initial(), AMPLE) == solution.value(game.initial()).result


def test_only_values_are_kept_of_a_search_grown_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "NONE", Limits(nodes=100))
    game = zerosum.game("digit-battle", lives=2)
    solution, searching = solve_table(game), Search(game)
    states = list(walk(game))
    for state in Random(4).sample(states, 40):
        searching.prove(state, Limits(nodes=50))
        assert searching.nodes <= 151
    assert any(map(searching.known, states))
    for state in states:
        assert searching.known(state) in (None, solution.value(state).result)


def test_a_lie_about_symmetry_is_named() -> None:
    game = broken(canonical=lambda game, state: Pile(state.number // 3 * 3, 0))
    with pytest.raises(GameError, match="which it is not"):
        Search(game).prove(game.initial(), AMPLE)
