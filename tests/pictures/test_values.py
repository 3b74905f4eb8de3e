"""Maps of values: every cell is true, everything has words, and any game gets one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.pictures.games import Climb, Hotseat, Nim
from zerosum.game import Game, OptionError, ZerosumError
from zerosum.pictures.positions import fields_of
from zerosum.pictures.svg import DARK, LIGHT, clean
from zerosum.pictures.values import map_svg, map_text
from zerosum.pictures.words import plain_name, runs, say
from zerosum.registry import BUILT_IN
from zerosum.solve.solution import Solution
from zerosum.solve.solver import solve, solve_table, theory_of
from zerosum.solve.table import walk

SVG = "{http://www.w3.org/2000/svg}"
STICK = str(Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py")
BOXES = re.compile("[─-◿⠀-⣿…●○·]")
GAMES: dict[str, Game[Any]] = {
    **{name: zerosum.game(name) for name in BUILT_IN},
    "advanced": zerosum.game("even-steven", start=30, subtract_two=True),
    "sixty": zerosum.game("even-steven", start=60),
    "stick": zerosum.game(STICK),
    "nim": Nim(),
    "two heaps": Nim((6, 3)),
    "shrinking": Nim((2, 1, 3), shrink=True),
}


@pytest.fixture(scope="module", params=GAMES)
def solution(request: pytest.FixtureRequest) -> Solution:
    return solve_table(GAMES[request.param])


def tree(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def titles(drawn: str) -> list[str]:
    """The titles of the cells."""
    return [title.text or "" for title in tree(drawn).findall(f".//{SVG}g/{SVG}title")]


def values_of(solution: Solution, seat: int | None) -> dict[tuple[tuple[str, int], ...], str]:
    """Every reachable state by its fields, with its value in words."""
    return {
        tuple((n, v) for n, v in fields_of(state) if n != "player"): say(solution.value(state))
        for state in walk(solution.game).states
        if seat is None or state.player == seat
    }


def read(title: str, names: list[str]) -> tuple[tuple[tuple[str, int], ...], str]:
    """Take a cell's title apart again, in the order of the fields."""
    place, _, value = title.partition(": ")
    if len(names) == 1:
        return ((names[0], int(place)),), value
    parts = dict(part.rsplit(" ", 1) for part in place.split(", "))
    there = [(n, parts[plain_name(n)]) for n in names if parts[plain_name(n)] != "none"]
    return tuple((name, int(number)) for name, number in there), value


def test_every_state_once_with_its_value(solution: Solution) -> None:
    drawn = map_svg(solution)
    seat = None if "(either player)" in drawn else 0
    wanted = values_of(solution, seat)
    names = list(dict.fromkeys(name for fields in wanted for name, _ in fields))
    if "number" in names and len(names) == 3:  # Digit Battle: what is cropped and left out
        wanted = {
            fields: value
            for fields, value in wanted.items()
            if dict(fields)["number"] >= -10 and dict(fields)["second_lives"] > 0
        }
    shown = Counter(read(title, names) for title in titles(drawn))
    assert shown == Counter(wanted.items())


def test_a_seat_can_be_chosen() -> None:
    solution = solve_table(GAMES["number-navigator"])
    for seat in (0, 1):
        wanted = values_of(solution, seat)
        shown = [read(title, ["first", "second"]) for title in titles(map_svg(solution, seat=seat))]
        assert dict(shown) == wanted
        assert len(shown) == len(wanted)
    with pytest.raises(OptionError):
        map_svg(solution, seat=2)


def test_the_drawing_is_sound(solution: Solution) -> None:
    drawn = map_svg(solution)
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


def test_the_legend_has_words_and_signs(solution: Solution) -> None:
    root = tree(map_svg(solution))
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {"win", "loss"} <= words
    signs = {one.get("class") for one in root.iter() if (one.get("class") or "").endswith("-sign")}
    assert {"win-sign", "loss-sign"} <= signs
    assert ("draw (endless)" in words) == ("draw-sign" in signs)


def test_the_desc_lists_what_is_lost() -> None:
    drawn = tree(map_svg(solve_table(GAMES["sixty"])))
    assert "Lost for the player to move: number 0, 2, 5 to 59 odd." in (drawn[1].text or "")


def test_the_text_fits_and_agrees(solution: Solution) -> None:
    for width in (30, 80, 200):
        text = map_text(solution, width)
        assert all(len(line) <= width for line in text.splitlines())
        body = text.split("\n\n", 1)[1]
        for sign, word in (("●", "win"), ("○", "loss"), ("~", "draw")):
            wanted = [title for title in titles(map_svg(solution)) if f": {word}" in title]
            assert body.count(sign) == len(wanted)
    assert "● win" in text
    assert "○ loss" in text


def test_plain_has_no_boxes(solution: Solution) -> None:
    plain = map_text(solution, plain=True)
    assert not BOXES.search(plain)
    assert plain.isascii()
    lines = plain.splitlines()
    assert len(lines) >= 3
    assert all(line.endswith(".") for line in lines[1:])


