"""One number for each player, after Bradley and Terry, and what it cannot say.

A player rated θ is expected to score 1 / (1 + 10^((η - θ) / 400)) against one rated η. The ratings
are those under which the scores of all pairings are the likeliest, each pairing counting equally.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from math import log
from typing import NamedTuple

import numpy as np

from zerosum.bulk.table import Floats
from zerosum.lab.arena.leaderboard import Misfit, PairFit
from zerosum.lab.measure.sampling import Figure, mean_figure

# Points for each unit of the logarithm of the odds.
POINTS = 400 / log(10)
# This share of every pairing counts as drawn, so that one who always wins has a rating too.
DRAWN_SHARE = 0.01
# Newton's method ends when no rating moves by more than this; it takes a few steps.
SMALLEST_STEP, MOST_STEPS = 1e-12, 100
# A step is no longer than this, so that the first ones do not leap too far.
LONGEST_STEP = 1.0
# Whoever scores less than this above ½ is even with the opponent: two digits are shown.
EVEN = 0.005
# The most cycles that are listed.
MOST_CYCLES = 12


class Meeting(NamedTuple):
    """The score of a player against another in a game."""

    player: str
    opponent: str
    score: Figure


class Ratings(NamedTuple):
    """The ratings of all players who met somebody, and who anchors them."""

    rating: dict[str, Figure]
    anchors: tuple[str, ...]

    def expected(self, player: str, opponent: str) -> float:
        """Return the score that follows from two ratings."""
        apart = self.rating[player].value - self.rating[opponent].value
        return float(1 / (1 + np.exp(-apart / POINTS)))


def ratings_of(meetings: Sequence[Meeting], levels: Sequence[str]) -> Ratings:
    """Rate all players who met.

    The ratings of the levels follow from their own meetings alone, and the others from all, given
    those: so nobody's presence moves the scale. The first level has 0; without levels that met, it
    is the mean of all.

    >>> half = Figure(0.75, 0.75, 0.75)
    >>> found = ratings_of([Meeting("easy", "random", half), Meeting("Ada", "easy", half)],
    ...                    ["random", "easy"])
    >>> [(name, round(figure.value)) for name, figure in found.rating.items()]
    [('random', 0), ('easy', 189), ('Ada', 377)]
    """
    among = [m for m in meetings if m.player in levels and m.opponent in levels]
    met = _names(among)
    anchors = tuple(level for level in levels if level in met)
    fixed = {}
    if anchors:
        fixed = _fitted(among, anchors, {anchors[0]: Figure(0.0, 0.0, 0.0)})
    rating = _fitted(meetings, [*dict.fromkeys((*anchors, *_names(meetings)))], fixed)
    return Ratings(rating, anchors)


def _names(meetings: Iterable[Meeting | PairFit]) -> list[str]:
    """List all who met somebody, each once."""
    return [*dict.fromkeys(name for met in meetings for name in (met.player, met.opponent))]


def _fitted(
    meetings: Sequence[Meeting], names: Sequence[str], fixed: Mapping[str, Figure]
) -> dict[str, Figure]:
    """Rate those who are not fixed yet.

    The ends of the intervals of scores move a rating by so much; these distances are independent,
    so their squares are added up.
    """
    fit = _Fit(meetings, names, fixed)
    given = np.array([meeting.score.value for meeting in meetings])
    theta = fit.theta(given)
    below, above = np.zeros(len(names)), np.zeros(len(names))
    for number, (_, _, score) in enumerate(meetings):
        if score.low < score.high:
            ends = []
            for end in (score.low, score.high):
                moved = given.copy()
                moved[number] = end
                ends.append(fit.theta(moved, theta) - theta)
            below += np.minimum(0.0, np.minimum(*ends)) ** 2
            above += np.maximum(0.0, np.maximum(*ends)) ** 2
    rows = np.stack((theta, theta - np.sqrt(below), theta + np.sqrt(above)), axis=1)
    rated = dict(zip(names, (POINTS * rows).tolist(), strict=True))
    return {name: fixed[name] if name in fixed else Figure(*rated[name]) for name in names}


class _Fit:
    """Finds the ratings, divided by POINTS, under which scores are the likeliest."""

    def __init__(
        self, meetings: Sequence[Meeting], names: Sequence[str], fixed: Mapping[str, Figure]
    ) -> None:
        """Take who met, and who is fixed."""
        number = {name: index for index, name in enumerate(names)}
        self._begin: Floats = np.array(
            [fixed[name].value / POINTS if name in fixed else 0.0 for name in names]
        )
        self._free = np.array([name not in fixed for name in names], bool)
        self._sides: Floats = np.zeros((len(meetings), len(names)))
        for row, (player, opponent, _) in enumerate(meetings):
            self._sides[row, number[player]] += 1.0
            self._sides[row, number[opponent]] -= 1.0

    def theta(self, scores: Floats, begin: Floats | None = None) -> Floats:
        """Return the ratings by Newton's method, from some others on."""
        theta = (self._begin if begin is None else begin).copy()
        moved = self._sides[:, self._free]
        wanted = (1 - DRAWN_SHARE) * scores + DRAWN_SHARE / 2
        for _ in range(MOST_STEPS if self._free.any() else 0):
            expected = 1 / (1 + np.exp(-(self._sides @ theta)))
            information = moved.T @ (moved * (expected * (1 - expected))[:, None])
            # Without anything fixed, only differences are known: this keeps the mean.
            step = np.linalg.pinv(information, hermitian=True) @ (moved.T @ (wanted - expected))
            largest = float(np.abs(step).max())
            theta[self._free] += step * min(1.0, LONGEST_STEP / max(largest, LONGEST_STEP))
            if largest < SMALLEST_STEP:
                break
        return theta


