"""The same page in Firefox and WebKit: a friend by link, a reload, a killed server, an end."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.browser.engines import Engine, firefox, webkit
from tests.helpers import eventually
from tests.web.support import Server

# What a person taps is enabled and visible.
TAP = """(seen => Boolean(seen?.checkVisibility()
  && !seen.matches("[aria-disabled], .busy *") && (seen.click(), true))
)(document.querySelector({!r}))"""
TITLE = "document.getElementById('result-title').textContent"
CONNECTED = "document.getElementById('connection').dataset.state === 'connected'"
PLIES = "document.querySelectorAll('#story li').length"


@pytest.mark.parametrize("engine", [firefox, webkit])
def test_a_game_with_a_friend(
    engine: Callable[[Path], AbstractContextManager[Engine]], tmp_path: Path
) -> None:
    with (
        Server(tmp_path / "matches.db", tmp_path, prompt=True) as server,
        engine(tmp_path) as page,
    ):

        def tap(selector: str) -> None:
            eventually(lambda: page.run(TAP.format(selector)))

        def sees(ply: int) -> None:
            eventually(lambda: page.run(PLIES) == ply)

        # The page at home loads what a game needs in advance.
        page.open(server.url)
        assert page.run("document.title").startswith("Zerosum")
        ada = server.visitor()
        ada.create("even-steven", options={"start": "6"}, first="1")
        link = f"{server.url}/m/{ada.id}"
        page.open(link)
        tap('[data-action="join"]')  # which asks for nothing else, not even a name
        eventually(lambda: ada.see()["players"][1]["joined"])
        ada.do("move", move="2")
        sees(1)
        tap('#moves [data-move="1"]')
        sees(2)
        page.open(link)  # as a reload does
        sees(2)
        eventually(lambda: page.run(CONNECTED))
        server.kill()
        server.start()
        ada.do("move", move="1")
        sees(3)
        tap('#moves [data-move="1"]')
        eventually(lambda: ada.see()["ended"])
        eventually(lambda: page.run(TITLE) == "You won!")
        assert page.problems == []
