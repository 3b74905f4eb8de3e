"""Policies against exact fractions: chances, best responses and exploitability."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.graphs import Graph, graph, graphs
from tests.lab.audit.exactly import eliminate
from zerosum.bulk import Table, best_response, cycles, exploitability, outcome_chances
from zerosum.bulk.chain import Chain
from zerosum.errors import PolicyError, TooLarge, ZerosumError
from zerosum.players.level_policies import level_policy

# The most deterministic policies of a seat that are all tried.
MOST_TRIED = 60


def rows(table: Table[Any]) -> list[range]:
    """The edges of every state."""
    return [range(*table.offsets[[n, n + 1]].tolist()) for n in range(len(table))]


def drawn_at_random(table: Table[Any], rng: Random) -> list[Fraction]:
    """A policy of simple fractions; many of its chances are 0."""
    policy: list[Fraction] = []
    for edges in rows(table):
        weights = [rng.choice((0, 0, 1, 2)) for _ in edges]
        if edges and not any(weights):
            weights[rng.randrange(len(weights))] = 1
        policy += [Fraction(weight, sum(weights)) for weight in weights]
    return policy


def exact(table: Table[Any], policies: tuple[Any, Any]) -> list[list[Fraction]]:
    """The chances of the four ends from every state, by elimination."""
    count = len(table)
    steps: list[dict[int, Fraction]] = [{} for _ in range(count)]
    for state, edges in enumerate(rows(table)):
        for edge in edges:
            if chance := policies[table.player[state]][edge]:
                target = int(table.targets[edge])
                steps[state][target] = steps[state].get(target, Fraction(0)) + chance
    ending = {state for state in range(count) if not rows(table)[state]}
    while more := {s for s in range(count) if s not in ending and not ending.isdisjoint(steps[s])}:
        ending |= more
    live = sorted(ending)
    matrix = [[Fraction(s == t) - steps[s].get(t, 0) for t in live] for s in live]
    found = [[Fraction(0)] * 3 + [Fraction(1)] for _ in range(count)]
    for winner in range(3):
        right = [Fraction(int(table.winner[state] == winner)) for state in live]
        for state, chance in zip(live, eliminate(matrix, right), strict=True):
            found[state][winner] = chance
            found[state][3] -= chance
    return found


def every_policy(table: Table[Any], seat: int, other: list[Fraction]) -> Iterator[list[Fraction]]:
    """All deterministic policies of a seat, with the other's in its states."""
    mine = [edges for state, edges in enumerate(rows(table)) if table.player[state] == seat]
    for choice in product(*filter(None, mine)):
        taken = set(choice)
        yield [
            Fraction(edge in taken) if table.player[table.sources[edge]] == seat else chance
            for edge, chance in enumerate(other)
        ]


def score(ends: Any, seat: int) -> Any:
    """The score of a seat: endless play counts as a draw."""
    return ends[seat] + (ends[2] + ends[3]) / 2


@given(graphs(), st.integers(0, 2**32))
def test_chances_between_any_policies_are_exact_from_every_state(game: Graph, seed: int) -> None:
    table, rng = Table(game), Random(seed)
    both = drawn_at_random(table, rng), drawn_at_random(table, rng)
    wanted, policies = exact(table, both), [np.array(policy, float) for policy in both]
    for row, ends in zip(outcome_chances(table, *policies).tolist(), wanted, strict=True):
        assert row == pytest.approx([float(chance) for chance in ends], abs=1e-12)
        assert [chance == 0 for chance in row] == [chance == 0 for chance in ends]
    # Elimination without subtraction is used where nothing else is good enough.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cycles, "ROUNDING", 0.0)
        eliminated = outcome_chances(table, *policies)
    for row, ends in zip(eliminated.tolist(), wanted, strict=True):
        assert row == pytest.approx([float(chance) for chance in ends], rel=1e-12, abs=1e-15)


