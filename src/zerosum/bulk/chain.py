"""Games between two policies as absorbing Markov chains: linear systems, not samples."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.cycles import ROUNDING, Cycles
from zerosum.bulk.strongly_connected import Block
from zerosum.bulk.table import Floats, Ints, Longs, Table
from zerosum.solver.retrograde import sorting

# The ends of a game: won by either seat, drawn (2, as in a table), or none.
ENDS = 4
ENDLESS = 3
# The most numbers in one batch: 256 MB.
AT_ONCE = 1 << 25


class Edges(NamedTuple):
    """The edges of a table in the order of its plan, by source or by target.

    `number` is their number in the table, and `far` the place at their other end. Those of place i
    of the plan are between begins[i] and begins[i + 1].
    """

    number: Longs
    far: Longs
    begins: Longs

    def of(self, block: Block) -> tuple[slice, Longs]:
        """Return the edges of a block, and where those of each state begin."""
        begins = self.begins[block.begin : block.end + 1]
        first = begins[0]
        return slice(first, begins[-1]), begins[:-1] - first


class Chain:
    """A table with the rows of some policies; two rows, one a seat, make it a chain.

    Pairs are an array with a column for each seat.
    """

    def __init__(self, table: Table[Any], policies: Floats) -> None:
        """Take a table, and a row of edge chances for each policy."""
        self.table, self.policies = table, policies

    @property
    def pairs_at_once(self) -> int:
        """How many pairs fit into memory together."""
        return max(1, AT_ONCE // (ENDS * (len(self.table) + len(self.table.targets))))

    def ends(self, pairs: Longs) -> Floats:
        """Return the chances of the four ends for every state and pair."""
        values: Floats = np.zeros((len(self.table), len(pairs), ENDS))
        (final,) = np.nonzero(self.table.winner >= 0)
        values[self.table.plan.place[final], :, self.table.winner[final]] = 1.0
        never = np.zeros(ENDS)
        never[ENDLESS] = 1.0
        return self._backward(pairs, values, np.zeros(len(self.table)), never)

    def plies(self, pairs: Longs) -> Floats:
        """Return the expected plies to the end for every state and pair.

        They mean nothing where a game may never end.
        """
        return self.totals(pairs, np.ones(len(self.table)))

    def totals(self, pairs: Longs, rewards: Floats) -> Floats:
        """Return the expected total of the rewards of the states of a game, from each of them."""
        values: Floats = np.zeros((len(self.table), len(pairs), 1))
        return self._backward(pairs, values, rewards, np.zeros(1))[:, :, 0]

    def visits(self, pairs: Longs) -> Floats:
        """Return how often every state is expected in a game that is sure to end."""
        return self.visits_and_endless(pairs)[0]

    def ends_from_start(self, pairs: Longs) -> Floats:
        """Return the chances of the four ends for every pair, from the start alone."""
        width = max(1, AT_ONCE // (len(self.table) + len(self.table.targets)))
        ends: Floats = np.empty((len(pairs), ENDS))
        for begin in range(0, len(pairs), width):
            some = slice(begin, begin + width)
            visits, ends[some, ENDLESS] = self.visits_and_endless(pairs[some])
            for winner in range(ENDLESS):
                ends[some, winner] = visits[self.table.winner == winner].sum(axis=0)
        rounding = ROUNDING * len(self.table.plan.blocks)
        for pair in np.flatnonzero(~(abs(ends.sum(axis=1) - 1.0) < rounding)):
            ends[pair] = self.ends(pairs[pair, None])[self.table.start, 0]
        return ends

    def steps(self, edges: Longs, pairs: Longs) -> Floats:
        """Return the chance of each of some edges, for each pair."""
        mover = self.table.player[self.table.sources[edges]]
        steps: Floats = np.empty((len(edges), len(pairs)))
        for seat in (0, 1):
            (own,) = np.nonzero(mover == seat)
            steps[own] = self._by_edge[edges[own]].take(pairs[:, seat], axis=1)
        return steps

    @cached_property
    def _by_edge(self) -> Floats:
        """The policies with a row for each edge."""
        return np.ascontiguousarray(self.policies.T)

    @cached_property
    def _leaving(self) -> Edges:
        """The edges by their source."""
        return self._sorted(self.table.sources, self.table.targets)

    @cached_property
    def _entering(self) -> Edges:
        """The edges by their target."""
        return self._sorted(self.table.targets, self.table.sources)

    def _sorted(self, near: Ints, far: Ints) -> Edges:
        """Sort the edges by the place of their near state in the plan."""
        plan = self.table.plan
        places = plan.place[near]
        number = sorting(places, len(plan.place))
        counts = np.bincount(places, minlength=len(plan.place))
        begins = np.append(0, np.cumsum(counts))
        return Edges(number, plan.place[far[number]], begins)

    def _backward(self, pairs: Longs, values: Floats, rewards: Floats, never: Floats) -> Floats:
        """Solve block by block: the reward of a state, and the mean of the states after it.

        `values` is 0 but for the ends, and in the order of the plan; what is returned is not.
        """
        edges = self._leaving
        for block, part, begins, steps in self._blocks(edges, pairs):
            # Around a cycle the values are still 0, which leaves what lies beyond it.
            leads = steps[:, :, None] * values[edges.far[part]]
            beyond = values[block.begin : block.end]
            reward = rewards[self.table.plan.order[block.begin : block.end], None, None]
            beyond[:] = reward + np.add.reduceat(leads, begins, axis=0)
            for cycles in self._cycles(block, pairs):
                right = beyond[:, cycles.pairs]
                right[cycles.stuck] = never
                # What cannot happen has chance 0, not a rounding error.
                possible = cycles.reaching(right > 0)
                beyond[:, cycles.pairs] = np.where(possible, cycles.solve(right), 0.0)
        return values[self.table.plan.place]

    def visits_and_endless(self, pairs: Longs) -> tuple[Floats, Floats]:
        """Return how often every state is expected, and the chance of never ending.

        Among the states that reach no end, only the first is counted.
        """
        edges = self._entering
        visits: Floats = np.zeros((len(self.table), len(pairs)))
        visits[self.table.plan.place[self.table.start]] = 1.0
        endless: Floats = np.zeros(len(pairs))
        entered = np.bincount(self.table.targets, minlength=len(visits))[self.table.plan.order] > 0
        for block, part, begins, steps in self._blocks(edges, pairs, backward=True):
            come = visits[block.begin : block.end]
            own = entered[block.begin : block.end]
            flow = steps * visits[edges.far[part]]
            if block.size:  # what goes around a cycle is counted below
                flow[edges.far[part] < block.end] = 0.0
            come[own] += np.add.reduceat(flow, begins[own], axis=0)
            for cycles in self._cycles(block, pairs):
                right = come[:, cycles.pairs, None]
                # A state that is not reached may have no way out.
                seen = cycles.reached(right[:, :, 0] > 0)
                solved = np.where(seen, cycles.solve_forward(right, seen)[:, :, 0], 0.0)
                endless[cycles.pairs] += (solved * cycles.stuck).sum(axis=0)
                come[:, cycles.pairs] = solved
        return visits[self.table.plan.place], endless

    def _blocks(
        self, edges: Edges, pairs: Longs, backward: bool = False
    ) -> Iterator[tuple[Block, slice, Longs, Floats]]:
        """Yield every block that has edges: them, where each state begins, and their chances."""
        blocks = self.table.plan.blocks
        steps = self.steps(edges.number, pairs)
        for block in reversed(blocks) if backward else blocks:
            part, begins = edges.of(block)
            if part.start < part.stop:
                yield block, part, begins, steps[part]

    def _cycles(self, block: Block, pairs: Longs) -> Iterator[Cycles]:
        """Yield the cycles of a block, for as many pairs at once as memory allows."""
        if not block.size:
            return
        part, begins = self._leaving.of(block)
        number = self._leaving.number[part]
        target = self._leaving.far[part] - block.begin
        source = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(number)))
        width = max(1, AT_ONCE // (ENDS * len(begins) * block.size))
        for begin in range(0, len(pairs), width):
            some = slice(begin, begin + width)
            steps = self.steps(number, pairs[some])
            yield Cycles(self.table, block, source, target, steps, some)
