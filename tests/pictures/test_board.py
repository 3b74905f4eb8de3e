"""Boards: the map of a game with a board shows the value of each first move."""

from xml.etree import ElementTree

import pytest

import zerosum
from tests.game_files import NOUGHTS
from tests.games import Pawns
from tests.pictures.test_map import SVG, titles, tree
from tests.pictures.test_svg import cells
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.solver import solve, solve_table
from zerosum.states import read_state


def test_every_cell_has_its_move_and_the_state_after_it() -> None:
    solution = solve(zerosum.game(NOUGHTS))
    game, start, drawn = solution.game, solution.game.initial(), map_svg(solution)
    assert titles(drawn) == [f"{move}: draw" for move in game.moves(start)]
    for data, title in cells(drawn):
        assert read_state(game, data) == game.play(start, title.partition(":")[0])
    root = tree(drawn)
    assert root[0].text == "Noughts and Crosses: values of the moves"
    assert (root[1].text or "").splitlines() == [
        "First player to move: draw, with best play.",
        "Draw: a1, b1, c1, a2, b2, c2, a3, b3, c3.",
    ]
    assert map_text(solution).split("\n\n")[1].splitlines() == [
        "column across, row down",
        "   1 2 3",
        *(f" {row} = = =" for row in (1, 2, 3)),
    ]


def test_moves_that_share_a_cell_and_moves_without_one() -> None:
    solution = solve_table(Pawns())
    state = solution.game.initial()
    assert cells(map_svg(solution)) == [
        (list(solution.game.play(state, "one")), "one: win in 5, two: loss in 4")
    ]
    assert map_text(solution, plain=True).splitlines()[1:] == [
        "First player to move: win in 5, with best play.",
        "Row 1: P, empty, empty, empty, empty, empty.",
        "Win in 5: one.",
        "Loss in 4: two, wait.",
    ]


@pytest.mark.parametrize("length", [3, 19, 80])
def test_board_of_any_size_fits(length: int) -> None:
    solution = solve_table(Pawns(length))
    root = ElementTree.fromstring(map_svg(solution))
    assert float(root.get("width", "")) <= 900
    for text in root.iter(f"{SVG}text"):
        assert float(text.get("font-size", "")) >= 11
        assert 0 <= float(text.get("x", "")) <= float(root.get("width", ""))
    for width in (20, 50, 200):
        assert all(len(line) <= width for line in map_text(solution, width).splitlines())
