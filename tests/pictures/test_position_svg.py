"""Pictures of positions, drawn from the rules alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

import zerosum
from tests.game_files import NOUGHTS, STICK
from tests.games import broken
from zerosum.pictures.position_svg import drawn_lines, drawn_position, drawn_start
from zerosum.wording.number_line import number_lines
from zerosum.wording.words import words_of


def parts(drawn: str, kind: str) -> list[ET.Element]:
    return [part for part in ET.fromstring(drawn).iter() if part.get("class") == kind]


@pytest.mark.parametrize("name", [*zerosum.games(), STICK])
def test_card_shows_the_number_and_where_legal_moves_lead(name: str) -> None:
    game = zerosum.game(name)
    words, drawn = words_of(game), drawn_start(game)
    assert ET.fromstring(drawn).get("aria-hidden") == "true"
    first, *rest = number_lines(words, game.initial())
    legal = [str(target.move) for target in first.targets if target.reason is None]
    assert [dot.get("data-move") for dot in parts(drawn, "dot")] == legal
    (token,) = parts(drawn, "token")
    assert "".join(token.itertext()) == str(first.value)
    assert len(parts(drawn, "token other")) == len(rest)


def test_long_line_is_cut_to_what_moves_reach() -> None:
    game = zerosum.game("even-steven", start=60)
    drawn = drawn_start(game)
    places = [float(tick.get("cx", "nan")) for tick in parts(drawn, "tick")]
    assert places == sorted(places)
    assert len(places) < 60
    assert len(parts(drawn, "dot")) == 2


def test_few_moves_are_labelled_and_many_are_not() -> None:
    few, many = zerosum.game("even-steven", start=14), zerosum.game("digit-battle")
    labels = parts(drawn_position(words_of(few), few.initial()), "step")
    assert ["".join(label.itertext()) for label in labels] == ["−1", "÷2"]
    assert parts(drawn_position(words_of(many), many.initial()), "step") == []


def test_labels_that_would_touch_are_left_out() -> None:
    game = zerosum.game("dual-digits", start=9)
    labels = parts(drawn_position(words_of(game), game.initial()), "step")
    written = ["".join(label.itertext()) for label in labels]
    legal = [f"−{move}" for move in game.moves(game.initial())]
    assert 1 <= len(written) < len(legal)
    assert [step for step in legal if step in written] == written
    places = [(float(pill.get("x", "nan")), float(pill.get("y", "nan"))) for pill, _ in labels]
    for at, (x, y) in enumerate(places):
        assert all(abs(x - left) > 20 or abs(y - top) > 12 for left, top in places[:at])


def test_goal_is_marked() -> None:
    game = zerosum.game("digit-battle")
    drawn = drawn_lines(number_lines(words_of(game), game.initial()))
    assert len(parts(drawn, "mark goal")) == 1


def test_board_is_drawn_as_tiles_with_what_is_on_them() -> None:
    game = zerosum.game(NOUGHTS)
    assert len(parts(drawn_start(game), "tile")) == 9
    state = game.play(game.initial(), "b2")
    (piece,) = parts(drawn_position(words_of(game), state), "piece")
    assert piece.text == "X"


@pytest.mark.parametrize(
    "method",
    [
        {"moves": lambda game, state: 1 // 0},
        {"initial": lambda game: 1 // 0},
    ],
    ids=["no moves", "no start"],
)
def test_a_game_that_cannot_be_drawn_has_no_picture(method: dict[str, Any]) -> None:
    assert drawn_start(broken(**method)) == ""


def test_huge_number_has_no_picture() -> None:
    assert drawn_start(zerosum.game("even-steven", start=10**100)) == ""
