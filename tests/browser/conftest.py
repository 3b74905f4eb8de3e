from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.people import Person
from tests.game_files import CONNECT_FOUR, DOTS, NOUGHTS, PASS, STICK, TERRITORY
from tests.games import GAMES_FILE
from tests.web.support import Server

OWN_GAMES = (
    *(STICK, NOUGHTS, PASS, TERRITORY, CONNECT_FOUR, DOTS),
    *(f"{GAMES_FILE}:WildRow", f"{GAMES_FILE}:Lights"),
)
WINDOW = {"width": 1000, "height": 640}
# Motion has its own test; drawing it in all the others costs a tenth of their time.
CONTEXT = {"reduced_motion": "reduce"}

Visit = Callable[..., Person]
Pair = Callable[..., tuple[Person, Person]]


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
    # What is too hard is found out soon; what is not is found on a busy machine too.
    small = {"solver_positions": 20_000, "solver_seconds": 25.0}
    with Server(home / "matches.db", home, *OWN_GAMES, prompt=True, **small) as running:
        yield running


@pytest.fixture(scope="package")
def waiting() -> dict[str, list[Person]]:
    """People who are not at a test now, by the settings of their browsers."""
    return defaultdict(list)


@pytest.fixture
def visit_at(browser: Browser, waiting: dict[str, list[Person]]) -> Iterator[Callable[..., Person]]:
    """Creates people at a server, each with their own browser, which forgets all after a test.

    A new browser takes most of a second; one that a test changes for good has to be `alone`.
    """
    here: list[tuple[str, Person]] = []

    def visit_at(
        url: str, may_fail: tuple[str, ...] = (), alone: bool = False, **settings: Any
    ) -> Person:
        window = settings.pop("viewport", WINDOW)
        kind = "" if alone else repr((url, sorted(settings.items())))
        if waiting[kind]:
            person = waiting[kind].pop()
            person.page.set_viewport_size(window)
        else:
            made = {**CONTEXT, **settings, "viewport": window}
            person = Person(browser.new_context(base_url=url, **made).new_page(), url)
        person.may_fail = may_fail
        here.append((kind, person))
        return person

    yield visit_at
    for kind, person in here:
        person.check()
        if kind:
            person.forget()
            waiting[kind].append(person)
        else:
            person.page.context.close()


@pytest.fixture
def visit(server: Server, visit_at: Callable[..., Person]) -> Visit:
    """Creates people at the server; `may_fail` are errors that a test brings about itself."""
    return lambda *args, **settings: visit_at(server.url, *args, **settings)


@pytest.fixture
def pair(visit: Visit) -> Pair:
    """Creates Ada and Bob at a new match, each with their own browser."""

    def pair(game: str = "even-steven", **fields: Any) -> tuple[Person, Person]:
        ada, bob = visit(("403",)), visit(("403",))
        ada.create(game, mode="friend", **{"names": ["Ada"], **fields})
        bob.join(ada.link, "Bob")
        assert ada.turn()
        return ada, bob

    return pair
