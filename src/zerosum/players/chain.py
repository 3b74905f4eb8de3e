"""Games between two policies as absorbing Markov chains on a table: linear systems, not samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import TooLarge
from zerosum.players.edges import UNKNOWN, Edges, chances_of, edges_of
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strongly_connected import layers
from zerosum.protocol import Game, S
from zerosum.solver import load_numpy, table_of
from zerosum.solver.solution import Solution, SolvedTable

if TYPE_CHECKING:
    from zerosum.players.edges import Flags, Floats, Ints

# A matrix with a row for each state of a cycle has to fit into memory.
LARGEST_CYCLE = 3_000
# The ends of a game: won by either seat, drawn, or none at all; drawn is 2, as in a table.
ENDS = 4
ENDLESS = 3
# The most numbers in one batch: 256 MB.
AT_ONCE = 1 << 25


class Component(NamedTuple):
    """The states of a cycle, and their edges: numbered within it, and where they lead.

    `place` is the target within the component, which counts only where the edge is `inner`.
    """

    states: Ints
    source: Ints
    target: Ints
    place: Ints
    inner: Flags
    steps: Floats


def numbered(pairs: Sequence[tuple[Level, Level]]) -> Ints:
    """Return pairs of levels as a chain takes them: an array with a column for each seat."""
    numbers: Ints = load_numpy().array([[LEVELS.index(level) for level in pair] for pair in pairs])
    return numbers


class Chain:
    """A table, with the chance of every edge at every level; a pair of levels makes it a chain."""

    def __init__(self, edges: Edges, start: int) -> None:
        """Take a table as arrays, and the state in which games start."""
        self.np, self.edges, self.start = load_numpy(), edges, start
        self.chances = chances_of(edges)
        self.plan = layers(edges.starts.tolist(), edges.target.tolist())

    def joined_by(self, policy: Floats) -> Chain:
        """Return the chain with one more policy after the levels: the chance of every edge."""
        chain = copy(self)
        chain.chances = self.np.vstack((self.chances, policy))
        return chain

    @property
    def largest_cycle(self) -> int:
        """The number of states in the largest cycle; 0 if there is none."""
        return max((len(cycle) for _, cycles in self.plan for cycle in cycles), default=0)

    @property
    def pairs_at_once(self) -> int:
        """How many pairs fit into memory together."""
        return max(1, AT_ONCE // (ENDS * (len(self.edges.mover) + len(self.edges.target))))

    def by_distance(self) -> Iterator[Ints]:
        """Yield the states by the fewest plies in which they can be reached, from the start on."""
        np, seen = self.np, self.np.zeros(len(self.edges.mover), bool)
        layer: Ints = np.array([self.start])
        while len(layer):
            yield layer
            seen[layer] = True
            indices, _ = self.edges_from(layer)
            leads = self.edges.target[indices]
            layer = np.unique(leads[~seen[leads]])

    @cached_property
    def reachable(self) -> Flags:
        """Marks the states that can be reached from the start; under symmetry, for each seat."""
        # Without symmetry, a table has only what can be reached.
        seen: Flags = self.np.full(len(self.edges.mover), not self.edges.symmetric)
        for layer in self.by_distance() if self.edges.symmetric else ():
            seen[layer] = True
        return seen

    @cached_property
    def without_end(self) -> Flags:
        """Marks the states from which no end can be reached."""
        np, edges = self.np, self.edges
        ending: Flags = np.diff(edges.starts) == 0
        for single, cycles in self.plan[1:]:
            if single:
                indices, begins = self.edges_from(np.array(single))
                ending[single] = np.logical_or.reduceat(ending[edges.target[indices]], begins)
            for cycle in cycles:
                indices, _ = self.edges_from(np.array(cycle))
                ending[cycle] = ending[edges.target[indices]].any()
        return ~ending

    def ends(self, pairs: Ints) -> Floats:
        """Return the chances of the four ends for every state and pair."""
        np, edges = self.np, self.edges
        values: Floats = np.zeros((len(edges.mover), len(pairs), ENDS))
        over = np.array(self.plan[0][0], np.int64)
        values[over, :, edges.end[over]] = 1.0
        never = np.zeros(ENDS)
        never[ENDLESS] = 1.0
        self._solve_backward(pairs, values, 0.0, never)
        return values

    def plies(self, pairs: Ints) -> Floats:
        """Return the expected plies to the end for every state and pair.

        They mean nothing where a game may never end.
        """
        values: Floats = self.np.zeros((len(self.edges.mover), len(pairs), 1))
        self._solve_backward(pairs, values, 1.0, self.np.zeros(1))
        return values[:, :, 0]

    def visits(self, pairs: Ints) -> Floats:
        """Return how often every state is expected in a game, which has to be sure to end."""
        np, edges = self.np, self.edges
        visits: Floats = np.zeros((len(edges.mover), len(pairs)))
        visits[self.start] = 1.0
        for depth, (single, cycles) in reversed(list(enumerate(self.plan))):
            for cycle in cycles:
                self._visit_component(self._component(cycle, pairs), visits)
            if single and depth:
                indices, _ = self.edges_from(np.array(single))
                flow = self.steps(indices, pairs) * visits[edges.source[indices]]
                np.add.at(visits, edges.target[indices], flow)
        return visits

    def steps(self, indices: Ints, pairs: Ints) -> Floats:
        """Return the chance of each of some edges, for each pair."""
        mover = self.edges.mover[self.edges.source[indices]]
        steps: Floats = self.chances[pairs.T[mover], indices[:, None]]
        return steps

    def _solve_backward(self, pairs: Ints, values: Floats, reward: float, never: Floats) -> None:
        """Fill in the states layer by layer: a reward, and the mean of the states after it."""
        np = self.np
        for depth, (single, cycles) in enumerate(self.plan):
            if single and depth:
                indices, begins = self.edges_from(np.array(single))
                leads = self.steps(indices, pairs)[:, :, None]
                leads = leads * values[self.edges.target[indices]]
                values[single] = reward + np.add.reduceat(leads, begins, axis=0)
            for cycle in cycles:
                self._solve_component(self._component(cycle, pairs), values, reward, never)

    def edges_from(self, states: Ints) -> tuple[Ints, Ints]:
        """List the edges of some states, and where those of each begin in the list."""
        np, starts = self.np, self.edges.starts
        sizes = starts[states + 1] - starts[states]
        begins = np.cumsum(sizes) - sizes
        return np.arange(sizes.sum()) + np.repeat(starts[states] - begins, sizes), begins

    def _component(self, cycle: list[int], pairs: Ints) -> Component:
        """Return the edges of a component; refuse one that is too large."""
        np, size = self.np, len(cycle)
        if size > LARGEST_CYCLE:
            raise TooLarge(
                f"The game has a cycle of {size:,} positions; exact strengths can be computed for "
                f"at most {LARGEST_CYCLE:,}."
            )
        states = np.array(cycle)
        indices, _ = self.edges_from(states)
        source = np.searchsorted(states, self.edges.source[indices])
        target = self.edges.target[indices]
        place = np.minimum(np.searchsorted(states, target), size - 1)
        inner = states[place] == target
        return Component(states, source, target, place, inner, self.steps(indices, pairs))

    def _solve_component(self, part: Component, values: Floats, reward: float, never: Any) -> None:
        """Solve the states of one component; the states that it leads to are solved."""
        np, outer = self.np, ~part.inner
        pairs, size, columns = part.steps.shape[1], len(part.states), values.shape[2]
        out = np.full((pairs, size, columns), reward)
        leads = part.steps[outer, :, None] * values[part.target[outer]]
        np.add.at(out.transpose(1, 0, 2), part.source[outer], leads)
        exits = np.zeros((pairs, size, 1))
        np.add.at(exits.transpose(1, 0, 2), part.source[outer], part.steps[outer, :, None])
        for some in self._batches(part):
            moves = self._matrices(part, some)
            linked = (moves > 0).astype(np.float32)
            # A state without a way out never ends.
            stuck = ~self._reach(linked, exits[some] > 0)[:, :, 0]
            moves[stuck] = 0.0
            right = out[some]
            right[stuck] = never
            solved = np.linalg.solve(np.eye(size) - moves, right)
            # What cannot happen has chance 0, not a rounding error.
            solved[~self._reach(linked, right > 0)] = 0.0
            values[part.states, some] = solved.transpose(1, 0, 2)

    def _visit_component(self, part: Component, visits: Floats) -> None:
        """Count the visits within a component, and pass them on to the states that it leads to."""
        np, outer = self.np, ~part.inner
        for some in self._batches(part):
            moves = self._matrices(part, some).transpose(0, 2, 1)
            come = visits[part.states, some].T[:, :, None]
            seen = self._reach((moves > 0).astype(np.float32), come > 0)
            moves *= seen.transpose(0, 2, 1)  # what is not reached may have no way out
            solved = np.linalg.solve(np.eye(len(part.states)) - moves, come)
            visits[part.states, some] = np.where(seen, solved, 0.0)[:, :, 0].T
        flow = part.steps[outer] * visits[part.states[part.source[outer]]]
        np.add.at(visits, part.target[outer], flow)

    def _batches(self, part: Component) -> list[slice]:
        """Divide the pairs so that their matrices fit into memory."""
        width = max(1, AT_ONCE // (ENDS * len(part.states) ** 2))
        return [slice(at, at + width) for at in range(0, part.steps.shape[1], width)]

    def _matrices(self, part: Component, some: slice) -> Floats:
        """Return the chances of the steps within a component, a matrix for each pair."""
        size, steps = len(part.states), part.steps[:, some]
        moves: Floats = self.np.zeros((steps.shape[1], size, size))
        where = part.source[part.inner], part.place[part.inner]
        self.np.add.at(moves.transpose(1, 2, 0), where, steps[part.inner])
        return moves

    def _reach(self, linked: Floats, goal: Flags) -> Flags:
        """Return from which states each goal can be reached."""
        np = self.np
        while True:
            more: Flags = goal | (linked @ goal.astype(np.float32) > 0)
            if np.array_equal(more, goal):
                return goal
            goal = more


def chain_of(solution: Solution[S], solved: SolvedTable[S] | None = None) -> Chain:
    """Return the chain of a solution; for a game solved by its theory, make a table or take one.

    Levels that play by a theory know only the plies that it knows.
    """
    np, game = load_numpy(), solution.game
    solved = solved or table_of(solution)
    start = index_of(game, solved, game.initial())
    if solution.solved is None:
        known = [solution.value(state).plies for state in solved.table.states()]
        plies = np.array([UNKNOWN if count is None else count for count in known])
        solved = solved._replace(plies=np.where(solved.plies < 0, -1, plies))
    return Chain(edges_of(solved), start)


def index_of(game: Game[S], solved: SolvedTable[S], state: S) -> int:
    """Return the index of a state in the graph of a table (see edges_of)."""
    index = solved.table.index[game.canonical(state)]
    return 2 * index + state.player if solved.table.turned else index
