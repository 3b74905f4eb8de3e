"""The shortest lines from the start of a game, along the edges of its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.protocol import Move

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Longs, Table

# Tells which of some edges are followed.
Follow = Callable[["Longs"], "Flags"]


class Lines:
    """The states reached, and the fewest plies from the start to each; -1 for others.

    >>> import zerosum
    >>> from zerosum.bulk import Table
    >>> lines = Lines(Table(zerosum.game("even-steven", start=4)))
    >>> lines.plies.tolist(), lines.states_to(4), lines.moves_to(4)
    ([0, 1, 1, 2, 2, 3, 3, 4], [0, 2, 4], (2, 1))
    """

    def __init__(self, table: Table[Any], follow: Follow | None = None) -> None:
        """Walk breadth first; without `follow`, along all edges."""
        self._table = table
        self.plies: Longs = np.full(len(table), -1, np.int64)
        self._came_by: Longs = np.full(len(table), -1, np.int64)
        self.plies[table.start] = ply = 0
        layer: Longs = np.array([table.start])
        while len(layer):
            ply += 1
            edges, _ = table.edges_from(layer)
            if follow is not None:
                edges = edges[follow(edges)]
            edges = edges[self.plies[table.targets[edges]] < 0]
            # If several edges lead to a state, the last one written stays: the first of them.
            self._came_by[table.targets[edges[::-1]]] = edges[::-1]
            layer = np.unique(table.targets[edges])
            self.plies[layer] = ply

    def states_to(self, state: int) -> list[int]:
        """Return the states of a shortest line to a reached one, both ends included."""
        table = self._table
        return [*(int(table.sources[edge]) for edge in self._edges_to(state)), state]

    def moves_to(self, state: int) -> tuple[Move, ...]:
        """Return the moves of a shortest line to a reached state; not under symmetry."""
        table = self._table
        return tuple(table.actions[table.moves[edge]] for edge in self._edges_to(state))

    def _edges_to(self, state: int) -> list[int]:
        """Return the edges of a shortest line to a reached state."""
        edges: list[int] = []
        while (edge := int(self._came_by[state])) >= 0:
            edges.append(edge)
            state = int(self._table.sources[edge])
        return edges[::-1]
