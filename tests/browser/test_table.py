"""The table as players see it: the number line, what arrives, tabs on a phone, and the end."""

import re
from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.conftest import Pair, Visit
from tests.browser.people import Person
from tests.browser.places import BOXES, CLIPPED, NOUGHTS

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# Number lines are drawn again in the frame after the window has changed.
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
WIDE: Any = {"width": 1280, "height": 800}
NARROW: Any = {"width": 320, "height": 640}
OVER: dict[str, Any] = {"options": {"start": "2"}}  # after two moves
# A tap on something in the very frame in which a list has changed, at the place of a button of it;
# `window.tapped` tells whether it counted.
TAP_WHEN_CHANGED = """([list, button, tapped]) => {
  const seen = () => document.querySelector(button)?.getBoundingClientRect();
  const before = seen();
  window.tapped = new Promise((resolve) => new MutationObserver((_, watch) => {
    watch.disconnect();
    const { x, y } = before ?? seen();
    const where = { bubbles: true, cancelable: true, detail: 1, clientX: x + 5, clientY: y + 5 };
    const tap = () => document.querySelector(tapped).dispatchEvent(new MouseEvent("click", where));
    requestAnimationFrame(() => resolve(tap()));
  }).observe(document.querySelector(list), { childList: true, subtree: true }));
}"""
ACCEPT, DECLINE = "#offers [data-action=accept]", "#offers [data-action=decline]"
LONG = "W" * 40
# Answers that are out of sight, or not beside each other.
ASTRAY = """() => [...document.querySelectorAll(".answers .button")]
  .map((button) => button.getBoundingClientRect())
  .filter(({ left, right, top }, _, [first]) => left < 0 || right > innerWidth || top !== first.top)
  .length"""
# Arcs that leave their line.
OUTSIDE = """() => [...document.querySelectorAll(".arc, .trail path")]
  .filter((arc) => arc.getBoundingClientRect().width)
  .map((arc) => [arc, arc.closest(".track")].map((part) => part.getBoundingClientRect().top))
  .filter(([arc, track]) => arc < track - 1).length"""
# What is seen at the right edge of some text.
RIGHT_EDGE = """(text) => {
  const { right, top, bottom } = text.getBoundingClientRect();
  return document.elementFromPoint(right - 1, (top + bottom) / 2).parentElement.textContent;
}"""
# The places of what can come next.
ONWARD = """() => [...document.querySelectorAll("#result-actions > *")]
  .map((part) => part.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y + scrollY, width, height].map(Math.round))"""
TOP = "(name => document.querySelector(name).getBoundingClientRect().top)"
BOTTOM = "(name => document.querySelector(name).getBoundingClientRect().bottom)"


def boxes(person: Person) -> list[list[str]]:
    """Return where everything is that can be pressed, beside a wide board and on two phones."""
    found = []
    for window in (WIDE, NARROW, PHONE["viewport"]):
        person.page.set_viewport_size(window)
        person.page.evaluate(DRAWN)
        found.append(person.page.evaluate(BOXES))
    return found


def dot(ada: Person, move: str) -> Any:
    """Find the dot of a move on the number line."""
    return ada.see(f'.dot[data-to="{move}"]')


def test_number_line_is_played_on_and_shows_what_moves_do(visit: Visit) -> None:
    ada = visit()
    ada.create("dual-digits", mode="here", options={"start": "12"})
    assert ada.ready()
    expect(ada.see("#goal")).to_contain_text("Reach exactly 0")
    expect(ada.see(".token")).to_have_text("12")
    expect(ada.see(".mark.goal").last).to_have_text("goal")
    # On a shared screen, a tap right after a move is not the other player's.
    again = '#moves [data-move="4"]'
    ada.page.evaluate(TAP_WHEN_CHANGED, ["#story", again, again])
    dot(ada, "3").click()
    ada.sees_ply(1)
    assert ada.page.evaluate("window.tapped") is False
    expect(ada.see(".token")).to_have_text("9")
    # The same number may not be played again: it is there, but not to be played.
    expect(dot(ada, "3")).to_have_class("dot barred")
    expect(ada.see('.dot[data-to="3"] title')).to_contain_text("forbidden")
    ada.rests()
    dot(ada, "3").click()
    expect(ada.see("#problem")).to_contain_text("forbidden")
    assert ada.ply == 1
    ada.page.mouse.move(0, 0)
    ada.see('#moves [data-move="4"]').focus()
    expect(ada.see('.arc[data-to="4"]')).to_have_class("arc pointed")
    button = ada.page.get_by_role("button", name="4 −4 → 5. Subtract 4, leaving 5")
    expect(button).to_contain_text("−4 → 5")
    # A race has two lines, and a number that does not fit on one is large.
    ada.create("number-navigator", mode="here")
    expect(ada.see(".track")).to_have_count(2)
    ada.create("even-steven", mode="here", options={"start": "4000"})
    expect(ada.see(".track")).to_have_count(0)
    expect(ada.see("#fields .number")).to_be_visible()


