"""A sample without replacement, and the figure and interval that follow from it."""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Annotated

import numpy as np
from msgspec import Struct

from zerosum.bulk.table import Flags, Floats
from zerosum.documents import described

# An interval holds the true figure in at least 95 of 100 samples: 1.96 standard deviations.
DEVIATIONS = 1.959963984540054


class Figure(Struct, frozen=True):
    """A figure with its confidence interval of 95%; an exact one has no width."""

    value: float
    low: Annotated[float, described("the same as the value if it is exact")]
    high: float

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


def draw(count: int, budget: int | None, seed: int) -> Flags:
    """Mark a random sample of this many units: all of them if the budget has room."""
    if budget is None or budget >= count:
        return np.ones(count, bool)
    drawn: Flags = np.zeros(count, bool)
    drawn[Random(seed).sample(range(count), budget)] = True  # noqa: S311
    return drawn


def estimate(values: Floats, drawn: Flags, noise: Floats, most: float = 1.0) -> Figure | None:
    """Estimate the mean of values from 0 to `most`, of which only those that were drawn are known.

    A value that is itself the mean of K random ones has noise 1 / K; one that is known has 0. The
    interval is Wilson's, with a correction for continuity and for what is left to draw, and with
    the largest variance that is possible, so that it is not empty if all drawn values are alike.

    >>> import numpy as np
    >>> values, exact = np.ones(1000), np.zeros(1000)
    >>> estimate(values, np.arange(1000) < 100, exact)
    Figure(value=1.0, low=0.95..., high=1.0)
    >>> estimate(values, values > 0, exact)
    Figure(value=1.0, low=1.0, high=1.0)
    >>> estimate(values, values > 0, exact + 0.1)
    Figure(value=1.0, low=0.999..., high=1.0)
    """
    if not drawn.any():
        return None
    total, known = len(values), int(drawn.sum())
    mean = float(values[drawn].mean()) / most
    random = float(noise[drawn].max())
    left = (total - known) / max(total - 1, 1)
    if not left and not random:
        return Figure(mean * most, mean * most, mean * most)
    # What values differ by, and what each is random by, add up to no more than mean * (1 - mean).
    spread = max(left, random) / known
    half_step = (1.0 if left else random) / known / 2
    low, high = _wilson(mean, DEVIATIONS**2 * spread, half_step)
    if not random:  # what was drawn is known, whatever the rest is
        low = max(low, mean * known / total)
        high = min(high, 1 - (1 - mean) * known / total)
    return Figure(mean * most, min(low, mean) * most, max(high, mean) * most)


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
