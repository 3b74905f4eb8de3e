"""The score of a player from the start of a game, and what its errors cost, against every level.

Both are exact if the chances of all answers are known. If moves were drawn, they are those of the
mixture that was drawn, with the noise of the draws.
"""

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


class DrawnFigure(NamedTuple):
    """A figure, and how far it may be off because answers were drawn: its standard deviation.

    Games that are endless with the moves that were drawn may end after all, by rare ones; `limit`
    is the figure if they do, and otherwise the figure itself.
    """

    value: float
    deviation: float
    limit: float


class SeatGames(NamedTuple):
    """The games of a player on a seat against a level.

    Their ends are won, lost, drawn and endless; `thrown` is None if it has no bound.
    """

    ends: tuple[float, float, float, float]
    score: DrawnFigure
    thrown: DrawnFigure | None

    @property
    def seat_score(self) -> SeatScore:
        """The same as a document says it."""
        figure = Figure.around(*self.score)
        thrown = self.thrown and Figure.from_zero(*self.thrown)
        wins, losses, draws, endless = self.ends
        return SeatScore(
            wins, losses, draws, endless, figure.value, figure.low, figure.high, thrown
        )


class Seated(NamedTuple):
    """A player on a seat: a table in which its faulty answers lose, with policies of its edges.

    `levels` has a row for each level. `regret` is what each edge of the player throws away.
    """

    seat: int
    table: Table[Any]
    levels: Floats
    policy: Floats
    regret: Floats

    @property
    def pairs(self) -> Longs:
        """The pairs of a level and the policy, which comes last, with the policy on its seat."""
        count = len(self.levels)
        pairs: Longs = np.stack((np.arange(count), np.full(count, count)), axis=1)
        return pairs if self.seat else pairs[:, ::-1]

    def chain(self, policy: Floats) -> Chain:
        """Return the chain of the levels and a policy."""
        return Chain(self.table, np.vstack((self.levels, policy)))

    def thrown(self, policy: Floats) -> Floats:
        """Return what a policy throws away in each state, on average."""
        thrown = np.bincount(self.table.sources, policy * self.regret, len(self.table))
        return thrown.astype(float)


def scores_of(answers: Answers) -> tuple[tuple[AgainstLevel, ...], WorstScore | None]:
    """Compute the scores from all answers that the player's own play can lead to.

    There is no worst score if answers were drawn: a best response would exploit their noise too.
    """
    rows = np.stack([level_policy(answers.table, level) for level in LEVELS])
    seats = [_seated(answers, rows, seat) for seat in (0, 1)]
    against = []
    for level, *games in zip(LEVELS, *(_games(seated, answers) for seated in seats), strict=True):
        both = Figure.around(*_mean(*(game.score for game in games)))
        known = [game.thrown for game in games if game.thrown]
        thrown = Figure.from_zero(*_mean(*known)) if len(known) == len(games) else None
        first, second = (game.seat_score for game in games)
        against.append(AgainstLevel(level, first, second, both.value, both.low, both.high, thrown))
    if answers.drawn:
        return tuple(against), None
    first, second = (
        1
        - float(
            best_response(seated.table, seated.policy, 1 - seated.seat).score[seated.table.start]
        )
        for seated in seats
    )
    # Under best play the two seats share one point, so that their mean is ½.
    mean = (first + second) / 2
    return tuple(against), WorstScore(first, second, mean, max(0.0, 0.5 - mean))


def _mean(first: DrawnFigure, second: DrawnFigure) -> DrawnFigure:
    """Return the mean of both seats: no position is on both, so their noise is independent."""
    deviation = hypot(first.deviation, second.deviation) / 2
    value, limit = (first.value + second.value) / 2, (first.limit + second.limit) / 2
    return DrawnFigure(value, deviation, limit)


def _seated(answers: Answers, rows: Floats, seat: int) -> Seated:
    """Seat a player: its policy is random where there is no answer. `rows` are the levels'."""
    table, sources = answers.table, answers.table.sources
    own = table.player == seat
    unknown = ~answers.known | ~own
    policy = np.where(unknown[sources], 1 / answers.choices[sources], answers.chances)
    faulty = np.zeros((len(rows) + 2, len(table)))
    # Whoever answers with a fault throws away all that there is.
    faulty[-2:] = answers.lost, (answers.lost > 0) * (table.value + 1)
    regret = table.regret * own[sources]
    seated, found = with_faults(table, np.vstack((rows, policy, regret)), faulty, seat)
    return Seated(seat, seated, found[:-2], found[-2], found[-1])


