"""Retrograde analysis: from the ends back to every state, by layers, on arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph

Ints = NDArray[np.int32]
Small = NDArray[np.int8]

# Up to this many states, a loop over a layer is faster than NumPy.
THIN = 24


class Graph(NamedTuple):
    """The edges of a table, then the same by target: those into state i begin at came[i]."""

    starts: Any
    leads: Any
    turns: Any
    came: Any
    sources: Any
    turned: Any


def analyse(table: StateGraph[Any]) -> tuple[Small, Ints]:
    """Return every state's worth to the player to move, and plies to the end.

    A draw is DRAWN if one player can force the end, and OPEN, which is endless, if neither can.
    Draws have -1 plies.
    """
    starts = np.frombuffer(table.offsets, np.int64)
    leads = np.frombuffer(table.targets, np.int32)
    graph = _graph(starts, leads, turns_of(table))
    ends = np.frombuffer(table.ends, np.int8)
    drawn = ends == DRAWN
    worth = np.where(drawn, OPEN, ends).astype(np.int8)
    plies = np.full(len(worth), -1, np.int32)
    _decide(graph, worth, np.diff(starts).astype(np.int32), plies)
    if drawn.any():
        worth[_ended(graph, worth, drawn)] = DRAWN
    return worth, plies


def turns_of(table: StateGraph[Any]) -> Small:
    """Return 1 for every edge that passes the turn, and 0 for others."""
    if table.turned:
        return np.frombuffer(table.turned, np.int8)
    players = np.frombuffer(table.players, np.int8)
    sizes: Any = np.diff(np.frombuffer(table.offsets, np.int64))
    turns: Small = players[np.frombuffer(table.targets, np.int32)] ^ np.repeat(players, sizes)
    return turns


def _graph(starts: Any, leads: Any, turns: Any) -> Graph:
    """Reverse the edges: the predecessors of each state, and where they begin."""
    count = len(starts) - 1
    came = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(leads, minlength=count), out=came[1:])
    sources = np.repeat(np.arange(count, dtype=np.int32), np.diff(starts))
    order = sorting(leads, count)
    return Graph(starts, leads, turns, came, np.take(sources, order), np.take(turns, order))


def sorting(numbers: Any, count: int) -> Any:
    """Return the stable order that sorts numbers below `count`."""
    # Sorting 16 bits at a time is a radix sort in NumPy, several times faster.
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if count > 1 << 16:
        kind = np.uint8 if count <= 1 << 24 else np.uint16
        order = order[np.argsort((numbers >> 16).astype(kind)[order], kind="stable")]
    return order


def edges_from(offsets: Any, states: Any) -> tuple[Any, Any]:
    """List the edges of some states, and where those of each begin in the list."""
    firsts = offsets[states]
    sizes = offsets[states + 1] - firsts
    begins = np.cumsum(sizes) - sizes
    return np.arange(sizes.sum()) + np.repeat(firsts - begins, sizes), begins


def per_seat(starts: Any, leads: Any, turns: Any) -> tuple[Any, Any, Any]:
    """Double every state, 2i for the first seat and 2i + 1 for the second, with its edges.

    Returns their starts, targets, and which edge of the table each is.
    """
    edges, begins = edges_from(starts, np.repeat(np.arange(len(starts) - 1), 2))
    doubled = np.append(begins, len(edges))
    seats = np.repeat(np.tile(np.array([0, 1], np.int32), len(starts) - 1), np.diff(doubled))
    return doubled, (2 * leads[edges] + (seats ^ turns[edges])).astype(np.int32), edges


def _ended(graph: Graph, worth: Any, drawn: Any) -> Any:
    """Find the draws that one of the players can bring to an end.

    Nobody leaves a draw for a loss, so only moves from draw to draw count. Each state counts
    twice: as won where the player to move can force an end, and as lost where the opponent can,
    for which every move must lead to such a state.
    """
    draw, count = worth == OPEN, len(worth)
    # The player who forces the end stays the same one.
    starts, leads, edges = per_seat(graph.starts, graph.leads, graph.turns)
    twice = _graph(starts, leads, graph.turns[edges])
    forced = np.where(np.repeat(draw, 2), OPEN, DRAWN).astype(np.int8)
    forced[0::2][drawn], forced[1::2][drawn] = WON, LOST
    counted = np.cumsum(np.repeat(draw, 2)[leads], dtype=np.int64)
    drawing = np.concatenate(([0], counted))
    left = (drawing[starts[1:]] - drawing[starts[:-1]]).astype(np.int32)
    _decide(twice, forced, left, np.empty(2 * count, np.int32))
    return (forced[0::2] == WON) | (forced[1::2] == LOST)


def _decide(graph: Graph, worth: Any, left: Any, plies: Any) -> None:
    """Propagate decided states backwards; `left` counts the moves not yet known to lose.

    Layer d holds the states decided in exactly d plies: a state is won in d + 1 where one move
    leads to a loss in d for the other player, and lost in d + 1 where its last move turned out to
    lose in d. Each edge is visited once; what is never decided stays open.
    """
    layer = np.flatnonzero((worth == LOST) | (worth == WON)).astype(np.int32)
    depth = 0
    while len(layer):
        plies[layer] = depth
        depth += 1
        layer = (_thin if len(layer) <= THIN else _thick)(graph, layer, worth, left)


def _thick(graph: Graph, layer: Any, worth: Any, left: Any) -> Any:
    """Decide the states before a layer, all at once."""
    begins = graph.came[layer]
    sizes = graph.came[layer + 1] - begins
    total = int(sizes.sum())
    if not total:
        return layer[:0]
    # The indices of all edges into the layer: each run of `sizes` counts up.
    ends = np.cumsum(sizes, dtype=np.int32)
    edges = np.arange(total, dtype=np.int32) + np.repeat(begins - ends + sizes, sizes)
    before = graph.sources[edges]
    is_open = worth[before] == OPEN
    before = before[is_open]
    wins = (np.repeat(worth[layer], sizes)[is_open] ^ graph.turned[edges[is_open]]) == WON
    winning, losing = before[wins], before[~wins]
    worth[winning] = WON
    losing = losing[worth[losing] == OPEN]
    if len(losing) * 32 > len(worth):
        left -= np.bincount(losing, minlength=len(worth)).astype(left.dtype)
    else:
        np.subtract.at(left, losing, 1)
    lost = losing[left[losing] == 0]
    worth[lost] = LOST
    # Only the last of several duplicates stays: decided states no longer need their counters.
    decided = np.concatenate((winning, lost))
    number = -1 - np.arange(len(decided), dtype=np.int32)
    left[decided] = number
    return decided[left[decided] == number]


def _thin(graph: Graph, layer: Any, worth: Any, left: Any) -> Any:
    """Decide the states before a small layer, one by one."""
    decided, losing = [], []
    for state in layer.tolist():
        edges = slice(int(graph.came[state]), int(graph.came[state + 1]))
        value = int(worth[state])
        sources = graph.sources[edges].tolist()
        turned = graph.turned[edges].tolist()
        for before, turn in zip(sources, turned, strict=True):
            if worth[before] != OPEN:
                continue
            if value ^ turn == WON:
                worth[before] = WON
                decided.append(before)
            else:
                losing.append(before)
    for before in losing:
        if worth[before] == OPEN:
            left[before] -= 1
            if left[before] == 0:
                worth[before] = LOST
                decided.append(before)
    return np.array(decided, np.int32)
