"""The table as players see it: the number line, what arrives, tabs on a phone, and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# Where everything is that a finger may be about to press.
PLACES = """() => [...document.querySelectorAll(
    ".track, [data-move], #tool-buttons button, [role=tab]")]
  .filter((part) => part.checkVisibility())
  .map((part) => { const { x, y, width, height } = part.getBoundingClientRect();
    return [part.dataset.move, x, y + window.scrollY, width, height].join(); })"""
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
# Reasons on buttons that are cut off, and arcs that leave their line.
CUT = """() => [...document.querySelectorAll(".why")]
  .filter((reason) => reason.scrollHeight > reason.clientHeight)
  .map((reason) => reason.textContent)"""
OUTSIDE = """() => [...document.querySelectorAll(".arc path, .trail")]
  .filter((arc) => arc.getBoundingClientRect().width)
  .map((arc) => [arc, arc.closest(".track")].map((part) => part.getBoundingClientRect().top))
  .filter(([arc, track]) => arc < track - 1).length"""
TOP = "(name => document.querySelector(name).getBoundingClientRect().top)"
BOTTOM = "(name => document.querySelector(name).getBoundingClientRect().bottom)"


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
    button = ada.page.get_by_role("button", name="4 Subtract 4, leaving 5")
    expect(button).to_contain_text("−4 → 5")
    # A race has two lines, and a number that does not fit on one is large.
    ada.create("number-navigator", mode="here")
    expect(ada.see(".lane")).to_have_count(2)
    ada.create("even-steven", mode="here", options={"start": "4000"})
    expect(ada.see(".lane")).to_have_count(0)
    expect(ada.see("#fields .number")).to_be_visible()


def test_nothing_moves_under_a_finger_when_an_offer_arrives(
    pair: Callable[..., tuple[Person, Person]],
) -> None:
    ada, bob = pair("dual-digits", names=[LONG])
    for person in (ada, bob):
        person.page.set_viewport_size(PHONE["viewport"])
    ada.play("1")
    bob.sees_ply(1)
    before = bob.page.evaluate(PLACES)
    bob.page.evaluate(TAP_WHEN_CHANGED, ["#offers", ACCEPT, ACCEPT])
    ada.do("draw")
    expect(bob.see("#offers")).to_contain_text(f"{LONG} offers a draw.")
    assert bob.page.evaluate(f"{BOTTOM}('#toasts') < {TOP}('.centre')")
    assert bob.page.evaluate("window.tapped") is False  # too early to be meant
    assert bob.page.evaluate(PLACES) == before
    assert bob.view["ended"] is None
    # Two at a time: the offer and an error, while a notice waits.
    bob.press("1", "h")
    expect(bob.see("#problem")).to_be_visible()
    expect(bob.see("#notices")).to_contain_text("The coach is off.")
    expect(bob.see(".toast:visible")).to_have_count(2)
    expect(bob.see(DECLINE)).to_be_visible()
    assert bob.page.evaluate(f"{BOTTOM}('#toasts') < {TOP}('.centre')")
    assert bob.page.evaluate(ASTRAY) == 0
    bob.page.set_viewport_size({"width": 320, "height": 640})
    assert bob.page.evaluate(ASTRAY) == 0
    bob.page.set_viewport_size(PHONE["viewport"])
    bob.ready()
    # A tap that comes when the offer has just left does not open the link behind it.
    bob.page.evaluate(TAP_WHEN_CHANGED, ["#offers", DECLINE, '.top [href="/puzzles"]'])
    bob.page.click(DECLINE)
    expect(ada.see("#notices")).to_contain_text("declined")
    assert bob.page.evaluate("window.tapped") is False
    assert bob.page.evaluate(PLACES) == before
    expect(bob.see(".player .here")).to_have_attribute("aria-label", "here")


def test_buttons_stay_where_they_are_from_turn_to_turn(visit: Visit) -> None:
    ada = visit(**PHONE)
    for name, moves in (
        ("divisor-duel", ("1", "3", "6", "1")),
        ("digit-battle", ("1", "9", "2", "5")),
        ("dual-digits", ("4", "3", "4", "1")),
        ("number-navigator", ("3", "1", "3", "1")),
    ):
        for coach in ("off", "on") if name == "digit-battle" else ("on",):
            ada.create(name, mode="here", coach=coach)
            assert ada.turn()
            before = ada.page.evaluate(PLACES)
            assert ada.page.evaluate(f"{BOTTOM}('#tabs') <= innerHeight")
            for move in moves:
                ada.play(move)
                assert ada.turn()
                assert ada.page.evaluate(PLACES) == before, (name, move)
                assert ada.page.evaluate(CUT) == [], (name, move)
                assert ada.page.evaluate(OUTSIDE) == 0, (name, move)
            # Nor does the winner's frame take any room.
            ada.page.evaluate("() => document.querySelector('.player').classList.add('won')")
            assert ada.page.evaluate(PLACES) == before, name


def test_tabs_coach_and_sound_on_a_phone(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.create("even-steven", mode="bot", names=["Ada"], first="1")
    assert ada.ready()
    expect(ada.see("#coach")).to_be_visible()
    expect(ada.see("#tools")).to_be_hidden()
    ada.see("#tab-coach").focus()
    ada.press("ArrowRight", "ArrowRight")
    expect(ada.see("#tools")).to_be_visible()
    ada.page.check("#sound-on")
    ada.page.reload()
    assert ada.ready()
    expect(ada.see("#sound-on")).to_be_checked()
    ada.press("h")
    notice = ada.see("#notices")
    expect(notice).to_contain_text("The coach is off.")
    ada.rests()
    notice.get_by_role("button", name="Turn it on").click()
    expect(ada.see('[data-action="hint"]')).to_be_visible()
    ada.press("h")
    expect(ada.see("#advice .standing")).to_be_visible()


def test_turning_point_can_be_tried_again(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", options={"start": "6"}, names=["Ada", "Bob"])
    for move in ("2", "1", "1", "1"):
        ada.play(move)
    expect(ada.see("#result-title")).to_have_text("Bob won")
    expect(ada.see("#result-reason")).to_have_text("Bob reached 0.")
    expect(ada.see("#figures")).to_contain_text("Turning point: move")
    old = ada.link
    ada.do("fork")
    ada.page.wait_for_url(lambda url: url.partition("?")[0] != old)
    assert ada.turn()
