"""Retrograde analysis: from the ends of a game back to every state, layer by layer, on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Small = NDArray[np.int8]

UNKNOWN = -1
# Below this many states, going through a layer one by one is faster than calling NumPy for it.
THIN = 24


def analyse(offsets: Any, targets: Any, winners: Any, players: Any) -> tuple[Small, Ints]:
    """Give for every state the seat that wins under best play (-1: neither), and in how many plies.

    Layer d holds the states that are decided in exactly d plies: the mover wins in d + 1 from
    where one move leads to a win in d, and loses in d + 1 where the last of all moves has turned
    out to lose in d. Each edge is looked at once; what is never decided is a draw.
    """
    import numpy as np

    starts = np.frombuffer(offsets, np.int64)
    leads = np.frombuffer(targets, np.int32)
    mover = np.frombuffer(players, np.int8)
    won = np.array(np.frombuffer(winners, np.int8))
    count = len(won)
    plies = np.full(count, -1, np.int32)
    left = np.diff(starts).astype(np.int32)  # the moves that are not yet known to lose
    came, sources = _reverse(np, starts, leads, count)
    layer = np.flatnonzero(won != UNKNOWN).astype(np.int32)
    depth = 0
    while len(layer):
        plies[layer] = depth
        depth += 1
        if len(layer) <= THIN:
            layer = _thin(np, layer, came, sources, mover, won, left)
        else:
            layer = _thick(np, layer, came, sources, mover, won, left)
    return won, plies


def _reverse(np: Any, starts: Any, leads: Any, count: int) -> tuple[Any, Any]:
    """Turn the edges round: where each state's predecessors begin, and who they are."""
    came = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(leads, minlength=count), out=came[1:])
    sources = np.repeat(np.arange(count, dtype=np.int32), np.diff(starts))
    # Sorting 16 bits at a time is a radix sort in NumPy, several times faster than any other.
    order = np.argsort(leads.astype(np.uint16), kind="stable")
    if count > 1 << 16:
        kind = np.uint8 if count <= 1 << 24 else np.uint16
        order = order[np.argsort((leads >> 16).astype(kind)[order], kind="stable")]
    return came, np.take(sources, order)


def _thick(np: Any, layer: Any, came: Any, sources: Any, mover: Any, won: Any, left: Any) -> Any:
    """Decide the states before a layer, all at once."""
    begins = came[layer]
    sizes = came[layer + 1] - begins
    total = int(sizes.sum())
    if not total:
        return layer[:0]
    # The places of all edges into the layer: each run of `sizes` counts up from its beginning.
    ends = np.cumsum(sizes, dtype=np.int32)
    places = np.arange(total, dtype=np.int32) + np.repeat(begins - ends + sizes, sizes)
    before = sources[places]
    winner = np.repeat(won[layer], sizes)
    is_open = won[before] == UNKNOWN
    before, winner = before[is_open], winner[is_open]
    wins = mover[before] == winner
    winning = before[wins]
    won[winning] = winner[wins]
    losing, loser_to = before[~wins], winner[~wins]
    still = won[losing] == UNKNOWN
    losing, loser_to = losing[still], loser_to[still]
    if len(losing) * 32 > len(won):
        left -= np.bincount(losing, minlength=len(won)).astype(left.dtype)
    else:
        np.subtract.at(left, losing, 1)
    dead = left[losing] == 0
    lost = losing[dead]
    won[lost] = loser_to[dead]
    return _distinct(np, np.concatenate((winning, lost)), left)


def _distinct(np: Any, found: Any, left: Any) -> Any:
    """Drop repetitions: each state keeps the last of the places that name it."""
    place = np.arange(len(found), dtype=np.int32)
    left[found] = -1 - place  # decided states need their counter no more
    return found[left[found] == -1 - place]


def _thin(np: Any, layer: Any, came: Any, sources: Any, mover: Any, won: Any, left: Any) -> Any:
    """Decide the states before a small layer, one by one."""
    found = []
    late: list[tuple[int, int]] = []
    for state in layer.tolist():
        winner = int(won[state])
        for before in sources[int(came[state]) : int(came[state + 1])].tolist():
            if won[before] != UNKNOWN:
                continue
            if mover[before] == winner:
                won[before] = winner
                found.append(before)
            else:
                late.append((before, winner))
    for before, winner in late:
        if won[before] == UNKNOWN:
            left[before] -= 1
            if left[before] == 0:
                won[before] = winner
                found.append(before)
    return np.array(found, np.int32)
