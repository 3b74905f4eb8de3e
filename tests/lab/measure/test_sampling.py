"""Samples: their estimates, and how often their intervals are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from zerosum.lab.measure.sampling import Draws, Figure, draw, estimate

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats


@given(st.integers(0, 400), st.one_of(st.none(), st.integers(1, 500)), st.integers(0, 9))
def test_draws_are_seeded_and_within_the_budget(count: int, budget: int | None, seed: int) -> None:
    drawn = draw(count, budget, seed)
    assert (drawn == draw(count, budget, seed)).all()
    assert drawn.sum() == min(count, count if budget is None else budget)


def figure(values: Floats, drawn: Flags, noise: float = 0.0) -> Figure:
    found = estimate(values, Draws(drawn, np.full(len(values), noise)))
    assert found is not None
    return found


def test_estimates_from_some_units_from_none_and_from_all() -> None:
    for count in (1, 10, 100, 999):
        found = figure(np.ones(1000), np.arange(1000) < count)
        assert found.value == found.high == 1.0
        assert count / 1000 <= found.low < 1.0
        other = figure(np.zeros(1000), np.arange(1000) < count)
        assert astuple(other) == pytest.approx((0.0, 0.0, 1 - found.low))
    values = np.array([0.25, 0.75])
    exact = np.zeros(2)
    assert estimate(values, Draws(np.array([False, False]), exact)) is None
    assert figure(values, np.array([True, True])) == Figure(0.5, 0.5, 0.5)
    regrets = estimate(values * 2, Draws(np.array([True, False]), exact), most=2.0)
    assert regrets is not None
    assert (regrets.value, regrets.low < 0.6, regrets.high <= 2) == (0.5, True, True)


@pytest.mark.parametrize(
    ("budget", "samples"),
    [(20, None), (60, None), (200, None), (20, 1), (60, 10), (None, 1), (None, 10)],
)
@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.9, 0.99, 1.0])
def test_intervals_hold_the_truth_in_95_of_100_samples(
    share: float, budget: int | None, samples: int | None
) -> None:
    rng = np.random.default_rng(5)
    kind = rng.choice(6, 400, p=[0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    # Decisions differ; in some, chances lie between 0 and 1.
    chance = np.clip(share + 0.5 * share * (1 - share) * (kind - 1), 0, 1)
    values = (rng.random(400) < chance).astype(float)
    values[kind == 2] = chance[kind == 2]
    if samples is not None:
        values = chance  # a player that draws its moves
    truth, hits, tries = values.mean(), 0, 200
    for seed in range(tries):
        drawn = draw(400, budget, seed)
        seen = values if samples is None else rng.binomial(samples, values) / samples
        found = figure(seen, drawn, 0.0 if samples is None else 1 / samples)
        hits += found.low - 1e-12 <= truth <= found.high + 1e-12
    # With a chance of 95%, fewer than 181 of 200 would be seen in less than 1 of 300 cases.
    assert hits >= 181
