"""Pictures of positions, drawn from the rules alone."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import DOTS, NOUGHTS, STICK
from tests.games import broken
from zerosum.pictures.position_svg import drawn_position, drawn_start
from zerosum.pictures.track_svg import tracks
from zerosum.wording.number_line import NumberLine, number_lines
from zerosum.wording.words import words_of


def parts(drawn: str, kind: str) -> list[ET.Element]:
    found = ET.fromstring(f"<div>{drawn}</div>").iter()
    return [part for part in found if kind in (part.get("class") or "").split()]


def texts(drawn: str, kind: str) -> list[str]:
    return ["".join(part.itertext()) for part in parts(drawn, kind)]


def lines_of(name: str, **options: Any) -> tuple[NumberLine, ...]:
    game = zerosum.game(name, **options)
    return number_lines(words_of(game), game.initial())


@pytest.mark.parametrize("name", [*zerosum.games(), STICK])
def test_card_shows_the_number_and_where_legal_moves_lead(name: str) -> None:
    drawn = drawn_start(zerosum.game(name))
    assert ET.fromstring(drawn).get("aria-hidden") == "true"
    first, *_ = lines_of(name)
    legal = [str(target.move) for target in first.targets if target.reason is None]
    assert [dot.get("data-to") for dot in parts(drawn, "dot")] == legal
    assert [arc.get("data-to") for arc in parts(drawn, "arc")] == legal
    assert texts(drawn, "token") == [str(first.value)]


@pytest.mark.parametrize("name", [*zerosum.games(), STICK])
def test_a_line_shows_all_moves_with_what_they_do_and_its_owner(name: str) -> None:
    lines = lines_of(name)
    drawn = tracks(lines, ("Ada <3", "Bob"))
    assert len(parts(drawn, "track")) == len(lines)
    assert texts(drawn, "owner") == (["Ada <3", "Bob"] if len(lines) > 1 else [])
    targets = [target for line in lines for target in line.targets]
    assert sorted(texts(drawn, "step")) == sorted(target.step for target in targets)
    barred = [str(target.move) for target in targets if target.reason is not None]
    assert [
        dot.get("data-to") for dot in parts(drawn, "dot") if dot.find("title") is not None
    ] == barred


@given(st.integers(1, 200), st.sampled_from(["even-steven", "dual-digits", "number-navigator"]))
def test_every_number_that_can_be_reached_is_on_the_line(start: int, name: str) -> None:
    lines = lines_of(name, start=start)
    for track, line in zip(parts(tracks(lines, ("", "")), "track"), lines, strict=False):
        low, high = int(track.get("data-low", "")), int(track.get("data-high", ""))
        for number in (line.value, *(target.number for target in line.targets)):
            assert low <= number <= high
        shown = [float(part.get("x", "").rstrip("%")) for part in track.findall("text")]
        assert all(-3 <= place <= 103 for place in shown)


def test_marks_and_labels_are_where_there_is_room() -> None:
    assert texts(tracks(lines_of("digit-battle"), ()), "mark") == ["", "hit!"]
    assert texts(tracks(lines_of("dual-digits", start=25), ()), "mark") == ["◂ 0 goal"]
    few, more = lines_of("even-steven", start=14), lines_of("dual-digits", start=9)
    assert texts(tracks(few, ()), "clear") == ["−1", "÷2"]
    spare = texts(tracks(lines_of("even-steven", start=15), ()), "spare")
    assert spare == ["1", "3", "5", "7", "9", "11", "13"]  # 15 is the token's
    assert 1 <= len(texts(tracks(more, ()), "clear")) < len(more[0].targets)
    (line,) = lines_of("even-steven", start=14)
    far = line.targets[0]._replace(number=-100)
    assert tracks((line._replace(low=-100, targets=(far,)),), ()) == ""


def test_first_board_is_drawn_as_tiles() -> None:
    game = zerosum.game(NOUGHTS)
    assert len(parts(drawn_start(game), "tile")) == 9
    assert drawn_position(words_of(game), game.initial()) == ""  # a lesson shows the board itself


def test_lattice_is_drawn_as_dots_and_lines() -> None:
    game = zerosum.game(DOTS, width=1, height=1)
    start = drawn_start(game)
    assert [len(parts(start, kind)) for kind in ("piece", "tile")] == [4, 4]


@pytest.mark.parametrize(
    "method",
    [{"moves": lambda game, state: 1 // 0}, {"initial": lambda game: 1 // 0}],
    ids=["no moves", "no start"],
)
def test_a_game_that_cannot_be_drawn_has_no_picture(method: dict[str, Any]) -> None:
    assert drawn_start(broken(**method)) == ""


def test_huge_number_has_no_picture() -> None:
    assert drawn_start(zerosum.game("even-steven", start=10**100)) == ""
