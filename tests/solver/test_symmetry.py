"""Symmetry changes nothing but the size: values, best moves, levels and strengths stay the same."""

from itertools import product
from math import perm
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import EXAMPLES
from tests.games import Palindromes, Word, broken
from tests.graphs import Mirrored, mirrored
from zerosum.errors import GameError
from zerosum.players.levels import LEVELS, policy, trap
from zerosum.players.strength import strengths
from zerosum.protocol import Game, Value
from zerosum.solver import solve_table, table_of

SLIPPING = LEVELS[:-1]


def without_symmetry(game: Game[Any]) -> Game[Any]:
    """Return the same game without its symmetry."""
    plain: Game[Any] = type("Plain", (type(game),), {"canonical": Game.canonical})()
    return plain


def check_symmetry(game: Game[Any]) -> None:
    """Compare a game with the same one without symmetry, in every position."""
    symmetric, plain = solve_table(game), solve_table(without_symmetry(game))
    states = list(table_of(plain).graph.index)
    assert all(symmetric.value(state) == plain.value(state) for state in states)
    for state in states[:: 1 + len(states) // 300]:
        values = plain.moves(state)
        assert symmetric.moves(state) == values
        assert symmetric.best(state) == plain.best(state)
        if not values:
            continue
        for level in SLIPPING:
            assert policy(symmetric, level, state) == policy(plain, level, state)
        # The first of equal moves is played, and symmetry may have them in another order.
        chosen, usual = (next(iter(policy(s, "perfect", state))) for s in (symmetric, plain))
        assert values[chosen][:2] == values[usual][:2]
        if values[chosen].result != "win":
            assert trap(plain, state, chosen) == trap(plain, state, usual)
    found, expected = strengths(symmetric).chances, strengths(plain).chances
    for pair in product(SLIPPING, SLIPPING):
        assert found[pair] == pytest.approx(expected[pair], rel=1e-9, abs=1e-12)


@given(mirrored())
def test_symmetry_does_not_change_values(game: Mirrored) -> None:
    check_symmetry(game)


@pytest.mark.parametrize(
    ("name", "plain", "symmetric"),
    [("noughts_and_crosses", 5_478, 765), ("nim_with_a_pass", 464, 96)],
)
def test_symmetry_shrinks_the_examples(name: str, plain: int, symmetric: int) -> None:
    game = zerosum.game(str(EXAMPLES / f"{name}.py"))
    assert len(table_of(solve_table(game)).graph) == symmetric
    assert len(table_of(solve_table(without_symmetry(game))).graph) == plain
    check_symmetry(game)


def words_in(game: Palindromes) -> tuple[int, int]:
    """Count the positions of a table, and the words that they stand for."""
    table = table_of(solve_table(game)).graph
    many = len(game.letters)
    return len(table), sum(perm(many, len(set(state.word))) for state in table.index)


def test_renaming_letters_collapses_billions_of_words_into_thousands() -> None:
    class Few(Palindromes):
        letters = "abc"

    check_symmetry(Few())
    assert words_in(Few())[1] == len(table_of(solve_table(without_symmetry(Few()))).graph)
    assert words_in(Palindromes()) == (1_466, 177_704_785_779)
    solution = solve_table(Palindromes())
    assert solution.value(Word("", 0)) == Value("draw")
    assert solution.best(Word("xy", 0)) == tuple(Palindromes.letters.replace("x", ""))


@pytest.mark.parametrize(
    "canonical",
    [
        lambda game, state: state._replace(number=state.number - state.number % 2),
        lambda game, state: state._replace(number=state.number + 1),
    ],
    ids=["not equal", "not its own"],
)
def test_a_lie_about_symmetry_is_named(canonical: Any) -> None:
    game = broken(canonical=canonical)
    lie = r"canonical\(\) makes Pile\(.*\) equal to Pile\(.*, which it is not"
    with pytest.raises(GameError, match=lie):
        solve_table(game)
