"""Games that are any graph at all: with draws, cycles, extra turns, text moves and odd states."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st

from zerosum import Game, Move, Outcome

Label = Any  # an integer, a string, None, or tuples of these


class Node(NamedTuple):
    label: Label
    player: int


@dataclass(frozen=True)
class Graph(Game[Node]):
    """Any graph at all, with draws, cycles, extra turns and odd states; see `graph`."""

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
    """Make a game of a graph, a class of its own: who moves in each node, and where moves lead.

    A node without edges is won by the player in `ends`, or drawn; by default the odd ones are won
    by player 1. By default labels and moves are numbers.
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


class Turned(NamedTuple):
    label: Label
    turned: int
    player: int


@dataclass(frozen=True)
class Mirrored(Game[Turned]):
    """A graph and its mirror image, where moves are in reverse order; some edges lead across.

    Where `exchange` is set, the seats are exchanged in the mirror.
    """

    base: ClassVar[Graph]
    across: ClassVar[tuple[int, ...]]
    exchange: ClassVar[int]

    def initial(self) -> Turned:
        return self.state(0, 0)

    def state(self, node: int, turned: int) -> Turned:
        player = self.base.owners[node] ^ (turned & self.exchange)
        return Turned(self.base.labels[node], turned, player)

    def node(self, state: Turned) -> int:
        return self.base.labels.index(state.label)

    def moves(self, state: Turned) -> tuple[Move, ...]:
        return self.base.moves(self.base.node(self.node(state)))

    def play(self, state: Turned, move: Move) -> Turned:
        node, index = self.node(state), self.moves(state).index(move)
        if state.turned:
            index = len(self.base.edges[node]) - 1 - index
        turned = state.turned ^ self.across[node] >> index & 1
        return self.state(self.base.edges[node][index], turned)

    def outcome(self, state: Turned) -> Outcome | None:
        outcome = self.base.outcome(self.base.node(self.node(state)))
        if outcome is None or outcome.winner is None:
            return outcome
        return Outcome(outcome.winner ^ (state.turned & self.exchange), outcome.reason)

    def canonical(self, state: Turned) -> Turned:
        return self.state(self.node(state), 0)


def mirror(base: Graph, across: Sequence[int], exchange: int) -> Mirrored:
    """Make a game of a graph and its mirror image; bit n of `across` sends edge n to the other."""
    parts = {"base": base, "across": tuple(across), "exchange": exchange}
    game: Mirrored = type("Mirrored", (Mirrored,), parts)()
    return game


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
leaves = st.none() | st.integers(-(10**20), 10**20) | words
parts = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


@st.composite
def graphs(draw: st.DrawFn, most: int = 10) -> Graph:
    """Any game of a few nodes, half of them with odd states and with moves that are strings."""
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


@st.composite
def mirrored(draw: st.DrawFn) -> Mirrored:
    """Any game of a few nodes with its mirror image."""
    across = draw(st.lists(st.integers(0, 15), min_size=6, max_size=6))
    return mirror(draw(graphs(most=6)), across, draw(st.integers(0, 1)))
