"""All pages, and how to get to each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.browser.people import Person

GAME = "digit-battle"  # it has the most of everything: numbers, lives, forbidden moves
NOUGHTS = "noughts-and-crosses"


def game(ada: Person, name: str = GAME) -> None:
    """A game in which something has been played."""
    ada.create(name, mode="here", names=["Ada", "Bob"])
    assert ada.ready()
    ada.play(ada.legal[0])
    assert ada.ready()


def coach(ada: Person) -> None:
    """A game with the coach always on."""
    ada.create("even-steven", mode="here", coach="on")
    expect(ada.see("#advice .standing")).to_be_visible()
    expect(ada.see("#moves .worth")).not_to_have_count(0)


def end(ada: Person) -> None:
    """A game that is over."""
    ada.create("even-steven", mode="here", options={"start": "4"})
    ada.plays_to_the_end()


def review(ada: Person) -> None:
    """The review of a game."""
    end(ada)
    ada.do("review")
    expect(ada.see("#chart svg")).to_be_visible()


def explore(ada: Person, name: str = "dual-digits") -> None:
    """The map of a game."""
    ada.open(f"/explore/{name}")
    expect(ada.see("#map [data-state], #map-problem:visible")).not_to_have_count(0)
    expect(ada.see("#value")).not_to_be_empty()


def set_puzzle(ada: Person, name: str) -> dict[str, Any]:
    """Set a puzzle of a game, and return its document."""
    ada.open("/puzzles")
    with ada.page.expect_response(f"**/api/puzzle?game={name}*") as got:
        ada.page.select_option("#game", name)
    puzzle: dict[str, Any] = got.value.json()
    expect(ada.see("#about")).to_contain_text(puzzle["title"])
    return puzzle


def puzzles(ada: Person) -> None:
    """A puzzle on a board, after a wrong answer or the right one."""
    set_puzzle(ada, NOUGHTS)
    ada.see("#position [data-move]").first.click()
    expect(ada.see("#position [data-mark]")).to_have_count(1)


def board(ada: Person) -> None:
    """A game on a board, with the coach's signs on its cells."""
    ada.create(NOUGHTS, mode="here", coach="on")
    for move in ("b2", "b1"):
        ada.play(move)
    expect(ada.see("#grid .worth")).to_have_count(7)


def board_review(ada: Person) -> None:
    """The review of a game on a board, at its turning point."""
    board(ada)
    for move in ("a1", "c3", "a2", "c2", "a3"):
        ada.play(move)
    ada.do("review")
    expect(ada.see('[data-mark="better"]')).to_have_count(4)


def board_explored(ada: Person) -> None:
    """A game on a board, explored."""
    ada.open(f"/explore/{NOUGHTS}")
    ada.see('[data-move="b2"]').click()
    expect(ada.see("#position .worth")).to_have_count(8)


def answer_of(ada: Person, puzzle: dict[str, Any]) -> str:
    """Look up the answer to a puzzle in Explore: only one move is best."""
    query = urlencode({"options": json.dumps(puzzle["options"]), "state": puzzle["state"]})
    _, found = ada.fetch(f"/api/games/{puzzle['game']}/position?{query}")
    (best,) = [judged["move"] for judged in found["moves"] if judged["best"]]
    return str(best)


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
    "board": (board, board_review, board_explored),
}
# Errors that come with a place: what the server refuses is noted by the browser.
EXPECTED = ("404", "422")
