"""The picture on a game's card, drawn from its rules alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import NamedTuple

import pytest

import zerosum
from tests.pictures.games import NOUGHTS, Lights, Nim
from zerosum.protocol import Game, Outcome
from zerosum.web.motif import MOST_ARCS, motif_of


@pytest.mark.parametrize("name", zerosum.games())
def test_every_game_has_one_of_its_own(name: str) -> None:
    drawn = ET.fromstring(motif_of(zerosum.game(name)))
    assert drawn.get("aria-hidden") == "true"
    assert 5 < len(drawn.findall("path")) <= MOST_ARCS
    assert sum(part.get("class") == "start" for part in drawn) == 1
    others = [motif_of(zerosum.game(other)) for other in zerosum.games() if other != name]
    assert motif_of(zerosum.game(name)) not in others


def test_moves_that_raise_a_number_are_below_the_line() -> None:
    assert 'class="rises"' not in motif_of(zerosum.game("even-steven"))
    assert 'class="rises"' in motif_of(zerosum.game("number-navigator"))


def test_a_huge_start_is_drawn_in_little_time_or_not_at_all() -> None:
    assert motif_of(zerosum.game("even-steven", start=10**100)) == ""
    assert motif_of(zerosum.game("even-steven", start=10**6)).startswith("<svg")


class Place(NamedTuple):
    """A state that never changes."""

    number: int
    player: int


class Odd(Game[Place]):
    """A game whose rules are not finished."""

    def __init__(self, broken: bool) -> None:
        self.broken = broken

    def initial(self) -> Place:
        return Place(1, 0)

    def moves(self, state: Place) -> tuple[int, ...]:
        if self.broken:
            raise RuntimeError("not yet")
        return (1,)

    def play(self, state: Place, move: int) -> Place:
        return state._replace(player=1 - state.player)

    def outcome(self, state: Place) -> Outcome | None:
        return None


@pytest.mark.parametrize("broken", [True, False])
def test_a_game_of_which_nothing_can_be_drawn_has_none(broken: bool) -> None:
    assert motif_of(Odd(broken)) == ""


def test_only_numbers_are_drawn() -> None:
    assert motif_of(Lights()) == ""
    assert motif_of(zerosum.game(NOUGHTS)) == ""
    drawn = ET.fromstring(motif_of(Nim((3, 1), shrink=True)))
    assert len(drawn.findall("path")) == 3  # from 3 to 2 and 1, and from 2 to 1
