"""The cycles of games between two policies, solved as linear systems."""

from typing import Any

import numpy as np

from zerosum.bulk.strongly_connected import Block
from zerosum.bulk.table import Flags, Floats, Longs, Small, Table
from zerosum.errors import PolicyError, TooLarge
from zerosum.limits import CYCLE_POSITIONS

# Chances further from a sum of 1 are solved for again, more slowly.
ROUNDING = 1e-12


class Cycles:
    """The cycles of a block: what stays within them, as linear systems.

    Arrays have a row for each state of the block and a column for each pair. `stuck` marks states
    without a way out; they count as exits, with no chance to go on.
    """

    def __init__(
        self,
        table: Table[Any],
        block: Block,
        source: Longs,
        target: Longs,
        steps: Floats,
        pairs: slice = slice(None),
    ) -> None:
        """Take the edges of a block by source; states are numbered within the block."""
        size = block.size
        if size > CYCLE_POSITIONS:
            raise TooLarge(
                f"The game has a cycle of {size:,} positions; exact chances can be computed for "
                f"at most {CYCLE_POSITIONS:,}."
            )
        self.pairs, self.size = pairs, size
        inner = (target >= 0) & (source // size == target // size)
        self.source = source[inner]
        self.target = target[inner]
        self.chance = steps[inner]
        self.exits = np.zeros((source[-1] + 1, steps.shape[1]))
        begins = self._begins(source[~inner])
        if len(begins):
            leaving = np.add.reduceat(steps[~inner], begins, axis=0)
            self.exits[source[~inner][begins]] = leaving
        self.stuck = ~self.reaching(self.exits > 0)
        self.chance[self.stuck[self.source]] = 0.0
        self.exits[self.stuck] = 1.0
        self.first = self._first_half(table.player[table.plan.order[block.begin : block.end]])

    def _first_half(self, player: Small) -> int:
        """Count the states before those that lead to none of each other, the last of a cycle."""
        seats = player.reshape(-1, self.size)
        alternate = not (player[self.source] & player[self.target]).any()
        same = (seats == seats[0]).all()
        if alternate and same:
            return int((seats[0] == 0).sum())
        return self.size

    def _begins(self, states: Longs) -> Longs:
        """Return where each state begins in a sorted list."""
        begins: Longs = np.flatnonzero(np.diff(states, prepend=-1))
        return begins

    def reaching(self, goal: Flags) -> Flags:
        """Return from which states a goal can be reached."""
        return self._spread(goal, self.source, self.target, self.chance > 0)

    def reached(self, begin: Flags) -> Flags:
        """Return which states can be reached from some."""
        order = np.argsort(self.target, kind="stable")
        linked = self.chance[order] > 0
        return self._spread(begin, self.target[order], self.source[order], linked)

    def _spread(self, known: Flags, near: Longs, far: Longs, linked: Flags) -> Flags:
        """Mark what is linked to a marked state; edges are sorted by their near state."""
        begins = self._begins(near)  # every state of a cycle has an edge
        linked = linked.reshape(*linked.shape, *(1,) * (known.ndim - 2))
        while True:
            more: Flags = known | np.logical_or.reduceat(linked & known[far], begins, axis=0)
            if np.array_equal(more, known):
                return known
            known = more

    def solve(self, right: Floats) -> Floats:
        """Return the values that are the right side plus the mean of those of the next states."""
        # The chance to leave at all, which has to come out as 1.
        sides = np.concatenate((right, self.exits[:, :, None]), axis=2)
        solved = self._solve(sides, self.source, self.target, self.chance)
        wrong = ~(abs(solved[:, :, -1] - 1.0) < ROUNDING).all(axis=0)
        for pair in np.flatnonzero(wrong).tolist():
            solved[:, pair] = self._eliminate(sides[:, pair], pair)
        values: Floats = solved[:, :, :-1]
        return values

    def solve_forward(self, right: Floats, seen: Flags) -> Floats:
        """Return how often states are visited: as the right side says, and from seen states."""
        return self._solve(right, self.target, self.source, self.chance * seen[self.source])

    def _solve(self, right: Floats, row: Longs, column: Longs, chance: Floats) -> Floats:
        """Solve the systems of all pairs and cycles; NaN where floats give no solution."""
        states, pairs, columns = right.shape
        moves = self._matrices(row, column, chance)
        sides = right.reshape(-1, self.size, pairs, columns).transpose(2, 0, 1, 3)
        # The last states lead only to the first ones, and can be put into their equations.
        first = slice(self.first)
        last = slice(self.first, None)
        there = moves[..., first, last]
        back = moves[..., last, first]
        among = np.eye(self.first) - moves[..., first, first] - there @ back
        try:
            begin = np.linalg.solve(among, sides[..., first, :] + there @ sides[..., last, :])
        except np.linalg.LinAlgError:
            begin = np.full_like(sides[..., first, :], np.nan)
        end = sides[..., last, :] + back @ begin
        solved: Floats = np.concatenate((begin, end), axis=2)
        return solved.transpose(1, 2, 0, 3).reshape(states, pairs, columns)

    def _matrices(self, row: Longs, column: Longs, chance: Floats) -> Floats:
        """Return the chances as matrices, one for each pair and cycle."""
        size, pairs = self.size, chance.shape[1]
        cells = row * size + column % size
        order = np.argsort(cells, kind="stable")
        firsts = self._begins(cells[order])
        moves = np.zeros((pairs, len(self.exits) * size))  # products of rows in one piece are fast
        moves[:, cells[order][firsts]] = np.add.reduceat(chance[order], firsts, axis=0).T
        return moves.reshape(pairs, -1, size, size)

    def _eliminate(self, right: Floats, pair: int) -> Floats:
        """Solve the systems of a pair state by state, without a subtraction.

        So even the smallest chance to leave counts (GTH elimination).
        """
        size = self.size
        (moves,) = self._matrices(self.source, self.target, self.chance[:, pair, None])
        values = right.reshape(-1, size, right.shape[1])
        exits = self.exits[:, pair]
        values = values.copy()
        exits = exits.reshape(-1, size).copy()
        for state in range(size - 1, -1, -1):
            leaves = exits[:, state] + moves[:, state, :state].sum(axis=1)
            if not leaves.all():
                raise PolicyError("Some chances are too small to compute with; make them 0.")
            for part in (moves[:, state, :state], values[:, state], exits[:, state, None]):
                part /= leaves[:, None]
            comes = moves[:, :state, state]
            moves[:, :state, :state] += comes[:, :, None] * moves[:, None, state, :state]
            values[:, :state] += comes[:, :, None] * values[:, None, state]
            exits[:, :state] += comes * exits[:, None, state]
        for state in range(1, size):
            values[:, state] += (moves[:, state, :state, None] * values[:, :state]).sum(axis=1)
        return values.reshape(right.shape)
