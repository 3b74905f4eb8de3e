"""The size of a game: its positions, its moves, and its ends by winner and reason."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, is_symmetric

# The winners of a final position, in the order in which they are listed.
EITHER = -1
WINNERS: dict[int, int | Literal["either"] | None] = {EITHER: "either", 0: 0, 1: 1, DRAWN: None}


class FinalPositions(NamedTuple):
    """The positions in which a game ends in one way, and why; the winner is None for a draw.

    It is "either" where equal positions are counted once, and each seat wins in one of them.
    """

    winner: int | Literal["either"] | None
    reason: str
    positions: int


class Size(NamedTuple):
    """How large a game is; positions that are equal by symmetry count once if `symmetric`."""

    positions: int
    symmetric: bool
    moves: int
    ends: tuple[FinalPositions, ...]


def size(solution: Solution[Any], chain: Chain) -> Size:
    """Count the positions of a game, the moves between them, and its ends.

    Every position counts once, a final one too.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> solution = zerosum.solve(zerosum.game("docs/examples/last_stick.py", start=2))
    >>> size(solution, chain_of(solution)).ends
    (FinalPositions(winner=0, reason='their opponent took the last stick', positions=1), \
FinalPositions(winner=1, reason='their opponent took the last stick', positions=1))
    """
    game, table = solution.game, chain.table
    final = (table.winner >= 0) & table.reachable
    winners: dict[int, set[int]] = {}  # of each final position, in the seats that can reach it
    each = 1 + table.symmetric  # a state of a symmetric game is there twice
    for index in chain.np.flatnonzero(final).tolist():
        winners.setdefault(index // each, set()).add(int(table.winner[index]))
    counts: Counter[tuple[int, str]] = Counter()
    for number, seats in winners.items():
        outcome = game.outcome(table.states[number])
        winner = seats.pop() if len(seats) == 1 else EITHER
        counts[winner, str(outcome.reason) if outcome else ""] += 1
    ends = [
        FinalPositions(WINNERS[winner], reason, count)
        for (winner, reason), count in sorted(counts.items())
    ]
    moves = len(table.targets) // each
    return Size(len(table.states), is_symmetric(game), moves, tuple(ends))