def test_a_law_draws_what_a_table_draws() -> None:
    for game in GAMES.values():
        if theory_of(game) and not isinstance(solve(game), type(solve_table(game))):
            assert map_svg(solve(game)) == map_svg(solve_table(game))


@pytest.mark.parametrize("name", ["even-steven", "divisor-duel", "dual-digits", "number-navigator"])
def test_huge_starts(name: str) -> None:
    solution = solve(zerosum.game(name, start=10**1000))
    began = perf_counter()
    drawn = map_svg(solution)
    assert perf_counter() - began < 5
    assert "The game itself starts from" in drawn
    assert "about 1001 digits" in drawn
    names = [name for name, _ in fields_of(solution.game.initial()) if name != "player"]
    kind = type(solution.game.initial())
    shown = titles(drawn)
    assert len(shown) >= 150
    for fields, value in (read(title, names) for title in shown):
        assert say(solution.value(kind(*dict(fields).values(), 0))) == value
    assert map_text(solution, plain=True).isascii()


def test_ranges() -> None:
    solution = solve(zerosum.game("even-steven", start=10**1000))
    drawn = map_svg(solution, ranges={"number": (10**1000 - 9, 10**1000)})
    assert len(titles(drawn)) == 10
    table = solve_table(zerosum.game("even-steven", start=500))
    numbers = [int(one.partition(":")[0]) for one in titles(map_svg(table, {"number": (91, 130)}))]
    assert numbers == list(range(91, 131))
    grid = solve_table(GAMES["number-navigator"])
    assert len(titles(map_svg(grid, {"first": (1, 3), "second": (1, 4)}))) == 12
    for ranges in ({"height": (1, 2)}, {"number": (5, 4)}):
        with pytest.raises(OptionError):
            map_svg(table, ranges)
    with pytest.raises(ZerosumError):
        map_svg(table, {"number": (1000, 2000)})


def test_what_is_cropped_is_said() -> None:
    large = solve_table(zerosum.game("even-steven", start=1000))
    assert "Shown: number 0 to 199 of 0 to 1000." in map_svg(large)
    assert len(titles(map_svg(large))) == 200
    wide = map_svg(solve_table(zerosum.game("number-navigator", start=60)))
    assert "Shown: first 1 to 40 of 1 to 60." in wide
    heaps = solve_table(Nim((2, 3, 3, 2, 2)))
    assert "Shown: 12 of 27 panels, evenly chosen." in map_svg(heaps)
    assert len(titles(map_svg(heaps))) == 12 * 16
    assert "Left out: 2 of 12 panels" in map_svg(solve_table(GAMES["digit-battle"]))


def test_strange_games() -> None:
    alone = map_svg(solve_table(Hotseat()))
    assert titles(alone) == ["none: loss in 1"]
    climb = solve_table(Climb())
    assert len(titles(map_svg(climb, seat=0))) == sum(
        state.player == 0 for state in walk(climb.game).states
    )
    assert "last four digits" in map_text(climb)


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_contrast(look: dict[str, str]) -> None:
    def light(kind: str, what: str) -> float:
        found = re.search(what + ":#(..)(..)(..)", look[kind])
        assert found
        parts = [int(part, 16) / 255 for part in found.groups()]
        red, green, blue = ((p + 0.055) ** 2.4 / 1.055**2.4 if p > 0.04 else p / 13 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(front: float, back: float) -> float:
        return (max(front, back) + 0.05) / (min(front, back) + 0.05)

    for result in ("win", "loss", "draw"):
        ground = light(result, "fill")
        assert contrast(light(f"{result}-text", "fill"), ground) >= 4.5
        assert contrast(light(f"{result}-sign", "stroke"), ground) >= 3
    for kind in ("ink", "soft"):
        assert contrast(light(kind, "fill"), light("paper", "fill")) >= 4.5
        assert contrast(light(kind, "fill"), light("none", "fill")) >= 4.5
    for band in ("first", "second", "draw"):
        for kind in ("line", "mark", "hollow", "turn"):
            assert contrast(light(kind, "stroke"), light(band, "fill")) >= 3
        assert contrast(light("alarm", "fill"), light(band, "fill")) >= 3
        assert any(contrast(light("warn", part), light(band, "fill")) >= 3 for part in PARTS)
    assert contrast(light("alarm", "stroke"), light("alarm", "fill")) >= 3


PARTS = ("fill", "stroke")


def test_words() -> None:
    assert runs([]) == ""
    assert runs([4]) == "4"
    assert runs([1, 2]) == "1, 2"
    assert runs([-3, -1, 1, 3, 10]) == "-3 to 3 odd, 10"
    assert runs([None, 0, 1, 2]) == "none, 0 to 2"
    assert clean("\x00<a & 'b'>\ud800") == "�&lt;a &amp; 'b'&gt;�"
