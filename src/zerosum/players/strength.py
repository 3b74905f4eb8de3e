"""The exact strength of every level against every other: a linear system, not a sample."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import TooLarge
from zerosum.players.edges import UNKNOWN, Edges, chances_of, edges_of
from zerosum.players.levels import LEVELS
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
# The most numbers in one batch: 256 MB.
AT_ONCE = 1 << 25


class Chances(NamedTuple):
    """How a game ends: won by the first player, by the second, drawn, or never."""

    first: float
    second: float
    draw: float
    endless: float

    @property
    def score(self) -> float:
        """The expected score of the first player: 1 for a win, ½ for a draw, endless or not."""
        return self.first + (self.draw + self.endless) / 2

    @property
    def other_score(self) -> float:
        """The expected score of the second player, computed on its own so that 0 is exactly 0."""
        return self.second + (self.draw + self.endless) / 2


class Strengths(NamedTuple):
    """How every level does against every other; in a pair, the first moves first."""

    chances: dict[tuple[str, str], Chances]

    def overall(self, level: str, other: str) -> float:
        """Return the expected score of a level against another; each moves first half the time."""
        return (self.chances[level, other].score + self.chances[other, level].other_score) / 2


def strengths(solution: Solution[Any]) -> Strengths:
    """Compute the chances of all pairs of levels, from the start of a game.

    This needs the whole table; for a game solved by its theory, one is made.

    >>> import zerosum
    >>> exact = strengths(zerosum.solve(zerosum.game("dual-digits", start=3)))
    >>> exact.chances["random", "random"]
    Chances(first=0.3333333333333333, second=0.6666666666666666, draw=0.0, endless=0.0)
    >>> exact.overall("perfect", "random")
    0.8333333333333333
    """
    np = load_numpy()
    solved = table_of(solution)
    edges = graph_of(solution, solved)
    start = index_of(solution.game, solved, solution.game.initial())
    chances = chances_of(edges)
    plan = layers(edges.starts.tolist(), edges.target.tolist())
    pairs = list(product(range(len(LEVELS)), repeat=2))
    step = max(1, AT_ONCE // (ENDS * (len(edges.mover) + len(edges.target))))
    chances_of_pairs = {}
    for begin in range(0, len(pairs), step):
        batch = np.array(pairs[begin : begin + step])
        ends = Chain(np, edges, chances, batch).ends(plan)[start]
        ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
        for (first, second), end in zip(batch.tolist(), ends.tolist(), strict=True):
            chances_of_pairs[LEVELS[first], LEVELS[second]] = Chances(*end)
    return Strengths(chances_of_pairs)


def graph_of(solution: Solution[S], solved: SolvedTable[S]) -> Edges:
    """Return the graph of a solution's table, with the plies that the solution knows."""
    if solution.solved is None:
        np = load_numpy()
        # Levels that play by a theory know only the plies that it knows.
        known = [solution.value(state).plies for state in solved.table.states()]
        plies = np.array([UNKNOWN if count is None else count for count in known])
        solved = solved._replace(plies=np.where(solved.plies < 0, -1, plies))
    return edges_of(solved)


def index_of(game: Game[S], solved: SolvedTable[S], state: S) -> int:
    """Return the index of a state in the graph of a table (see edges_of)."""
    index = solved.table.index[game.canonical(state)]
    return 2 * index + state.player if solved.table.turned else index


class Chain:
    """The games of some pairs of levels, as Markov chains on one table."""

    def __init__(self, np: Any, edges: Edges, chances: Floats, pairs: Ints) -> None:
        """Take a table, the chances of its edges by level, and pairs of levels by index."""
        self.np, self.edges, self.chances, self.pairs = np, edges, chances, pairs

    def ends(self, plan: list[tuple[list[int], list[list[int]]]]) -> Floats:
        """Return the chances of the four ends for every state and pair, layer by layer."""
        np, edges = self.np, self.edges
        ends: Floats = np.zeros((len(edges.mover), len(self.pairs), ENDS))
        over = np.array(plan[0][0], np.int64)
        ends[over, :, edges.end[over]] = 1.0
        for depth, (single, cycles) in enumerate(plan):
            if single and depth:
                indices, begins = self._edges(np.array(single))
                leads = self._steps(indices)[:, :, None] * ends[edges.target[indices]]
                ends[single] = np.add.reduceat(leads, begins, axis=0)
            for cycle in cycles:
                self._cycle(np.array(cycle), ends)
        return ends

    def _edges(self, states: Ints) -> tuple[Ints, Ints]:
        """List the edges of some states, and where those of each begin in the list."""
        np, starts = self.np, self.edges.starts
        sizes = starts[states + 1] - starts[states]
        begins = np.cumsum(sizes) - sizes
        return np.arange(sizes.sum()) + np.repeat(starts[states] - begins, sizes), begins

    def _steps(self, indices: Ints) -> Floats:
        """Return the chance of each of some edges, for each pair."""
        mover = self.edges.mover[self.edges.source[indices]]
        steps: Floats = self.chances[self.pairs.T[mover], indices[:, None]]
        return steps

    def _cycle(self, states: Ints, ends: Floats) -> None:
        """Solve the states of one component; the states that it leads to are solved."""
        np, size = self.np, len(states)
        if size > LARGEST_CYCLE:
            raise TooLarge(
                f"The game has a cycle of {size:,} positions; exact strengths can be computed for "
                f"at most {LARGEST_CYCLE:,}."
            )
        indices, _ = self._edges(states)
        source = np.searchsorted(states, self.edges.source[indices])
        target = self.edges.target[indices]
        index = np.minimum(np.searchsorted(states, target), size - 1)
        inner = states[index] == target
        steps = self._steps(indices)
        out = np.zeros((len(self.pairs), size, ENDS))
        leads = steps[~inner, :, None] * ends[target[~inner]]
        np.add.at(out.transpose(1, 0, 2), source[~inner], leads)
        width = max(1, AT_ONCE // (ENDS * size * size))
        for begin in range(0, len(self.pairs), width):
            some = slice(begin, begin + width)
            moves = np.zeros((len(out[some]), size, size))
            np.add.at(moves.transpose(1, 2, 0), (source[inner], index[inner]), steps[inner, some])
            ends[states, some] = self._absorbed(moves, out[some]).transpose(1, 0, 2)

    def _absorbed(self, moves: Floats, out: Floats) -> Floats:
        """Solve (I - moves) x = out; a state without a way out never ends."""
        np = self.np
        linked = (moves > 0).astype(np.float32)
        stuck = ~self._reach(linked, out > 0).any(axis=2)
        moves[stuck] = 0.0
        out[stuck] = 0.0, 0.0, 0.0, 1.0
        ends: Floats = np.linalg.solve(np.eye(moves.shape[1]) - moves, out)
        # What cannot happen has chance 0, not a rounding error.
        ends[~self._reach(linked, out > 0)] = 0.0
        return ends

    def _reach(self, linked: Floats, goal: Flags) -> Flags:
        """Return from which states each goal can be reached."""
        np = self.np
        while True:
            more: Flags = goal | (linked @ goal.astype(np.float32) > 0)
            if np.array_equal(more, goal):
                return goal
            goal = more
