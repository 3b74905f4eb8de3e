"""Review, map and puzzles, by clicking."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.places import answer_of


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
    ada.page.get_by_text("The game as text").click()
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


def test_map_is_clickable(visit: Visit) -> None:
    ada = visit(("422",))
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

    # What is too hard to solve is shown as unknown.
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
    assert ada.page.evaluate(kept) == {"solved": [], "streak": 0, "best": 0}
    assert ada.page.context.cookies() == []

    # Hundreds of solved puzzles still fit into an address.
    many = [f"even-steven-{number:08x}" for number in range(2000)]
    keep = "solved => localStorage.setItem('zerosum.puzzles', JSON.stringify(solved))"
    ada.page.evaluate(keep, {"solved": many, "streak": 0, "best": 0})
    with ada.page.expect_response("**/api/puzzle?*") as got:
        ada.page.reload()
    assert got.value.ok
    assert 7000 < len(got.value.url) < 8000
    expect(ada.see("#task")).to_have_text(got.value.json()["task"])
