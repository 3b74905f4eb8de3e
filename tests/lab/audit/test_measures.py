"""The measures of the audit: against exact elimination, and by hand."""

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.games import Hotseat, Sticks
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.lab.audit.exactly import by_elimination
from tests.naive import Naive
from zerosum import Game
from zerosum.lab.audit.document import Measures, Skill
from zerosum.lab.audit.measures import measures, skill
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS, policy
from zerosum.players.strength import strengths
from zerosum.solver import solve_table

COURSE = Measures.__struct_fields__[9:]  # from the duration on


def found(game: Game[Any]) -> dict[Any, Measures]:
    return {measured.level: measured for measured in measures(chain_of(solve_table(game)))}


def chances_of(measured: Measures) -> tuple[float, ...]:
    return measured.first_wins, measured.second_wins, measured.draw, measured.endless


def course_of(measured: Measures) -> dict[str, float | None]:
    return {name: getattr(measured, name) for name in COURSE}


def skill_of(game: Game[Any]) -> Skill:
    chain = chain_of(solve_table(game))
    return skill(chain, measures(chain))


def naive_of(game: Game[Any]) -> Naive:
    """The slow solver, with the policies of the levels: by symmetry, equal states play equally."""
    naive, solution = Naive(game), solve_table(game)

    def fractions(level: str, state: Any) -> dict[Any, Fraction]:
        chances = policy(solution, level, state)
        return {move: Fraction(p).limit_denominator(100_000) for move, p in chances.items()}

    naive.follow(fractions)
    return naive


@given(graphs(most=8) | mirrored())
def test_measures_of_any_game_equal_exact_elimination(game: Graph | Mirrored) -> None:
    naive = naive_of(game)
    for level, computed in found(game).items():
        chances = [float(chance) for chance in naive.chances((level, level))]
        assert chances_of(computed) == pytest.approx(chances, rel=1e-9, abs=1e-12)
        first, second, draw, _ = chances
        assert computed.advantage == pytest.approx(computed.score - 0.5, abs=1e-12)
        assert computed.balance == pytest.approx(1 - abs(first - second), abs=1e-12)
        assert computed.drawishness == pytest.approx(draw, abs=1e-12)
        expected = by_elimination(naive, level)
        course = course_of(computed)
        if expected is None:
            assert set(course.values()) == {None}
        else:
            assert course == pytest.approx(expected, rel=1e-7, abs=1e-7), level


def test_game_of_two_moves_by_hand() -> None:
    """Take 1 of 2 and the other takes the last, or take both and win."""
    computed = found(Sticks(2))
    random = computed["random"]
    assert chances_of(random) == (0.5, 0.5, 0.0, 0.0)
    assert (random.advantage, random.balance, random.drawishness) == (0.0, 1.0, 0.0)
    assert (random.duration, random.spread) == (1.5, 0.5)
    # Two legal moves on the first turn, and in half of the games one on a second.
    assert random.branching == pytest.approx((2 + 0.5) / 1.5)
    assert random.decision_factor == 2.0
    assert random.decision_moves == random.critical_moves == pytest.approx(1 / 1.5)
    # Nobody leads before the first move, and somebody does after it: half a change.
    assert random.lead_changes == 0.5
    assert random.drama == 0.0
    assert random.decisiveness == pytest.approx(1 / 1.5)
    # With chance 1/4, the first player does not take both; the second wins, who was behind by 1/2.
    assert computed["easy"].drama == pytest.approx(0.25 * sqrt(0.5) / 1.25)


def test_games_that_never_end_or_are_over_at_once_have_no_turns_to_measure() -> None:
    never = found(graph([0, 1], [(1,), (0,)]))["random"]
    assert never == Measures("random", 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 1.0, 0.0)
    assert skill_of(graph([0, 1], [(1,), (0,)])).depth is None
    perhaps = found(graph([0, 1, 1, 0], [(1, 3), (2,), (1,), ()], [0, 0, 0, 0]))
    assert chances_of(perhaps["random"]) == (0.5, 0.0, 0.0, 0.5)
    assert perhaps["random"].duration is None
    assert perhaps["perfect"].duration == 1.0
    over = found(graph([0], [()], [1]))["hard"]
    assert over.second_wins == 1.0
    assert course_of(over) == dict.fromkeys(COURSE, 0.0)
    none = skill_of(graph([0], [()], [1]))
    assert (none.open_positions, none.choice) == (0, 0)


def test_skill_counts_positions_and_compares_neighbouring_levels() -> None:
    solution = solve_table(zerosum.game("dual-digits", start=9))
    chain, exact, naive = chain_of(solution), strengths(solution), Naive(solution.game)
    known = skill(chain, measures(chain))
    for step in known.scores:
        assert LEVELS.index(step.stronger) == LEVELS.index(step.weaker) + 1
        assert step.score == pytest.approx(exact.overall(step.stronger, step.weaker), abs=1e-15)
    same = solution.game.canonical
    going = {same(state): state for state, moves in naive.after.items() if moves}.values()
    results = [{value.result for value in naive.moves(state).values()} for state in going]
    assert known.open_positions == len(going)
    assert known.choice == sum(len(naive.after[state]) > 1 for state in going)
    assert known.matters == sum(len(result) > 1 for result in results)
    hard: Any = found(solution.game)["hard"]
    assert known.depth == hard.duration * hard.critical_moves


def test_depth_is_the_expected_number_of_decisions_that_matter() -> None:
    """From 2 sticks the one decision matters; from 3 none does until the other has 2 left."""
    assert skill_of(Sticks(2)).depth == 1.0
    assert skill_of(Sticks(3)).depth == pytest.approx(0.5)
    assert skill_of(Hotseat()).depth == 0.0
