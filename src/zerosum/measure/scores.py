"""The exact score of a player from the start of a game: against every level, and at worst."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.bulk.policies import best_response
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS, Level
from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.measure.answers import Answers


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


class Score(NamedTuple):
    """How a player does against a level, moving first and moving second."""

    level: Level
    first: SeatScore
    second: SeatScore

    @property
    def overall(self) -> float:
        """The expected score if each moves first half the time."""
        return (self.first.score + self.second.score) / 2


class Worst(NamedTuple):
    """The score of a player against the opponent that knows it best, moving first and second.

    `exploitability` is how much that opponent gains over best play on both sides, the mean of both
    seats.
    """

    first: float
    second: float
    exploitability: float


def scores_of(answers: Answers) -> tuple[tuple[Score, ...], Worst]:
    """Compute the scores from all answers that the player's own play can lead to."""
    np, table = load_numpy(), answers.table
    policies = np.stack([*(level_policy(table, level) for level in LEVELS), answers.policy])
    levels, player = np.arange(len(LEVELS)), np.full(len(LEVELS), len(LEVELS))
    seats: list[list[SeatScore]] = []
    worst: list[float] = []
    for seat in (0, 1):
        # A faulty answer ends the game only where the player sits.
        ended, left = table.ending_at(answers.faulty & (table.player == seat), 1 - seat)
        pairs = np.stack((levels, player) if seat else (player, levels), axis=1)
        ends = Chain(ended, policies[:, left]).ends_from_start(pairs)
        ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
        seats.append([SeatScore(*row) for row in ends[:, [seat, 1 - seat, 2, 3]].tolist()])
        response = best_response(ended, policies[-1, left], 1 - seat)
        worst.append(1 - float(response.score[table.start]))
    scores = tuple(map(Score, LEVELS, *seats))
    # Under best play the two seats share one point, so that their mean is ½.
    return scores, Worst(worst[0], worst[1], max(0.0, 0.5 - sum(worst) / 2))
