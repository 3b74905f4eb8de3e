"""The exact chance of the perfect level to beat a fallible one after each move."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic
from weakref import WeakKeyDictionary

from zerosum.bulk.table import Table
from zerosum.errors import NotSolved, TooLarge
from zerosum.limits import Limits
from zerosum.players.level_policies import LARGEST_CYCLE, chain_of, is_small, kept_chain, numbered
from zerosum.players.levels import Level
from zerosum.protocol import Move, S
from zerosum.solver import QUICK_LIMIT, load_numpy, solve_table
from zerosum.solver.solution import Solution
from zerosum.states import largest

if TYPE_CHECKING:
    from zerosum.bulk.table import Floats

OPPONENT: Level = "medium"
MOST_POSITIONS = 5_000  # of a table that has to be made first


class Prospects(Generic[S]):
    """The chances of the perfect level against the opponent, from every position of a table."""

    def __init__(self, table: Table[S], wins: Floats) -> None:
        """Take a table, and for each of its states the chance of either seat to win."""
        self.table, self.wins = table, wins

    def moves(self, solution: Solution[S], state: S) -> dict[Move, float]:
        """Return the chance to win after each legal move; {} for a position not in the table."""
        game = solution.game
        after = {move: game.play(state, move) for move in game.moves(state)}
        try:
            places = {move: self.table.index_of(then) for move, then in after.items()}
        except NotSolved:
            return {}
        return {move: float(self.wins[place, state.player]) for move, place in places.items()}


def prospects_of(solution: Solution[S]) -> Prospects[S] | None:
    """Return the chances of the perfect level against medium; None if a game is too large for that.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("docs/examples/noughts_and_crosses.py"))
    >>> state = solution.game.initial()
    >>> chances = prospects_of(solution).moves(solution, state)
    >>> {move: f"{chances[move]:.1%}" for move in ("a1", "b1", "b2")}
    {'a1': '45.9%', 'b1': '49.0%', 'b2': '50.8%'}
    """
    if solution not in _known:
        _known[solution] = None
        with suppress(TooLarge):
            _known[solution] = _computed(solution)
    return _known[solution]


_known: WeakKeyDictionary[Solution[Any], Prospects[Any] | None] = WeakKeyDictionary()


def _computed(solution: Solution[S]) -> Prospects[S] | None:
    """Solve the games of both seats against the opponent, unless there are too many positions."""
    np = load_numpy()
    solved = solution.solved
    if solved is None and largest(solution.game.initial()) < QUICK_LIMIT:
        solved = solve_table(solution.game, Limits(MOST_POSITIONS)).solved
    if solved is None or not is_small(len(solved.graph.targets), len(solved.graph)):
        return None
    chain = chain_of(solution, solved) if solution.solved is None else kept_chain(solution)
    if chain.table.plan.largest_cycle > LARGEST_CYCLE:
        return None
    ends = chain.ends(numbered([("perfect", OPPONENT), (OPPONENT, "perfect")]))
    # The pair with the perfect player on seat p is number p, and end p is a win for that seat.
    wins = np.stack([ends[:, seat, seat] for seat in (0, 1)], axis=1)
    return Prospects(chain.table, wins / ends.sum(axis=2))
