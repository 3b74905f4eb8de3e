"""The pages that there are, and how somebody gets to each."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.people import Person

GAME = "digit-battle"  # it has the most of everything: numbers, lives, forbidden moves


def game(ada: Person, name: str = GAME) -> None:
    """A game in which something has been played."""
    ada.create(name, mode="here", names=["Ada", "Bob"])
    assert ada.ready()
    ada.play(ada.legal[0])
    assert ada.ready()


def coach(ada: Person) -> None:
    """A game with the coach always there."""
    ada.create("even-steven", mode="here", coach="on")
    expect(ada.see("#advice .standing")).to_be_visible()
    expect(ada.see("#moves .worth")).not_to_have_count(0)


def end(ada: Person) -> None:
    """A game that is over."""
    ada.create("even-steven", mode="here", options={"start": "4"})
    ada.plays_to_the_end()


def review(ada: Person) -> None:
    """A game looked at again."""
    end(ada)
    ada.do("review")
    expect(ada.see("#chart svg")).to_be_visible()


def explore(ada: Person, name: str = "dual-digits") -> None:
    """The map of a game."""
    ada.open(f"/explore/{name}")
    expect(ada.see("#map [data-state], #map-problem:visible")).not_to_have_count(0)
    expect(ada.see("#value")).not_to_be_empty()


def puzzles(ada: Person) -> None:
    """A puzzle with a wrong answer given, or with the right one."""
    ada.open("/puzzles")
    ada.see("#moves [data-move]").first.click()
    expect(ada.see("#verdict")).to_be_visible()


def mistake(ada: Person) -> None:
    """The form of a new match with a mistake in it."""
    ada.open(f"/new/{GAME}")
    ada.page.fill("#option-lives", "none")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#option-lives-problem")).to_be_visible()


def opened(path: str) -> Callable[[Person], None]:
    """A page that is only opened."""

    def open_it(ada: Person) -> None:
        ada.open(path)

    return open_it


def invitation(ada: Person) -> None:
    """A match that waits for a friend."""
    ada.create("even-steven", mode="friend")
    expect(ada.see("#invite")).to_be_visible()


def invited(ada: Person) -> None:
    """The friend's side of an invitation."""
    invitation(ada)
    ada.page.context.clear_cookies()
    ada.page.reload()
    expect(ada.see("#join")).to_be_visible()


PLACES: dict[str, tuple[Callable[[Person], None], ...]] = {
    "before": (
        opened("/"),
        opened(f"/rules/{GAME}"),
        opened(f"/new/{GAME}"),
        mistake,
        opened("/m/22222222222222222222222222"),
    ),
    "table": (invitation, invited, game, coach, end),
    "study": (review, explore, puzzles),
}
# Errors that come with a place: what the server refuses is noted by the browser.
EXPECTED = ("404", "422")
