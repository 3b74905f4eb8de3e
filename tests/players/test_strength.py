"""The strengths of the levels: against exact fractions, against play, and in their order."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import given, settings

import zerosum
from tests.players import rules
from tests.players.graphs import Graph, graphs, solved
from tests.players.naive import Naive
from zerosum.match import Match
from zerosum.players import strength
from zerosum.players.autoplay import autoplay
from zerosum.players.levels import LEVELS, Bot, policy
from zerosum.players.strength import Strengths, strengths
from zerosum.solve.solver import MissingExtra
from zerosum.solve.stored import TableSolution
from zerosum.solve.table import TooLarge

PAIRS = [(first, second) for first in LEVELS for second in LEVELS]
SMALL: dict[str, tuple[Callable[[int], Naive], str, int]] = {
    "dual-digits": (rules.dual_digits, "start", 7),
    "even-steven": (rules.even_steven, "start", 9),
    "number-navigator": (rules.number_navigator, "start", 3),
    "digit-battle": (rules.digit_battle, "lives", 1),
}


@lru_cache(maxsize=1)
def found(name: str) -> Strengths:
    return strengths(solved(zerosum.game(name)))


@lru_cache(maxsize=1)
def small(name: str) -> tuple[Naive, TableSolution]:
    make, option, value = SMALL[name]
    return make(value), solved(zerosum.game(name, **{option: value}))


@pytest.mark.parametrize("name", ["dual-digits", "even-steven", "digit-battle"])
def test_the_strengths_are_those_of_exact_elimination(name: str) -> None:
    naive, solution = small(name)
    computed = strengths(solution)
    for pair in PAIRS:
        exact = [float(chance) for chance in naive.ends(pair)]
        assert computed.chances[pair] == pytest.approx(exact, rel=1e-12, abs=1e-15)


def test_the_strengths_of_a_cyclic_game_lie_between_exact_bounds() -> None:
    naive, solution = small("number-navigator")
    computed = strengths(solution)
    left = Fraction(1, 10**9)
    for pair in PAIRS:
        first, second, going = naive.after(pair, left, 1000)
        assert going < left
        chances = computed.chances[pair]
        assert first - Fraction(1, 10**13) <= chances.first <= first + going + Fraction(1, 10**13)
        assert chances.second == pytest.approx(float(second + going / 2), abs=2e-9)
        assert chances.endless == 0.0


@pytest.mark.parametrize("name", SMALL)
def test_the_policies_are_the_naive_ones_in_every_state(name: str) -> None:
    naive, solution = small(name)
    kind = type(solution.game.initial())
    assert len(naive.leads) == len(solution.arrays)
    for state, moves in naive.leads.items():
        for level in LEVELS if moves else ():
            exact = {m: float(p) for m, p in naive.policies[level][state].items()}
            assert policy(solution, level, kind(*state)) == pytest.approx(exact, rel=1e-14)


@settings(max_examples=60)
@given(graphs())
def test_any_graph_at_all_gives_the_exact_chances(game: Graph) -> None:
    naive, solution = game.naive(), solved(game)
    computed = strengths(solution)
    for pair in PAIRS:
        exact = [float(chance) for chance in naive.ends(pair)]
        assert computed.chances[pair] == pytest.approx(exact, rel=1e-9, abs=1e-12)
        assert sum(computed.chances[pair]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", zerosum.games())
def test_every_level_is_stronger_than_those_before_it(name: str) -> None:
    overall = found(name).overall
    for weaker, stronger in combinations(LEVELS, 2):
        assert overall(stronger, weaker) > 0.5 + 1e-3, (stronger, weaker)
        for other in LEVELS:
            if (name, other) == ("digit-battle", "perfect") and stronger != "perfect":
                # Digit Battle is drawn, and the perfect level keeps the draw until the other
                # slips out of it, which every level below does at last: all of them lose always.
                assert overall(stronger, other) == overall(weaker, other) == 0.0
            else:
                assert overall(stronger, other) > overall(weaker, other) + 1e-3, other


@pytest.mark.parametrize("name", zerosum.games())
def test_scores_add_up(name: str) -> None:
    table = found(name)
    for one, other in PAIRS:
        assert table.overall(one, other) + table.overall(other, one) == pytest.approx(1.0)
        assert all(0.0 <= chance <= 1.0 for chance in table.chances[one, other])
    assert set(table.chances) == set(PAIRS)


def test_only_perfect_play_of_a_drawn_game_is_endless() -> None:
    table = found("digit-battle")
    assert table.chances["perfect", "perfect"] == (0.0, 0.0, 1.0)
    assert table.score("perfect", "perfect") == table.overall("perfect", "perfect") == 0.5
    assert all(table.chances[p].endless == 0.0 for p in PAIRS if p != ("perfect", "perfect"))


@pytest.mark.parametrize("name", ["number-navigator", "dual-digits"])
def test_games_that_are_played_come_out_as_computed(name: str) -> None:
    games, solution = 600, solved(zerosum.game(name))
    rng = random.Random(7)
    one, other = (Bot(level, solution.game, rng, solution) for level in ("hard", "easy"))
    match = autoplay(Match.new(solution.game, length=games), (one, other))
    expected = strengths(solution).overall("hard", "easy")
    # More than four standard deviations.
    assert match.score[0] / games == pytest.approx(expected, abs=0.08)


def test_a_batch_for_each_pair_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    _, solution = small("digit-battle")
    whole = strengths(solution)
    monkeypatch.setattr(strength, "AT_ONCE", 1)
    for pair, chances in strengths(solution).chances.items():
        assert chances == pytest.approx(whole.chances[pair], abs=1e-12)


def test_a_cycle_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "LARGEST_CYCLE", 10)
    with pytest.raises(TooLarge, match="can go round in"):
        strengths(solved(zerosum.game("digit-battle", lives=1)))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solved(zerosum.game("even-steven"))
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'zerosum\[solve\]'"):
        strengths(solution)
