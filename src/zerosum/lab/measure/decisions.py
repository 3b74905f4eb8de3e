"""The decisions of a game, and how well they are made.

A decision is a position in which some move throws away a result. Each counts once, however often
games lead there; the share of good moves in it is the chance of the moves that keep the result.
"""

from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.lab.measure.measurement import DifficultyBand, PlyGroup, Thrown, ThrownShare
from zerosum.lab.measure.sampling import estimate

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
    """The decisions of a table: their difficulty, and how far they are from the start."""

    def __init__(self, table: Table[Any]) -> None:
        """Find the decisions, and what random play makes of them."""
        self.table = table
        self.states: Longs = np.flatnonzero(table.critical)
        self.value: Longs = table.value[self.states].astype(np.int64)
        legal = np.diff(table.offsets)
        self.random = self.judge(1 / legal[table.sources], np.zeros(len(table)))
        right = self._sums(table.regret == 0).astype(np.int64)
        self.band: Longs = (BANDS * right - 1) // legal[self.states]
        self.plies: Longs = Lines(table).plies[self.states]

    def __len__(self) -> int:
        """Count the decisions."""
        return len(self.states)

    def judge(self, chances: Floats, faulty: Floats) -> Judged:
        """Judge the chances of edges, and of faults, which throw away all that there is."""
        regret = self.table.regret
        faulty = faulty[self.states]
        kept = self._sums(chances * (regret == 0))
        lost = self._sums(chances * (regret > 0))
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
    """Which decisions were asked about, and how they were made.

    `noise` is 1 / K where K answers were drawn, and 0 where the chances are known.
    """

    decisions: Decisions
    asked: Flags
    judged: Judged
    noise: Floats

    def figures(self) -> dict[str, Any]:
        """Return what a measurement says about the decisions, if the game has any.

        What is thrown away is 0 in those decisions in which it is not possible, so that with the
        share of good moves these shares add up to 1.
        """
        if not len(self.decisions):
            figures = dict.fromkeys(("good", "random", "regret", "random_regret"))
            return {**figures, "thrown": (), "difficulty": (), "plies": ()}
        judged, random = self.judged, self.decisions.random
        asked, noise = self.asked, self.noise
        possible = {what: int((lost > 0).sum()) for what, lost in random.thrown.items()}
        thrown = (
            ThrownShare(what, possible[what], share, float(random.thrown[what].mean()))
            for what, lost in judged.thrown.items()
            if (share := estimate(lost, asked, noise)) and (possible[what] or lost.any())
        )
        band = self.decisions.band
        plies = self.decisions.plies
        width = -(-(int(plies.max()) + 1) // MOST_GROUPS)
        return {
            "good": estimate(judged.good, asked, noise),
            "random": float(random.good.mean()),
            "regret": estimate(judged.regret, asked, noise, LARGEST_REGRET),
            "random_regret": float(random.regret.mean()),
            "thrown": tuple(thrown),
            "difficulty": tuple(
                DifficultyBand(above=n / BANDS, up_to=(n + 1) / BANDS, **self._group(band == n))
                for n in np.unique(band).tolist()
            ),
            "plies": tuple(
                PlyGroup(
                    first=n * width, last=(n + 1) * width - 1, **self._group(plies // width == n)
                )
                for n in np.unique(plies // width).tolist()
            ),
        }

    def _group(self, those: Flags) -> dict[str, Any]:
        """Return the figures of some decisions, given those of them that were asked about."""
        asked = self.asked[those]
        random = self.decisions.random
        thrown = {
            what: float(lost[those][asked].mean())
            for what, lost in self.judged.thrown.items()
            if asked.any() and (lost.any() or random.thrown[what].any())
        }
        return {
            "decisions": len(asked),
            "asked": int(asked.sum()),
            "good": estimate(self.judged.good[those], asked, self.noise[those]),
            "thrown": thrown,
            "random": float(random.good[those].mean()),
        }
