"""Whether a game is too large for a table: found out from a sample of its positions."""

from bisect import bisect, bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import ceil, inf, log, sqrt
from random import Random
from time import monotonic
from typing import Generic

from zerosum.protocol import Game, S

# Up to this limit, a walk over the positions is as quick as a sample of them.
SMALL = 30_000
# Samples are drawn this many random moves past the positions where a walk is.
DEPTHS = (2, 4, 8, 12, 16, 24, 32, 64, 128)
# Ends repeat more often than other positions, so a game that ends too soon is played again.
TRIES = 8
# How often the samples of a depth are looked at, in units of the fewest that can be enough.
LOOKS = (1.0, 1.25, 1.5, 2.0)
# A look is wrong with a probability of at most exp(-SURE): together, less than once in 10^9.
SURE = 27.0
# The repetitions that give an estimate of the positions, and the factor by which it has to grow
# in two depths for deeper samples to be of use.
ENOUGH, GROWTH = 8, 1.25
# Rule calls for the whole sample, and seconds for rules that are slow.
MOST_CALLS, MOST_SECONDS = 1_500_000, 10.0


def surely_larger(
    game: Game[S],
    limit: int,
    starts: Sequence[S],
    key: Callable[[S], S] | None = None,
    deadline: float = inf,
    seed: int = 0,
) -> bool:
    """Return whether more than `limit` positions can follow some; by chance wrong once in 10^9.

    It draws positions at random and counts how often one comes up again. Among n draws from at
    most `limit` positions, repetitions are rarest where all are equally likely; if even then so
    few would be next to impossible, there are more positions. False means only that there may be
    fewer. Positions with the same `key` count once.
    """
    if limit < SMALL or not starts:
        return False
    sample = _Sampler(game, key, Random(seed), min(deadline, monotonic() + MOST_SECONDS))  # noqa: S311
    seeming: list[float] = []
    for depth in DEPTHS:
        seeming.append(sample.seeming(limit, starts, [depth], [1.0]))
        if seeming[-1] == inf:
            return True
        if sample.spent or (len(seeming) > 2 and seeming[-1] < GROWTH * seeming[-3]):
            break
    # No depth has enough on its own: draw from all of them, each as often as it has positions.
    depths = range(1, DEPTHS[len(seeming) - 1] + 1)
    shares = [_between(depth, seeming) for depth in depths]
    return not sample.spent and sample.seeming(limit, starts, depths, shares) == inf


def doubt(draws: int, repeats: int, limit: int) -> float:
    """Bound the logarithm of the chance of this few repetitions, if there are `limit` positions.

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
    """Draws from the positions of a game, within a budget of rule calls and of time."""

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
        return self.calls > MOST_CALLS or monotonic() > self.deadline

    def seeming(
        self, limit: int, starts: Sequence[S], depths: Sequence[int], shares: Sequence[float]
    ) -> float:
        """Estimate the positions at some depths; inf if there are surely too many.

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
        """Play some random moves from one of the positions, preferably without reaching an end."""
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
