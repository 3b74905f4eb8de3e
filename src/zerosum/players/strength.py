"""How strong levels are, exactly: against each other, and after each move; nothing is sampled."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from zerosum.bulk.chain import Chain
from zerosum.bulk.table import Floats, Table
from zerosum.errors import NotSolved, TooLarge
from zerosum.limits import CHANCE_POSITIONS, QUICK_POSITIONS, Limits
from zerosum.players.level_policies import LARGEST_CYCLE, chain_of, is_small, kept_chain, numbered
from zerosum.players.levels import LEVELS, Level
from zerosum.protocol import Move, S
from zerosum.solver import solve_table
from zerosum.solver.retrograde import SolvedTable
from zerosum.solver.solution import Solution
from zerosum.states import largest

OPPONENT: Level = "medium"


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
        """The expected score of the first player: 1 for a win, ½ for a draw, endless or not."""
        return self.first + (self.draw + self.endless) / 2

    @property
    def other_score(self) -> float:
        """The expected score of the second player, computed on its own so that 0 is exactly 0."""
        return self.second + (self.draw + self.endless) / 2


class Strengths(NamedTuple):
    """How every level does against every other; in a pair, the first moves first."""

    chances: dict[tuple[Level, Level], Chances]

    def overall(self, level: Level, other: Level) -> float:
        """Return the expected score of a level against another; each moves first half the time."""
        return (self.chances[level, other].score + self.chances[other, level].other_score) / 2


def strengths(solution: Solution[Any]) -> Strengths:
    """Compute the chances of all pairs of levels, from the start of a game.

    This needs the whole table; for a game solved by its theory, one is made.

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
    """Compute the chances of some pairs of levels, from the start of a game.

    >>> import zerosum
    >>> chain = chain_of(zerosum.solve(zerosum.game("even-steven", start=3)))
    >>> chances_between(chain, [("easy", "hard")])
    {('easy', 'hard'): Chances(first=1.0, second=0.0, draw=0.0, endless=0.0)}
    """
    ends = chain.ends_from_start(numbered(pairs)).tolist()
    return dict(zip(pairs, map(Chances.of, ends), strict=True))


def chances_of(solution: Solution[S], state: S) -> dict[Move, float]:
    """Return the exact chance of the perfect level to beat medium after each legal move.

    It is {} if a game is too large for that, and for a position outside the table.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("docs/examples/noughts_and_crosses.py"))
    >>> chances = chances_of(solution, solution.game.initial())
    >>> {move: f"{chances[move]:.1%}" for move in ("a1", "b1", "b2")}
    {'a1': '45.9%', 'b1': '49.0%', 'b2': '50.8%'}
    """
    game, solved = solution.game, solution.table(state)
    key: Solution[Any] | SolvedTable[Any] = solution if solved is None else solved
    if key not in _wins:
        _wins[key] = None
        with suppress(TooLarge):
            _wins[key] = _computed(solution, solved)
    found = _wins[key]
    if found is None:
        return {}
    table, wins = found
    try:
        after = {move: table.index_of(game.play(state, move)) for move in game.moves(state)}
    except NotSolved:
        return {}
    return {move: float(wins[place, state.player]) for move, place in after.items()}


# A table with the chance of either seat to win from each of its states, for what it belongs to.
_wins: WeakKeyDictionary[Any, tuple[Table[Any], Floats] | None] = WeakKeyDictionary()


def _computed(
    solution: Solution[S], solved: SolvedTable[S] | None
) -> tuple[Table[S], Floats] | None:
    """Solve the games of both seats against the opponent, unless there are too many positions."""
    made = solved
    if made is None and largest(solution.game.initial()) < QUICK_POSITIONS:
        made = solve_table(solution.game, Limits(CHANCE_POSITIONS)).solved
    if made is None or not is_small(len(made.graph.targets), len(made.graph)):
        return None
    chain = chain_of(solution, made) if solved is None else kept_chain(solution, made)
    if chain.table.plan.largest_cycle > LARGEST_CYCLE:
        return None
    ends = chain.ends(numbered([("perfect", OPPONENT), (OPPONENT, "perfect")]))
    # The pair with the perfect player on seat p is number p, and end p is a win for that seat.
    wins = np.stack([ends[:, seat, seat] for seat in (0, 1)], axis=1)
    return chain.table, wins / ends.sum(axis=2)