def with_faults(
    table: Table[Any], rows: Floats, faulty: Floats, seat: int
) -> tuple[Table[Any], Floats]:
    """Return a table in which a seat's faulty answers lose, at an end, and rows of its edges.

    The edges to that end have what is `faulty` in each position, which has as many rows.
    """
    forfeits = (faulty > 0).any(axis=0) & (table.player == seat) & (table.winner < 0)
    ended, number = table.forfeiting(forfeits, 1 - seat)
    wider: Floats = np.zeros((len(rows), len(ended.targets)))
    wider[:, number] = rows
    wider[:, ended.targets == len(table)] = faulty[:, forfeits]
    return ended, wider


def _games(seated: Seated, answers: Answers) -> list[SeatGames]:
    """Return the games of a player against each level."""
    pairs, chain = seated.pairs, seated.chain(seated.policy)
    ends = chain.ends_from_start(pairs)
    ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
    found = []
    for pair, (*won, drawn, endless) in zip(pairs[:, None], ends.tolist(), strict=True):
        score = won[seated.seat] + (drawn + endless) / 2
        thrown = total_from_start(chain, pair, seated.thrown(seated.policy))
        games = SeatGames(
            (won[seated.seat], won[1 - seated.seat], drawn, endless),
            DrawnFigure(score, 0.0, score),
            None if thrown is None else DrawnFigure(thrown, 0.0, thrown),
        )
        found.append(_with_noise(games, seated, pair, answers) if answers.drawn else games)
    return found


def total_from_start(chain: Chain, pair: Longs, rewards: Floats) -> float | None:
    """Return the expected total of the rewards of the states of a game; None if it has no bound."""
    visits, (endless,) = chain.visits_and_endless(pair)
    if not endless:
        return float(visits[:, 0] @ rewards)
    # Where no reward is left, the game may as well be over: the rest then has to end.
    table = chain.table
    left = rewards > 0
    before = np.zeros_like(left)
    possible = chain.steps(np.arange(len(table.targets)), pair)[:, 0] > 0
    while not np.array_equal(left, before):
        before = left.copy()
        left[table.sources[possible & left[table.targets]]] = True
    over = ~left & (table.winner < 0)
    ended, number = table.forfeiting(over, DRAWN)
    policies = np.zeros((len(chain.policies), len(ended.targets)))
    policies[:, number] = chain.policies * left[table.sources]
    policies[:, ended.targets == len(table)] = 1.0
    visits, (endless,) = Chain(ended, policies).visits_and_endless(pair)
    return None if endless else float(visits[: len(table), 0] @ rewards)


def _with_noise(games: SeatGames, seated: Seated, pair: Longs, answers: Answers) -> SeatGames:
    """Add the noise of drawn answers.

    To first order, what one more draw of a move changes is the value of the position after it, as
    often as the position before it is visited; draws are independent. Both are taken from what was
    drawn and from a mixture with more answers, whichever deviates more: so it is 0 only if no
    moves at all would make a difference.
    """
    table, policy = seated.table, seated.policy
    count = np.append(answers.samples, 0)[: len(table)]  # a forfeited game has an end of its own
    states = np.flatnonzero((count > 0) & (table.player == seated.seat))
    edges, begins = table.edges_from(states)
    choices = np.diff(begins, append=len(edges))
    many = np.repeat(count[states], choices)
    random = np.repeat(1 / choices, choices)
    mixture = policy.copy()
    mixture[edges] = (many * policy[edges] + MORE_ANSWERS * random) / (many + MORE_ANSWERS)
    source, target, weight = table.sources[edges], table.targets[edges], mixture[edges]
    deviations, scores, totals, endless = [], [], [], []
    for row in (policy, mixture):
        chain, rewards = seated.chain(row), seated.thrown(row)
        ends = chain.ends(pair)[:, 0]
        value = ends[:, seated.seat] + (ends[:, DRAWN] + ends[:, ENDLESS]) / 2
        scores.append(float(value[table.start]))
        endless.append(float(ends[table.start, ENDLESS]))
        totals.append(total_from_start(chain, pair, rewards))
        later = chain.totals(pair, rewards)[:, 0]
        visits = chain.visits(pair)[states, 0]
        for then in (value[target], seated.regret[edges] + later[target]):
            mean = np.bincount(source, weight * then, len(table))
            off = (then - mean[source]) ** 2
            variance = np.bincount(source, weight * off, len(table))[states]
            deviations.append(float(np.sqrt((visits**2 * variance / count[states]).sum())))
    ends_later = abs(endless[0] - endless[1]) > SMALLEST
    found = (max(deviations[::2]), max(deviations[1::2]))
    of_score, of_thrown = (some if some > SMALLEST else 0.0 for some in found)
    score = DrawnFigure(games.score.value, of_score, scores[ends_later])
    limit = totals[ends_later]
    if games.thrown is None or limit is None:
        return SeatGames(games.ends, score, None)
    return SeatGames(games.ends, score, DrawnFigure(games.thrown.value, of_thrown, limit))
