"""The score of a player from the start of a game: against every level, and at worst.

It is exact where the chances of all answers are known. Where moves were drawn, it is the score of
the mixture that was drawn, with the noise of the draws.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.bulk.chain import ENDLESS, Chain
from zerosum.bulk.policies import best_response
from zerosum.lab.measure.sampling import Figure
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS, Level
from zerosum.solver import load_numpy
from zerosum.solver.table import DRAWN

if TYPE_CHECKING:
    from zerosum.bulk.table import Floats, Longs, Table
    from zerosum.lab.measure.answers import Answers

# Drawn answers have the variance of a mixture with this many more, drawn at random: moves that were
# not seen may still be played.
MORE_ANSWERS = 2
# A difference that is smaller is a rounding error.
SMALLEST = 1e-9


class SeatScore(NamedTuple):
    """How a player's games on one seat end, as chances; a faulty answer loses at once."""

    wins: float
    losses: float
    draws: float
    endless: float

    @property
    def score(self) -> float:
        """The expected score: 1 for a win, ½ for a draw, endless or not."""
        return self.wins + (self.draws + self.endless) / 2


class Noise(NamedTuple):
    """How far a score may be off because answers were drawn: its standard deviation, and a limit.

    Games that are endless with the moves that were drawn may end after all, by rare ones; `limit`
    is the score if they do, and otherwise the score itself.
    """

    deviation: float
    limit: float


class Score(NamedTuple):
    """How a player does against a level, moving first and moving second; exact without `noise`."""

    level: Level
    first: SeatScore
    second: SeatScore
    noise: tuple[Noise, Noise] | None = None

    @property
    def overall(self) -> float:
        """The expected score if each moves first half the time."""
        return (self.first.score + self.second.score) / 2

    @property
    def figures(self) -> tuple[Figure, Figure, Figure]:
        """The scores moving first, moving second, and over both seats, with their intervals."""
        scores = self.first.score, self.second.score, self.overall
        if self.noise is None:
            first, second, both = map(Figure.exactly, scores)
        else:
            (one, limit), (other, last) = self.noise
            # No position is on both seats, so that their noise is independent.
            noise = (one, limit), (other, last), (hypot(one, other) / 2, (limit + last) / 2)
            first, second, both = (
                Figure.around(score, *part) for score, part in zip(scores, noise, strict=True)
            )
        return first, second, both


class Worst(NamedTuple):
    """The score of a player against the opponent that knows it best, moving first and second.

    `exploitability` is how much that opponent gains over best play on both sides, the mean of both
    seats.
    """

    first: float
    second: float
    exploitability: float


def scores_of(answers: Answers) -> tuple[tuple[Score, ...], Worst | None]:
    """Compute the scores from all answers that the player's own play can lead to.

    There is no worst score if answers were drawn: a best response would exploit their noise too.
    """
    np = load_numpy()
    rows = np.stack([level_policy(answers.table, level) for level in LEVELS])
    seats: list[list[SeatScore]] = []
    noise: list[list[Noise]] = []
    worst: list[float] = []
    for seat in (0, 1):
        table, policy, number = answers.seated(seat)
        levels = np.zeros((len(LEVELS), len(policy)))
        levels[:, number] = rows
        ends = _chain(table, levels, policy).ends_from_start(_pairs(seat))
        ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
        seats.append([SeatScore(*row) for row in ends[:, [seat, 1 - seat, 2, 3]].tolist()])
        if answers.drawn:
            noise.append(_noise(table, levels, policy, seat, answers.samples))
        else:
            response = best_response(table, policy, 1 - seat)
            worst.append(1 - float(response.score[table.start]))
    if answers.drawn:
        return tuple(map(Score, LEVELS, *seats, zip(*noise, strict=True))), None
    # Under best play the two seats share one point, so that their mean is ½.
    exploitability = max(0.0, 0.5 - sum(worst) / 2)
    return tuple(map(Score, LEVELS, *seats)), Worst(worst[0], worst[1], exploitability)


def _chain(table: Table[Any], levels: Floats, policy: Floats) -> Chain:
    """Return the chain of the levels and a policy, which is the last."""
    return Chain(table, load_numpy().concatenate((levels, policy[None])))


def _pairs(seat: int) -> Longs:
    """Return the pairs of such a chain with the policy on a seat, one for each level."""
    np = load_numpy()
    pairs: Longs = np.stack((np.arange(len(LEVELS)), np.full(len(LEVELS), len(LEVELS))), axis=1)
    return pairs if seat else pairs[:, ::-1]


def _noise(
    table: Table[Any], levels: Floats, policy: Floats, seat: int, samples: Longs
) -> list[Noise]:
    """Return the noise of the score against each level.

    To first order, what one more draw of a move changes is the value of the position after it, as
    often as the position before it is visited; draws are independent. Both are taken from what was
    drawn and from a mixture with more answers, whichever deviates more: so it is 0 only if no
    moves at all would make a difference.
    """
    np = load_numpy()
    count = np.append(samples, 0)[: len(table)]  # a forfeited game has an end of its own
    states = np.flatnonzero((count > 0) & (table.player == seat))
    edges, begins = table.edges_from(states)
    choices = np.diff(begins, append=len(edges))
    many, random = np.repeat(count[states], choices), np.repeat(1 / choices, choices)
    mixture = policy.copy()
    mixture[edges] = (many * policy[edges] + MORE_ANSWERS * random) / (many + MORE_ANSWERS)
    chains = [_chain(table, levels, row) for row in (policy, mixture)]
    found: list[Noise] = []
    for pair in _pairs(seat)[:, None]:  # one by one, for memory
        deviations, scores, endless = [], [], []
        for chain in chains:
            ends = chain.ends(pair)[:, 0]
            value = ends[:, seat] + (ends[:, DRAWN] + ends[:, ENDLESS]) / 2
            scores.append(float(value[table.start]))
            endless.append(float(ends[table.start, ENDLESS]))
            then, weight = value[table.targets[edges]], mixture[edges]
            mean = np.bincount(table.sources[edges], weight * then, len(table))
            off = (then - mean[table.sources[edges]]) ** 2
            variance = np.bincount(table.sources[edges], weight * off, len(table))[states]
            visits = chain.visits(pair)[states, 0]
            deviations.append(float(np.sqrt((visits**2 * variance / count[states]).sum())))
        ends_later = abs(endless[0] - endless[1]) > SMALLEST
        deviation = max(deviations)
        found.append(Noise(deviation if deviation > SMALLEST else 0.0, scores[ends_later]))
    return found
