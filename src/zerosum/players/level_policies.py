"""Players as policies: the chance of every edge of a table, `policy` in bulk; and back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from zerosum.bulk.chain import Chain
from zerosum.bulk.policies import check_policy
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.errors import TooLarge
from zerosum.limits import (
    CHANCE_CYCLE,
    CHANCE_MOVES,
    CHANCE_POSITIONS,
    LEVELS_KNOW,
    QUICK,
    Limits,
)
from zerosum.players.asked import answer_of
from zerosum.players.levels import LEVELS, MOST_TRAPS, SLIPS, Level, check_level
from zerosum.protocol import Game, Move, S
from zerosum.solver import solve, solved_table, table_of
from zerosum.solver.solution import Solution
from zerosum.solver.table import SolvedTable, is_symmetric
from zerosum.solver.theory import theory_of
from zerosum.states import largest

OPPONENT: Level = "medium"

# A smaller gain may be a rounding error, and differ in a part of a table.
GAIN = 1e-9


def level_policy(table: Table[Any], level: str) -> Floats:
    """Return the exact chance of every edge at a level.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> level_policy(table, "easy")[:2].tolist()
    [0.25, 0.75]
    """
    name, game = cast(Level, check_level(level)), table.game
    patient = theory_of(game) is None or solve(game).solved is not None
    row: Floats = _policies(table, patient, [name])[0]
    if name != "perfect" or table.symmetric or not is_symmetric(game):
        return row
    # Positions that are equal by symmetry are played equally: see `perfect`.
    same = Table.of(game, solved_table(game))
    (chosen,) = _policies(same, patient, [name])
    wanted = np.full(len(same), -1)
    wanted[same.sources[chosen > 0]] = same.targets[chosen > 0]
    equal = np.array([same.index_of(state) for state in table.states])
    keeps = equal[table.targets] == wanted[equal[table.sources]]
    number = np.where(keeps, np.arange(len(keeps)), len(keeps))
    first: Floats = 1.0 * (keeps & (number == _spread(np.minimum, number, table)))
    return first


def policy_of(table: Table[Any], player: Any) -> Floats:
    """Return a player as the chance of every edge of a table.

    A level has its exact chances, an array is checked, and a Bot or a function
    `choose(game, state)` is asked once about every position. If it answers with a move, that move
    has all the chance: a player that draws its moves should answer with their chances.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> policy_of(table, lambda game, state: game.moves(state)[-1])[:2].tolist()
    [0.0, 1.0]
    """
    if isinstance(player, str):
        return level_policy(table, player)
    if not callable(getattr(player, "move", player)):
        return check_policy(table, player)
    chances: list[float] = []
    for index in np.flatnonzero(np.diff(table.offsets)).tolist():
        answer = answer_of(table.game, player, table.state(index))
        chances += [answer.get(move, 0.0) for move in table.moves_of(index)]
    return check_policy(table, chances)


class PolicyPlayer:
    """A function `choose(game, state)` that plays by a policy of a table.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> choose = PolicyPlayer(table, level_policy(table, "easy"))
    >>> choose(table.game, table.state(0))
    {1: 0.25, 2: 0.75}
    """

    def __init__(self, table: Table[Any], policy: Any) -> None:
        """Take a table, and an array with the chance of each of its edges."""
        self.table, self.policy = table, check_policy(table, policy)

    def __deepcopy__(self, memo: Any) -> PolicyPlayer:
        """Return the same, which never changes."""
        return self

    def __call__(self, game: Game[Any], state: Any) -> dict[Move, float]:
        """Return the legal moves and their chances."""
        table, index = self.table, self.table.index_of(state)
        chances = self.policy[table.offsets[index] : table.offsets[index + 1]]
        return dict(zip(table.moves_of(index), chances.tolist(), strict=True))


class LevelChain(Chain):
    """A chain with a policy for each level."""

    @cached_property
    def wins(self) -> Floats | None:
        """The perfect level's chance to beat medium, from each state and on either seat.

        It is None if a cycle is too large to be solved in a second.
        """
        if self.table.plan.largest_cycle > CHANCE_CYCLE:
            return None
        ends = self.ends(numbered([("perfect", OPPONENT), (OPPONENT, "perfect")]))
        # The pair with the perfect player on seat p is number p, and end p is a win for that seat.
        wins: Floats = np.stack([ends[:, seat, seat] for seat in (0, 1)], axis=1)
        wins /= ends.sum(axis=2)
        return wins


def chain_of(solution: Solution[S], solved: SolvedTable[S] | None = None) -> LevelChain:
    """Return the chain of a solution, or of one of its tables, with all levels' policies.

    For a game solved by its theory, make a table or take one.
    """
    table = Table.of(solution.game, solved or table_of(solution))
    patient = not solution.is_whole or solution.solved is not None
    return LevelChain(table, _policies(table, patient, LEVELS))


def small_chain(solution: Solution[S], state: S) -> LevelChain | None:
    """Return the chain of the table that knows a position; None if it is too large.

    A small game that is solved by its theory has one too.
    """
    solved = solution.table(state)
    key: Any = solution if solved is None else solved
    if key not in _chains:
        _chains[key] = None
        if solved is None and largest(solution.game.initial()) < QUICK.positions:
            with suppress(TooLarge):
                solved = solved_table(solution.game, Limits(CHANCE_POSITIONS))
        if solved is not None and is_small(len(solved.graph.targets), len(solved.graph)):
            _chains[key] = chain_of(solution, solved)
    return _chains[key]


# The chain of a table, or of a solution by a theory.
_chains: WeakKeyDictionary[Any, LevelChain | None] = WeakKeyDictionary()


def numbered(pairs: Sequence[tuple[Level, Level]]) -> Longs:
    """Return pairs of levels as an array with a column for each seat."""
    return np.array([[LEVELS.index(level) for level in pair] for pair in pairs])


def _policies(table: Table[Any], patient: bool, levels: Sequence[Level]) -> Floats:
    """Return the chance of every edge: a row for each level.

    The perfect level is patient in draws unless it plays by a theory, which has no table.
    """
    plies = table.plies.astype(np.int64)
    each = 1.0 / np.diff(table.offsets)[table.sources]
    value = (table.value[table.sources] - table.regret).astype(np.int64)
    # Results come first; plies differ by less than a step between results.
    worth = value * (2 * int(plies.max()) + 3 - plies[table.targets])
    best = worth == _spread(np.maximum, worth, table)
    few = np.where(best, 1.0 / _spread(np.add, best.astype(np.int64), table), 0.0)
    rows = {level: slip * each + (1.0 - slip) * few for level, slip in SLIPS.items()}
    if "perfect" in levels:
        first, harmless = _trapping(table, worth)
        free = harmless & (table.value == 0)
        small = is_small(len(table.targets) >> table.symmetric, len(table) >> table.symmetric)
        if patient and small and free.any() and table.plan.largest_cycle <= CHANCE_CYCLE:
            first = _patient(table, first, free, rows[OPPONENT])
        rows["perfect"] = first.astype(np.float64)
    policies: Floats = np.stack([rows[level] for level in levels])
    return policies


def is_small(moves: int, positions: int) -> bool:
    """Return whether medium plays by values, and its chances take about a second."""
    return moves <= CHANCE_MOVES and positions <= LEVELS_KNOW.positions


def patient_move(solution: Solution[S], state: S) -> Move | None:
    """Return the perfect level's play in a draw where no move is a trap.

    It scores most against medium among the moves that keep the draw. It is None without a table,
    or if that is too large.
    """
    chain = None if solution.table(state) is None else small_chain(solution, state)
    if chain is None:
        return None
    table = chain.table
    row = chain.policies[LEVELS.index("perfect")]
    index = table.index_of(state)
    chosen = row[table.offsets[index] : table.offsets[index + 1]].argmax()
    return solution.game.moves(state)[int(chosen)]


def _spread(ufunc: Any, values: Any, table: Table[Any]) -> Any:
    """Reduce the values over each state's edges, and repeat the result for them."""
    begins = table.offsets[:-1]
    (inner,) = np.nonzero(np.diff(table.offsets))  # reduceat cannot do the end of a game
    if not len(inner):
        return values
    return np.repeat(ufunc.reduceat(values, begins[inner]), np.diff(table.offsets)[inner])