def test_a_second_tap_is_no_move_however_soon_the_computer_answers(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="bot", first="1")
    assert ada.ready()
    move = '#moves [data-move="1"]'
    ada.page.evaluate(TAP_WHEN_CHANGED, ["#story", move, move])
    ada.page.click(move)
    ada.sees_ply(2)
    assert ada.page.evaluate("window.tapped") is False


def test_nothing_moves_under_a_finger_when_an_offer_arrives(pair: Pair) -> None:
    ada, bob = pair("dual-digits", names=[LONG])
    for person in (ada, bob):
        person.page.set_viewport_size(PHONE["viewport"])
    ada.play("1")
    bob.sees_ply(1)
    before = bob.page.evaluate(BOXES)
    bob.page.evaluate(TAP_WHEN_CHANGED, ["#offers", ACCEPT, ACCEPT])
    ada.do("draw")
    expect(bob.see("#offers")).to_contain_text(f"{LONG} offers a draw.")
    assert bob.page.evaluate(f"{BOTTOM}('#toasts') < {TOP}('.centre')")
    assert bob.page.evaluate("window.tapped") is False  # too early to be meant
    assert bob.page.evaluate(BOXES) == before
    assert bob.view["ended"] is None
    # Two at a time: the offer and an error, while a notice waits.
    bob.press("1", "h")
    expect(bob.see("#problem")).to_be_visible()
    expect(bob.see("#notices")).to_contain_text("The coach is off.")
    expect(bob.see(".toast:visible")).to_have_count(2)
    expect(bob.see(DECLINE)).to_be_visible()
    assert bob.page.evaluate(f"{BOTTOM}('#toasts') < {TOP}('.centre')")
    assert bob.page.evaluate(ASTRAY) == 0
    bob.page.set_viewport_size(NARROW)
    assert bob.page.evaluate(ASTRAY) == 0
    bob.page.set_viewport_size(PHONE["viewport"])
    bob.ready()
    # A tap that comes when the offer has just left does not open the link behind it.
    bob.page.evaluate(TAP_WHEN_CHANGED, ["#offers", DECLINE, '.top [href="/puzzles"]'])
    bob.page.click(DECLINE)
    expect(ada.see("#notices")).to_contain_text("declined")
    assert bob.page.evaluate("window.tapped") is False
    assert bob.page.evaluate(BOXES) == before
    expect(bob.see(".player .here")).to_have_attribute("aria-label", "here")

    # Nor at the end, when the figures arrive, and when a rematch is on offer.
    held: list[Route] = []
    for person in (ada, bob):
        person.page.route("**/api/v1/matches/*/review?*", lambda route: held.append(route))
    ada.do("resign")
    ada.page.click("#confirm-yes")
    for person in (ada, bob):
        expect(person.see('[data-action="rematch"]')).to_be_visible()
    while len(held) < 2:
        ada.page.wait_for_timeout(10)
    early = [boxes(person) for person in (ada, bob)]
    for route in held:
        route.continue_()
    for person, before in zip((ada, bob), early, strict=True):
        expect(person.see("#figures p")).not_to_have_count(0)
        assert boxes(person) == before
    ada.do("rematch")
    expect(bob.see('[data-offer="rematch"]')).to_be_visible()
    assert [boxes(person) for person in (ada, bob)] == early
    ada.page.set_viewport_size(WIDE)
    again = ada.see('[data-action="rematch"]')
    expect(again).to_have_attribute("aria-disabled", "true")
    first = ada.link
    bob.act(action="rematch")
    ada.page.wait_for_url(lambda url: url != first and "/next" not in url)
    ada.act(action="resign")
    expect(ada.see(".score")).to_have_text(["Matches won: 0", "Matches won: 2"])


