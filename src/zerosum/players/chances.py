"""The chance of every edge of a solved table at every level, as arrays; `policy` in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.players.levels import LEVELS, MOST_TRAPS, SLIPS
from zerosum.solve.solver import load_numpy
from zerosum.solve.stored import TableSolution, flat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


class Edges(NamedTuple):
    """A table as arrays: the edges of state i are those from starts[i] to starts[i + 1].

    `source` and `target` are the states of an edge, `mover` the seat to move in a state, `winner`
    the seat that wins it under best play, or -1, and `plies` the moves to the end, or -1.
    """

    starts: Ints
    source: Ints
    target: Ints
    mover: Ints
    winner: Ints
    plies: Ints


def edges_of(solution: TableSolution) -> Edges:
    """Give the arrays of a solved table, in NumPy's terms."""
    np = load_numpy()
    arrays = solution.arrays
    state = solution.game.initial()
    # Of all states in one table, the seat to move stands at the same place.
    before = flat(state[: state._fields.index("player")])
    starts = np.asarray(arrays.offsets, np.int64)
    return Edges(
        starts,
        np.repeat(np.arange(len(arrays)), np.diff(starts)),
        np.asarray(arrays.targets, np.int64),
        np.asarray(arrays.states, np.int64).reshape(len(arrays), arrays.width)[:, len(before)],
        np.asarray(arrays.winners, np.int64),
        np.asarray(arrays.plies, np.int64),
    )


def chances_of(edges: Edges) -> Floats:
    """Give the chance of every edge: a row for each level."""
    np = load_numpy()
    count = np.diff(edges.starts)
    each = 1.0 / count[edges.source]
    rank, delay = _values(np, edges)
    # Results come first; within one, plies are smaller than a whole step between results.
    worth = rank * (2 * int(edges.plies.max()) + 2) + delay
    best = worth == _spread(np, np.maximum, worth, edges)
    few = 1.0 / _spread(np, np.add, best.astype(np.int64), edges)
    rows = [
        SLIPS[level] * each + (1.0 - SLIPS[level]) * np.where(best, few, 0.0)
        for level in LEVELS[:-1]
    ]
    chances: Floats = np.stack((*rows, _perfect(np, edges, rank, worth)))
    return chances


def _values(np: Any, edges: Edges) -> tuple[Ints, Ints]:
    """Rank what each edge leads to for its mover (2 win, 1 draw, 0 loss), and its delay."""
    winner, plies = edges.winner[edges.target], edges.plies[edges.target]
    won = winner == edges.mover[edges.source]
    rank = np.where(winner < 0, 1, np.where(won, 2, 0))
    return rank, np.where(winner < 0, 0, np.where(won, -plies, plies))


def _spread(np: Any, ufunc: Any, values: Any, edges: Edges) -> Any:
    """Reduce the values over all edges of a state, and give the result to each of these edges."""
    begins = edges.starts[:-1]
    inner = begins < edges.starts[1:]  # the end of a game has no edges, which reduceat cannot do
    whole = np.zeros(len(begins), values.dtype)
    whole[inner] = ufunc.reduceat(values, begins[inner])
    return whole[edges.source]


def _perfect(np: Any, edges: Edges, rank: Ints, worth: Ints) -> Flags:
    """Mark the one edge of each state that the perfect level takes."""
    top = _spread(np, np.maximum, rank, edges)
    count = np.maximum(np.diff(edges.starts), 1)
    wrong = np.bincount(edges.source, rank < top, len(count)) / count
    other = edges.mover[edges.target] != edges.mover[edges.source]
    # A move that wins leaves no reply that would be worse than another, so its share is 0.
    share = np.where(other, wrong[edges.target], 0.0)
    # The place of each edge among those of its state, the best first: this settles all ties.
    order = np.lexsort((-worth, edges.source))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - edges.starts[edges.source]
    share[(rank < top) | (place >= MOST_TRAPS)] = -1.0
    most = share == _spread(np, np.maximum, share, edges)
    place[~most] = len(order)
    first: Flags = most & (place == _spread(np, np.minimum, place, edges))
    return first
