"""What a player may answer about a position."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.games import Letters
from zerosum.errors import IllegalMove, UnreadableMove
from zerosum.players.asked import check_answer

GAME = zerosum.game("dual-digits")
START = GAME.initial()


@given(st.lists(st.floats(0, 1e6), min_size=4, max_size=4).filter(lambda ws: sum(ws) > 1e-3))
def test_chances_are_scaled_to_1(weights: list[float]) -> None:
    total = math.fsum(weights)
    answer = {move: weight / total for move, weight in enumerate(weights, 1)}
    checked = check_answer(GAME, START, answer)
    assert math.isclose(math.fsum(checked.values()), 1.0)
    assert set(checked) == {move for move, chance in answer.items() if chance}


def test_numpy_numbers_are_accepted() -> None:
    assert check_answer(GAME, START, np.int64(2)) == {2: 1.0}
    chances = {np.int32(1): np.float32(0.5), 2: Fraction(1, 2), 3: 0}
    assert check_answer(GAME, START, chances) == {1: 0.5, 2: 0.5}
    assert all(type(move) is int for move in check_answer(GAME, START, chances))


@pytest.mark.parametrize(
    "answer", [None, 1.0, True, [1], b"1", "take 1", np.ones(2), {1: "1"}, {1: math.nan}, {}]
)
def test_non_moves_are_unreadable(answer: Any) -> None:
    with pytest.raises(UnreadableMove):
        check_answer(GAME, START, answer)


def test_illegal_move_without_a_chance_is_ignored() -> None:
    assert check_answer(GAME, START, {1: 1, 9: 0}) == {1: 1.0}
    with pytest.raises(IllegalMove):
        check_answer(GAME, START, {1: 0.5, 9: 0.5})


def test_strings_are_read_as_typed() -> None:
    letters = Letters()
    assert check_answer(letters, letters.initial(), " B ") == {"b": 1.0}
    assert check_answer(letters, letters.initial(), {"a": 0.5, "A": 0.5}) == {"a": 1.0}
    with pytest.raises(IllegalMove, match="x is not a legal move"):
        check_answer(letters, letters.initial(), "x")
