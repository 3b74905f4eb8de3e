"""The chance of every edge of a solved table at every level, as arrays; `policy` in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.players.levels import LEVELS, MOST_TRAPS, SLIPS
from zerosum.solver import load_numpy
from zerosum.solver.retrograde import turns_of
from zerosum.solver.solution import Solved
from zerosum.solver.table import DRAWN, LOST, WON

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


# A length that a theory does not know.
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


def edges_of(solved: Solved[Any]) -> Edges:
    """Give a solved table as a graph of states with the seats that move in them.

    A symmetric game has one state for several, and perhaps for both seats: here each is there
    twice, as 2i for the first seat to move and as 2i + 1 for the second.
    """
    np = load_numpy()
    table, twice = solved.table, bool(solved.table.turned)
    starts = np.frombuffer(table.offsets, np.int64)
    leads = np.frombuffer(table.targets, np.int32).astype(np.int64)
    movers = np.frombuffer(table.players, np.int8).astype(np.int64)
    ends, worth = np.frombuffer(table.ends, np.int8), solved.worth
    plies = solved.plies.astype(np.int64)
    if twice:
        sizes, count = np.repeat(np.diff(starts), 2), len(table)
        begins = np.repeat(starts[:-1], 2)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], sizes)
        movers = np.tile([0, 1], count)
        leads = 2 * leads[places] + (np.repeat(movers, sizes) ^ turns_of(table)[places])
        ends, worth, plies = (np.repeat(part, 2) for part in (ends, worth, plies))
    return Edges(
        starts,
        np.repeat(np.arange(len(movers)), np.diff(starts)),
        leads,
        movers,
        _seats(np, ends, movers),
        _seats(np, worth, movers),
        plies,
        twice,
    )


def _seats(np: Any, worth: Any, movers: Ints) -> Ints:
    """Turn what a state is worth to its mover into the seat that has won, or DRAWN."""
    seats: Ints = np.where((worth == WON) | (worth == LOST), movers ^ (worth == LOST), DRAWN)
    return seats


def chances_of(edges: Edges) -> Floats:
    """Give the chance of every edge: a row for each level."""
    np = load_numpy()
    count = np.diff(edges.starts)
    each = 1.0 / count[edges.source]
    rank, delay = _values(np, edges)
    # Results come first; within one, plies are smaller than a whole step between results.
    worth = rank * (2 * int(edges.plies.max()) + 4) + delay
    best = worth == _spread(np, np.maximum, worth, edges)
    # Where a length is not known, every move that keeps the result is among the best.
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


def _values(np: Any, edges: Edges) -> tuple[Ints, Ints]:
    """Rank what each edge leads to for its mover (2 win, 1 draw, 0 loss), and its delay."""
    winner, plies = edges.winner[edges.target], edges.plies[edges.target]
    won = winner == edges.mover[edges.source]
    rank = np.where(winner == DRAWN, 1, np.where(won, 2, 0))
    plies = np.where(plies == UNKNOWN, 0, plies + 1)
    return rank, np.where(winner == DRAWN, 0, np.where(won, -plies, plies))


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
