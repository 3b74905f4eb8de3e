"""The decisions of a game, and how well they are made.

A decision is a position in which some move throws away a result. Each counts once, however often
games lead there; the share of good moves in it is the chance of the moves that keep the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zerosum.bulk.lines import Lines
from zerosum.lab.measure.sampling import Figure, estimate
from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs, Table

# What a move throws away; the value of the position before it, and the regret of the move.
Thrown = Literal["win-draw", "win-loss", "draw-loss"]
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


class ThrownShare(NamedTuple):
    """How often something is thrown away, as a share of all decisions; `possible` is in how many.

    It is 0 in those decisions in which it is not possible, so that with the share of good moves
    these shares add up to 1.
    """

    what: Thrown
    possible: int
    share: Figure
    random: float


class Group(NamedTuple):
    """Some of the decisions: how many there are, and were asked about, and how they are made.

    If none was asked about, `good` is None and `thrown` is empty.
    """

    decisions: int
    asked: int
    good: Figure | None
    thrown: dict[Thrown, float]
    random: float


class Band(NamedTuple):
    """Decisions of one difficulty: the share of right moves is above one bound, up to the other."""

    above: float
    up_to: float
    group: Group


class PlyGroup(NamedTuple):
    """Decisions by the fewest plies in which they can be reached from the start."""

    first: int
    last: int
    group: Group


class Decisions:
    """The decisions of a table: their difficulty, what can be lost, and how far they are."""

    def __init__(self, table: Table[Any]) -> None:
        """Find the decisions, and what random play makes of them."""
        np = load_numpy()
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
        np, regret = load_numpy(), self.table.regret
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
        np, table = load_numpy(), self.table
        sums: Floats = np.bincount(table.sources, weights, len(table))[self.states]
        return sums


class Sample(NamedTuple):
    """Which decisions were asked about, the stratum of each, and how they were made.

    `noise` is 1 / K where K answers were drawn, and 0 where the chances are known.
    """

    decisions: Decisions
    asked: Flags
    strata: Longs
    judged: Judged
    noise: Floats

    def figure(self, values: Floats, most: float = 1.0) -> Figure:
        """Estimate the mean over all decisions from those that were asked about."""
        figure = estimate(values, self.strata, self.asked, self.noise, most)
        assert figure is not None  # noqa: S101 (there are decisions, and some were asked about)
        return figure

    @property
    def thrown_away(self) -> list[Thrown]:
        """What some move of the game can throw away, or a fault did."""
        possible = self.decisions.can_lose
        return [what for what, lost in self.judged.thrown.items() if (lost + possible[what]).any()]

    def thrown(self) -> tuple[ThrownShare, ...]:
        """Return how often each result is thrown away."""
        return tuple(
            ThrownShare(
                what,
                int(self.decisions.can_lose[what].sum()),
                self.figure(self.judged.thrown[what]),
                float(self.decisions.random.thrown[what].mean()),
            )
            for what in self.thrown_away
        )

    def bands(self) -> tuple[Band, ...]:
        """Return the decisions by their difficulty, the most difficult first."""
        band = self.decisions.band
        return tuple(
            Band(number / BANDS, (number + 1) / BANDS, self._group(band == number))
            for number in load_numpy().unique(band).tolist()
        )

    def ply_groups(self) -> tuple[PlyGroup, ...]:
        """Return the decisions by their distance from the start, in a few groups."""
        plies = self.decisions.plies
        width = -(-(int(plies.max()) + 1) // MOST_GROUPS)
        return tuple(
            PlyGroup(
                number * width, (number + 1) * width - 1, self._group(plies // width == number)
            )
            for number in load_numpy().unique(plies // width).tolist()
        )

    def _group(self, those: Flags) -> Group:
        """Return the figures of some decisions.

        How many of them were drawn from a stratum is left to chance, and is taken as it came.
        """
        np, decisions = load_numpy(), self.decisions
        asked, strata, noise = self.asked[those], self.strata[those], self.noise[those]
        if not np.isin(strata, strata[asked]).all():
            strata = np.zeros(len(strata), np.int64)
        good = estimate(self.judged.good[those], strata, asked, noise)
        thrown: dict[Thrown, float] = {}
        for what in self.thrown_away:
            share = estimate(self.judged.thrown[what][those], strata, asked, noise)
            if share:
                thrown[what] = share.value
        random = float(decisions.random.good[those].mean())
        return Group(len(asked), int(asked.sum()), good, thrown, random)