@given(graphs(most=8), st.integers(0, 2**32), st.integers(0, 1))
def test_best_response_scores_as_much_as_the_best_of_all_policies(
    game: Graph, seed: int, seat: int
) -> None:
    table = Table(game)
    other = drawn_at_random(table, Random(seed))
    mine = np.diff(table.offsets)[table.player == seat]
    response, expected = best_response(table, np.array(other, float), seat)
    pair = (response, other) if seat == 0 else (other, response)
    played = outcome_chances(table, *(np.array(policy, float) for policy in pair))
    assert score(played.T, seat) == pytest.approx(expected, abs=1e-12)
    assert set(response[table.player[table.sources] == seat].tolist()) <= {0.0, 1.0}
    theirs = table.player[table.sources] != seat
    assert response[theirs] == pytest.approx(np.array(other, float)[theirs])
    if prod(mine[mine > 0].tolist()) <= MOST_TRIED:
        tried = [exact(table, (policy, policy)) for policy in every_policy(table, seat, other)]
        best = [max(score(ends[state], seat) for ends in tried) for state in range(len(table))]
        assert expected.tolist() == pytest.approx([float(most) for most in best], abs=1e-12)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ([1.0], "has 9 numbers, one for each edge, not 1."),
        ([[1.0] * 9], r"not the shape \(1, 9\)."),
        (["a"] * 9, "A policy is an array of 9 numbers."),
        ([-1.0, 2.0, *[1.0] * 7], "The chance of edge 0 is -1.0, not 0 or more."),
        ([float("nan")] * 9, "The chance of edge 0 is nan, not 0 or more."),
        ([0.0] * 9, "The chances of the edges of state 0 add up to 0, not to 1."),
    ],
)
def test_arrays_that_are_not_policies_are_refused(policy: Any, sentence: str) -> None:
    table = Table(zerosum.game("even-steven", start=4))
    uniform = level_policy(table, "random")
    with pytest.raises(PolicyError, match=sentence):
        outcome_chances(table, uniform, policy)
    with pytest.raises(PolicyError, match=sentence):
        exploitability(table, policy)
    with pytest.raises(ZerosumError, match="The seat must be 0 or 1, not 2"):
        best_response(table, uniform, 2)


def test_policies_that_are_rounded_are_made_exact() -> None:
    table = Table(zerosum.game("even-steven", start=4))
    uniform = level_policy(table, "random")
    rounded = (uniform * (1 + 1e-7)).astype(np.float32)
    assert outcome_chances(table, rounded, uniform) == pytest.approx(
        outcome_chances(table, uniform, uniform)
    )
    assert outcome_chances(table, rounded, rounded).sum(axis=1) == pytest.approx(1.0, abs=1e-15)


def test_cycles_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "CYCLE_POSITIONS", 10)
    table = Table(zerosum.game("number-navigator"))
    uniform = level_policy(table, "random")
    with pytest.raises(TooLarge, match="exact chances can be computed for at most 10"):
        outcome_chances(table, uniform, uniform)
    with pytest.raises(TooLarge, match="exact chances can be computed for at most 10"):
        exploitability(table, uniform)


@pytest.mark.parametrize("tiny", [1e-3, 1e-12, 1e-30, 1e-200])
def test_the_smallest_chances_count(tiny: float) -> None:
    # Around 0, 1 and 2 for ages, then out to a win of either seat: 3 twice as often as 4.
    game = graph([0, 1, 0, 0, 0], [(1, 1, 3, 4), (2,), (0,), (), ()], [0, 0, 0, 0, 1])
    table = Table(game)
    stay = 0.5 - 1.5 * tiny
    policy = np.array([stay, stay, 2 * tiny, tiny, 1.0, 1.0])
    found = outcome_chances(table, policy, policy)[table.start]
    assert found.tolist() == pytest.approx([2 / 3, 1 / 3, 0.0, 0.0], rel=1e-12)
    assert best_response(table, policy, 1).score[table.start] == pytest.approx(1 / 3, rel=1e-12)
    start = Chain(table, policy[None]).ends_from_start(np.array([[0, 0]]))
    assert start[0].tolist() == pytest.approx([2 / 3, 1 / 3, 0.0, 0.0], rel=1e-12)


def test_chances_too_small_for_floats_are_refused() -> None:
    table = Table(graph([0, 1, 0], [(1, 0), (2, 0), ()]))
    policy = np.array([1e-200, 1.0, 1e-200, 1.0])
    with pytest.raises(PolicyError, match="Some chances are too small to compute with"):
        outcome_chances(table, policy, policy)
