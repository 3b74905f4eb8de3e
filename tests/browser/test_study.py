"""Review, map and puzzles, by clicking."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import zerosum
from tests.browser.conftest import Visit
from tests.browser.places import answer_of
from zerosum.coach.puzzles import puzzles, sources
from zerosum.solver import solve


def test_review_chart_leads_to_positions(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", names=["Ada", "Bob"])
    for move in ("1", "2", "1", "2", "1", "1", "1"):
        ada.play(move)
    ada.do("review")
    points = ada.see("#chart [data-ply]")
    expect(points).to_have_count(8)
    for ply, number in ((2, "7"), (5, "2"), (0, "15"), (7, "0")):
        ada.see(f'#chart [data-ply="{ply}"]').click()
        title = "Start" if ply == 0 else f"After move {ply}"
        expect(ada.see("#here-title")).to_have_text(title)
        expect(ada.see("#position .number")).to_have_attribute("data-value", number)
        expect(ada.see(f'#chart [data-ply="{ply}"]')).to_have_class(re.compile("current"))
    expect(ada.see("#fork")).to_be_hidden()  # there is nothing to try after the end
    ada.hears_once("After move 7: Number: 0; Ada has won.")

    expect(ada.see("#chart svg")).to_have_accessible_name(re.compile(r"\w+"))
    ada.page.get_by_text("The game in words").click()
    for text in (
        "Start: win for Bob in 8.",
        "Move 1, Ada plays 1, the only move",
        "The turning point is move 4",
    ):
        expect(ada.see("#words")).to_contain_text(text)

    ada.see('#list [data-ply="4"]').click()
    expect(ada.see("#judged")).to_contain_text("Ada played 1: Subtract 1, leaving 2")
    ada.page.select_option("#level", "hard")
    ada.see("#fork button").click()
    ada.page.wait_for_url(lambda url: "review" not in url)
    assert ada.ready()  # it is the turn of whoever tries again
    assert ada.value() == "3"
    assert ada.view["mode"] == "bot"
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Computer (hard)")
    ada.play("1")
    ada.ready()


def test_review_of_each_game_in_a_series(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", games=3, options={"start": "2"})
    for game in range(2):
        ada.plays_to_the_end()
        if game == 0:
            ada.do("next")
            expect(ada.see("#result")).to_be_hidden()
    ada.do("review")
    games = ada.see(".games a")
    expect(games).to_have_text(["Game 1", "Game 2"])
    expect(ada.see(".games [aria-current=page]")).to_have_text("Game 2")
    games.first.click()
    expect(ada.see("#here-title")).to_be_visible()
    assert ada.page.url.endswith("/review?game=0")
    expect(ada.see(".games [aria-current=page]")).to_have_text("Game 1")


def test_map_is_clickable(visit: Visit) -> None:
    ada = visit()
    ada.open("/explore/even-steven")
    shown = ada.see("#position .stage .number")
    expect(shown).to_have_attribute("data-value", "15")
    cell = ada.see('#map [data-state^="[7,"]').first
    state = cell.get_attribute("data-state") or ""
    cell.click()
    expect(shown).to_have_attribute("data-value", "7")
    expect(ada.see("#map [aria-current]")).to_have_attribute("data-state", state)
    expect(ada.see("#value .worth")).to_have_text(re.compile(r"[+−] ?(win|loss) in \d+"))
    ada.see('#moves [data-move="1"]').click()
    expect(shown).to_have_attribute("data-value", "6")
    ada.page.go_back()
    expect(shown).to_have_attribute("data-value", "7")
    ada.page.go_back()
    expect(shown).to_have_attribute("data-value", "15")
    ada.page.go_forward()
    expect(shown).to_have_attribute("data-value", "7")
    ada.page.reload()  # the address keeps the place
    expect(shown).to_have_attribute("data-value", "7")
    ada.page.get_by_role("link", name="Back to the start").click()
    expect(shown).to_have_attribute("data-value", "15")

    ada.page.get_by_text("Options", exact=True).click()
    ada.page.fill("#option-start", "9")
    ada.page.get_by_role("button", name="Apply").click()
    expect(shown).to_have_attribute("data-value", "9")
    expect(ada.see('#map [data-state^="[10,"]')).to_have_count(0)
    expect(ada.see("#play-link")).to_have_attribute("href", re.compile(r"option\.start=9"))


def test_unsolvable_values_are_unknown(visit: Visit) -> None:
    ada = visit(("422",))
    ada.open("/explore/digit-battle?option.lives=60")
    expect(ada.see("#map-problem")).to_contain_text("The map is not available.")
    expect(ada.see("#value .worth")).to_have_text("?unknown")
    expect(ada.see("#moves .worth").first).to_have_text("?unknown")


def test_streak_is_stored_in_the_browser(visit: Visit) -> None:
    ada = visit()
    kept = "() => JSON.parse(localStorage.getItem('zerosum.puzzles') ?? 'null')"
    solved = []
    with ada.page.expect_response("**/api/puzzle?*") as got:
        ada.open("/puzzles")
    for streak in (1, 2):
        puzzle = got.value.json()
        expect(ada.see("#task")).to_have_text(puzzle["task"])
        solved.append(puzzle["id"])
        ada.page.fill("#typed-move", answer_of(ada, puzzle))
        ada.press("Enter")
        expect(ada.see("#verdict")).to_have_text("Right!")
        expect(ada.see("#streak")).to_contain_text(f"Streak {streak} · best {streak}")
        with ada.page.expect_response("**/api/puzzle?*") as got:
            ada.page.click("#next")
    assert got.value.json()["id"] not in solved
    assert ada.page.evaluate(kept) == {"solved": solved, "streak": 2, "best": 2}
    ada.page.reload()
    expect(ada.see("#streak")).to_contain_text("Streak 2 · best 2 · solved 2")
    ada.page.click("#give-up")
    expect(ada.see("#streak")).to_contain_text("Streak 0 · best 2")
    ada.page.click("#forget")
    expect(ada.see("#streak")).to_contain_text("Streak 0 · best 0 · solved 0")
    assert ada.page.evaluate(kept) is None
    assert ada.page.context.cookies() == []


def test_next_puzzle_after_hundreds_solved(visit: Visit) -> None:
    ada = visit()
    ada.open("/rules/even-steven")
    games = [game for name in zerosum.games() for game in sources(name)]
    ids = [puzzle.id for game in games for puzzle in puzzles(solve(game))]
    left = next(name for name in ids if name.startswith("dual-digits-"))
    ids.remove(left)
    keep = "ids => localStorage.setItem('zerosum.puzzles', JSON.stringify(ids))"
    ada.page.evaluate(keep, {"solved": ids, "streak": 0, "best": 0})
    with ada.page.expect_response("**/api/puzzle?*") as got:
        ada.open("/puzzles")
    assert got.value.json()["id"] not in ids
    with ada.page.expect_response("**/api/puzzle?game=dual-digits*") as got:
        ada.page.select_option("#game", "dual-digits")
    assert (got.value.json()["id"], got.value.json()["left"]) == (left, 1)
    expect(ada.see("#left")).to_contain_text("1 of ")
