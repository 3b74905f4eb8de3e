"""Pictures for pages: every cell names its state, and the colours stand in one style sheet."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.pictures.games import Climb, Hotseat, Nim, Piles
from tests.pictures.test_values import GAMES, SVG
from zerosum.pictures.history import history_svg
from zerosum.pictures.svg import DARK, LIGHT, inline, stylesheet
from zerosum.pictures.values import map_svg
from zerosum.protocol import Value
from zerosum.solver import solve, solve_table
from zerosum.states import read_state
from zerosum.wording import spoken

OTHERS = {
    "climb": Climb(),
    "hotseat": Hotseat(),
    "far": zerosum.game("even-steven", start=10**40),
    "far pairs": zerosum.game("number-navigator", start=10**40),
    "blanks": Piles(blanks=True),
}


def cells(drawn: str) -> list[tuple[Any, str]]:
    """The states of a map's cells, with the titles of these."""
    tree = ElementTree.fromstring(drawn)
    groups = [group for group in tree.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return [(json.loads(group.attrib["data-state"]), group[0].text or "") for group in groups]


@pytest.mark.parametrize(
    ("name", "solver"),
    [
        *((name, solve) for name in (*GAMES, *OTHERS)),
        *((name, solve_table) for name in GAMES),
    ],
)
def test_every_cell_names_the_state_whose_value_is_drawn(name: str, solver: Any) -> None:
    solution = solver({**GAMES, **OTHERS}[name])
    found = cells(map_svg(solution))
    assert found
    for data, title in found:
        state = read_state(solution.game, data)
        assert json.loads(json.dumps(state)) == data
        assert title.endswith(f": {spoken(solution.value(state))}")
    states = [json.dumps(data) for data, _ in found]
    assert len(set(states)) == len(states)


def test_a_cell_of_both_seats_is_the_first_ones_where_it_can_be() -> None:
    states = [data for data, _ in cells(map_svg(solve(zerosum.game("even-steven"))))]
    assert [15, 0] in states
    assert [14, 1] in states  # nobody comes to 14 but the second player
    assert [7, 0] in states


def test_a_map_of_one_seat_has_states_of_that_seat() -> None:
    solution = solve(zerosum.game("number-navigator"))
    for seat in (0, 1):
        assert {data[-1] for data, _ in cells(map_svg(solution, seat=seat))} == {seat}


def test_states_of_tuples_keep_their_form() -> None:
    assert [[3, 4, 2], 0] in [data for data, _ in cells(map_svg(solve_table(Nim())))]


@pytest.mark.parametrize(
    "drawn",
    [
        map_svg(solve(zerosum.game("even-steven"))),
        history_svg([Value("loss", 1), Value("loss", 0)], [1], names=("<style>", "</style>")),
    ],
)
def test_a_picture_inside_a_page_has_no_style_of_its_own(drawn: str) -> None:
    bare = inline(drawn)
    tree = ElementTree.fromstring(bare)
    assert not list(tree.iter(f"{SVG}style"))
    assert not [part for part in tree.iter() if "style" in part.attrib]
    assert len(drawn) - len(bare) == len(f"<style>{stylesheet()}</style>")
    classes = {part.attrib.get("class", "zerosum") for part in tree.iter()} - {"zerosum"}
    assert classes
    for kind in classes:
        assert f".zerosum .{kind}{{{LIGHT[kind]}}}" in stylesheet()
        assert f".zerosum .{kind}{{{DARK[kind]}}}" in stylesheet()
    assert inline(bare) == bare
