"""Values, plies and best moves against an independent solver, and the facts that are known."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.solve.brute import brute
from zerosum.game import Game, GameError, Outcome, Value
from zerosum.solve.solution import NotSolved, Solution, worth
from zerosum.solve.solver import solve_table, theory_of
from zerosum.solve.table import TooLarge, walk

RNG = random.Random(20)
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *(("even-steven", {"start": n}) for n in (1, 2, 3, 15, 40, 97)),
    *(("even-steven", {"start": n, "subtract_two": True}) for n in (1, 2, 16, 41, 96)),
    *(("divisor-duel", {"start": n}) for n in (2, 16, 36, 61, 96)),
    *(("dual-digits", {"start": n}) for n in (1, 4, 25, 40)),
    *(
        ("dual-digits", {"start": 30, "numbers": tuple(RNG.sample(range(1, 9), k))})
        for k in (1, 2, 3, 4, 5, 6)
    ),
    *(("number-navigator", {"start": n}) for n in (1, 2, 5, 9, 10, 20, 31)),
    *(("digit-battle", {"lives": n}) for n in (1, 2, 3)),
    ("digit-battle", {"lives": 2, "start": -5, "target": 9, "limit": 12, "limit_reset": 3}),
    ("digit-battle", {"lives": 2, "limit_penalty": 0, "target_reset": 7}),
    ("digit-battle", {"lives": 3, "target": 0, "target_penalty": 1}),
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_every_value_and_every_best_move(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    truth = brute(game)
    for solution in (solve_table(game), zerosum.solve(game)):
        for state, value in truth.items():
            assert solution.value(state) == value, state
        for state in RNG.sample(sorted(truth), min(150, len(truth))):
            check_moves(game, truth, solution, state)


def check_moves(game: Game[Any], truth: dict[Any, Any], solution: Solution, state: Any) -> None:
    """Moves and best moves, worked out once more from the values of the states after them."""
    flip = {"win": "loss", "loss": "win", "draw": "draw"}
    expected = {}
    for move in game.moves(state):
        result, plies = truth[game.play(state, move)]
        expected[move] = (flip[result], plies)
    assert solution.moves(state) == expected
    order = {"win": 2, "draw": 1, "loss": 0}

    def rank(move: int) -> tuple[int, int]:
        result, plies = expected[move]
        return order[result], (-plies if result == "win" else plies) if plies is not None else 0

    top = max(map(rank, expected), default=None)
    assert solution.best(state) == tuple(move for move in expected if rank(move) == top)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_best_line_keeps_its_promise(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    solution = zerosum.solve(game)
    state = game.initial()
    value = solution.value(state)
    line = solution.line(state)
    seen = {state}
    for move in line:
        state = game.play(state, move)
        if move is not line[-1]:
            seen.add(state)
    outcome = game.outcome(state)
    if value.result == "draw":
        assert outcome is None
        assert state in seen
    else:
        assert outcome is not None
        assert len(line) == value.plies
        assert (outcome.winner == 0) == (value.result == "win")


def test_the_facts_that_are_known() -> None:
    def start(name: str, **options: Any) -> Value:
        game = zerosum.game(name, **options)
        return zerosum.solve(game).value(game.initial())

    assert start("even-steven") == ("loss", 8)
    assert start("divisor-duel") == ("win", 9)
    assert start("dual-digits") == ("loss", 10)
    assert start("number-navigator") == ("win", 9)
    assert start("digit-battle") == ("draw", None)
    lost = [n for n in range(1, 60) if start("even-steven", start=n).result == "loss"]
    assert lost == [2, *range(5, 60, 2)]
    assert all((start("divisor-duel", start=n).result == "loss") == n % 2 for n in range(2, 60))
    lost = [n for n in range(1, 60) if start("dual-digits", start=n).result == "loss"]
    assert lost == list(range(5, 60, 5))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("even-steven", {"start": 3000}),
        ("even-steven", {"start": 3000, "subtract_two": True}),
        ("dual-digits", {"start": 1500}),
        ("dual-digits", {"start": 400, "numbers": (2, 3, 7, 11)}),
        ("number-navigator", {"start": 90}),
        ("divisor-duel", {"start": 900}),
    ],
)
def test_theory_and_table_agree_on_every_state(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    theory = theory_of(game)
    table = solve_table(game)
    for state in walk(game).states:
        told, found = theory.value(game, state), table.value(state)
        assert told.result == found.result, state
        assert told.plies in (found.plies, None), state
        if name != "divisor-duel":
            assert told.plies == found.plies, state


@pytest.mark.parametrize("name", ["even-steven", "divisor-duel", "dual-digits", "number-navigator"])
def test_a_start_of_a_thousand_digits_is_answered(name: str) -> None:
    game = zerosum.game(name, start=10**999 + 7)
    solution = zerosum.solve(game)
    state = game.initial()
    value = solution.value(state)
    assert value.result in ("win", "loss")
    assert (value.plies is None) == (name == "divisor-duel")
    best = solution.best(state)
    assert best
    assert all(solution.moves(state)[move].result == value.result for move in best)


def test_where_lengths_are_unknown_no_move_is_called_faster_than_another() -> None:
    game = zerosum.game("divisor-duel", start=30_030)
    solution = zerosum.solve(game)
    state = game.initial()._replace(number=2002)  # some of its moves lead to known lengths
    values = solution.moves(state)
    keep = tuple(move for move, value in values.items() if value.result == "win")
    assert {values[move].plies is None for move in keep} == {True, False}
    assert solution.best(state) == keep


def test_worth_orders_results_before_lengths() -> None:
    values = [
        Value("loss", 2), Value("loss", 9), Value("draw", None), Value("win", 30), Value("win", 1),
    ]  # fmt: skip
    assert sorted(values, key=worth) == values


@pytest.mark.parametrize("solver", [zerosum.solve, solve_table])
@pytest.mark.parametrize("name", ["even-steven", "digit-battle"])
def test_what_is_no_position_of_the_game_is_a_clear_error(solver: Any, name: str) -> None:
    solution = solver(zerosum.game(name, **({"lives": 2} if name == "digit-battle" else {})))
    first = solution.game.initial()
    for state in ((15, 0), None, "15", (1, 2, 3, 4, 5), [15, 0]):
        with pytest.raises(NotSolved, match=r"is no position of this game; one looks like State"):
            solution.value(state)
    for state in (first._replace(player=7), first._replace(number="x")):
        with pytest.raises(zerosum.ZerosumError):
            solution.value(state)


def test_a_position_that_cannot_be_reached_is_a_clear_error() -> None:
    game = zerosum.game("digit-battle", lives=2)
    with pytest.raises(NotSolved, match="cannot be reached"):
        zerosum.solve(game).value(game.initial()._replace(first_lives=5))
    game = zerosum.game("divisor-duel")
    with pytest.raises(NotSolved, match="cannot be reached"):
        zerosum.solve(game).value(game.initial()._replace(number=17))


class Pile(NamedTuple):
    left: int
    player: int


@dataclass(frozen=True)
class Sticks:
    """A model to break: take 1 or 2; taking the last wins; taking 2 gives another turn."""

    start: int = 6

    def initial(self) -> Any:
        return Pile(self.start, 0)

    def moves(self, state: Any) -> Any:
        return tuple(n for n in (1, 2) if n <= state.left)

    def play(self, state: Any, move: int) -> Any:
        return Pile(state.left - move, state.player if move == 2 else 1 - state.player)

    def outcome(self, state: Any) -> Any:
        if state.left:
            return None
        return Outcome(1 - state.player if state.left % 2 else state.player, "nothing is left")

    def objection(self, state: Any, move: int) -> Any:
        return None if move in self.moves(state) else "Take 1 or 2."


def test_a_game_in_which_a_player_moves_twice_is_solved_too() -> None:
    for start in range(1, 12):
        game = Sticks(start)
        truth = brute(game)
        solution = zerosum.solve(game)
        assert all(solution.value(state) == value for state, value in truth.items())


class ThirdWinner(Sticks):
    def outcome(self, state: Any) -> Any:
        return None if state.left else Outcome(2, "nothing is left")


class ThirdPlayer(Sticks):
    def play(self, state: Any, move: int) -> Any:
        return Pile(state.left - move, state.player + 1)


class Stuck(Sticks):
    def moves(self, state: Any) -> Any:
        return () if state.left == 3 else super().moves(state)


class Crash(Sticks):
    def play(self, state: Any, move: int) -> Any:
        return Pile(state.left - move, 1 // (state.left - 3))


class Unhashable(Sticks):
    def initial(self) -> Any:
        return Pile([], 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (Stuck, "there are no moves, and no outcome"),
        (Crash, "ZeroDivisionError"),
        (ThirdWinner, "the winner must be 0 or 1"),
        (ThirdPlayer, "the player to move must be 0 or 1"),
        (Unhashable, "unhashable"),
    ],
)
def test_a_game_that_breaks_the_protocol_is_a_clear_error(broken: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        zerosum.solve(broken())


def test_a_game_that_would_not_fit_stops_at_the_limit() -> None:
    game = zerosum.game("digit-battle", negative_penalty=0)  # which has no lowest number
    with pytest.raises(TooLarge, match="more than 5,000 positions"):
        zerosum.solve(game, limit=5000)
    with pytest.raises(TooLarge):
        solve_table(zerosum.game("divisor-duel", start=(2**61 - 1) * (2**89 - 1)))


def test_progress_is_told() -> None:
    told: list[int] = []
    zerosum.solve(zerosum.game("digit-battle", lives=14), progress=told.append)
    assert told == sorted(told)
    assert told


def test_a_users_own_game_is_solved(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py"
    lost = []
    for start in range(2, 22):
        game = zerosum.game(str(source), start=start)
        if zerosum.solve(game).value(game.initial()).result == "loss":
            lost.append(start)
    assert lost == [5, 9, 13, 17, 21]
