"""Review, map and puzzles, by clicking."""

import json
import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Route, ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.people import MOST_MOVES, MOVES, Person
from tests.browser.places import BOXES, answer_of, career

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}
PLACES = """() => [...document.querySelectorAll("#moves [data-move]")]
  .map((button) => button.getBoundingClientRect()).map(({ x, y }) => [x, y + scrollY])"""
NUMBER = "#position .stage .number"
NONE: dict[str, Any] = {"daily": {}, "lessons": {}}
KEEP = "progress => localStorage.setItem('zerosum.puzzles', JSON.stringify(progress))"


def review(ada: Person, *games: str, **fields: Any) -> None:
    """Play games of Even-Steven to their ends, without clicking, and open the review."""
    link = ada.create("even-steven", mode="here", names=["Ada", "Bob"], **fields)
    for number, moves in enumerate(games):
        if number:
            ada.act(action="next")
        ada.act(*moves)
    ada.open(f"{link}/review")


def test_review_opens_with_what_mattered_and_leads_to_every_position(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    review(ada, "1212111")
    expect(ada.see("#accuracy li")).to_have_text(
        ["Ada had no real choice.", "Bob missed the only decision."]
    )
    moment = ada.see("#moments button")
    told = r"^Turning point: move 4\. Bob played ÷2 → 3 and went from a win in 5"
    expect(moment).to_have_text(re.compile(told))

    # The position before the move, with the move that was played and the better one.
    title = ada.see("#here-title")
    expect(title).to_have_text("Before move 4: Bob to move")
    expect(ada.see(NUMBER)).to_have_attribute("data-value", "6")
    expect(ada.see("#position .arc:not(.absent)")).to_have_count(2)
    expect(ada.see('#position .step[data-mark="played"]')).to_contain_text("÷2")
    expect(ada.see('#position .step[data-mark="better"]')).to_contain_text("−1")
    expect(ada.see("#judged")).to_contain_text("Before the move: Bob wins in 5.")
    expect(ada.see("#judged .worth")).to_have_text("− loss in 4")

    chart = ada.see("section:has(> #chart)")
    expect(chart).to_contain_text("A win in 5 counts the moves of both players.")
    expect(ada.see("#chart .owner")).to_have_text(["Ada", "Bob"])
    fits = "box => box.scrollWidth <= box.clientWidth"
    assert ada.see("#chart").evaluate(fits)
    points = ada.see("#chart [data-ply]")
    expect(points).to_have_count(8)
    for ply, number, text in ((2, "7", "Before move 3: Ada to move"), (7, "0", "The end")):
        ada.see(f'#chart [data-ply="{ply}"]').click()
        expect(title).to_have_text(text)
        expect(ada.see(NUMBER)).to_have_attribute("data-value", number)
        expect(ada.see(f'#chart [data-ply="{ply}"]')).to_have_class(re.compile("current"))
    expect(ada.see("#fork")).to_be_hidden()  # there is nothing to try after the end
    ada.hears_once("The end. Number: 0; Ada has won.")
    moment.click()
    expect(title).to_have_text("Before move 4: Bob to move")
    expect(title).to_be_in_viewport()

    expect(ada.see("#chart > svg")).to_have_accessible_name(re.compile(r"\w+"))
    ada.page.get_by_text("The game as text").click()
    for text in (
        "Start: win for Bob in 8.",
        "Move 1, Ada plays −1 → 14, the only move",
        "The turning point is move 4",
    ):
        expect(ada.see("#words")).to_contain_text(text)

    assert "÷2\u00a0→\u00a03" in ada.see("#list").inner_text()  # no line breaks at the arrow
    ada.see('#list [data-ply="4"]').click()
    expect(ada.see("#judged")).to_contain_text("Ada played −1 → 2")


def test_on_a_slow_line_nothing_moves_that_could_be_pressed(visit: Visit) -> None:
    ada = visit(viewport=DESK)
    held: list[Route] = []
    ada.create("even-steven", mode="bot", options={"start": "2"}, first="2")
    assert ada.turn()
    ada.play("1")
    expect(ada.see("#result")).to_be_visible()
    puzzle, moves = "**/api/v1/puzzle?*", "#puzzle [data-move]"
    for path, late, there, sizes in (
        ("/puzzles?daily", puzzle, moves, (PHONE, DESK)),
        ("/puzzles?game=dual-digits", puzzle, moves, (DESK,)),
        ("/explore/even-steven", "**/position?*", "#value .worth", (PHONE, DESK)),
        (f"{ada.link}/review", "**/me/strength", "#own-strength p", (PHONE, DESK)),
    ):
        for size in sizes:
            ada.page.set_viewport_size(size)
            held.clear()
            ada.page.route(late, lambda route: held.append(route))
            ada.open(path)
            while not held:
                ada.page.wait_for_timeout(10)
            early = ada.page.evaluate(BOXES)
            assert early
            held[0].continue_()
            ada.page.unroute(late)
            expect(ada.see(there).first).to_be_visible()
            assert set(early) <= set(ada.page.evaluate(BOXES)), (path, size)


def test_map_is_clickable(visit: Visit) -> None:
    ada = visit(("422",))
    ada.open("/explore/even-steven")
    shown = ada.see(NUMBER)
    expect(shown).to_have_attribute("data-value", "15")
    cell = ada.see('#map [data-state^="[7,"]').first
    state = cell.get_attribute("data-state") or ""
    cell.click()
    expect(shown).to_have_attribute("data-value", "7")
    expect(ada.see("#map [aria-current]")).to_have_attribute("data-state", state)
    expect(ada.see("#value .worth")).to_have_text(re.compile(r"[+−] ?(win|loss) in \d+"))
    expect(ada.see("#refused-one")).to_contain_text("legal? Only an even number can be")
    expect(ada.see("#refused-box")).to_be_hidden()  # which is for several
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

    # On a phone the position comes first, the legend wraps, and a map that is cut says so.
    expect(ada.see("#legend li")).to_have_text(
        ["win", "loss", "number beside the sign: moves to the end"]
    )
    hint = ada.page.get_by_text("Scroll sideways to see the rest.")
    expect(hint).to_be_hidden()
    ada.page.set_viewport_size(PHONE)
    ada.open("/explore/dual-digits")
    expect(hint).to_be_visible()
    place = "part => part.getBoundingClientRect().top"
    assert ada.see("#position").evaluate(place) < ada.see("#map").evaluate(place)
    ada.open("/explore/even-steven")
    expect(shown).to_have_attribute("data-value", "15")

    ada.page.get_by_text("Options", exact=True).click()
    ada.page.fill("#option-start", "9")
    ada.page.get_by_role("button", name="Apply").click()
    expect(shown).to_have_attribute("data-value", "9")
    expect(ada.see('#map [data-state^="[10,"]')).to_have_count(0)
    expect(ada.see("#play-link")).to_have_attribute("href", re.compile(r"option\.start=9"))

    # What is too large for a table has no map; on a busy machine, a search may not prove the value.
    ada.open("/explore/digit-battle?option.lives=40")
    expect(ada.see("#map-problem")).to_contain_text("The map is not available.")
    expect(ada.see("#value .worth")).to_have_text(re.compile(r"^(= draw|\? unknown)$"))


def solve(ada: Person, puzzle: dict[str, Any]) -> int:
    """Solve a puzzle to the end with the best moves, and return how many it took."""
    mover, position = puzzle["mover"], puzzle
    for count in range(1, MOST_MOVES):
        query = {"options": json.dumps(puzzle["options"]), "state": position["state"]}
        _, found = ada.fetch(f"/api/v1/games/{puzzle['game']}/position?{urlencode(query)}")
        good = ("best", "only", "forced")
        best = next(judged for judged in found["moves"] if judged["verdict"] in good)
        with ada.page.expect_response("**/api/v1/puzzle") as got:
            ada.page.fill("#typed-move", best["move"])  # a cell may have several moves
            ada.press("Enter")
        answer = got.value.json()
        assert answer["right"]
        if answer["solved"]:
            return count
        position = answer["steps"][-1]["shown"]
        assert position["mover"] == mover
        expect(ada.see("#answer")).to_have_attribute("data-mark", "right")
        expect(ada.see("#why")).to_contain_text("Your opponent plays")
        left = puzzle["task"].startswith("You can win in") and re.compile(r"^Now win (in|at once)")
        expect(ada.see("#task")).to_have_text(left or "Now win.")
        ada.page.wait_for_selector(f"{MOVES}, main button[aria-expanded]:not([aria-disabled])")
    raise AssertionError("the puzzle does not end")


def test_puzzles_are_played_to_the_end_and_the_streak_is_kept(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    kept = "() => JSON.parse(localStorage.getItem('zerosum.puzzles') ?? 'null')"
    solved = []
    with ada.page.expect_response("**/api/v1/puzzle?*") as got:
        ada.open("/puzzles")
    for streak in (1, 2):
        puzzle = got.value.json()
        expect(ada.see("#task")).to_have_text(puzzle["task"])
        expect(ada.see("#goal")).to_have_text(puzzle["goal"])
        solved.append(puzzle["id"])
        count = solve(ada, puzzle)
        expect(ada.see("#verdict")).to_have_text("✓Solved!")
        moves = "1 move" if count == 1 else f"{count} moves"
        expect(ada.see("#task")).to_have_text(f"You solved it in {moves}.")
        expect(ada.see("#verdict")).to_be_in_viewport()
        expect(ada.see("#next")).to_be_focused()
        expect(ada.see("#streak")).to_contain_text(f"Streak {streak} · best {streak}")
        with ada.page.expect_response("**/api/v1/puzzle?*") as got:
            ada.page.click("#next")
    puzzle = got.value.json()
    assert puzzle["id"] not in solved
    assert ada.page.evaluate(kept) == {"solved": solved, "streak": 2, "best": 2, **NONE}
    with ada.page.expect_response("**/api/v1/puzzle?*") as got:
        ada.page.reload()  # the address is the link of the puzzle
    assert ada.page.url.endswith(f"/puzzles?id={puzzle['id']}")
    assert got.value.json()["state"] == puzzle["state"]
    expect(ada.see("#streak")).to_contain_text("Streak 2 · best 2 · solved 2")
    ada.page.click("#give-up")
    expect(ada.see("#streak")).to_contain_text("Streak 0 · best 2")
    ada.page.click("#forget")
    expect(ada.see("#streak")).to_contain_text("Streak 0 · best 0 · solved 0")
    assert ada.page.evaluate(kept) == {"solved": [], "streak": 0, "best": 0, **NONE}
    assert ada.page.context.cookies() == []

    # Hundreds of solved puzzles still fit into an address; a progress of old is still read.
    many = [f"even-steven-{number:08x}" for number in range(2000)]
    ada.page.evaluate(KEEP, {"solved": many, "streak": 0, "best": 0})
    with ada.page.expect_response("**/api/v1/puzzle?*") as got:
        ada.open("/puzzles")
    assert got.value.ok
    assert 7000 < len(got.value.url) < 8000
    expect(ada.see("#task")).to_have_text(got.value.json()["task"])


def test_puzzle_of_the_day_is_shared_as_text(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    with ada.page.expect_response("**/api/v1/puzzle?*") as got:
        ada.open("/puzzles?daily")
    puzzle = got.value.json()
    expect(ada.see("#about")).to_contain_text(puzzle["title"])
    wrong = next(move["move"] for move in puzzle["moves"] if move["move"] != answer_of(ada, puzzle))
    places = ada.page.evaluate(PLACES)
    ada.see(f'main [data-move="{wrong}"]').click()
    expect(ada.see("#answer")).to_have_attribute("data-mark", "wrong")
    assert ada.page.evaluate(PLACES) == places  # nothing moves under the finger
    expect(ada.see("#verdict")).to_be_in_viewport()
    solve(ada, puzzle)
    text = re.compile(
        rf"^Zerosum {puzzle['date']} · {puzzle['title']}, easy"
        r" ✓ in 2 tries http.*\?daily&grade=easy$"
    )
    expect(ada.see("#link")).to_have_value(text)
    expect(ada.see("#streak")).to_have_text("Daily streak: 1 day")
    ada.page.reload()
    expect(ada.see("#link")).to_have_value(text)

    # The others are chosen below it; the address and the result follow.
    with ada.page.expect_response("**/api/v1/puzzle?*") as got:
        ada.see("#filter").get_by_text("Hard").click()
    assert got.value.json()["grade"] == "hard"
    expect(ada.see("#about")).to_contain_text("hard")
    assert ada.page.url.endswith("/puzzles?daily&grade=hard")
    expect(ada.see("#result")).to_be_hidden()

    # The home page names the game, counts the days, and marks what is solved.
    done, today = {"tries": 1, "solved": True, "over": True}, date.fromisoformat(puzzle["date"])
    for first, streak, said in (
        (0, "Streak: 3 days", "Come back tomorrow for the next ones."),
        (1, "Streak: 2 days", "Solve one to keep your streak going."),
    ):
        # A progress of old is still read.
        days = {str(today - timedelta(days=count)): done for count in range(1, 3)}
        days |= {f"{today} {grade}": done for grade in ("easy", "medium", "hard") if not first}
        ada.page.evaluate(KEEP, {"solved": [], "streak": 0, "best": 0, "daily": days})
        ada.open("/")
        expect(ada.see("#daily-said")).to_have_text(said)
        expect(ada.see("#daily-streak")).to_have_text(streak)
        expect(ada.see(".daily strong")).to_have_text(puzzle["title"])
        expect(ada.see("#daily-solve [data-solved]")).to_have_count(0 if first else 3)

    # One within reach is chosen: the level that was beaten in this game.
    ada.page.evaluate(KEEP, {"solved": [], "streak": 0, "best": 0})
    beaten = json.dumps({puzzle["game"]: {"easy": 1, "medium": 2}})
    ada.page.evaluate("wins => localStorage.setItem('zerosum.levels', wins)", beaten)
    ada.open("/puzzles?daily")
    expect(ada.see("#filter :checked")).to_have_value("medium")


def test_how_one_plays_is_told_after_a_game_and_below_the_name(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.open("/you")
    expect(ada.see("main")).to_contain_text("Finish a game")
    ada.see("#me summary").click()
    ada.page.fill("#me-field", "Ada")
    ada.press("Enter", "Tab")
    expect(ada.see("h1")).to_have_text("Ada")
    career(ada)
    _, own = ada.fetch("/api/v1/me/strength")
    (game,) = own["games"]
    assert game["svg"]
    expect(ada.see("#own-strength strong")).to_have_text(game["text"])
    expect(ada.see("#own-strength svg")).to_be_visible()
    ada.page.evaluate(KEEP, {"solved": ["a", "b"], "streak": 2, "best": 2})
    ada.see("#me summary").click()
    ada.page.get_by_role("link", name="How you play").first.click()
    expect(ada.see("main")).to_contain_text(own["together"]["text"])
    expect(ada.see("tbody td").nth(1)).to_have_text(
        f"{game['strength']['right']} of {game['strength']['decisions']}"
    )
    expect(ada.see("#puzzles-said")).to_have_text("2 solved")
    sizes = ada.see(".scale-box text").evaluate_all(
        "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert sizes
    assert min(sizes) >= 12


def test_nine_moves_are_in_view_beside_the_map(visit: Visit) -> None:
    ada = visit(viewport={"width": 1280, "height": 800})
    ada.open("/explore/digit-battle")
    move = ada.see("#moves .move").nth(8)
    expect(move).to_be_visible()
    bottom = "box => box.getBoundingClientRect().bottom"
    assert move.evaluate(bottom) < ada.page.locator(".sticky").evaluate(bottom)
