"""The size of a game: its positions, its moves, and its ends by winner and reason."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, is_symmetric


class FinalPositions(NamedTuple):
    """The positions in which a game ends in one way: the seat that wins, None for a draw; why."""

    winner: int | None
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

    A final position that either seat can reach as the winner counts as an end for both.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> solution = zerosum.solve(zerosum.game("docs/examples/last_stick.py", start=2))
    >>> size(solution, chain_of(solution)).ends
    (FinalPositions(winner=0, reason='their opponent took the last stick', positions=1), \
FinalPositions(winner=1, reason='their opponent took the last stick', positions=1))
    """
    game, table = solution.game, chain.table
    final = (table.winner >= 0) & table.reachable
    counts: Counter[tuple[int, str]] = Counter()
    for index in chain.np.flatnonzero(final).tolist():
        outcome = game.outcome(table.state(index))
        counts[int(table.winner[index]), str(outcome.reason) if outcome else ""] += 1
    ends = [
        FinalPositions(None if winner == DRAWN else winner, reason, count)
        for (winner, reason), count in sorted(counts.items())
    ]
    moves = len(table.targets) >> table.symmetric  # a state of a symmetric game is there twice
    return Size(len(table.states), is_symmetric(game), moves, tuple(ends))
