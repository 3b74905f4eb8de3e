"""Stratified samples: their shares, their estimates, and how often their intervals are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from zerosum.lab.measure.sampling import Figure, allocate, draw, estimate

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs

sizes = st.lists(st.integers(1, 400), min_size=1, max_size=8)


@given(sizes, st.integers(1, 500))
def test_shares_are_in_proportion_and_within_the_budget(sizes: list[int], budget: int) -> None:
    shares, total = allocate(sizes, budget), sum(sizes)
    if shares is None:
        assert budget < len(sizes)
        return
    assert sum(shares) <= budget
    assert all(1 <= share <= size for share, size in zip(shares, sizes, strict=True))
    # One more would be too many, or there are no more.
    assert min(budget, total) - sum(shares) < len(sizes)
    rate = min(share / size for share, size in zip(shares, sizes, strict=True))
    for share, size in zip(shares, sizes, strict=True):
        assert share < rate * size + 1 + 1e-9


@given(sizes, st.integers(1, 500), st.integers(0, 9))
def test_draws_are_seeded_and_in_every_stratum(sizes: list[int], budget: int, seed: int) -> None:
    strata = np.repeat(np.arange(len(sizes)), sizes)
    drawn, numbers = draw(strata, budget, seed)
    again, _ = draw(strata, budget, seed)
    assert (drawn == again).all()
    assert drawn.sum() <= budget
    if budget >= len(sizes):
        assert set(numbers[drawn]) == set(numbers)
    if budget >= len(strata):
        assert drawn.all()
    else:
        assert 1 <= drawn.sum() < len(strata)


def figure(values: Floats, drawn: Flags, strata: Longs | None = None, noise: float = 0.0) -> Figure:
    strata = np.zeros(len(values), int) if strata is None else strata
    found = estimate(values, strata, drawn, np.full(len(values), noise))
    assert found is not None
    return found


def test_sample_without_errors_leaves_room_for_some() -> None:
    for count in (1, 10, 100, 999):
        found = figure(np.ones(1000), np.arange(1000) < count)
        assert found.value == found.high == 1.0
        assert count / 1000 <= found.low < 1.0
        other = figure(np.zeros(1000), np.arange(1000) < count)
        assert astuple(other) == pytest.approx((0.0, 0.0, 1 - found.low))


def test_estimates_from_no_units_and_from_all() -> None:
    values = np.array([0.25, 0.75])
    strata, exact = np.array([0, 0]), np.zeros(2)
    assert estimate(values, np.array([0, 1]), np.array([False, False]), exact) is None
    assert figure(values, np.array([True, True])) == Figure.exactly(0.5)
    regrets = estimate(values * 2, strata, np.array([True, False]), exact, most=2.0)
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
    strata = rng.choice(6, 400, p=[0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    # Strata differ, as those of decisions do; in some, chances lie between 0 and 1.
    chance = np.clip(share + 0.5 * share * (1 - share) * (strata - 1), 0, 1)
    values = (rng.random(400) < chance).astype(float)
    values[strata == 2] = chance[strata == 2]
    if samples is not None:
        values = chance  # a player that draws its moves
    truth, hits, tries = values.mean(), 0, 200
    for seed in range(tries):
        drawn, numbers = draw(strata, budget, seed)
        seen = values if samples is None else rng.binomial(samples, values) / samples
        found = figure(seen, drawn, numbers, 0.0 if samples is None else 1 / samples)
        hits += found.low - 1e-12 <= truth <= found.high + 1e-12
    # With a chance of 95%, fewer than 181 of 200 would be seen in less than 1 of 300 cases.
    assert hits >= 181
