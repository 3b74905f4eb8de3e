"""The whole page by keyboard, and the focus is never lost."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import MOST_MOVES, MOVES

REVIEW = re.compile(r"/m/\w+/review")


def test_game_and_review_by_keyboard(visit: Visit) -> None:
    ada = visit()
    ada.open("/")
    ada.tab_to('[data-game="even-steven"] [data-start="bot"]')
    ada.press("Enter")
    ada.page.wait_for_url("**/m/*")
    assert ada.turn()
    ada.tab_to('[data-move="1"]')
    ada.press("Enter")
    ada.sees_ply(1)
    assert ada.has_focus()
    for _ in range(MOST_MOVES):
        if not ada.turn():
            break
        assert ada.has_focus()
        ply = ada.ply
        ada.press(ada.legal[-1])  # a digit, wherever the focus is
        ada.sees_ply(ply + 1)
        assert ada.has_focus()
    expect(ada.see("#result-title")).to_be_focused()

    ada.tab_to('[data-action="review"]')
    ada.press("Enter")
    ada.page.wait_for_url(REVIEW)
    expect(ada.see("#review")).to_be_visible()
    ada.tab_to("#ply")
    ada.press("Home")
    expect(ada.see("#here-title")).to_have_text(re.compile("^Before move 1: "))
    ada.press("ArrowRight", "ArrowRight")
    expect(ada.see("#here-title")).to_have_text(re.compile("^Before move 3: "))
    expect(ada.see("#ply")).to_have_attribute(
        "aria-valuetext", re.compile(r"^Before move 3: .*; you win in")
    )
    ada.tab_to("#list button")
    ada.press("Enter")
    expect(ada.see("#here-title")).to_have_text(re.compile("^Before move 1: "))
    assert ada.has_focus()
    ada.tab_to("#fork button")
    ada.press("Enter")
    ada.page.wait_for_url(lambda url: "review" not in url)
    assert ada.turn()
    assert ada.value() == "15"


def test_moves_are_typed_and_shortcuts_can_be_switched_off(visit: Visit) -> None:
    ada = visit(("422",))
    ada.create("divisor-duel", mode="here", options={"start": "30"})
    assert ada.legal == ["1", "2", "3", "5", "6", "10", "15"]
    ada.press("1")  # which may become 10 or 15
    expect(ada.see("#typed-move")).to_be_focused()
    ada.press("5", "Enter")
    ada.sees_ply(1)
    assert ada.value() == "15"
    expect(ada.see("#typed-move")).to_be_focused()
    ada.page.keyboard.type("4")
    ada.press("Enter")
    expect(ada.see("#problem")).to_contain_text("4 does not divide 15.")
    expect(ada.see("#typed-move")).to_be_focused()
    assert ada.ply == 1

    ada.create("even-steven", mode="here", coach="ask")
    assert ada.turn()
    ada.tab_to('[data-move="2"]')  # a forbidden move is in reach, so that its reason can be read
    ada.press("Enter")
    expect(ada.see("#problem")).to_contain_text("even")
    expect(ada.see("#problem")).to_have_attribute("role", "alert")
    assert ada.ply == 0
    ada.press("h")
    expect(ada.see("#advice .standing")).to_be_visible()
    ada.press("1")
    ada.sees_ply(1)
    ada.press("u")
    expect(ada.see("#story li")).to_have_count(0)
    ada.press("?")
    expect(ada.see("#help")).to_be_visible()
    ada.tab_to("#keys-on")
    ada.press("Space", "Escape")
    expect(ada.see("#help")).to_be_hidden()
    ada.press("1")
    ada.page.reload()
    assert ada.turn()
    ada.press("1")
    ada.tab_to('[data-move="1"]')  # what is written on the page goes on working
    ada.press("Enter")
    ada.sees_ply(1)
    assert ada.view["ply"] == 3  # move, undo, move


def test_map_lesson_and_puzzles_by_keyboard(visit: Visit) -> None:
    ada = visit()
    ada.open("/explore/even-steven")
    expect(ada.see("#map [data-state]")).not_to_have_count(0)
    expect(ada.see("#value")).not_to_be_empty()
    before = ada.see("#position").inner_text()
    ada.tab_to("#map [data-state]")
    start = ada.page.evaluate("document.activeElement.dataset.state")
    ada.press("ArrowLeft")
    there = ada.page.evaluate("document.activeElement.dataset.state")
    assert there != start
    ada.press("Enter")
    expect(ada.see("#map [aria-current]")).to_have_attribute("data-state", there)
    expect(ada.see("#position")).not_to_have_text(before)
    assert ada.has_focus()
    ada.tab_to("#moves [data-move]")
    ada.press("Enter")
    expect(ada.see("#map [aria-current]")).not_to_have_attribute("data-state", there)
    assert ada.has_focus()

    ada.open("/learn/even-steven?step=2")
    for right in ("no", "yes"):
        ada.tab_to(f'[data-right="{right}"]')
        ada.press("Enter")
        ada.hears_once(ada.see(".said").inner_text())
        assert ada.has_focus()
    ada.tab_to("#next")
    ada.press("Enter")
    ada.page.wait_for_url("**?step=3")

    ada.open("/puzzles")
    ada.tab_to("#game")
    with ada.page.expect_response("**/api/v1/puzzle?game=dual-digits*"):
        ada.page.keyboard.type("Du")
    expect(ada.see("#about")).to_contain_text("Dual Digits")
    expect(ada.see("#puzzle")).not_to_have_attribute("aria-busy", "true")
    ada.tab_to("main [data-move]")
    answer = {"solved": False}
    while not answer["solved"]:  # against the defence
        for move in ada.legal:
            with ada.page.expect_response("**/api/v1/puzzle") as got:
                ada.press(move)
            answer = got.value.json()
            ada.page.wait_for_selector(f"{MOVES}, #next:not([hidden])")
            assert ada.has_focus()
            if answer["right"]:
                break
    expect(ada.see("#verdict")).to_have_text("✓Solved!")
    expect(ada.see("#next")).to_be_focused()
    ada.press("Enter")
    expect(ada.see("#task")).to_be_focused()
    expect(ada.see("#verdict")).to_be_hidden()
    ada.tab_to("#give-up")
    ada.press("Enter")
    expect(ada.see("#verdict")).to_have_text("→The answer")
    expect(ada.see("#next")).to_be_focused()
