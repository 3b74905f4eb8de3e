"""A whole game of every kind against the computer, by clicking."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from zerosum.registry import BUILT_IN

LONG = "digit-battle"
GAMES = [game for game in BUILT_IN if game != LONG]


def play_and_look_back(ada: Person, which: int) -> None:
    """Play to the end, and see every move again in the review."""
    ada.plays_to_the_end(which)
    expect(ada.see("#result-title")).to_have_text(re.compile("You won!|wins$"))
    expect(ada.see("#choose")).to_be_hidden()
    moves = ada.view["last"][-1]["ply"]
    ada.do("review")
    expect(ada.see("#list button")).to_have_count(moves)
    expect(ada.see("#words li")).not_to_have_count(0)
    expect(ada.see("#chart svg")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_game_starts_with_two_clicks(visit: Visit, game: str) -> None:
    ada = visit()
    ada.open("/")
    ada.start(game, "bot")  # one click; the other is the first move
    play_and_look_back(ada, 0 if game == "number-navigator" else -1)  # which ends sooner


def test_game_with_other_options(visit: Visit) -> None:
    ada = visit()
    ada.open("/")
    ada.see(f'[data-game="{LONG}"]').get_by_role("link", name="Options").click()
    ada.page.get_by_label("The computer").check()
    ada.page.get_by_label("Easy").check()
    ada.page.fill('[name="option.lives"]', "2")
    ada.page.get_by_role("button", name="Start the game").click()
    ada.ready()
    assert [
        ada.value(f"{seat}_lives", player) for player, seat in enumerate(("first", "second"))
    ] == ["2", "2"]
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Computer (easy)")
    play_and_look_back(ada, -1)


def test_form_mistake_is_marked_and_nothing_is_lost(visit: Visit) -> None:
    ada = visit(("422",))
    ada.open("/new/even-steven")
    ada.page.fill("#name-1", "Ada")
    ada.page.fill("#option-start", "-4")
    ada.page.get_by_role("button", name="Start the game").click()
    wrong = ada.see("#option-start")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_value("-4")
    expect(wrong).to_have_accessible_description(re.compile("whole number of at least 1, not -4"))
    expect(ada.see("#name-1")).to_have_value("Ada")
    wrong.fill("5")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#invite")).to_be_visible()
