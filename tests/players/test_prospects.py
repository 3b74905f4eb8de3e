"""The chance to win against a medium opponent, against a plain iteration of both policies."""

from __future__ import annotations

from typing import Any

import pytest

import zerosum
from tests.game_files import STICK
from zerosum.players.levels import policy
from zerosum.players.strength import chances_of
from zerosum.solver.solution import Solution
from zerosum.states import walk

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("divisor-duel", {"start": 20}),
    ("dual-digits", {"start": 14}),
    ("number-navigator", {"start": 6}),
    ("digit-battle", {"lives": 1, "limit": 9, "target": 7, "limit_reset": 5}),
    (STICK, {}),
]


def chances_by_iteration(solution: Solution[Any], seat: int) -> dict[Any, float]:
    """The chance of a perfect player on a seat to win, improved until nothing changes."""
    game = solution.game
    ends: dict[Any, float] = {}
    steps: dict[Any, list[tuple[Any, float]]] = {}
    for state in walk(game):
        outcome = game.outcome(state)
        if outcome is not None:
            ends[state] = float(outcome.winner == seat)
            continue
        chosen = policy(solution, "perfect" if state.player == seat else "medium", state)
        steps[state] = [(game.play(state, move), chance) for move, chance in chosen.items()]
    chances = {**dict.fromkeys(steps, 0.0), **ends}
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for state, leads in steps.items():
            new = sum(chance * chances[after] for after, chance in leads)
            change = max(change, new - chances[state])
            chances[state] = new
    return chances


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_chances_are_exact(name: str, options: dict[str, Any]) -> None:
    solution = zerosum.solve(zerosum.game(name, **options))
    game = solution.game
    expected = [chances_by_iteration(solution, seat) for seat in (0, 1)]
    for state in expected[0]:
        found = chances_of(solution, state)
        assert list(found) == list(game.moves(state))
        for move, chance in found.items():
            after = game.play(state, move)
            assert chance == pytest.approx(expected[state.player][after], abs=1e-6)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("digit-battle", {"lives": 14}),
        ("number-navigator", {"start": 1000}),
        ("divisor-duel", {"start": 10**40}),
    ],
)
def test_chances_of_large_games_are_not_claimed(name: str, options: dict[str, Any]) -> None:
    solution = zerosum.solve(zerosum.game(name, **options))
    assert chances_of(solution, solution.game.initial()) == {}


def test_positions_outside_the_table_have_no_chances() -> None:
    solution = zerosum.solve(zerosum.game("even-steven", start=15))
    outside = solution.game.initial()._replace(number=40)
    assert chances_of(solution, outside) == {}
