"""How strong levels are, exactly: against each other, and after each move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.errors import NotSolved
from zerosum.players.level_policies import chain_of, numbered, small_chain
from zerosum.players.levels import LEVELS, Level
from zerosum.protocol import Move, S
from zerosum.solver.solution import Solution


class Chances(NamedTuple):
    """How a game ends: won by the first player, by the second, drawn, or never."""

    first: float
    second: float
    draw: float
    endless: float

    @classmethod
    def of(cls, ends: Sequence[float]) -> Chances:
        """Take the ends of a chain, whose sum is 1 but for rounding."""
        total = sum(ends)
        return cls(*(end / total for end in ends))

    @property
    def score(self) -> float:
        """The first player's expected score: 1 for a win, ½ for a draw, endless or not."""
        return self.first + (self.draw + self.endless) / 2

    @property
    def other_score(self) -> float:
        """The second player's expected score, computed on its own so that 0 is exactly 0."""
        return self.second + (self.draw + self.endless) / 2


class Strengths(NamedTuple):
    """How levels do against each other; in a pair, the first moves first."""

    chances: dict[tuple[Level, Level], Chances]

    def overall(self, level: Level, other: Level) -> float:
        """Return a level's expected score against another; each moves first half the time."""
        return (self.chances[level, other].score + self.chances[other, level].other_score) / 2


def strengths(solution: Solution[Any]) -> Strengths:
    """Compute the chances of all pairs of levels, from a game's start.

    This needs the whole table, which is made if there is a theory.

    >>> import zerosum
    >>> exact = strengths(zerosum.solve(zerosum.game("dual-digits", start=3)))
    >>> exact.chances["random", "random"]
    Chances(first=0.3333333333333333, second=0.6666666666666666, draw=0.0, endless=0.0)
    >>> exact.overall("perfect", "random")
    0.8333333333333333
    """
    pairs = [(first, second) for first in LEVELS for second in LEVELS]
    return Strengths(chances_between(chain_of(solution), pairs))


def chances_between(
    chain: Chain, pairs: Sequence[tuple[Level, Level]]
) -> dict[tuple[Level, Level], Chances]:
    """Compute the chances of some pairs of levels, from a game's start.

    >>> import zerosum
    >>> chain = chain_of(zerosum.solve(zerosum.game("even-steven", start=3)))
    >>> chances_between(chain, [("easy", "hard")])
    {('easy', 'hard'): Chances(first=1.0, second=0.0, draw=0.0, endless=0.0)}
    """
    ends = chain.ends_from_start(numbered(pairs)).tolist()
    return dict(zip(pairs, map(Chances.of, ends), strict=True))


def chances_of(solution: Solution[S], state: S) -> dict[Move, float]:
    """Return the perfect level's exact chance to beat medium after each legal move.

    It is {} if a game is too large for that, and for a position outside the table.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("docs/examples/noughts_and_crosses.py"))
    >>> chances = chances_of(solution, solution.game.initial())
    >>> {move: f"{chances[move]:.1%}" for move in ("a1", "b1", "b2")}
    {'a1': '45.9%', 'b1': '49.0%', 'b2': '50.8%'}
    """
    chain, game = small_chain(solution, state), solution.game
    if chain is None or chain.wins is None:
        return {}
    try:
        after = {move: chain.table.index_of(game.play(state, move)) for move in game.moves(state)}
    except NotSolved:
        return {}
    return {move: float(chain.wins[place, state.player]) for move, place in after.items()}