def test_buttons_stay_where_they_are_from_turn_to_turn(visit: Visit) -> None:
    ada = visit(**PHONE)
    for name, coach, moves in (
        ("divisor-duel", "off", ("1", "3")),
        ("number-navigator", "on", ("3", "1")),
        ("digit-battle", "on", ("8", "6", "1", "9")),  # which hits and goes back to 0
    ):
        ada.create(name, mode="here", coach=coach)
        assert ada.turn()
        assert ada.page.evaluate(f"{BOTTOM}('#tabs') <= innerHeight")
        before = boxes(ada)
        for move in moves:
            ada.play(move)
            assert ada.turn()
            if coach == "on":
                expect(ada.see("#moves .worth")).not_to_have_count(0)
            assert ada.page.evaluate(CLIPPED) == [], (name, move)
            assert ada.page.evaluate(OUTSIDE) == 0, (name, move)
            assert boxes(ada) == before, (name, move)
    # Nor does the winner's frame take any room.
    ada.page.evaluate("() => document.querySelector('.player').classList.add('won')")
    assert boxes(ada) == before


def test_nothing_moves_when_the_script_arrives(visit: Visit) -> None:
    ada = visit(("ERR_FAILED",), **PHONE)
    for name, fields in (
        ("number-navigator", {"mode": "bot", "first": "1", "games": 3}),
        (NOUGHTS, {"coach": "on"}),
        ("even-steven", {"mode": "friend"}),
        ("even-steven", OVER),
    ):
        ada.page.route("**/table.js", lambda route: route.abort())
        ada.create(name, **{"mode": "here", **fields})
        if fields == OVER:
            ada.act("1", "1")
            ada.page.reload()
        before = boxes(ada)
        ada.page.unroute("**/table.js")
        ada.page.reload()
        expect(ada.connection).to_have_attribute("data-state", re.compile("connected|over"))
        if fields.get("coach"):
            expect(ada.see("#play .worth")).not_to_have_count(0)
        moved = [set(early) - set(late) for early, late in zip(before, boxes(ada), strict=True)]
        assert moved == [set()] * 3, (name, fields)
        assert all(before)


