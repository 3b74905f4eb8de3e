"""The picture on a game's card, drawn from its rules alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

import zerosum
from tests.game_files import NOUGHTS
from tests.games import Lights, Nim, broken
from zerosum.pictures.motif import MOST_ARCS, motif_of


@pytest.mark.parametrize("name", zerosum.games())
def test_every_game_has_its_own_motif(name: str) -> None:
    drawn = ET.fromstring(motif_of(zerosum.game(name)))
    assert drawn.get("aria-hidden") == "true"
    assert 5 < len(drawn.findall("path")) <= MOST_ARCS
    assert sum(part.get("class") == "start" for part in drawn) == 1
    others = [motif_of(zerosum.game(other)) for other in zerosum.games() if other != name]
    assert motif_of(zerosum.game(name)) not in others


def test_rising_moves_are_below_the_line() -> None:
    assert 'class="rises"' not in motif_of(zerosum.game("even-steven"))
    assert 'class="rises"' in motif_of(zerosum.game("number-navigator"))


def test_huge_start_is_drawn_quickly_or_not_at_all() -> None:
    assert motif_of(zerosum.game("even-steven", start=10**100)) == ""
    assert motif_of(zerosum.game("even-steven", start=10**6)).startswith("<svg")


@pytest.mark.parametrize(
    "method",
    [
        {"moves": lambda game, state: 1 // 0},
        {"play": lambda game, state, move: state._replace(player=1 - state.player)},
    ],
    ids=["failing", "going nowhere"],
)
def test_a_game_that_cannot_be_drawn_has_no_motif(method: dict[str, Any]) -> None:
    assert motif_of(broken(**method)) == ""


def test_only_numbers_are_drawn() -> None:
    assert motif_of(Lights()) == ""
    assert motif_of(zerosum.game(NOUGHTS)) == ""
    drawn = ET.fromstring(motif_of(Nim((3, 1), shrink=True)))
    assert len(drawn.findall("path")) == 3  # from 3 to 2 and 1, and from 2 to 1
