"""Games of every kind, by clicking: against the computer, on a shared screen, in a series."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.places import fits, look_back

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def test_game_too_large_for_a_table_is_played_and_reviewed(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.open("/")
    ada.page.select_option("#level-territory", "easy")
    ada.start("territory", "bot")  # one tap; the other is the first move
    assert ada.turn()
    ada.click(ada.legal[-1])
    assert ada.turn()
    fits(ada)
    moves = ada.ply
    ada.do("resign")
    ada.page.click("#confirm-yes")
    ada.do("review")
    expect(ada.see("#list button")).to_have_count(moves)
    expect(ada.see("#about-values")).to_have_text(re.compile("^(From move|No move can be)"))
    expect(ada.see("#words")).to_contain_text("unknown")
    expect(ada.see("#chart > svg")).to_be_visible()
    ada.see("#list button").first.click()
    expect(ada.see('#level [value="perfect"]')).to_be_disabled()
    expect(ada.see("#level")).to_have_value("hard")
    fits(ada)


def test_series_of_three_on_one_screen(visit: Visit) -> None:
    ada = visit()
    ada.open("/new/even-steven")
    ada.page.get_by_label("Same screen").check()
    ada.page.fill("#option-start", "2")
    ada.page.fill("#name-1", "Ada")
    ada.page.fill("#name-2", "Bob")
    ada.page.fill("#games", "3")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#turn")).to_have_text("Ada's turn")
    ada.click("1")
    expect(ada.see("#turn")).to_have_text("Bob's turn")
    ada.do("undo")
    expect(ada.see("#turn")).to_have_text("Ada's turn")
    assert ada.value() == "2"
    for game, (first, second) in enumerate((("Ada", "Bob"), ("Bob", "Ada"), ("Ada", "Bob")), 1):
        expect(ada.see("#series")).to_have_text(f"Game {game} of 3")
        expect(ada.see("#turn")).to_have_text(f"{first}'s turn")  # the first move alternates
        ada.play("1")
        ada.play("1")
        expect(ada.see("#result-title")).to_contain_text(f"{second} won")
        if game < 3:
            ada.do("next")
            expect(ada.see("#result")).to_be_hidden()
    for player, won in enumerate((1, 2)):
        score = ada.see(f'.player[data-player="{player}"] .score')
        expect(score).to_contain_text(f"Score: {won}")
    expect(ada.see('[data-action="next"]')).to_have_count(0)
    expect(ada.see('[data-action="rematch"]')).to_be_visible()

    look_back(ada)
    games = ada.see("main nav a")
    expect(games).to_have_text(["Game 1", "Game 2", "Game 3"])
    expect(ada.see("main nav [aria-current=page]")).to_have_text("Game 3")
    games.first.click()
    expect(ada.see("#here-title")).to_be_visible()
    assert ada.page.url.endswith("/review?game=0")
    expect(ada.see("main nav [aria-current=page]")).to_have_text("Game 1")
    ada.page.click('[data-action="rematch"]')
    ada.page.wait_for_url(lambda url: "review" not in url and "next" not in url)
    expect(ada.see("#turn")).to_have_text("Bob's turn")


def test_clock_runs_out(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", clock=500)
    expect(ada.see("#clock")).to_have_text(re.compile(r"8:\d\d"))
    ada.create("even-steven", mode="here", clock=1, names=["Ada", "Bob"])
    expect(ada.see("#result-title")).to_contain_text("Bob won")  # Ada has not moved
    expect(ada.see("#clock")).to_be_hidden()
    assert ada.view["ended"]["by"] == "time"


def test_refused_form_stays_at_the_address_of_its_page(visit: Visit) -> None:
    ada = visit(("422",))
    ada.open("/new/even-steven?option.start=0")
    ada.page.locator("#new").evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
    expect(ada.page.locator('#new [aria-invalid="true"]')).to_have_count(1)
    assert ada.page.url.endswith("/new/even-steven")
    ada.page.reload()
    expect(ada.see("#new")).to_be_visible()
