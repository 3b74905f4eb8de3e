"""Samples without replacement, by strata or not, and the figures and intervals that follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, sqrt
from random import Random
from typing import Annotated, TypeVar

import numpy as np
from msgspec import Struct

from zerosum.bulk.table import Flags, Floats, Longs
from zerosum.documents import described
from zerosum.players.slips import last_rate

# An interval holds the true figure in at least 95 of 100 samples: 1.96 standard deviations.
DEVIATIONS = 1.959963984540054
# More digits of a rate of slips would be rounding errors.
SLIP_DIGITS = 12


# The difficulty of a decision is the share of its legal moves that are right, in quarters.
BANDS = 4
N = TypeVar("N", int, Longs)


class Figure(Struct, frozen=True):
    """A figure with its confidence interval of 95%; an exact one has no width."""

    value: float
    low: Annotated[float, described("the same as the value if it is exact")]
    high: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval; None if the figure is exact."""
        return (self.low, self.high) if self.low < self.high else None

    @classmethod
    def around(cls, value: float, deviation: float, limit: float) -> Figure:
        """Return a figure from 0 to 1 with its standard deviation.

        The interval is Wilson's, and holds the limit.

        >>> Figure.around(0.5, 0.05, 0.5), Figure.around(1.0, 0.0, 1.0)
        (Figure(value=0.5, low=0.40..., high=0.59...), Figure(value=1.0, low=1.0, high=1.0))
        """
        if not deviation:
            return cls(value, min(value, limit), max(value, limit))
        # The number of independent tries with this deviation; fewer at 0 and 1, where none deviate.
        deviation = min(deviation, 0.5)
        variance = max(value * (1 - value), deviation * (1 - deviation))
        low, high = _wilson(value, (DEVIATIONS * deviation) ** 2 / variance, 0.0)
        return cls(value, min(low, value, limit), max(high, value, limit))

    @classmethod
    def from_zero(cls, value: float, deviation: float, limit: float) -> Figure:
        """Return a figure of at least 0 with its standard deviation; the interval has the limit."""
        half = DEVIATIONS * deviation
        return cls(value, max(0.0, min(value - half, limit)), max(value + half, limit))


def draw(count: int, budget: int | None, seed: int) -> Flags:
    """Mark a random sample of this many units: all of them if the budget has room."""
    if budget is None or budget >= count:
        return np.ones(count, bool)
    drawn: Flags = np.zeros(count, bool)
    drawn[Random(seed).sample(range(count), budget)] = True  # noqa: S311
    return drawn


@dataclass(frozen=True)
class Draws:
    """How units were drawn: which ones, how exactly each is known, and from what.

    A value that is itself the mean of K random ones has noise 1 / K; one that is known has 0. In a
    stratified sample, `strata` numbers the stratum of every unit. If `endless`, there are more
    units than those that are listed, no matter how many.
    """

    drawn: Flags
    noise: Floats
    strata: Longs | None = None
    endless: bool = False

    def among(self, those: Flags) -> Draws:
        """Return the same for some of the units."""
        strata = None if self.strata is None else self.strata[those]
        return Draws(self.drawn[those], self.noise[those], strata, self.endless)

    def shares(self) -> Floats:
        """Return how much each drawn unit counts: in all, 1; in a stratum, by its size."""
        whole, known, place = self._strata
        share: Floats = whole / np.maximum(known, 1) / whole.sum()
        return share[place]

    def mean(self, values: Floats) -> float:
        """Return the mean over all units, given the values of those that were drawn."""
        whole, known, place = self._strata
        if len(whole) == 1:
            return float(values.mean())
        # So that the mean of ones is exactly 1.
        means = np.bincount(place, values, len(whole)) / np.maximum(known, 1)
        return float(whole @ means / whole.sum())

    def left(self) -> Floats:
        """Return the correction of each drawn unit's variance for what is left to draw."""
        whole, known, place = self._strata
        left: Floats = (whole - known) / np.maximum(whole - 1, 1)
        return np.ones(len(place)) if self.endless else left[place]

    @cached_property
    def _strata(self) -> tuple[Longs, Longs, Longs]:
        """Return the size of each stratum, how many are drawn, and where each drawn one is.

        If some stratum has no drawn unit, the sample counts as a simple one.
        """
        simple = np.zeros(len(self.drawn), np.int64)
        strata = simple if self.strata is None else self.strata
        whole = np.bincount(strata)
        known = np.bincount(strata[self.drawn], minlength=len(whole))
        if ((whole > 0) & (known == 0)).any():
            return replace(self, strata=None)._strata
        return whole, known, strata[self.drawn]


