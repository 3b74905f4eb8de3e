"""The order in which a graph is solved: its strongly connected components, in layers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.solver.retrograde import edges_from, sorting

if TYPE_CHECKING:
    from zerosum.bulk.table import Longs

# Layers of fewer states than this take NumPy longer than a loop.
THIN = 64
# The most numbers in a block's matrices, unless one cycle needs more.
MOST_CELLS = 1 << 20


class Block(NamedTuple):
    """A run of states in a plan's order, none of which leads to a later one.

    They lie on cycles of `size` states each, one after another; or on none, if `size` is 0.
    """

    begin: int
    end: int
    size: int


class Plan(NamedTuple):
    """The states in an order in which each leads only to earlier ones, or around a cycle.

    `place` is where each state comes in the order, and `height` its layer: 0 for the ends of a
    game, else one more than the highest that its component leads to.
    """

    order: Longs
    place: Longs
    height: Longs
    blocks: tuple[Block, ...]

    @property
    def largest_cycle(self) -> int:
        """The number of states in the largest cycle; 0 if there is none."""
        return max(block.size for block in self.blocks)


def components(rows: list[list[int]], below: list[int]) -> tuple[list[int], list[int]]:
    """Return the component and the height of every state (Tarjan's algorithm, iterative).

    `rows` has the states that each leads to, and `below` the height of the highest state outside
    of these that it leads to, -1 if none.

    >>> components([[1], [0, 2], [3], []], [-1] * 4)
    ([2, 2, 1, 0], [2, 2, 1, 0])
    """
    count = len(rows)
    # When a state was first seen, from 1; then the earliest that it leads back to; when its
    # component is complete, the base plus its height, which is later than all these.
    low, base = [0] * count, count + 1
    component, number, clock = [0] * count, 0, 0
    for root in range(count):
        if low[root]:
            continue
        path: list[Any] = []
        waiting, state = [root], root
        clock += 1
        low[root] = least = seen = clock
        top, targets = base + below[root], iter(rows[root])
        while True:
            for target in targets:
                known = low[target]
                if not known:
                    path.append((state, least, seen, top, targets))
                    waiting.append(target)
                    clock += 1
                    state, low[target], least, seen = target, clock, clock, clock
                    top = base + below[target]
                    targets = iter(rows[target])
                    break
                if known < least:
                    least = known
                elif known > top:
                    top = known
            else:
                inner_least, inner_top = least, top
                if least == seen:
                    while True:
                        member = waiting.pop()
                        low[member], component[member] = top + 1, number
                        if member == state:
                            break
                    number += 1
                    inner_least, inner_top = base, top + 1
                else:
                    low[state] = least
                if not path:
                    break
                state, least, seen, top, targets = path.pop()
                least = min(least, inner_least)
                top = max(top, inner_top)
    return component, [height - base for height in low]


def plan_of(offsets: Any, targets: Any, player: Any) -> Plan:
    """Sort the states of a graph so that it can be solved block by block.

    >>> import numpy as np
    >>> plan = plan_of(np.array([0, 1, 3, 4, 4]), np.array([1, 0, 2, 3]), np.array([1, 0, 1, 0]))
    >>> plan.order.tolist(), plan.blocks[-1]
    ([3, 2, 1, 0], Block(begin=2, end=4, size=2))
    """
    count = len(offsets) - 1
    sources = np.repeat(np.arange(count), np.diff(offsets))
    came = np.append(0, np.cumsum(np.bincount(targets, minlength=count)))
    before = sources[sorting(targets, count)]
    height = np.full(count, -1)
    # Most states lie on no cycle: those from the ends up are peeled off.
    for depth, layer in enumerate(_layers(came, before, np.diff(offsets))):
        height[layer] = depth
    core = height < 0
    component, size = np.zeros((2, count), np.int64)
    if core.any():
        component[core], height[core] = _core(sources, targets, height, core)
        size[core] = np.bincount(component[core])[component[core]]
        loops = np.zeros(count, bool)
        loops[sources[sources == targets]] = True
        size[(size == 1) & ~loops] = 0
        component[size == 0] = 0
    # In a cycle, the states of one seat come first: see Cycles.
    order = np.lexsort((player * (size > 0), component, size, height))
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    return Plan(order, place, height, tuple(_blocks(height[order], size[order])))


def _layers(offsets: Any, targets: Any, left: Any) -> Iterator[Any]:
    """Yield the states that have no edge left, layer by layer, unless these are thin for long."""
    depth, peeled = 0, len(left) // 16
    layer = np.flatnonzero(left == 0)
    while len(layer) and THIN * depth <= peeled:
        yield layer
        depth, peeled = depth + 1, peeled + len(layer)
        leads = targets[edges_from(offsets, layer)[0]]
        np.subtract.at(left, leads, 1)
        layer = np.unique(leads[left[leads] == 0])


def _core(sources: Any, targets: Any, height: Any, core: Any) -> tuple[Any, Any]:
    """Find the components and heights of the states not peeled off."""
    below = np.full(len(height), -1)
    inner = core[sources] & core[targets]
    leaving = core[sources] & ~inner
    np.maximum.at(below, sources[leaving], height[targets[leaving]])
    number = np.cumsum(core) - 1
    counts = np.bincount(number[sources[inner]], minlength=number[-1] + 1)
    ends = np.cumsum(counts).tolist()
    leads = number[targets[inner]].tolist()
    rows = [leads[begin:end] for begin, end in pairwise([0, *ends])]
    return components(rows, below[core].tolist())


def _blocks(height: Any, size: Any) -> list[Block]:
    """Cut the sorted states where their layer changes, or the size of the cycles."""
    changes = np.flatnonzero((np.diff(height) != 0) | (np.diff(size) != 0)) + 1
    cuts = [0, *changes.tolist(), len(height)]
    blocks = []
    for begin, end in pairwise(cuts):
        cycle = int(size[begin])
        # Cycles of a size are solved together, but not too many at once.
        step = cycle * max(1, MOST_CELLS // cycle**2) if cycle else end - begin
        blocks += [Block(at, min(at + step, end), cycle) for at in range(begin, end, step)]
    return blocks
