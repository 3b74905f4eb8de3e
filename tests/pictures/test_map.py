"""Maps of values: every cell is correct, and everything is also in words, for any game."""

import re
from collections import Counter
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.game_files import PASS, STICK
from tests.games import Lights, Nim, Stack
from tests.naive import Naive
from tests.web.test_colours import contrast
from zerosum.pictures.labels import leaf_text
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.pictures.svg import DARK, LIGHT
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.solver.theory import theory_of
from zerosum.states import leaves
from zerosum.wording.words import spoken

SVG = "{http://www.w3.org/2000/svg}"
BOXES = re.compile("[─-◿⠀-⣿…●○·]")
GAMES: dict[str, Game[Any]] = {
    **{name: zerosum.game(name) for name in BUILT_IN if name != "digit-battle"},
    "digit-battle": zerosum.game("digit-battle", lives=4),
    "advanced": zerosum.game("even-steven", start=30, subtract_two=True),
    "sixty": zerosum.game("even-steven", start=60),
    "stick": zerosum.game(STICK),
    "nim": Nim(),
    "two heaps": Nim((6, 3)),
    "shrinking": Nim((2, 1, 3), shrink=True),
    "pass": zerosum.game(PASS, heaps=(2, 3, 2)),
    "lights": Lights(),
    "piles": Stack(),
}
Fields = frozenset[tuple[str, str]]


@cache
def solved(name: str) -> Solution[Any]:
    return solve_table(GAMES[name])


@cache
def drawn_map(name: str) -> str:
    return map_svg(solved(name))


@pytest.fixture(params=GAMES)
def solution(request: pytest.FixtureRequest) -> Solution[Any]:
    return solved(request.param)


@pytest.fixture
def drawn(request: pytest.FixtureRequest, solution: Solution[Any]) -> str:
    return drawn_map(request.node.callspec.params["solution"])