def estimate(values: Floats, draws: Draws, most: float = 1.0) -> Figure | None:
    """Estimate the mean of values from 0 to `most`, of which only those that were drawn are known.

    The interval is Wilson's, with a correction for continuity and for what is left to draw, and
    with the largest variance that is possible, so that it is not empty if all drawn values are
    alike; in a stratified sample, with the variance that was seen if that is larger.

    >>> import numpy as np
    >>> values, exact = np.ones(1000), np.zeros(1000)
    >>> estimate(values, Draws(np.arange(1000) < 100, exact))
    Figure(value=1.0, low=0.95..., high=1.0)
    >>> estimate(values, Draws(values > 0, exact))
    Figure(value=1.0, low=1.0, high=1.0)
    >>> estimate(values, Draws(values > 0, exact + 0.1))
    Figure(value=1.0, low=0.999..., high=1.0)
    """
    drawn = draws.drawn
    if not drawn.any():
        return None
    values, share, left = values[drawn], draws.shares(), draws.left()
    mean = draws.mean(values) / most
    random = float(draws.noise[drawn].max())
    if not left.any() and not random:
        return Figure(mean * most, mean * most, mean * most)
    # What values differ by, and what each is random by, add up to no more than mean * (1 - mean).
    spread = float(share**2 @ np.maximum(left, random))
    if draws.strata is not None and 0 < mean < 1:
        seen = float(share**2 @ (np.maximum(left, random) * (values / most - mean) ** 2))
        spread = max(spread, seen / (mean * (1 - mean)))
    half_step = float(share**2 @ np.where(left > 0, 1.0, random)) / 2
    low, high = _wilson(mean, DEVIATIONS**2 * spread, half_step)
    if not random and not draws.endless:  # what was drawn is known, whatever the rest is
        known, total = float(values.sum()) / most, len(drawn)
        low = max(low, known / total)
        high = min(high, 1 - (len(values) - known) / total)
    return Figure(mean * most, min(low, mean) * most, max(high, mean) * most)


def estimate_slips(good: Floats, harm: Floats, draws: Draws) -> Figure | None:
    """Estimate how often a player slips: the rate s that makes its right moves the likeliest.

    In a decision in which a random move is wrong with chance `harm`, such a player is right with
    chance 1 - s · harm, and `good` of the drawn ones are known, as in `estimate`. The derivative of
    the likelihood is 0 where the mean of good / (1 - s · harm) is 1; the interval has every rate at
    which that mean is close enough to 1, by its variance at that rate or by the one that was seen.

    >>> import numpy as np
    >>> harm, both = np.array([0.5, 0.75]), np.array([True, True])
    >>> estimate_slips(1 - 0.2 * harm, harm, Draws(both, np.zeros(2)))
    Figure(value=0.2, low=0.2, high=0.2)
    >>> estimate_slips(np.array([0.9, 0.8]), harm, Draws(both, np.array([0.1, 0.1])))
    Figure(value=0.24..., low=0.0, high=0.61...)
    """
    drawn = draws.drawn
    if not drawn.any():
        return None
    good, harm, share, left = good[drawn], harm[drawn], draws.shares(), draws.left()
    random = float(draws.noise[drawn].max())
    # The variance of the mean of K answers, from the answers.
    drawing = random / (1 - random) if random < 1 else 1.0
    # How much each decision's variance counts.
    counts, step = share**2, np.where(left > 0, 1.0, random)

    def off(rate: float) -> float:
        return draws.mean(good / (1 - rate * harm)) - 1

    def margin(rate: float) -> float:
        weight = 1 / (1 - rate * harm)
        alike = float(counts @ (rate * harm * weight * np.maximum(left, random)))
        within = weight**2 * good * (1 - good) * drawing
        apart = (weight * good - draws.mean(weight * good)) ** 2
        seen = float(counts @ (left * apart + (1 - left) * within))
        half_step = float(counts @ step) * draws.mean(weight) / 2
        return DEVIATIONS * sqrt(max(alike, seen)) + half_step

    rate = last_rate(lambda rate: off(rate) < 0, SLIP_DIGITS)
    if not left.any() and not random:
        return Figure(rate, rate, rate)
    low = last_rate(lambda rate: off(rate) + margin(rate) < 0, SLIP_DIGITS)
    high = last_rate(lambda rate: off(rate) < margin(rate), SLIP_DIGITS)
    return Figure(rate, min(low, rate), max(high, rate))


