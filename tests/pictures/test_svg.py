"""Pictures for web pages: every cell has its state, and colours are in one style sheet."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.games import Hotseat, Stack
from tests.pictures.test_map import GAMES, SVG, drawn_map
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.svg import DARK, LIGHT, inline_svg, svg_stylesheet
from zerosum.protocol import Game, Value
from zerosum.solver import solve
from zerosum.solver.theory import theory_of
from zerosum.states import read_state
from zerosum.wording.words import spoken

OTHERS: dict[str, Game[Any]] = {
    "hotseat": Hotseat(),
    "far": zerosum.game("even-steven", start=10**40),
    "far pairs": zerosum.game("number-navigator", start=10**40),
    "blanks": Stack(blanks=True),
}


def cells(drawn: str) -> list[tuple[Any, str]]:
    """Return the states of a map's cells, with their titles."""
    tree = ElementTree.fromstring(drawn)
    groups = [group for group in tree.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return [(json.loads(group.attrib["data-state"]), group[0].text or "") for group in groups]


@pytest.mark.parametrize("name", [*GAMES, *OTHERS])
def test_every_cell_has_the_state_of_its_value(name: str) -> None:
    solution = solve({**GAMES, **OTHERS}[name])
    # Without a theory, both are one, which other tests have drawn.
    by_table = name in GAMES and theory_of(solution.game) is None
    found = cells(drawn_map(name) if by_table else map_svg(solution))
    assert found
    for data, title in found:
        state = read_state(solution.game, data)
        assert json.loads(json.dumps(state)) == data
        assert title.endswith(f": {spoken(solution.value(state))}")
    states = [json.dumps(data) for data, _ in found]
    assert len(set(states)) == len(states)


def test_shared_cells_have_the_state_of_the_first_seat() -> None:
    states = [data for data, _ in cells(map_svg(solve(zerosum.game("even-steven"))))]
    assert [15, 0] in states
    assert [14, 1] in states  # only the second player can reach 14
    assert [7, 0] in states


@pytest.mark.parametrize(
    "drawn",
    [
        map_svg(solve(zerosum.game("even-steven"))),
        chart_svg(Chart([Value("loss", 1), Value("loss", 0)], [1], names=("<style>", "</style>"))),
    ],
)
def test_inline_pictures_have_no_style_of_their_own(drawn: str) -> None:
    bare = inline_svg(drawn)
    tree = ElementTree.fromstring(bare)
    assert not list(tree.iter(f"{SVG}style"))
    assert not [part for part in tree.iter() if "style" in part.attrib]
    assert len(drawn) - len(bare) == len(f"<style>{svg_stylesheet()}</style>")
    classes = {part.attrib.get("class", "zerosum") for part in tree.iter()} - {"zerosum"}
    assert classes
    for kind in classes:
        assert f".zerosum .{kind}{{{LIGHT[kind]}}}" in svg_stylesheet()
        assert f".zerosum .{kind}{{{DARK[kind]}}}" in svg_stylesheet()
    assert inline_svg(bare) == bare
