"""Takes the screenshots in docs/screens, from a real server.

    make screens

A screenshot shows the same moves each time, except the computer's on the home page; the fonts
depend on the machine. Look at them before you commit them.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect
from tests.browser import chromium
from tests.browser.people import Person
from tests.game_files import NOUGHTS
from tests.web.support import Server

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def home(ada: Person, bob: Person) -> None:
    """Show the games, with two that Ada plays."""
    friends(ada, bob, "dual-digits", "4 2")
    ada.create("digit-battle", mode="bot", level="hard", names=["Ada"], first="2")
    assert ada.ready()
    ada.open("/")
    expect(ada.see("#my-games li")).to_have_count(2)


def friends(ada: Person, bob: Person, game: str, moves: str, **fields: Any) -> None:
    """Play some moves between friends."""
    ada.create(game, mode="friend", names=["Ada"], **fields)
    bob.join(ada.link, "Bob")
    for ply, move in enumerate(moves.split()):
        mover, other = (ada, bob) if ply % 2 == 0 else (bob, ada)
        mover.play(move)
        other.sees_ply(ply + 1)
    ada.page.mouse.move(0, 0)


def game(ada: Person, bob: Person) -> None:
    """Show a game between friends."""
    friends(ada, bob, "digit-battle", "8 7 6 6 3 8")
    expect(ada.see("#turn")).to_have_text("Your turn")


def coach(ada: Person, bob: Person) -> None:
    """Show the coach, which both players have turned on."""
    friends(ada, bob, "dual-digits", "4 2 4 3", coach="on")
    bob.page.check('[name="want"][value="on"]')
    expect(ada.see("#advice .standing")).to_be_visible()
    expect(ada.see("#moves .worth")).not_to_have_count(0)


def board(ada: Person, bob: Person) -> None:
    """Show a game on a board, with the coach's signs on its cells."""
    friends(ada, bob, "noughts-and-crosses", "b2 b1", coach="on")
    bob.page.check('[name="want"][value="on"]')
    expect(ada.see("#grid .worth")).to_have_count(7)


def review(ada: Person, bob: Person) -> None:
    """Show the review of a game at its turning point."""
    friends(ada, bob, "even-steven", "1 2 1 2 1 1 1")
    ada.do("review")
    expect(ada.see("#chart > svg")).to_be_visible()


def explore(ada: Person, bob: Person) -> None:
    """Show a map and a position on it."""
    ada.open("/explore/dual-digits")
    expect(ada.see("#theory-words")).not_to_be_empty()
    ada.see('#map [data-state^="[12,3,"]').first.click()
    expect(ada.see("#position .stage .number").first).to_have_attribute("data-value", "12")
    ada.page.mouse.move(0, 0)


def lesson(ada: Person, bob: Person) -> None:
    """Show a step of a lesson that is answered."""
    ada.open("/learn/dual-digits?step=2")
    ada.see('[data-right="yes"]').click()
    expect(ada.see("#said")).to_have_attribute("data-mark", "right")
    ada.page.mouse.move(0, 0)


def phone(ada: Person, bob: Person) -> None:
    """Show a game on a phone."""
    friends(ada, bob, "even-steven", "1 1 1 2", options={"start": "31"})


PICTURES: dict[str, tuple[Callable[[Person, Person], None], dict[str, Any]]] = {
    "home": (home, {"viewport": {**DESK, "height": 780}}),
    "game": (game, {"viewport": DESK}),
    "coach": (coach, {"viewport": DESK, "color_scheme": "dark"}),
    "board": (board, {"viewport": DESK}),
    "review": (review, {"viewport": DESK}),
    "lesson": (lesson, {"viewport": DESK}),
    "explore": (explore, {"viewport": DESK, "color_scheme": "dark"}),
    "phone": (phone, {"viewport": PHONE, "device_scale_factor": 2, "is_mobile": True}),
}


def take(name: str, browser: Browser, url: str) -> None:
    """Take a screenshot."""
    show, settings = PICTURES[name]
    with (
        browser.new_context(base_url=url, reduced_motion="reduce", **settings) as hers,
        browser.new_context(base_url=url) as his,
    ):
        ada = Person(hers.new_page(), url)
        show(ada, Person(his.new_page(), url))
        ada.page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
        path = FOLDER / f"{name}.png"
        ada.page.screenshot(path=path, animations="disabled", caret="hide")
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")


def main() -> None:
    """Take all screenshots, or those named on the command line."""
    if chromium.found() is None:
        raise SystemExit("Chromium is not installed.")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with (
            Server(home / "matches.db", home, NOUGHTS) as server,
            chromium.launched() as browser,
        ):
            for name in sys.argv[1:] or PICTURES:
                take(name, browser, server.url)


if __name__ == "__main__":
    main()
