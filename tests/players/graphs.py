"""Games that are any graph at all: with draws, loops, extra turns, text moves and odd states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st

from tests.players.naive import DRAWN, Naive
from zerosum.protocol import Game, Move, Outcome
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution

Label = Any  # an integer, a text, None, or tuples of these


class Node(NamedTuple):
    label: Label
    player: int


@dataclass(frozen=True)
class Graph(Game[Node]):
    """A game that is any graph; each one is a class of its own, without options (see `graph`)."""

    owners: ClassVar[tuple[int, ...]]
    edges: ClassVar[tuple[tuple[int, ...], ...]]
    ends: ClassVar[tuple[int | None, ...]]
    labels: ClassVar[tuple[Label, ...]]
    texts: ClassVar[tuple[bool, ...]]

    def __repr__(self) -> str:
        return f"graph({self.owners}, {self.edges}, {self.ends}, {self.labels!r}, {self.texts})"

    def node(self, node: int) -> Node:
        return Node(self.labels[node], self.owners[node])

    def initial(self) -> Node:
        return self.node(0)

    def moves(self, state: Node) -> tuple[Move, ...]:
        node = self.labels.index(state.label)
        count = len(self.edges[node])
        return tuple("abcdefgh"[:count] if self.texts[node] else range(count))

    def play(self, state: Node, move: Move) -> Node:
        node = self.labels.index(state.label)
        return self.node(self.edges[node][self.moves(state).index(move)])

    def outcome(self, state: Node) -> Outcome | None:
        node = self.labels.index(state.label)
        return None if self.edges[node] else Outcome(self.ends[node], "nothing is left")


def graph(
    owners: Sequence[int],
    edges: Sequence[Sequence[int]],
    ends: Sequence[int | None] = (),
    labels: Sequence[Label] = (),
    texts: Sequence[bool] = (),
) -> Graph:
    """Make a game of a graph: who moves in each node, and where the moves lead.

    A node without edges is won by the seat of `ends`, or drawn; usually the odd ones are won by
    seat 1. The labels are usually numbers, and so are the moves.
    """
    count = len(owners)
    parts = {
        "owners": tuple(owners),
        "edges": tuple(map(tuple, edges)),
        "ends": tuple(ends) or tuple(node % 2 for node in range(count)),
        "labels": tuple(labels) or tuple(range(count)),
        "texts": tuple(texts) or (False,) * count,
    }
    game: Graph = type("Graph", (Graph,), parts)()
    return game


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
leaves = st.none() | st.integers(-(10**20), 10**20) | words
parts = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


@st.composite
def graphs(draw: st.DrawFn, most: int = 10) -> Graph:
    """Any game of a few nodes, half of them with odd states and with moves that are texts."""
    # What Hypothesis likes to draw is too simple: most of its games are over at once, or never.
    rng = Random(draw(st.integers(0, 2**64)))
    count = rng.randint(2, most)
    edges: list[list[int]] = [[] for _ in range(count)]
    for node in range(count - 1):
        ahead, anywhere = range(node + 1, min(node + 4, count)), range(count)
        for _ in range(rng.choice((0, 1, 2, 2, 3, 4)) or node == 0):
            edges[node].append(rng.choice(anywhere if rng.random() < 0.3 else ahead))
    owners = [0, *rng.choices((0, 1), k=count - 1)]
    ends = rng.choices((0, 0, 1, 1, None), k=count)
    if draw(st.booleans()):
        return graph(owners, edges, ends)
    labels = draw(st.lists(parts, unique=True, min_size=count, max_size=count))
    return graph(owners, edges, ends, labels, rng.choices((False, True), k=count))


def solved(game: Game[Any]) -> Solution[Any]:
    """Solve a game by a table, also where it has a theory."""
    solution = solve_table(game)
    assert solution.solved is not None
    return solution


def naive(game: Game[Any]) -> Naive:
    """Give the rules of a game to the naive solver, which knows nothing else of it."""

    def moves(state: Any) -> dict[Move, Any]:
        return {move: game.play(state, move) for move in game.moves(state)}

    def end(state: Any) -> int | None:
        outcome = game.outcome(state)
        if outcome is None:
            return None
        return DRAWN if outcome.winner is None else outcome.winner

    return Naive(game.initial(), moves, end)
