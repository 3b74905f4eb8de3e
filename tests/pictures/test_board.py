"""Boards: each cell shows the value of its move, in every form."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.game_files import NOUGHTS
from tests.games import Nim, Pawns
from tests.pictures.test_map import SVG, titles, tree
from tests.pictures.test_svg import cells
from zerosum.errors import ZerosumError
from zerosum.pictures.board import board_svg, board_text
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.states import read_state
from zerosum.wording.words import spoken


@pytest.fixture(scope="module")
def noughts() -> Solution[Any]:
    return solve(zerosum.game(NOUGHTS))


def after(solution: Solution[Any], *moves: str) -> Any:
    state = solution.game.initial()
    for move in moves:
        state = solution.game.play(state, move)
    return state


def test_map_of_a_game_with_a_board_is_the_board(noughts: Solution[Any]) -> None:
    drawn = map_svg(noughts)
    assert drawn == board_svg(noughts, noughts.game.initial())
    assert titles(drawn) == [f"{move}: draw" for move in noughts.game.moves(noughts.game.initial())]
    root = tree(drawn)
    assert root[0].text == "Noughts and Crosses: values of the moves"
    assert (root[1].text or "").splitlines() == [
        "Player 1 to move: draw, with best play.",
        "Draw: a1, b1, c1, a2, b2, c2, a3, b3, c3.",
    ]
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words.count("draw") == 1 + 9  # the legend's, and one in each cell
    assert "not reachable" not in words


@pytest.mark.parametrize("moves", [(), ("a1", "b1"), ("a1", "b1", "b2"), ("a1", "b2", "c3", "a3")])
def test_every_cell_has_the_state_after_its_move(
    noughts: Solution[Any], moves: tuple[str, ...]
) -> None:
    state = after(noughts, *moves)
    found = cells(board_svg(noughts, state))
    values = noughts.moves(state)
    assert len(found) == len(values)
    for data, title in found:
        move, _, said = title.partition(": ")
        assert read_state(noughts.game, data) == noughts.game.play(state, move)
        assert said == spoken(values[move])


def test_board_in_words(noughts: Solution[Any]) -> None:
    assert board_text(noughts, after(noughts, "a1", "b1"), plain=True).splitlines() == [
        "Noughts and Crosses: values of the moves",
        "Player 1 to move: win in 5, with best play.",
        "Row 1: X, O, empty.",
        "Win in 5: a2, b2, a3.",
        "Draw: c1, c2, b3, c3.",
    ]
    over = after(noughts, "a1", "b1", "a2", "b2", "a3")
    assert "The game is over: three in a row." in board_text(noughts, over, plain=True)
    assert "data-state" not in board_svg(noughts, over)


def test_board_in_characters(noughts: Solution[Any]) -> None:
    state = after(noughts, "a1", "b1")
    wide = board_text(noughts, state).split("\n\n")
    assert wide[0].splitlines()[-1] == "● win   = draw"
    assert wide[1].splitlines() == [
        "X             │ O             │ c1 = draw",
        "a2 ● win in 5 │ b2 ● win in 5 │ c2 = draw",
        "a3 ● win in 5 │ b3 = draw     │ c3 = draw",
    ]
    assert board_text(noughts, state, 30).split("\n\n")[1].splitlines() == [
        "X    │ O    │ c1 =",
        "a2 ● │ b2 ● │ c2 =",
        "a3 ● │ b3 = │ c3 =",
    ]
    huge = solve(Pawns(length=40))
    for width in (20, 50, 200):
        lines = map_text(huge, width).splitlines()
        assert all(len(line) <= width for line in lines)


def test_moves_that_share_a_cell_and_moves_without_one() -> None:
    solution = solve_table(Pawns())
    state = solution.game.initial()
    drawn = map_svg(solution)
    assert cells(drawn) == [
        (list(solution.game.play(state, "one")), "one: win in 5, two: loss in 4"),
        (list(solution.game.play(state, "wait")), "wait: loss in 4"),
    ]
    assert map_text(solution, plain=True).endswith("Win in 5: one.\nLoss in 4: two, wait.")


@pytest.mark.parametrize("length", [3, 19, 80])
def test_board_of_any_size_fits(length: int) -> None:
    root = ElementTree.fromstring(map_svg(solve_table(Pawns(length))))
    assert float(root.get("width", "")) <= 900
    for text in root.iter(f"{SVG}text"):
        assert float(text.get("font-size", "")) >= 11
        assert 0 <= float(text.get("x", "")) <= float(root.get("width", ""))


def test_game_without_a_board() -> None:
    with pytest.raises(ZerosumError, match="Nim has no board"):
        board_svg(solve_table(Nim()), Nim().initial())
