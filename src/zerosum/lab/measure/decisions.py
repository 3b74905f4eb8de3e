"""The decisions of a game, and how well they are made.

A decision is a position in which some move throws away a result. Each counts once, however often
games lead there; the share of good moves in it is the chance of the moves that keep the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.bulk.lines import Lines
from zerosum.lab.measure.measurement import DifficultyBand, PlyGroup, Thrown, ThrownShare
from zerosum.lab.measure.sampling import Figure, estimate

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs, Table

# The value of the position before a move that throws away a result, and the regret of the move.
THROWN: dict[Thrown, tuple[int, int]] = {
    "win-draw": (1, 1),
    "win-loss": (1, 2),
    "draw-loss": (0, 1),
}
LARGEST_REGRET = 2
# The difficulty of a decision is the share of its legal moves that are right, in quarters.
BANDS = 4
# The most groups into which the plies from the start are divided.
MOST_GROUPS = 12


class Judged(NamedTuple):
    """What becomes of each decision: the chance to keep the result, the regret, what is lost."""

    good: Floats
    regret: Floats
    thrown: dict[Thrown, Floats]


class Decisions:
    """The decisions of a table: their difficulty, what can be lost, and how far they are."""

    def __init__(self, table: Table[Any]) -> None:
        """Find the decisions, and what random play makes of them."""
        self.table = table
        self.states: Longs = np.flatnonzero(table.critical)
        self.value: Longs = table.value[self.states].astype(np.int64)
        legal = np.diff(table.offsets)
        uniform = 1 / legal[table.sources].astype(float)
        self.random = self.judge(uniform, np.zeros(len(table)))
        right, legal = self._sums(table.regret == 0), legal[self.states]
        self.band: Longs = (BANDS * right.astype(np.int64) - 1) // legal
        self.can_lose = {what: lost > 0 for what, lost in self.random.thrown.items()}
        self.plies: Longs = Lines(table).plies[self.states]

    def __len__(self) -> int:
        """Count the decisions."""
        return len(self.states)

    @property
    def strata(self) -> Longs:
        """The strata of a sample: the difficulty, and everything that can be thrown away."""
        numbers = self.band
        for possible in self.can_lose.values():
            numbers = 2 * numbers + possible
        return numbers

    def judge(self, chances: Floats, faulty: Floats) -> Judged:
        """Judge the chances of edges, and of faults, which throw away all that there is."""
        regret = self.table.regret
        faulty = faulty[self.states]
        kept, lost = self._sums(chances * (regret == 0)), self._sums(chances * (regret > 0))
        # So that 1 is exactly 1, whatever was added up.
        whole = kept + lost + faulty
        whole = np.where(whole > 0, whole, 1.0)
        good = np.where(lost + faulty == 0, 1.0, kept / whole)
        thrown: dict[Thrown, Floats] = {}
        for what, (value, size) in THROWN.items():
            share = self._sums(chances * (regret == size)) + faulty * (size == value + 1)
            thrown[what] = np.where(self.value == value, share / whole, 0.0)
        lost = sum((THROWN[what][1] * share for what, share in thrown.items()), np.zeros(len(self)))
        return Judged(good, lost, thrown)

    def _sums(self, weights: Any) -> Floats:
        """Add up what the edges of each decision have."""
        table = self.table
        weighed: Floats = np.bincount(table.sources, weights, len(table)).astype(float)
        return weighed[self.states]


class Sample(NamedTuple):
    """Which decisions were asked about, the stratum of each, and how they were made.

    `noise` is 1 / K where K answers were drawn, and 0 where the chances are known.
    """

    decisions: Decisions
    asked: Flags
    strata: Longs
    judged: Judged
    noise: Floats

    def figures(self) -> dict[str, Any]:
        """Return what a measurement says about the decisions, if the game has any."""
        if not len(self.decisions):
            figures = dict.fromkeys(("good", "random", "regret", "random_regret"))
            return {**figures, "thrown": (), "difficulty": (), "plies": ()}
        random = self.decisions.random
        return {
            "good": self._figure(self.judged.good),
            "random": float(random.good.mean()),
            "regret": self._figure(self.judged.regret, LARGEST_REGRET),
            "random_regret": float(random.regret.mean()),
            "thrown": self._thrown(),
            "difficulty": self._bands(),
            "plies": self._ply_groups(),
        }

    def _figure(self, values: Floats, most: float = 1.0) -> Figure:
        """Estimate the mean over all decisions from those that were asked about."""
        figure = estimate(values, self.strata, self.asked, self.noise, most)
        assert figure is not None  # noqa: S101 (there are decisions, and some were asked about)
        return figure

    @property
    def thrown_away(self) -> list[Thrown]:
        """What some move of the game can throw away, or a fault did."""
        possible = self.decisions.can_lose
        return [what for what, lost in self.judged.thrown.items() if (lost + possible[what]).any()]

    def _thrown(self) -> tuple[ThrownShare, ...]:
        """Return how often each result is thrown away.

        It is 0 in those decisions in which it is not possible, so that with the share of good moves
        these shares add up to 1.
        """
        return tuple(
            ThrownShare(
                what,
                int(self.decisions.can_lose[what].sum()),
                self._figure(self.judged.thrown[what]),
                float(self.decisions.random.thrown[what].mean()),
            )
            for what in self.thrown_away
        )

    def _bands(self) -> tuple[DifficultyBand, ...]:
        """Return the decisions by their difficulty, the most difficult first."""
        band = self.decisions.band
        return tuple(
            DifficultyBand(
                above=number / BANDS, up_to=(number + 1) / BANDS, **self._group(band == number)
            )
            for number in np.unique(band).tolist()
        )

    def _ply_groups(self) -> tuple[PlyGroup, ...]:
        """Return the decisions by their distance from the start, in a few groups."""
        plies = self.decisions.plies
        width = -(-(int(plies.max()) + 1) // MOST_GROUPS)
        groups = plies // width
        return tuple(
            PlyGroup(first=n * width, last=(n + 1) * width - 1, **self._group(groups == n))
            for n in np.unique(groups).tolist()
        )

    def _group(self, those: Flags) -> dict[str, Any]:
        """Return the figures of some decisions.

        How many of them were drawn from a stratum is left to chance, and is taken as it came.
        """
        asked, strata, noise = self.asked[those], self.strata[those], self.noise[those]
        if not np.isin(strata, strata[asked]).all():
            strata = np.zeros(len(strata), np.int64)
        shares = {
            what: estimate(self.judged.thrown[what][those], strata, asked, noise)
            for what in self.thrown_away
        }
        return {
            "decisions": len(asked),
            "asked": int(asked.sum()),
            "good": estimate(self.judged.good[those], strata, asked, noise),
            "thrown": {what: share.value for what, share in shares.items() if share},
            "random": float(self.decisions.random.good[those].mean()),
        }