def _trapping(table: Table[Any], worth: Longs) -> tuple[Flags, Flags]:
    """Mark the one edge of each state that sets the best trap, and the states that offer none."""
    sources, targets = table.sources, table.targets
    count = np.maximum(np.diff(table.offsets), 1)
    wrong = np.bincount(sources, table.regret > 0, len(count)) / count
    other = table.player[targets] != table.player[sources]
    # A move that wins leaves no reply that would be worse than another, so its share is 0.
    share = np.where(other, wrong[targets], 0.0)
    # The order of each edge among its state's, the best first: it settles all ties.
    order = np.lexsort((-worth, sources))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order)) - table.offsets[sources]
    share[(table.regret > 0) | (number >= MOST_TRAPS)] = -1.0
    most = share == _spread(np.maximum, share, table)
    number[~most] = len(order)
    first: Flags = most & (number == _spread(np.minimum, number, table))
    harmless: Flags = np.ones(len(count), bool)
    harmless[sources[first & (share > 0.0)]] = False
    return first, harmless


def _patient(table: Table[Any], first: Flags, free: Flags, medium: Floats) -> Flags:
    """Change the edges of free states for others that keep the draw and score more.

    This is policy iteration: the score against medium is exact, and only a higher one changes an
    edge, so that a line which never ends is left if one wins.
    """
    alike = int(table.symmetric)
    mover = table.player[table.sources].astype(np.int64)
    keeps = free[table.sources] & (table.regret == 0)
    # If seats are alike, the second has the chances of the first in the twin of a state.
    seats = mover * (1 - alike)
    places = table.targets ^ (mover * alike)
    pairs = np.array([[0, 1], [1, 0]][: 2 - alike])
    while True:
        ends = Chain(table, np.stack((1.0 * first, medium))).ends(pairs)
        wins = np.stack([ends[:, seat, seat] for seat in range(len(pairs))], axis=1)
        score = np.where(keeps, wins[places, seats], -1.0)
        now = _spread(np.maximum, np.where(first, score, -1.0), table)
        best = _spread(np.maximum, score, table)
        better = keeps & (score >= best - GAIN) & (best > now + 2 * GAIN)
        if not better.any():
            return first
        number = np.where(better, np.arange(len(better)), len(better))
        changed = better & (number == _spread(np.minimum, number, table))
        first = np.where(_spread(np.logical_or, changed, table), changed, first)
