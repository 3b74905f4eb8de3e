"""Whether a game is too large for a table: told from a sample of positions."""

from bisect import bisect, bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import ceil, inf, log, sqrt
from random import Random
from time import monotonic
from typing import Generic

from zerosum.limits import SAMPLE_CALLS, SAMPLE_SECONDS
from zerosum.protocol import Game, S

# Up to this limit, a walk over the positions is as quick as a sample.
SMALL = 30_000
# Samples are drawn this many random moves past the walk's positions.
DEPTHS = (2, 4, 8, 12, 16, 24, 32, 64, 128)
# Ends repeat more often than other positions, so a game that ends too soon is played again.
TRIES = 8
# How often a depth's samples are looked at, in units of the fewest that suffice.
LOOKS = (1.0, 1.25, 1.5, 2.0)
# A look is wrong with a probability of at most exp(-SURE): together, less than once in 10^9.
SURE = 27.0
# The repetitions that give an estimate of the positions, and the factor by which it has to grow
# in two depths for deeper samples to be of use.
ENOUGH, GROWTH = 8, 1.25


def surely_larger(
    game: Game[S],
    limit: int,
    starts: Sequence[S],
    key: Callable[[S], S] | None = None,
    deadline: float = inf,
    seed: int = 0,
) -> bool:
    """Return whether more than `limit` positions can follow some; by chance wrong once in 10^9.

    It draws positions at random and counts repetitions. Among n draws from at most `limit`
    positions, these are rarest if all are equally likely; if even then this few would be next to
    impossible, there are more positions. False means only that there may be fewer. Positions with
    the same `key` count once.
    """
    if limit < SMALL or not starts:
        return False
    sample = _Sampler(game, key, Random(seed), min(deadline, monotonic() + SAMPLE_SECONDS))  # noqa: S311
    seeming: list[float] = []
    for depth in DEPTHS:
        seeming.append(sample.seeming(limit, starts, [depth], [1.0]))
        if seeming[-1] == inf:
            return True
        if sample.spent or (len(seeming) > 2 and seeming[-1] < GROWTH * seeming[-3]):
            break
    # No depth is enough alone: draw from all, each as often as it has positions.
    depths = range(1, DEPTHS[len(seeming) - 1] + 1)
    shares = [_between(depth, seeming) for depth in depths]
    return not sample.spent and sample.seeming(limit, starts, depths, shares) == inf


def doubt(draws: int, repeats: int, limit: int) -> float:
    """Bound the log of the chance of this few repetitions among `limit` positions.

    While at most `repeats` of the draws were repetitions, draw i repeats an earlier one with a
    chance of at least (i - repeats) / limit: Chernoff's bound for the sum of independent trials.
    The number of distinct draws is largest where all are equally likely (Wong and Yue, 1973).

    >>> round(doubt(10_393, 0, 2_000_000), 1), doubt(100, 50, 2_000_000)
    (-27.0, 0.0)
    """
    distinct = draws - repeats
    expected = distinct * (distinct - 1) / (2 * limit)
    if expected <= repeats:
        return 0.0
    return repeats - expected + (repeats * log(expected / repeats) if repeats else 0.0)


def _between(depth: int, seeming: Sequence[float]) -> float:
    """Estimate the positions at a depth, from those next to it."""
    after = bisect_left(DEPTHS, depth, hi=len(seeming) - 1)
    if not after or DEPTHS[after] == depth:
        return seeming[after]
    low, high = DEPTHS[after - 1], DEPTHS[after]
    part = (depth - low) / (high - low)
    return (1 - part) * seeming[after - 1] + part * seeming[after]


class _Sampler(Generic[S]):
    """Draws from a game's positions, within a budget of rule calls and time."""

    def __init__(
        self, game: Game[S], key: Callable[[S], S] | None, rng: Random, deadline: float
    ) -> None:
        self.game = game
        self.random = rng.random
        self.deadline = deadline
        self.key: Callable[[S], S] = key or (lambda state: state)
        self.calls = 0

    @property
    def spent(self) -> bool:
        """Whether the budget is spent."""
        return self.calls > SAMPLE_CALLS or monotonic() > self.deadline

    def seeming(
        self, limit: int, starts: Sequence[S], depths: Sequence[int], shares: Sequence[float]
    ) -> float:
        """Estimate the positions at some depths; inf for surely too many.

        A depth is drawn by its share: any shares will do for the bound.
        """
        edges = list(accumulate(shares))
        fewest = sqrt(2 * limit * SURE)
        looks = {ceil(look * fewest) + 1 for look in LOOKS}
        seen = set()
        draws = repeats = 0
        # Three times the limit or less: even the last look may not be enough.
        while draws < max(looks) and repeats < ENOUGH + draws * draws / (7 * limit):
            depth = depths[min(bisect(edges, self.random() * edges[-1]), len(depths) - 1)]
            seen.add(self.key(self._draw(starts, depth)))
            draws += 1
            repeats = draws - len(seen)
            if draws in looks and doubt(draws, repeats, limit) < -SURE:
                return inf
            if self.spent:
                break
        return draws * draws / (2 * repeats + 1)

    def _draw(self, starts: Sequence[S], depth: int) -> S:
        """Play some random moves from a position, preferably without reaching an end."""
        play = self.game.play
        random = self.random
        tries = TRIES
        while True:
            state = starts[int(random() * len(starts))]
            tries -= 1
            for _ in range(depth):
                self.calls += 2
                # None after the end, as in a table, whatever the rules list there.
                moves = self.game.moves(state) if self.game.outcome(state) is None else ()
                if not moves:
                    break
                state = play(state, moves[int(random() * len(moves))])
            else:
                return state
            if not tries:
                return state
