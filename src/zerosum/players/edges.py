"""The chance of every edge of a solved table at every level, as arrays; `policy` in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.players.levels import LEVELS, MOST_TRAPS, SLIPS
from zerosum.solver import load_numpy
from zerosum.solver.retrograde import per_seat, turns_of
from zerosum.solver.solution import SolvedTable
from zerosum.solver.table import DRAWN, LOST, WON

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


# The number of plies where a theory does not know it.
UNKNOWN = -2


class Edges(NamedTuple):
    """A table as arrays: the edges of state i are those from starts[i] to starts[i + 1].

    `source` and `target` are the states of an edge, `mover` the seat to move in a state, `end` how
    the game ended there (see Table), `winner` the seat that wins it under best play, or DRAWN, and
    `plies` the moves to the end, -1 for a draw, or UNKNOWN.
    """

    starts: Ints
    source: Ints
    target: Ints
    mover: Ints
    end: Ints
    winner: Ints
    plies: Ints
    symmetric: bool


def edges_of(solved: SolvedTable[Any]) -> Edges:
    """Return a solved table as a graph of states with the seats to move.

    A state of a symmetric game may represent both seats, so it is doubled: 2i for the first seat
    to move, 2i + 1 for the second.
    """
    np = load_numpy()
    table, symmetric = solved.table, bool(solved.table.turned)
    starts = np.frombuffer(table.offsets, np.int64)
    leads = np.frombuffer(table.targets, np.int32)
    ends, worth, plies = np.frombuffer(table.ends, np.int8), solved.worth, solved.plies
    if symmetric:
        starts, leads, _ = per_seat(np, starts, leads, turns_of(table))
        movers = np.tile([0, 1], len(table))
        ends, worth, plies = (np.repeat(part, 2) for part in (ends, worth, plies))
    else:
        movers = np.frombuffer(table.players, np.int8).astype(np.int64)
    return Edges(
        starts,
        np.repeat(np.arange(len(movers)), np.diff(starts)),
        leads.astype(np.int64),
        movers,
        _seats(np, ends, movers),
        _seats(np, worth, movers),
        plies.astype(np.int64),
        symmetric,
    )


def _seats(np: Any, worth: Any, movers: Ints) -> Ints:
    """Turn the worth of states to their movers into the seats that have won, or DRAWN."""
    seats: Ints = np.where((worth == WON) | (worth == LOST), movers ^ (worth == LOST), DRAWN)
    return seats


def chances_of(edges: Edges) -> Floats:
    """Return the chance of every edge: a row for each level."""
    np = load_numpy()
    count = np.diff(edges.starts)
    each = 1.0 / count[edges.source]
    rank = ranks_of(edges)
    delay = _delays(np, edges, rank)
    # Results come first; within one, plies are smaller than a whole step between results.
    worth = rank * (2 * int(edges.plies.max()) + 4) + delay
    best = worth == _spread(np, np.maximum, worth, edges)
    # Where plies are unknown, every move that keeps the result is among the best.
    keeps = rank == _spread(np, np.maximum, rank, edges)
    unsure = keeps & (edges.plies[edges.target] == UNKNOWN)
    best = np.where(_spread(np, np.maximum, unsure.astype(np.int64), edges) > 0, keeps, best)
    few = 1.0 / _spread(np, np.add, best.astype(np.int64), edges)
    rows = [
        SLIPS[level] * each + (1.0 - SLIPS[level]) * np.where(best, few, 0.0)
        for level in LEVELS[:-1]
    ]
    chances: Floats = np.stack((*rows, _perfect(np, edges, rank, worth)))
    return chances


def ranks_of(edges: Edges) -> Ints:
    """Return what each edge is worth to its mover under best play: 2 win, 1 draw, 0 loss."""
    np, winner = load_numpy(), edges.winner[edges.target]
    ranks: Ints = np.where(winner == edges.mover[edges.source], 2, np.where(winner == DRAWN, 1, 0))
    return ranks


def critical_states(edges: Edges) -> Flags:
    """Return the states in which moves differ in result."""
    np, rank, count = load_numpy(), ranks_of(edges), len(edges.mover)
    differ = rank != _spread(np, np.maximum, rank, edges)
    critical: Flags = np.bincount(edges.source, differ, count) > 0
    return critical


def _delays(np: Any, edges: Edges, rank: Ints) -> Ints:
    """Return how late each edge ends the game, if it loses; how soon, if it wins."""
    plies = edges.plies[edges.target]
    plies = np.where(plies == UNKNOWN, 0, plies + 1)
    delays: Ints = np.where(rank == 1, 0, np.where(rank == 2, -plies, plies))
    return delays


def _spread(np: Any, ufunc: Any, values: Any, edges: Edges) -> Any:
    """Reduce the values over the edges of each state, and repeat the result for these edges."""
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
    # The order of each edge among those of its state, the best first: it settles all ties.
    order = np.lexsort((-worth, edges.source))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order)) - edges.starts[edges.source]
    share[(rank < top) | (number >= MOST_TRAPS)] = -1.0
    most = share == _spread(np, np.maximum, share, edges)
    number[~most] = len(order)
    first: Flags = most & (number == _spread(np, np.minimum, number, edges))
    return first
