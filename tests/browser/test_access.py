"""Every page for everybody: checked by axe-core in light and dark, at any width, at rest."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.places import EXPECTED, PLACES, explore, game
from zerosum.registry import BUILT_IN

AXE = Axe()
ALL: dict[str, Any] = {"resultTypes": ["violations"]}
# In the dark nothing but the colours is different.
SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": ALL,
    "dark": {**ALL, "runOnly": ["color-contrast"]},
}
# Everything that can be pressed, unless it is in a line of text or is seen only with the focus.
TARGETS = """() => [...document.querySelectorAll(
    "button, select, summary, input:not([type=hidden]), a.button")]
  .filter((target) => target.checkVisibility({ visibilityProperty: true }))
  .map((target) => target.closest("label") ?? target)
  .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()])
  .map(([what, box]) => [what, box.width, box.height])"""
MOVES = """() => [...document.querySelectorAll("#moves .move")]
  .map((move) => move.getBoundingClientRect().height)"""
# What a player has and is not within the panel of that player.
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


def fits(ada: Person) -> None:
    """Nothing is wider than the window, and what can be pressed is large enough."""
    width, window = ada.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, ada.page.url
    small = [target for target in ada.page.evaluate(TARGETS) if min(target[1:]) < 24]
    assert small == [], ada.page.url
    assert all(height >= 44 for height in ada.page.evaluate(MOVES)), ada.page.url


@pytest.mark.parametrize("places", PLACES)
def test_pages_fit_any_width_and_axe_finds_nothing(visit: Visit, places: str) -> None:
    ada = visit(EXPECTED, reduced_motion="reduce")
    for place in PLACES[places]:
        place(ada)
        for width in (320, 1440):
            ada.page.set_viewport_size({"width": width, "height": 720})
            fits(ada)
        for scheme, rules in SCHEMES.items():
            ada.page.emulate_media(color_scheme=scheme)
            found = AXE.run(ada.page, options=rules)
            assert found.response["passes"]  # it has looked
            where = f"{ada.page.url} in {scheme}"
            assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def test_every_game_fits_a_phone(visit: Visit) -> None:
    ada = visit(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    for name in BUILT_IN:
        game(ada, name)
        fits(ada)
        explore(ada, name)
        fits(ada)


def test_long_numbers_and_names_fit_a_phone(visit: Visit) -> None:
    ada = visit(viewport={"width": 320, "height": 640})
    number = "9" * 39 + "8"
    ada.create("even-steven", mode="here", options={"start": number}, names=["W" * 40, "M" * 40])
    ada.play("1")
    assert ada.ready()
    fits(ada)
    ada.do("resign")
    ada.page.click("#confirm-yes")
    expect(ada.see("#result")).to_be_visible()
    fits(ada)
    ada.do("review")
    expect(ada.see("#review")).to_be_visible()
    fits(ada)


def test_pips_stay_in_their_panel(visit: Visit) -> None:
    ada = visit(reduced_motion="reduce")
    for name, options in (("digit-battle", {"lives": "44"}), ("number-navigator", {"start": "44"})):
        ada.create(name, mode="here", options=options)
        assert ada.ready()
        for width in (320, 1280):
            ada.page.set_viewport_size({"width": width, "height": 720})
            assert ada.page.evaluate(OUTSIDE) == []


def test_reduced_motion_is_respected(visit: Visit) -> None:
    quick, calm = visit(reduced_motion="no-preference"), visit(reduced_motion="reduce")
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
