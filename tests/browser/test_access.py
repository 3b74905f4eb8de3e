"""Every page for everybody: by screen reader, in light and dark, at any width, at rest."""

from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.places import (
    CLIPPED,
    EXPECTED,
    OUTLINES,
    PLACES,
    board,
    coach,
    fits,
    home,
    learn,
    mistake,
    review,
    you,
)
from zerosum.registry import BUILT_IN

AXE = Axe()
# A spoken name contains what is seen, so that a button can be pressed by saying what is on it.
NAMES = "label-content-name-mismatch"  # off unless it is asked for
CONTRAST = "color-contrast"  # which takes the most time; these places have all colours
RULES = {NAMES: {"enabled": True}, CONTRAST: {"enabled": False}}
ALL: dict[str, Any] = {"resultTypes": ["violations"], "rules": RULES}
COLOURS: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": [CONTRAST]}
COLOURFUL = (home, learn, mistake, coach, review, board, you)
# What a player has and is not within the panel of that player.
# The left and the right end of each.
SIDES = """dots => dots.map((dot) => dot.getBoundingClientRect())
  .map(({ left, right }) => [left, right])"""
OUTSIDE = """() => [...document.querySelectorAll(".player")].flatMap((panel) => {
  const edge = panel.getBoundingClientRect();
  return [...panel.querySelectorAll(".own *")]
    .filter((part) => part.checkVisibility())
    .map((part) => [part.outerHTML, part.getBoundingClientRect()])
    .filter(([, box]) => box.left < edge.left || box.right > edge.right
      || box.top < edge.top || box.bottom > edge.bottom)
    .map(([what]) => what);
})"""
RUNNING = """() => document.getAnimations()
  .filter((motion) => motion.playState === "running")
  .map((motion) => motion.animationName ?? motion.transitionProperty)"""


def violations(ada: Person, rules: dict[str, Any]) -> list[Any]:
    """Let axe look at the page, and return what is wrong."""
    count = "found => [found.passes.length, found.violations]"
    passed, found = ada.page.evaluate(f"rules => axe.run(rules).then({count})", rules)
    assert passed  # it has looked
    return list(found)


@pytest.mark.parametrize("places", PLACES)
def test_pages_have_names_fit_any_width_and_axe_finds_nothing(visit: Visit, places: str) -> None:
    ada = visit(EXPECTED)
    for place in PLACES[places]:
        place(ada)
        if place in OUTLINES:
            expect(ada.see("body")).to_match_aria_snapshot(OUTLINES[place])
        ada.page.evaluate(AXE.axe_script)
        for width, rules in ((320, {"runOnly": [NAMES]}), (1440, ALL)):
            ada.page.set_viewport_size({"width": width, "height": 720})
            fits(ada)
            assert violations(ada, rules) == [], f"{ada.page.url} at {width}"
        for colours in ("dark", "light") if place in COLOURFUL else ():
            ada.page.emulate_media(color_scheme=colours)
            assert violations(ada, COLOURS) == [], f"{ada.page.url} is {colours}"


# As many digits as a game takes; and moves that are words or cells, with several in one of them.
LARGE = {"start": "1234567890" * 4}
LONGEST_WHOLE = {"start": "9" * 39}  # one more digit, and a number is shortened
READ: dict[str, dict[str, dict[str, str]]] = {
    "numbers": {name: {} if name == "digit-battle" else LARGE for name in BUILT_IN},
    "words": {name: {} for name in ("last-stick", "nim-with-a-pass", "lights", "wild-row")},
}
EXPLORED = ("dual-digits", "wild-row")  # by the same buttons


@pytest.mark.parametrize("kind", READ)
def test_moves_are_never_cut_and_are_named_by_what_is_seen(visit: Visit, kind: str) -> None:
    ada = visit()

    def look(*widths: int) -> None:
        for width in widths:
            ada.page.set_viewport_size({"width": width, "height": 800})
            assert ada.page.evaluate(CLIPPED) == [], (ada.page.url, width)

    for game, options in READ[kind].items():
        ada.create(game, mode="here", coach="on", options=options)
        expect(ada.see("#play :is(#advice, .move) .worth")).not_to_have_count(0)
        look(1280, 390, 320)
        ada.page.evaluate(AXE.axe_script)
        assert violations(ada, {"runOnly": [NAMES]}) == [], ada.page.url
        ada.act(action="coach", want="off")
        expect(ada.see("#moves.coached")).to_have_count(0)
        look(320, 1280)
        if game in EXPLORED:
            query = urlencode({f"option.{name}": value for name, value in options.items()})
            ada.open(f"/explore/{game}?{query}")
            expect(ada.see("#value .worth")).to_be_visible()
            look(320, 390, 1280)


def test_long_numbers_in_advice_wrap(visit: Visit) -> None:
    ada = visit(viewport={"width": 390, "height": 844})
    for game in ("even-steven", "divisor-duel"):
        ada.create(game, mode="here", coach="on", options=LONGEST_WHOLE)
        expect(ada.see("#advice .standing strong")).to_be_visible()
        fits(ada)


def test_pips_and_numbers_of_any_length_stay_in_their_panel(visit: Visit) -> None:
    ada = visit(viewport={"width": 1280, "height": 720})
    ada.create("digit-battle", mode="here", options={"lives": "44"})
    assert ada.turn()
    for width in (1280, 320):
        ada.page.set_viewport_size({"width": width, "height": 720})
        assert ada.page.evaluate(OUTSIDE) == []
        dots = ada.page.eval_on_selector_all(".dot circle", SIDES)
        assert len(dots) == 9
        assert all(right <= left for (_, right), (left, _) in pairwise(sorted(dots)))
    for number in ("44", "9" * 16):
        ada.create("number-navigator", mode="here", options={"start": number})
        assert ada.ready()
        ada.see("#moves [data-move]").first.hover()
        assert ada.page.evaluate(OUTSIDE) == []


def test_reduced_motion_is_respected(visit: Visit) -> None:
    quick, calm = visit(reduced_motion="no-preference"), visit()
    for person in (quick, calm):
        person.create("even-steven", mode="friend")
        expect(person.see("#invite")).to_be_visible()
    assert quick.page.evaluate(RUNNING) != []  # the dots of the waiting
    assert calm.page.evaluate(RUNNING) == []
    calm.create("digit-battle", mode="here")
    calm.ready()
    # In the very frame in which a number changes it has its new value, and nothing runs.
    calm.page.evaluate(
        """() => new MutationObserver(() => {
          window.seen = document.querySelector("#fields .number").textContent;
          window.moving = document.getAnimations().length;
        }).observe(document.querySelector("#fields .number"), { attributes: true })"""
    )
    calm.play("9")
    assert calm.page.evaluate("[window.seen, window.moving]") == [calm.value(), 0]
    assert calm.page.evaluate(RUNNING) == []
