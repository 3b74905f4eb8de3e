from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.people import Person
from tests.game_files import NOUGHTS, PASS, STICK, TERRITORY
from tests.games import GAMES_FILE
from tests.web.support import Server

OWN_GAMES = (STICK, NOUGHTS, PASS, TERRITORY, f"{GAMES_FILE}:WildRow", f"{GAMES_FILE}:Lights")
WINDOW = {"width": 1000, "height": 640}
# Motion has its own test; drawing it in all the others costs a tenth of their time.
CONTEXT = {"viewport": WINDOW, "reduced_motion": "reduce"}

Visit = Callable[..., Person]


# The browser lives as long as the tests of this folder: its loop would be in the way of others.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's own Chromium."""
    if chromium.found() is None:
        pytest.skip("Chromium is not installed: install the package 'chromium'")
    with chromium.launched() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the five games and some of a user's own."""
    home = tmp_path_factory.mktemp("web")
    small = {"solver_positions": 60_000}  # so that what is too hard is found out soon
    with Server(home / "matches.db", home, *OWN_GAMES, prompt=True, **small) as running:
        yield running


@pytest.fixture
def visit_at(browser: Browser) -> Iterator[Callable[..., Person]]:
    """Creates people at a server, each with their own browser."""
    with ExitStack() as stack:

        def visit_at(url: str, may_fail: tuple[str, ...] = (), **settings: Any) -> Person:
            context = stack.enter_context(
                browser.new_context(base_url=url, **{**CONTEXT, **settings})
            )
            person = Person(context.new_page(), url, may_fail)
            people.append(person)
            return person

        people: list[Person] = []
        yield visit_at
        for person in people:
            person.check()


@pytest.fixture
def visit(server: Server, visit_at: Callable[..., Person]) -> Visit:
    """Creates people at the server; `may_fail` are errors that a test brings about itself."""
    return lambda *args, **settings: visit_at(server.url, *args, **settings)


@pytest.fixture
def pair(visit: Visit) -> Callable[..., tuple[Person, Person]]:
    """Creates Ada and Bob at a new match, each with their own browser."""

    def pair(game: str = "even-steven", **fields: Any) -> tuple[Person, Person]:
        ada, bob = visit(("403",)), visit(("403",))
        ada.create(game, mode="friend", **{"names": ["Ada"], **fields})
        bob.join(ada.link, "Bob")
        assert ada.turn()
        return ada, bob

    return pair
