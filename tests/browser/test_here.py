"""A shared screen, a series, and a clock."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit


def test_same_screen(visit: Visit) -> None:
    ada = visit()
    ada.open("/")
    ada.start("even-steven", "here")
    expect(ada.see("#turn")).to_have_text("Player 1's turn")
    ada.play("1")
    expect(ada.see("#turn")).to_have_text("Player 2's turn")
    ada.do("undo")
    expect(ada.see("#turn")).to_have_text("Player 1's turn")
    assert ada.value() == "15"
    ada.play("1")
    ada.play("2")
    expect(ada.see("#turn")).to_have_text("Player 1's turn")
    assert ada.value() == "7"


def test_series_of_three(visit: Visit) -> None:
    ada = visit()
    ada.open("/new/even-steven")
    ada.page.get_by_label("Same screen").check()
    ada.page.fill("#option-start", "1")
    ada.page.fill("#name-1", "Ada")
    ada.page.fill("#name-2", "Bob")
    ada.page.fill("#games", "3")
    ada.page.get_by_role("button", name="Start the game").click()
    for game, winner in enumerate(("Ada", "Bob", "Ada"), start=1):
        expect(ada.see("#series")).to_have_text(f"Game {game} of 3")
        expect(ada.see("#turn")).to_have_text(f"{winner}'s turn")  # the first move alternates
        ada.play("1")
        expect(ada.see("#result-title")).to_contain_text(f"{winner} wins")
        if game < 3:
            ada.do("next")
            expect(ada.see("#result")).to_be_hidden()
    for player, won in enumerate((2, 1)):
        score = ada.see(f'.player[data-player="{player}"] .score')
        expect(score).to_contain_text(f"Score: {won}")
    expect(ada.see('[data-action="next"]')).to_have_count(0)
    expect(ada.see('[data-action="rematch"]')).to_be_visible()


def test_clock_runs_out(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", clock=500)
    expect(ada.see("#clock")).to_have_text(re.compile(r"8:\d\d"))
    ada.create("even-steven", mode="here", clock=2, names=["Ada", "Bob"])
    expect(ada.see("#result-title")).to_contain_text("Bob wins")  # Ada has not moved
    expect(ada.see("#clock")).to_be_hidden()
    assert ada.view["ended"]["by"] == "time"
