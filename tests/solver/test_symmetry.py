"""Symmetry changes nothing but the size: values, best moves, levels and strengths stay the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import perm
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.players.graphs import Graph, graph, graphs, naive, solved
from zerosum.players.levels import LEVELS, policy, trap
from zerosum.players.strength import strengths
from zerosum.protocol import Game, Move, Outcome, Value
from zerosum.solver import table_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SLIPPING = LEVELS[:-1]


class Turned(NamedTuple):
    label: Any
    turned: int
    player: int


@dataclass(frozen=True)
class Mirrored(Game[Turned]):
    """A graph and its mirror image, in which the moves stand in reverse; some edges lead across.

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
        node, place = self.node(state), self.moves(state).index(move)
        if state.turned:
            place = len(self.base.edges[node]) - 1 - place
        return self.state(
            self.base.edges[node][place], state.turned ^ self.across[node] >> place & 1
        )

    def outcome(self, state: Turned) -> Outcome | None:
        node = self.node(state)
        outcome = self.base.outcome(self.base.node(node))
        if outcome is None or outcome.winner is None:
            return outcome
        return Outcome(outcome.winner ^ (state.turned & self.exchange), outcome.reason)

    def canonical(self, state: Turned) -> Turned:
        return self.state(self.node(state), 0)


def mirror(base: Graph, across: Sequence[int], exchange: int) -> Mirrored:
    parts = {"base": base, "across": tuple(across), "exchange": exchange}
    game: Mirrored = type("Mirrored", (Mirrored,), parts)()
    return game


@st.composite
def mirrored(draw: st.DrawFn) -> Mirrored:
    across = draw(st.lists(st.integers(0, 15), min_size=6, max_size=6))
    return mirror(draw(graphs(most=6)), across, draw(st.integers(0, 1)))


def without_symmetry(game: Game[Any]) -> Game[Any]:
    """Give the same game without the word that some positions are equal."""
    plain: Game[Any] = type("Plain", (type(game),), {"canonical": Game.canonical})()
    return plain


def check_symmetry(game: Game[Any]) -> None:
    """Compare a game with the same one without symmetry, in every position."""
    symmetric, plain = solved(game), solved(without_symmetry(game))
    states = list(table_of(plain).table.states())
    assert all(symmetric.value(state) == plain.value(state) for state in states)
    for state in states[:: 1 + len(states) // 300]:
        values = plain.moves(state)
        assert symmetric.moves(state) == values
        assert symmetric.best(state) == plain.best(state)
        if not values:
            continue
        for level in SLIPPING:
            assert policy(symmetric, level, state) == policy(plain, level, state)
        # Of equal moves the first is played, and symmetry may have them in another order.
        chosen, usual = (next(iter(policy(s, "perfect", state))) for s in (symmetric, plain))
        assert values[chosen][:2] == values[usual][:2]
        if values[chosen].result != "win":
            assert trap(plain, state, chosen) == trap(plain, state, usual)
    found, expected = strengths(symmetric).chances, strengths(plain).chances
    for pair in product(SLIPPING, SLIPPING):
        assert found[pair] == pytest.approx(expected[pair], rel=1e-9, abs=1e-12)


@settings(max_examples=60)
@given(mirrored())
def test_any_game_is_the_same_with_symmetry(game: Mirrored) -> None:
    check_symmetry(game)


@settings(max_examples=40)
@given(mirrored())
def test_strengths_with_symmetry_are_those_of_the_moves_that_are_played(game: Mirrored) -> None:
    solution, exactly = solved(game), naive(game)
    exactly.policies = {
        level: {
            state: {m: Fraction(p) for m, p in policy(solution, level, state).items()}
            for state in exactly.leads
            if exactly.leads[state]
        }
        for level in LEVELS
    }
    for pair, chances in strengths(solution).chances.items():
        exact = [float(chance) for chance in exactly.ends(pair)]
        assert chances == pytest.approx(exact, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("exchange", [0, 1])
def test_equal_positions_are_played_equally(exchange: int) -> None:
    # From 0 the game goes on in the mirror, where the moves of 1 stand in reverse. Both keep the
    # draw, and neither sets a trap at once; but on the way from 3 there will be one, at 6.
    edges = ((1,), (2, 3), (4,), (5,), (), (6,), (4, 7), ())
    game = mirror(
        graph((0, 0, 1, 1, 0, 0, 1, 0), edges, (None,) * 7 + (0,)), [1] + [0] * 7, exchange
    )
    solution = solved(game)
    for turned in (0, 1):
        (move,) = policy(solution, "perfect", game.state(1, turned))
        assert game.play(game.state(1, turned), move).label == 2
    pair = ("random", "perfect") if exchange else ("perfect", "random")
    assert strengths(solution).chances[pair].draw == 1.0


@pytest.mark.parametrize(
    ("name", "plain", "symmetric"),
    [("noughts_and_crosses", 5_478, 765), ("nim_with_a_pass", 464, 96)],
)
def test_the_examples_are_the_same_with_symmetry(name: str, plain: int, symmetric: int) -> None:
    game = zerosum.game(str(EXAMPLES / f"{name}.py"))
    assert len(table_of(solved(game)).table) == symmetric
    assert len(table_of(solved(without_symmetry(game))).table) == plain
    check_symmetry(game)


class Word(NamedTuple):
    word: str
    player: int


@dataclass(frozen=True)
class Palindromes(Game[Word]):
    """Append a letter; whoever completes a palindrome of three letters or more loses."""

    letters: ClassVar[str] = "abcdefghijklmnopqrstuvwxyz"
    longest: ClassVar[int] = 8

    def initial(self) -> Word:
        return Word("", 0)

    def moves(self, state: Word) -> tuple[str, ...]:
        return () if self.outcome(state) else tuple(self.letters)

    def play(self, state: Word, move: str) -> Word:
        return Word(state.word + move, 1 - state.player)

    def outcome(self, state: Word) -> Outcome | None:
        word, player = state
        ends = (word[place:] for place in range(len(word) - 2))
        if any(end == end[::-1] for end in ends):
            return Outcome(player, "a palindrome")
        return Outcome(None, "the word is full") if len(word) == self.longest else None

    def canonical(self, state: Word) -> Word:
        names = dict(zip(dict.fromkeys(state.word), self.letters, strict=False))
        return state._replace(word="".join(names[letter] for letter in state.word))


def words_in(game: Palindromes) -> tuple[int, int]:
    """Count the positions of a table, and the words that they stand for."""
    table = table_of(solved(game)).table
    many = len(game.letters)
    return len(table), sum(perm(many, len(set(state.word))) for state in table.states())


def test_renaming_letters_collapses_billions_of_words_into_thousands() -> None:
    class Few(Palindromes):
        letters = "abc"

    check_symmetry(Few())
    assert words_in(Few())[1] == len(table_of(solved(without_symmetry(Few()))).table)
    assert words_in(Palindromes()) == (1_466, 177_704_785_779)
    solution = solved(Palindromes())
    assert solution.value(Word("", 0)) == Value("draw")
    assert solution.best(Word("xy", 0)) == tuple(Palindromes.letters.replace("x", ""))