def turned(score: Figure) -> Figure:
    """Return the score of the other player."""
    return Figure(1 - score.value, 1 - score.high, 1 - score.low)


def fits_of(
    meetings: Iterable[Meeting], order: Sequence[str], ratings: Ratings
) -> tuple[PairFit, ...]:
    """Put what every two players score over all games beside what their ratings say."""
    place = {name: index for index, name in enumerate(order)}
    scores: dict[tuple[str, str], list[Figure]] = {}
    for player, opponent, score in meetings:
        if place[player] < place[opponent]:
            scores.setdefault((player, opponent), []).append(score)
        else:
            scores.setdefault((opponent, player), []).append(turned(score))
    fits = []
    for player, opponent in combinations(order, 2):
        mean = mean_figure(scores.get((player, opponent), ()))
        if mean is not None:
            expected = ratings.expected(player, opponent)
            fits.append(PairFit(player=player, opponent=opponent, score=mean, expected=expected))
    return tuple(fits)


def misfit_of(fits: Sequence[PairFit]) -> Misfit | None:
    """Say what the ratings do not explain; the better player comes first in every fit."""
    if not fits:
        return None
    off = sum(fit.residual**2 for fit in fits)
    apart = sum((fit.score.value - 0.5) ** 2 for fit in fits)
    upsets = [
        PairFit(
            player=fit.opponent,
            opponent=fit.player,
            score=turned(fit.score),
            expected=1 - fit.expected,
        )
        for fit in fits
        if fit.score.high < 0.5 - EVEN
    ]
    upsets.sort(key=lambda upset: -upset.score.value)
    beats = {(fit.player, fit.opponent) for fit in fits if fit.score.low > 0.5 + EVEN}
    beats |= {(upset.player, upset.opponent) for upset in upsets}
    names = _names(fits)
    cycles = [
        (best, second, third)
        for best, second, third in permutations(names, 3)
        if names.index(best) == min(map(names.index, (best, second, third)))
        and {(best, second), (second, third), (third, best)} <= beats
    ]
    return Misfit(
        unexplained=off / apart if apart else 0.0,
        upsets=tuple(upsets),
        cycles=tuple(cycles[:MOST_CYCLES]),
    )
