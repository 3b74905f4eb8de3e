"""Values, plies and best moves against an independent solver, and the facts that are known."""

import random
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.games import Pile, Sticks, broken
from tests.graphs import Graph, graph, graphs
from tests.naive import Naive
from zerosum.errors import GameError, NotSolved, OptionError, TooLarge, TooSlow
from zerosum.limits import Limits, reporting
from zerosum.protocol import Outcome, Value
from zerosum.solver import Search, solve_table, table_of
from zerosum.solver.solution import Solution
from zerosum.solver.table import STEP

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
def test_values_and_best_moves_of_built_in_games(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    naive = Naive(game)
    for solution in (solve_table(game), zerosum.solve(game)):
        for state, value in naive.values.items():
            assert solution.value(state) == value, state
        for state in RNG.sample(sorted(naive.after), min(100, len(naive.after))):
            check_moves(naive, solution, state)
        check_line(solution)


@given(graphs())
def test_values_and_best_moves_of_any_game(game: Graph) -> None:
    naive, solution = Naive(game), solve_table(game)
    for state, value in naive.values.items():
        assert solution.value(state) == value, state
        check_moves(naive, solution, state)


def check_moves(naive: Naive, solution: Solution[Any], state: Any) -> None:
    """Compare the moves and the best moves of a position."""
    values, best = solution.moves(state), solution.best(state)
    assert values == naive.moves(state)
    assert best == naive.best(state)
    # A move is counted from the position before it, so the best one has the value of that.
    assert all(values[move][:2] == solution.value(state)[:2] for move in best)


def check_line(solution: Solution[Any]) -> None:
    """A best line from the start ends when it should, and as it should."""
    game, state = solution.game, solution.game.initial()
    value, line = solution.value(state), solution.line(state)
    seen = {state}
    for move in line[:-1]:
        state = game.play(state, move)
        seen.add(state)
    state = game.play(state, line[-1])
    outcome = game.outcome(state)
    if value.result == "draw":
        assert outcome is None
        assert state in seen
    else:
        assert outcome is not None
        assert len(line) == value.plies
        assert (outcome.winner == 0) == (value.result == "win")


def test_a_line_ends_at_the_first_repetition_or_at_its_limit() -> None:
    # From 0 to 1, and then round between 1 and 2 for ever.
    game = graph((0, 1, 0), ((1,), (2,), (1,)))
    solution = solve_table(game)
    assert solution.line(game.initial()) == (0, 0, 0)
    assert solution.line(game.initial(), most=2) == (0, 0)
    assert solution.line(game.initial(), most=0) == ()


def test_moves_of_unknown_plies_are_equally_good() -> None:
    game = zerosum.game("divisor-duel", start=100_002)
    solution = zerosum.solve(game)
    state = game.initial()  # some of its moves lead to known lengths
    values = solution.moves(state)
    keep = tuple(move for move, value in values.items() if value.result == "win")
    assert {values[move].plies is None for move in keep} == {True, False}
    assert solution.best(state) == keep


@pytest.mark.parametrize("solver", [zerosum.solve, solve_table])
@pytest.mark.parametrize("name", ["even-steven", "digit-battle"])
def test_values_that_are_not_positions_are_refused(solver: Any, name: str) -> None:
    solution = solver(zerosum.game(name, **({"lives": 2} if name == "digit-battle" else {})))
    first = solution.game.initial()
    for state in ((15, 0), None, "15", (1, 2, 3, 4, 5), [15, 0]):
        with pytest.raises(
            NotSolved, match=r"is not a position of this game; one looks like State"
        ):
            solution.value(state)
    for state in (first._replace(player=7), first._replace(number="x")):
        with pytest.raises(zerosum.ZerosumError):
            solution.value(state)


def test_an_unreachable_position_is_refused() -> None:
    game = zerosum.game("digit-battle", lives=2)
    with pytest.raises(NotSolved, match="cannot be reached"):
        zerosum.solve(game).value(game.initial()._replace(first_lives=5))
    duel = zerosum.game("divisor-duel")
    with pytest.raises(zerosum.ZerosumError, match="A game from 16 never reaches 17"):
        zerosum.solve(duel).value(duel.initial()._replace(number=17))


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            {"moves": lambda game, state: () if state.number == 3 else Sticks.moves(game, state)},
            "there are no moves, and no outcome",
        ),
        (
            {"play": lambda game, state, move: Pile(state.number - move, 1 // (state.number - 3))},
            "ZeroDivisionError",
        ),
        (
            {"outcome": lambda game, state: None if state.number else Outcome(2, "it is over")},
            "the winner must be 0, 1 or None",
        ),
        (
            {
                "play": lambda game, state, move: Pile(state.number - move, 2),
                "outcome": lambda game, state: None if state.number else Outcome(0, "it is over"),
            },
            r"the player to move must be 0 or 1: Pile\(number=\d, player=2\)",
        ),
        ({"initial": lambda game: Pile([], 0)}, "(must be a NamedTuple|unhashable)"),
    ],
    ids=["stuck", "crash", "third winner", "third player", "unhashable"],
)
def test_a_game_that_breaks_the_protocol_is_an_error(methods: dict[str, Any], message: str) -> None:
    game = broken(**methods)
    with pytest.raises(GameError, match=f"Broken .*{message}"):
        zerosum.solve(game)
    with pytest.raises(GameError, match=f"Broken .*{message}"):
        Search(game).prove(game.initial(), Limits(nodes=1_000))