def estimate_difference(
    first: Floats, second: Floats, draws: Draws, others: Draws, most: float = 1.0
) -> Figure | None:
    """Estimate the mean of first less second, where both are known, as `estimate` does for one.

    The intervals of both are put together as in Newcombe's tenth method: what the two have in
    common, because they are about the same decisions, is taken off, with a correction for
    continuity. Their answers are drawn independently.

    >>> import numpy as np
    >>> right, half = np.ones(40), np.arange(40) % 2.0
    >>> every, asked = Draws(right > 0, np.zeros(40)), Draws(np.arange(40) < 20, np.zeros(40))
    >>> estimate_difference(right, half, every, every)
    Figure(value=0.5, low=0.5, high=0.5)
    >>> estimate_difference(right, half, every, asked)
    Figure(value=0.5, low=0.28..., high=0.67...)
    """
    strata = others.strata if draws.strata is None else draws.strata
    both = draws.drawn & others.drawn
    endless = draws.endless or others.endless
    asked = [Draws(both, known.noise, strata, endless) for known in (draws, others)]
    one, two = estimate(first, asked[0], most), estimate(second, asked[1], most)
    if one is None or two is None:
        return None
    value = one.value - two.value
    below, above = one.value - one.low, one.high - one.value
    other_below, other_above = two.value - two.low, two.high - two.value
    alike = _alike(first[both] / most, second[both] / most, asked[0]) * most**2
    deviations = (below + above) * (other_below + other_above) / 4 / DEVIATIONS**2
    share = min(max(alike / deviations, -1.0), 1.0) if deviations else 0.0

    def apart(end: float, other_end: float) -> float:
        return sqrt(max(end**2 - 2 * share * end * other_end + other_end**2, 0.0))

    low, high = value - apart(below, other_above), value + apart(above, other_below)
    return Figure(value, max(low, -most), min(high, most))


def _alike(first: Floats, second: Floats, draws: Draws) -> float:
    """Return the covariance of two means, due to which units were drawn for both."""
    share, left = draws.shares(), draws.left()
    products = (first - draws.mean(first)) * (second - draws.mean(second))
    found = float(share**2 * left @ products)
    if found <= 0:
        return found
    step = float(share**2 @ left) * float(share @ share) / 2
    return max(found - step, 0.0)


def mean_figure(figures: Iterable[Figure | None]) -> Figure | None:
    """Return the mean of figures whose errors are independent; None without any.

    What the ends are off by is squared and added up, as Newcombe's and Zou's intervals do.

    >>> mean_figure([Figure(0.5, 0.2, 0.9), Figure(0.7, 0.4, 1.0)])
    Figure(value=0.6, low=0.38..., high=0.85...)
    """
    known = [figure for figure in figures if figure is not None]
    if not known:
        return None
    value = sum(figure.value for figure in known) / len(known)
    below = hypot(*(figure.value - figure.low for figure in known)) / len(known)
    above = hypot(*(figure.high - figure.value for figure in known)) / len(known)
    return Figure(value, value - below, value + above)


def _wilson(mean: float, spread: float, half_step: float) -> tuple[float, float]:
    """Return the means from which one is less than some deviations away, each with its variance.

    These are the p with (|mean - p| - half_step)² ≤ spread · p · (1 - p).
    """
    down = max(mean - half_step, 0.0)
    up = min(mean + half_step, 1.0)
    low, high = (
        (2 * end + spread + sign * sqrt(spread**2 + 4 * spread * end * (1 - end)))
        / (2 + 2 * spread)
        for end, sign in ((down, -1), (up, 1))
    )
    return low if down > 0 else 0.0, high if up < 1 else 1.0


def band_of(right: N, legal: N) -> N:
    """Return the difficulty band of a decision, or of many, from the most difficult on.

    >>> band_of(1, 4), band_of(2, 3)
    (0, 2)
    """
    return (BANDS * right - 1) // legal


def band_name(band: int) -> str:
    """Name a difficulty band by the share of legal moves that are right.

    >>> band_name(0)
    'up to 25% right'
    """
    return f"up to {100 * (band + 1) // BANDS}% right"


def stratified(strata: Sequence[str], count: int | None, seed: int) -> list[tuple[int, float]]:
    """Draw some of the units, in order, each with its weight: how many units it stands for.

    Larger strata get more, by the square roots of their sizes. With fewer draws than strata, the
    sample is a simple one.

    >>> stratified(["a", "a", "a", "a", "b"], 3, seed=0)
    [(1, 2.0), (3, 2.0), (4, 1.0)]
    """
    if count is None or count >= len(strata):
        return [(number, 1.0) for number in range(len(strata))]
    if count < len(set(strata)):
        strata = [""] * len(strata)
    units: dict[str, list[int]] = {}
    for number, stratum in enumerate(strata):
        units.setdefault(stratum, []).append(number)
    drawn = dict.fromkeys(units, 1)
    for _ in range(count - len(units)):
        left = (stratum for stratum in units if drawn[stratum] < len(units[stratum]))
        drawn[max(left, key=lambda s: sqrt(len(units[s])) / drawn[s])] += 1
    rng = Random(seed)  # noqa: S311
    return sorted(
        (number, len(those) / drawn[stratum])
        for stratum, those in units.items()
        for number in rng.sample(those, drawn[stratum])
    )
