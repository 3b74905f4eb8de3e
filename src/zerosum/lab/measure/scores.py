"""The score of a player from the start of a game: against every level, and at worst.

It is exact if the chances of all answers are known. If moves were drawn, it is the score of the
mixture that was drawn, with the noise of the draws.
"""

from collections.abc import Sequence
from math import hypot
from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.chain import ENDLESS, Chain
from zerosum.bulk.policies import best_response
from zerosum.bulk.table import Floats, Longs, Table
from zerosum.lab.measure.interview import Answers
from zerosum.lab.measure.measurement import AgainstLevel, SeatScore, WorstScore
from zerosum.lab.measure.sampling import Figure
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS
from zerosum.solver.table import DRAWN

# Drawn answers have the variance of a mixture with this many more, drawn at random: moves that were
# not seen may still be played.
MORE_ANSWERS = 2
# A difference that is smaller is a rounding error.
SMALLEST = 1e-9


class Noise(NamedTuple):
    """How far a score may be off because answers were drawn: its standard deviation, and a limit.

    Games that are endless with the moves that were drawn may end after all, by rare ones; `limit`
    is the score if they do, and otherwise the score itself.
    """

    deviation: float
    limit: float


def scores_of(answers: Answers) -> tuple[tuple[AgainstLevel, ...], WorstScore | None]:
    """Compute the scores from all answers that the player's own play can lead to.

    There is no worst score if answers were drawn: a best response would exploit their noise too.
    """
    rows = np.stack([level_policy(answers.table, level) for level in LEVELS])
    seats: list[list[tuple[SeatScore, Noise]]] = []
    worst: list[float] = []
    for seat in (0, 1):
        table, levels, policy = _seated(answers, rows, seat)
        ends = Chain(table, np.vstack((levels, policy))).ends_from_start(_pairs(seat))
        ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
        noise: Sequence[Noise | None] = [None] * len(LEVELS)
        if answers.drawn:
            noise = _noise(table, levels, policy, seat, answers.samples)
        else:
            response = best_response(table, policy, 1 - seat)
            worst.append(1 - float(response.score[table.start]))
        ended = ends[:, [seat, 1 - seat, 2, 3]].tolist()
        seats.append([_seat_score(*pair) for pair in zip(ended, noise, strict=True)])
    against = []
    for level, (first, one), (second, other) in zip(LEVELS, *seats, strict=True):
        # No position is on both seats: their noise is independent.
        deviation = hypot(one.deviation, other.deviation) / 2
        overall = (first.score + second.score) / 2
        both = Figure.around(overall, deviation, (one.limit + other.limit) / 2)
        against.append(AgainstLevel(level, first, second, overall, both.low, both.high))
    if not worst:
        return tuple(against), None
    # Under best play the two seats share one point, so that their mean is ½.
    mean = sum(worst) / 2
    return tuple(against), WorstScore(worst[0], worst[1], mean, max(0.0, 0.5 - mean))


def _seat_score(ends: list[float], noise: Noise | None) -> tuple[SeatScore, Noise]:
    """Return the score on a seat by the chances of each end, and its noise; None if exact."""
    wins, losses, draws, endless = ends
    score = wins + (draws + endless) / 2
    noise = noise or Noise(0.0, score)
    figure = Figure.around(score, noise.deviation, noise.limit)
    return SeatScore(wins, losses, draws, endless, score, figure.low, figure.high), noise


def _seated(answers: Answers, rows: Floats, seat: int) -> tuple[Table[Any], Floats, Floats]:
    """Return a table in which faulty answers on a seat lose, and policies of its edges.

    `rows` are those of the levels; the player's is random where there is no answer.
    """
    table, sources = answers.table, answers.table.sources
    forfeits = (answers.lost > 0) & (table.player == seat)
    seated, number = table.forfeiting(forfeits, 1 - seat)
    levels = np.zeros((len(LEVELS), len(seated.targets)))
    levels[:, number] = rows
    unknown = ~answers.known | (table.player != seat)
    policy = np.zeros(len(seated.targets))
    policy[number] = np.where(unknown[sources], 1 / answers.choices[sources], answers.chances)
    policy[seated.targets == len(table)] = answers.lost[forfeits]
    return seated, levels, policy


def _pairs(seat: int) -> Longs:
    """Return the pairs of a level and the policy, which comes last, with the policy on a seat."""
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
    count = np.append(samples, 0)[: len(table)]  # a forfeited game has an end of its own
    states = np.flatnonzero((count > 0) & (table.player == seat))
    edges, begins = table.edges_from(states)
    choices = np.diff(begins, append=len(edges))
    many = np.repeat(count[states], choices)
    random = np.repeat(1 / choices, choices)
    mixture = policy.copy()
    mixture[edges] = (many * policy[edges] + MORE_ANSWERS * random) / (many + MORE_ANSWERS)
    chains = [Chain(table, np.vstack((levels, row))) for row in (policy, mixture)]
    found: list[Noise] = []
    for pair in _pairs(seat)[:, None]:  # one by one, for memory
        deviations, scores, endless = [], [], []
        for chain in chains:
            ends = chain.ends(pair)[:, 0]
            value = ends[:, seat] + (ends[:, DRAWN] + ends[:, ENDLESS]) / 2
            scores.append(float(value[table.start]))
            endless.append(float(ends[table.start, ENDLESS]))
            then = value[table.targets[edges]]
            weight = mixture[edges]
            mean = np.bincount(table.sources[edges], weight * then, len(table))
            off = (then - mean[table.sources[edges]]) ** 2
            variance = np.bincount(table.sources[edges], weight * off, len(table))[states]
            visits = chain.visits(pair)[states, 0]
            deviations.append(float(np.sqrt((visits**2 * variance / count[states]).sum())))
        ends_later = abs(endless[0] - endless[1]) > SMALLEST
        deviation = max(deviations)
        found.append(Noise(deviation if deviation > SMALLEST else 0.0, scores[ends_later]))
    return found
