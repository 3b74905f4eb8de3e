"""The strengths of the levels: against exact fractions, against play, and in their order."""

from functools import lru_cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import STICK
from tests.graphs import Graph, graphs
from tests.naive import Naive
from tests.solutions import solved
from tests.solver.test_theory import TakeAway
from zerosum.bulk import chain
from zerosum.coach.advice import Coach
from zerosum.players.level_policies import chain_of, numbered
from zerosum.players.levels import LEVELS, policy
from zerosum.players.strength import Strengths, chances_of, strengths
from zerosum.solver import Solution, solve_table

PAIRS = [(first, second) for first in LEVELS for second in LEVELS]


@lru_cache(maxsize=1)
def found(name: str) -> Strengths:
    return strengths(solve_table(zerosum.game(name)))


def test_strengths_are_exact_though_a_theory_knows_no_lengths() -> None:
    game = TakeAway(start=10)
    exactly, solution = Naive(game), zerosum.solve(game)
    for pair, chances in strengths(solution).chances.items():
        assert chances == pytest.approx([float(chance) for chance in exactly.chances(pair)])
    check_policies(exactly, solution)


def check_policies(exactly: Naive, solution: Solution[Any]) -> None:
    """Compare the policies of all levels with exact fractions."""
    for level, policies in exactly.policies.items():
        for state, chances in policies.items():
            exact = {move: float(chance) for move, chance in chances.items()}
            assert policy(solution, level, state) == pytest.approx(exact, rel=1e-14)


@given(graphs())
def test_strengths_and_policies_of_any_game_are_exact(game: Graph) -> None:
    exactly, solution = Naive(game), solve_table(game)
    check_policies(exactly, solution)
    computed = strengths(solution)
    for pair in PAIRS:
        exact = [float(chance) for chance in exactly.chances(pair)]
        assert computed.chances[pair] == pytest.approx(exact, rel=1e-9, abs=1e-12)
        assert sum(computed.chances[pair]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", zerosum.games())
def test_every_level_is_stronger_than_those_before_it(name: str) -> None:
    overall = found(name).overall
    for first, second in PAIRS:
        assert overall(first, second) + overall(second, first) == pytest.approx(1.0)
    for weaker, stronger in combinations(LEVELS, 2):
        assert overall(stronger, weaker) > 0.5 + 1e-3, (stronger, weaker)
        for other in LEVELS:
            if (name, other) == ("digit-battle", "perfect") and stronger != "perfect":
                # Digit Battle is drawn, and the perfect level keeps the draw until the other
                # slips out of it, which every level below does at last: all of them lose always.
                assert overall(stronger, other) == overall(weaker, other) == 0.0
            else:
                assert overall(stronger, other) > overall(weaker, other) + 1e-3, other


def test_only_perfect_play_of_a_drawn_game_is_endless() -> None:
    table = found("digit-battle")
    assert table.chances["perfect", "perfect"] == (0.0, 0.0, 0.0, 1.0)
    assert table.overall("perfect", "perfect") == 0.5
    assert all(table.chances[p].endless == 0.0 for p in PAIRS if p != ("perfect", "perfect"))


def test_batches_do_not_change_strengths(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve_table(zerosum.game("digit-battle", lives=1))
    whole = strengths(solution)
    monkeypatch.setattr(chain, "AT_ONCE", 1)
    for pair, chances in strengths(solution).chances.items():
        assert chances == pytest.approx(whole.chances[pair], abs=1e-12)


PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("divisor-duel", {"start": 20}),
    ("dual-digits", {"start": 14}),
    ("number-navigator", {"start": 6}),
    ("digit-battle", {"lives": 1, "limit": 9, "target": 7, "limit_reset": 5}),
    (STICK, {}),
]


@pytest.mark.parametrize(("name", "options"), PLAYED)
def test_chances_and_policies_are_exact(name: str, options: dict[str, Any]) -> None:
    solution = zerosum.solve(zerosum.game(name, **options))
    game = solution.game
    naive = Naive(game)
    check_policies(naive, solution)
    expected = [naive.wins(seat, naive.perfect) for seat in (0, 1)]
    for state in expected[0]:
        found = chances_of(solution, state)
        assert list(found) == list(game.moves(state))
        for move, chance in found.items():
            after = game.play(state, move)
            assert chance == pytest.approx(expected[state.player][after], abs=1e-6)


def test_perfect_level_wins_every_draw_of_digit_battle_against_medium() -> None:
    solution = solved(zerosum.game("digit-battle"))
    chain = chain_of(solution)
    ends = chain.ends(numbered([("perfect", "medium"), ("medium", "perfect")]))
    drawn = (chain.table.value == 0) & (chain.table.winner < 0)
    for seat in (0, 1):
        assert ends[drawn, seat, seat] == pytest.approx(1.0, abs=1e-9)
    # 2, the first of the moves that keep the draw, scores less.
    state = solution.game.initial()._replace(number=0, first_lives=7)
    assert policy(solution, "perfect", state) == {4: 1.0}
    chances = Coach(solution).chances(solution.game.initial())
    assert list(chances.values()) == pytest.approx([1.0] * 9, abs=1e-9)


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