def tree(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def titles(drawn: str) -> list[str]:
    """Return the titles of the cells."""
    return [title.text or "" for title in tree(drawn).findall(f".//{SVG}g/{SVG}title")]


def values_of(solution: Solution[Any], seat: int | None) -> dict[Fields, str]:
    """Return every reachable state by its fields, with its value in words."""
    return {
        frozenset(
            (name, leaf_text(leaf))
            for name, leaf in leaves(state)
            if name != "player" and leaf is not None
        ): spoken(solution.value(state))
        for state in Naive(solution.game).after
        if seat is None or state.player == seat
    }


# What people call the fields that are not called what they are.
CALLED = {
    "previous": "just subtracted",
    "passes": "passes left",
    "first": "first player's number",
    "second": "second player's number",
    "first_lives": "first player's lives",
    "second_lives": "second player's lives",
}


def read(title: str, names: list[str]) -> tuple[Fields, str]:
    """Parse a cell's title."""
    where, _, value = title.partition(": ")
    if len(names) == 1:
        return frozenset([(names[0], where)]), value
    parts = dict(part.rsplit(" ", 1) for part in where.split(", "))
    there = [(name, parts[CALLED.get(name, name)]) for name in names]
    return frozenset(field for field in there if field[1] != "none"), value


def test_every_state_has_one_cell_with_its_value(solution: Solution[Any], drawn: str) -> None:
    wanted = values_of(solution, None if "(either player)" in drawn else 0)
    names = sorted({name for fields in wanted for name, _ in fields})
    if "second_lives" in names:  # Digit Battle: what is cropped and left out
        wanted = {
            fields: value
            for fields, value in wanted.items()
            if int(dict(fields)["number"]) >= -10 and int(dict(fields)["second_lives"]) > 0
        }
    shown = Counter(read(title, names) for title in titles(drawn))
    assert shown == Counter(wanted.items())


def test_drawing_is_valid(solution: Solution[Any], drawn: str) -> None:
    root = tree(drawn)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert float(root.get("width", "")) <= 900
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert "map of values" in (root[0].text or "")
    assert len((root[1].text or "").splitlines()) >= 2
    assert drawn == map_svg(solution)
    assert re.findall('https?:[^"]*', drawn) == ["http://www.w3.org/2000/svg"]
    assert not re.findall(r"href|url\(|<script|@import", drawn)
    for text in root.iter(f"{SVG}text"):
        assert float(text.get("font-size", "")) >= 11
        assert 0 <= float(text.get("x", "")) <= float(root.get("width", ""))


def test_legend_lists_what_occurs(drawn: str) -> None:
    root, shown = tree(drawn), titles(drawn)
    words = {text.text for text in root.iter(f"{SVG}text")}
    for word in ("win", "loss", "draw", "draw (endless)"):
        said = re.compile(f": {re.escape(word)}( in .*|, .*)?$")
        assert (word in words) == any(map(said.search, shown))
    signs = {part.get("class") for part in root.iter() if "-sign" in (part.get("class") or "")}
    assert ("draw-sign" in signs) == bool(words & {"draw", "draw (endless)"})


def test_description_lists_what_is_lost() -> None:
    drawn = tree(map_svg(solve_table(GAMES["sixty"])))
    assert "Lost for the player to move: number 0, 2, 5 to 59 odd." in (drawn[1].text or "")


def test_text_fits_and_agrees_with_the_drawing(solution: Solution[Any], drawn: str) -> None:
    shown = titles(drawn)
    for width in (30, 80, 200):
        text = map_text(solution, width)
        assert all(len(line) <= width for line in text.splitlines())
        body = text.split("\n\n", 1)[1]
        ends = (("●", ": win"), ("○", ": loss"), ("=", ": draw$"), ("~", r": draw \(endless\)"))
        for sign, end in ends:
            wanted = [title for title in shown if re.search(end, title)]
            assert body.count(sign) == len(wanted)
            assert (sign in text.split("\n\n")[0]) == bool(wanted)


def test_plain_has_no_boxes(solution: Solution[Any]) -> None:
    plain = map_text(solution, plain=True)
    assert not BOXES.search(plain)
    assert plain.isascii()
    lines = plain.splitlines()
    assert len(lines) >= 3
    assert all(line.endswith(".") for line in lines[1:])


def test_theory_and_table_give_the_same_map() -> None:
    for name, game in GAMES.items():
        if theory_of(game):
            assert map_svg(solve(game)) == drawn_map(name)


@pytest.mark.parametrize("name", ["even-steven", "divisor-duel", "dual-digits", "number-navigator"])
def test_map_of_a_huge_start_shows_small_numbers(name: str) -> None:
    solution = solve(zerosum.game(name, start=10**1000))
    drawn = map_svg(solution)
    assert "Start of the game:" in drawn
    assert "about 1001 digits" in drawn
    names = [name for name, _ in leaves(solution.game.initial()) if name != "player"]
    kind = type(solution.game.initial())
    shown = titles(drawn)
    assert len(shown) >= 150
    for fields, value in (read(title, names) for title in shown):
        state = kind(*(int(dict(fields)[name]) for name in names), 0)
        assert spoken(solution.value(state)) == value
    assert map_text(solution, plain=True).isascii()


def test_axes_have_the_titles_of_the_fields() -> None:
    drawn = drawn_map("number-navigator")
    assert ">first player's number across, second player's number down<" in drawn
    assert ">number across, just subtracted down<" in drawn_map("dual-digits")


def test_cropped_maps_say_so() -> None:
    large = solve_table(zerosum.game("even-steven", start=1000))
    assert "Showing number 0 to 199 of 0 to 1000." in map_svg(large)
    assert len(titles(map_svg(large))) == 200
    wide = map_svg(solve_table(zerosum.game("number-navigator", start=60)))
    assert "Showing first player's number 1 to 40 of 1 to 60." in wide
    heaps = solve_table(Nim((2, 3, 3, 2, 2)))
    assert "Showing 12 of 27 panels." in map_svg(heaps)
    assert len(titles(map_svg(heaps))) == 12 * 16
    assert "The game is over in the other 2 of 6 panels." in drawn_map("digit-battle")


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_colours_contrast_with_the_background(look: dict[str, str]) -> None:
    def light(kind: str, what: str) -> str:
        found = re.search(what + ":(#......)", look[kind])
        assert found
        return found[1]

    for result in ("win", "loss", "draw"):
        ground = light(result, "fill")
        assert contrast(light(f"{result}-text", "fill"), ground) >= 4.5
        assert contrast(light(f"{result}-sign", "stroke"), ground) >= 3
    for kind in ("ink", "soft"):
        assert contrast(light(kind, "fill"), light("paper", "fill")) >= 4.5
        assert contrast(light(kind, "fill"), light("none", "fill")) >= 4.5
    for kind in ("bar", "bar-second", "bar-nobody"):
        assert contrast(light(kind, "fill"), light("none", "fill")) >= 3
    for band in ("first", "second", "draw"):
        for kind in ("line", "mark", "hollow", "turn"):
            assert contrast(light(kind, "stroke"), light(band, "fill")) >= 3
        assert contrast(light("alarm", "fill"), light(band, "fill")) >= 3
        assert any(contrast(light("warn", part), light(band, "fill")) >= 3 for part in PARTS)
    assert contrast(light("alarm", "stroke"), light("alarm", "fill")) >= 3


PARTS = ("fill", "stroke")
