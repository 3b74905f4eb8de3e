"""Games that are any graph at all, to be solved in every way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.players.naive import Naive
from zerosum.game import Game, Outcome
from zerosum.solve.solver import solve_table
from zerosum.solve.stored import TableSolution


def solved(game: Game[Any]) -> TableSolution:
    solution = solve_table(game)
    assert isinstance(solution, TableSolution)
    return solution


class Node(NamedTuple):
    node: int
    player: int


@dataclass(frozen=True)
class Graph:
    """A game that is any graph: with cycles, extra turns, and ends for either seat."""

    owners: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]

    def initial(self) -> Node:
        return Node(0, self.owners[0])

    def moves(self, state: Node) -> tuple[int, ...]:
        return tuple(range(len(self.edges[state.node])))

    def play(self, state: Node, move: int) -> Node:
        node = self.edges[state.node][move]
        return Node(node, self.owners[node])

    def outcome(self, state: Node) -> Outcome | None:
        return None if self.edges[state.node] else Outcome(state.node % 2, "nothing is left")

    def objection(self, state: Node, move: int) -> str | None:
        return None if 0 <= move < len(self.edges[state.node]) else "There is no such edge."

    def naive(self) -> Naive:
        def moves(state: Any) -> dict[int, Any]:
            return {m: tuple(self.play(Node(*state), m)) for m in self.moves(Node(*state))}

        def winner(state: Any) -> int | None:
            return None if self.edges[state[0]] else state[0] % 2

        return Naive(tuple(self.initial()), moves, winner)


@st.composite
def graphs(draw: st.DrawFn, most: int = 9) -> Graph:
    count = draw(st.integers(2, most))
    nodes = st.integers(0, count - 1)
    rows = st.lists(nodes, max_size=4).map(tuple)
    edges = [draw(rows) for _ in range(count)]
    edges[0] = edges[0] or (count - 1,)
    owners = tuple(draw(st.integers(0, 1)) for _ in range(count))
    return Graph(owners, tuple(edges))