def test_tabs_coach_and_sound_on_a_phone(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.create("even-steven", mode="bot", names=["Ada"], first="1")
    assert ada.ready()
    assert dot(ada, "1").locator("text:not(.sign)").evaluate(RIGHT_EDGE) == "14"  # beside the token
    expect(ada.see("#coach")).to_be_visible()
    expect(ada.see("#tools")).to_be_hidden()
    ada.see("#tab-coach").focus()
    ada.press("ArrowRight", "ArrowRight")
    expect(ada.see("#tools")).to_be_visible()
    assert ada.ready()  # a tap on what has just moved is ignored
    ada.page.check("#sound-on")
    ada.page.reload()
    assert ada.ready()
    expect(ada.see("#sound-on")).to_be_checked()
    ada.press("h")
    notice = ada.see("#notices")
    expect(notice).to_contain_text("The coach is off.")
    notice.get_by_role("button", name="Turn it on").focus()
    ada.press("Enter")
    expect(ada.see('[data-action="hint"]')).to_be_visible()
    assert ada.has_focus()  # though the notice is gone
    ada.press("h")
    expect(ada.see("#advice .standing")).to_be_visible()


def test_what_comes_next_keeps_its_four_places_whoever_wins(visit: Visit) -> None:
    ada = visit(**PHONE)
    held: list[Route] = []
    late = re.compile(r"/api/v1/(matches/\w+/review\?|me/strength)")
    ada.page.route(late, lambda route: held.append(route))
    options = {"start": "2", "subtract_two": "on"}
    found = []
    for level, moves, end, texts in (
        ("random", "3", "", ["Rematch", "Next level: easy", "Review", "Share"]),
        ("hard", "1", "", ["Rematch", "Lower level: medium", "Review", "Share"]),
        ("easy", "", "resign", ["Rematch", "Another game", "Review", "Share"]),
    ):
        ada.create(
            "even-steven", mode="bot", level=level, first="1", names=["Ada"], options=options
        )
        assert ada.turn()
        ada.act(*moves, **({"action": end} if end else {}))
        expect(ada.see("#result-actions > *")).to_have_text(texts)
        found.append([ada.page.evaluate(ONWARD)])
        if moves:
            while len(held) < 2:
                ada.page.wait_for_timeout(10)
            while held:
                held.pop().continue_()
            expect(ada.see("#figures .chart")).to_be_visible()
            expect(ada.see("#own-strength")).not_to_be_empty()
            found.append([ada.page.evaluate(ONWARD)])
    assert all(places == found[0] for places in found), found
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    height = PHONE["viewport"]["height"]
    assert all(y + tall <= height for (places,) in found for _, y, _, tall in places), found


def test_on_a_small_desktop_what_comes_next_is_above_the_fold_even_with_two_lines(
    visit: Visit,
) -> None:
    ada = visit(viewport={"width": 1280, "height": 800})
    ada.create("number-navigator", mode="bot", level="easy", first="2", names=["Ada"])
    assert ada.turn()
    ada.do("draw")  # the computer is not asked before the player is sure
    ada.see("#confirm").get_by_role("button", name="Keep playing").click()
    expect(ada.see("#result")).to_be_hidden()
    ada.act(action="resign")
    expect(ada.see("#result-title")).to_have_text("You lost")
    assert ada.page.evaluate(f"{BOTTOM}('#result-actions') <= innerHeight")
    ada.create(NOUGHTS, mode="here")
    ada.act("b2", "b1", "a1", "c3", "a2", "c2", "a3")
    expect(ada.see("#figures .chart")).to_be_visible()
    assert ada.page.evaluate(f"{BOTTOM}('#result-actions') <= innerHeight")


def test_a_game_without_values_offers_no_perfect_level_and_keeps_no_place_for_figures(
    visit: Visit,
) -> None:
    ada = visit(**PHONE)
    ada.create("territory", mode="bot", level="hard", first="2", options={"size": "2"})
    while ada.turn():
        ada.play(ada.legal[0])
    texts = ["Rematch", "Another game", "Review", "Share"]
    expect(ada.see("#result-actions > *")).to_have_text(texts)
    below = f"{BOTTOM}('#result-actions') <= {TOP}('#figures')"
    assert ada.page.evaluate(below)


def test_the_end_shows_you_on_top_what_turned_it_and_who_begins_next(pair: Pair) -> None:
    ada, bob = pair("even-steven", coach="on")
    for person in (ada, bob):  # the coach may be asked about a position that has just moved on
        person.may_fail = ("403", "409")
    bob.act(action="coach", want="on")
    for ply, move in enumerate("1212111"):
        (ada, bob)[ply % 2].play(move)
        (bob, ada)[ply % 2].sees_ply(ply + 1)
    expect(ada.see("#result.won")).to_have_count(1)
    expect(bob.see("#result.won")).to_have_count(0)
    for person, names, who, begins in (
        (ada, ["You", "Bob"], "Bob", "Bob begins"),
        (bob, ["You", "Ada"], "You", "you begin"),
    ):
        expect(person.see("#figures .owner")).to_have_text(names)
        expect(person.see("#figures")).to_contain_text(
            f"Turning point: {who} halved 6 to 3; 5 would have won."
        )
        expect(person.see("#then")).to_have_text(
            f"In the rematch, {begins}. With best play, whoever begins loses."
        )
    bob.page.get_by_role("button", name="Try it from there").click()
    bob.page.wait_for_url(lambda url: url != ada.page.url)
    assert bob.turn()
    assert bob.value() == "6"
    bob.open(f"{ada.link}/review")
    expect(bob.see("#accuracy li")).to_have_text([re.compile("^You "), re.compile("^Ada ")])
    expect(bob.see("#here-title")).to_have_text("Before move 4: you to move")
    expect(bob.see("#judged")).to_contain_text("Before the move: you win in 5.")


def test_whoever_wins_can_try_their_own_miss_again(visit: Visit) -> None:
    ada, bob = visit(("403",), **PHONE), visit(("403",))
    ada.create("even-steven", mode="friend", names=["Ada"], options={"start": "8"})
    bob.join(ada.link, "Bartholomew the Younger")
    for ply, move in enumerate("21111"):  # 7 would have won, and then 2
        (ada, bob)[ply % 2].play(move)
        (bob, ada)[ply % 2].sees_ply(ply + 1)
    expect(bob.see('[data-action="fork"]')).to_have_text("Try it from there →")
    again = ada.page.get_by_role("button", name="Try move 1 again")
    expect(again).to_be_visible()
    # All that is said has room: nothing below the box's edge has to be looked for.
    for width in (1024, 390, 360, 320):
        ada.page.set_viewport_size({"width": width, "height": 844})
        box = "document.querySelector('#figures')"
        assert ada.page.evaluate(f"{box}.scrollHeight <= {box}.clientHeight"), width
    again.click()
    ada.page.wait_for_url(lambda url: url != bob.page.url)
    assert ada.turn()
    assert ada.value() == "8"