def test_a_game_that_is_too_large_stops_at_the_limit() -> None:
    game = zerosum.game("digit-battle", negative_penalty=0)  # which has no lowest number
    with pytest.raises(TooLarge, match=r"^Digit Battle has more than 5,000 positions, .* table\.$"):
        zerosum.solve(game, Limits(5000))
    with pytest.raises(TooLarge, match=r"more than 100 positions, .* with numbers this long\.$"):
        solve_table(zerosum.game("even-steven", start=2**2560), Limits(1100))
    with pytest.raises(TooLarge, match=r"Not every move can be listed in Divisor Duel\.$"):
        solve_table(zerosum.game("divisor-duel", start=(2**61 - 1) * (2**89 - 1)))


def test_values_of_more_positions_than_16_bits_count() -> None:
    solved = table_of(solve_table(Sticks(start=33_000)))
    assert len(solved.graph) > 1 << 16
    for number, state in enumerate(solved.graph.index):
        threes, rest = divmod(state.number, 3)
        value = Value("win", 2 * threes + 1) if rest else Value("loss", 2 * threes)
        assert solved.value(number) == value


def test_progress_is_reported() -> None:
    reports: list[int] = []
    with reporting(reports.append):
        solution = zerosum.solve(Sticks(start=20_000))
    assert reports == list(range(STEP, len(table_of(solution).graph), STEP))
    assert len(reports) == 2


@pytest.mark.parametrize("limit", [-1, 10.5, "7", None])
def test_invalid_limits_are_refused(limit: Any, tmp_path: Path) -> None:
    for cache in (None, str(tmp_path)):
        with pytest.raises(OptionError, match="positions: must be a whole number from 0 on"):
            solve_table(Sticks(), Limits(limit), cache=cache)
    with pytest.raises(OptionError, match="positions: must be a whole number from 0 on"):
        Solution(Sticks(), Limits(limit))


def test_very_slow_rules_are_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.solver.table.monotonic", count(0.0, 0.5).__next__)
    with pytest.raises(TooSlow, match=r"^A table of Sticks was not finished within 5.5 seconds\.$"):
        solve_table(Sticks(), Limits(seconds=1000.0))
    monkeypatch.setattr("zerosum.solver.table.SLOW_POSITIONS", 3)
    assert solve_table(Sticks(), Limits(seconds=1000.0)).value(Sticks().initial()) == Value(
        "win", 3
    )
