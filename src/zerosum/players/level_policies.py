"""The levels as policies: the chance of every edge of a table, `policy` in bulk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from zerosum.bulk.chain import Chain
from zerosum.bulk.table import Table
from zerosum.players.levels import LEVELS, MOST_TRAPS, SLIPS, Level, check_level
from zerosum.protocol import S
from zerosum.solver import load_numpy, solve, solved_table, table_of
from zerosum.solver.solution import Solution, SolvedTable
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import theory_of

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs

# The number of plies where a theory does not know it.
UNKNOWN = -2


def level_policy(table: Table[Any], level: str) -> Floats:
    """Return the exact chance of every edge at a level.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> level_policy(table, "easy")[:2].tolist()
    [0.25, 0.75]
    """
    name, game = cast(Level, check_level(level)), table.game
    solution = solve(game) if theory_of(game) else None
    row: Floats = _policies(table, _plies(table, solution), [name])[0]
    if name != "perfect" or table.symmetric or not is_symmetric(game):
        return row
    # Positions that are equal by symmetry are played equally: see `perfect`.
    np, same = load_numpy(), Table.of(game, solved_table(game))
    (chosen,) = _policies(same, _plies(same, solution), [name])
    wanted = np.full(len(same), -1)
    wanted[same.sources[chosen > 0]] = same.targets[chosen > 0]
    equal = np.array([same.index_of(state) for state in table.states])
    keeps = equal[table.targets] == wanted[equal[table.sources]]
    number = np.where(keeps, np.arange(len(keeps)), len(keeps))
    first: Floats = 1.0 * (keeps & (number == _spread(np.minimum, number, table)))
    return first


def chain_of(solution: Solution[S], solved: SolvedTable[S] | None = None) -> Chain:
    """Return the chain of a solution, with a policy for each level.

    For a game solved by its theory, make a table or take one. Levels that play by a theory know
    only the plies that it knows.
    """
    table = Table.of(solution.game, solved or table_of(solution))
    return Chain(table, _policies(table, _plies(table, solution), LEVELS))


def numbered(pairs: Sequence[tuple[Level, Level]]) -> Longs:
    """Return pairs of levels as such a chain takes them: an array with a column for each seat."""
    numbers: Longs = load_numpy().array([[LEVELS.index(level) for level in pair] for pair in pairs])
    return numbers


def _plies(table: Table[Any], solution: Solution[Any] | None) -> Longs:
    """Return the plies that levels know: all of a table, or those that a theory knows."""
    np, plies = load_numpy(), table.plies.astype("int64")
    if solution is None or solution.solved is not None:
        return plies
    known = [solution.value(state).plies for state in table.states]
    listed = np.array([UNKNOWN if count is None else count for count in known])
    theirs: Longs = np.where(plies < 0, -1, np.repeat(listed, 1 + table.symmetric))
    return theirs


def _policies(table: Table[Any], plies: Longs, levels: Sequence[Level]) -> Floats:
    """Return the chance of every edge: a row for each level."""
    np = load_numpy()
    each = 1.0 / np.diff(table.offsets)[table.sources]
    value = (table.value[table.sources] - table.regret).astype(np.int64)
    # Results come first; within one, plies are smaller than a whole step between results.
    worth = value * (2 * int(plies.max()) + 4) + _delays(plies[table.targets], value)
    best = worth == _spread(np.maximum, worth, table)
    # Where plies are unknown, every move that keeps the result is among the best.
    keeps = table.regret == 0
    unsure = keeps & (plies[table.targets] == UNKNOWN)
    if unsure.any():
        best = np.where(_spread(np.maximum, unsure.astype(np.int64), table) > 0, keeps, best)
    few = np.where(best, 1.0 / _spread(np.add, best.astype(np.int64), table), 0.0)
    rows = [
        _perfect(table, worth)
        if level == "perfect"
        else SLIPS[level] * each + (1.0 - SLIPS[level]) * few
        for level in levels
    ]
    policies: Floats = np.stack(rows)
    return policies


def _delays(plies: Longs, value: Longs) -> Longs:
    """Return how late each edge ends the game, if it loses; how soon, if it wins."""
    np = load_numpy()
    delays: Longs = -value * np.where(plies == UNKNOWN, 0, plies + 1)
    return delays


def _spread(ufunc: Any, values: Any, table: Table[Any]) -> Any:
    """Reduce the values over the edges of each state, and repeat the result for these edges."""
    np, begins = load_numpy(), table.offsets[:-1]
    (inner,) = np.nonzero(np.diff(table.offsets))  # reduceat cannot do the end of a game
    if not len(inner):
        return values
    return np.repeat(ufunc.reduceat(values, begins[inner]), np.diff(table.offsets)[inner])


def _perfect(table: Table[Any], worth: Longs) -> Flags:
    """Mark the one edge of each state that the perfect level takes."""
    np, sources, targets = load_numpy(), table.sources, table.targets
    count = np.maximum(np.diff(table.offsets), 1)
    wrong = np.bincount(sources, table.regret > 0, len(count)) / count
    other = table.player[targets] != table.player[sources]
    # A move that wins leaves no reply that would be worse than another, so its share is 0.
    share = np.where(other, wrong[targets], 0.0)
    # The order of each edge among those of its state, the best first: it settles all ties.
    order = np.lexsort((-worth, sources))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order)) - table.offsets[sources]
    share[(table.regret > 0) | (number >= MOST_TRAPS)] = -1.0
    most = share == _spread(np.maximum, share, table)
    number[~most] = len(order)
    first: Flags = most & (number == _spread(np.minimum, number, table))
    return first
