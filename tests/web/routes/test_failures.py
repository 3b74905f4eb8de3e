"""Failures: what is slow or broken is contained, and the health check tells of it."""

import asyncio
import logging
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.game_files import NOUGHTS, write
from tests.web.http.asgi import scope
from tests.web.support import Inside
from zerosum.errors import Unwritable
from zerosum.web.analysis.queue import Busy
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.site import Site

NAME = "noughts-and-crosses"
Patch = pytest.MonkeyPatch
Log = pytest.LogCaptureFixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    folder = tmp_path_factory.mktemp("failures")
    files = (NOUGHTS, write(folder, "Failing"))
    with Inside(folder / "a.db", files=files) as server:
        yield server


def test_random_plays_if_who_should_begin_is_unknown(server: Inside, monkeypatch: Patch) -> None:
    ask = server.site.pool.ask

    async def partly(what: str, /, **more: Any) -> Any:
        if what == "first_seat":
            raise TooHard("Too slow.")
        return await ask(what, **more)

    monkeypatch.setattr(server.site.pool, "ask", partly)
    seen = server.visitor().create(mode="bot", level="random", first="auto")
    assert seen["turn"]["yours"]


def test_home_page_does_not_wait_for_rules_and_shows_later_what_they_said(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    asked, ready = [], asyncio.Event()
    with Inside(tmp_path / "a.db", files=(NOUGHTS,)) as server:
        ask = server.site.pool.ask

        async def slowly(what: str, /, **more: Any) -> Any:
            asked.append(what)
            await ready.wait()
            return await ask(what, **more)

        monkeypatch.setattr(server.site.pool, "ask", slowly)
        server.site._asked.clear()  # it was drawn when the server started
        ada, empty = server.visitor(), '<div class="picture"></div>'
        for _ in range(2):
            page = ada.get("/").text
            assert (f'data-game="{NAME}"' in page, empty in page) == (True, True)
        server.call(said(ready, server.site))
        assert empty not in ada.get("/").text
        assert [what for what in asked if what != "first_position"] == ["card", "offered"]


async def said(ready: asyncio.Event, site: Site) -> None:
    """Let the rules answer, and wait until they have."""
    ready.set()
    await asyncio.wait(site._asked.values())


def test_game_with_slow_rules_has_pages_without_a_picture(
    server: Inside, monkeypatch: Patch
) -> None:
    ada, site = server.visitor(), server.site
    site._asked.clear()
    monkeypatch.setattr(site.pool, "ask", AsyncMock(side_effect=Busy("Too many.")))
    assert ada.get("/").status_code == 200
    assert not site._asked  # it is asked again
    monkeypatch.setattr(site.pool, "ask", AsyncMock(side_effect=TooHard("Too slow.")))
    for path in ("/", f"/new/{NAME}", f"/rules/{NAME}", f"/explore/{NAME}", "/puzzles"):
        assert ada.get(path).status_code == 200
    assert server.call(site.card(NAME))["picture"] == ""
    assert server.call(site.card("even-steven"))["picture"].startswith("<svg")


def test_map_is_compressed_and_drawn_once(server: Inside, monkeypatch: Patch) -> None:
    ada, path = server.visitor(), "/api/v1/games/number-navigator/map.svg"
    first = ada.get(path)
    monkeypatch.setattr(server.site.pool, "ask", AsyncMock(side_effect=Busy("Too many.")))
    assert first.headers["content-encoding"] == "gzip"
    assert 5 * int(first.headers["content-length"]) < len(first.content)
    plain = ada.get(path, headers={"accept-encoding": "identity"})
    assert ("content-encoding" in plain.headers, plain.content) == (False, first.content)
    kept = ada.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (kept.status_code, kept.content) == (304, b"")
    assert kept.headers["cache-control"] == "no-cache"
    assert ada.get(f"{path}?options=%7B%22start%22%3A9%7D").status_code == 429  # another map


def test_maps_of_many_variants_take_no_more_room(server: Inside, monkeypatch: Patch) -> None:
    monkeypatch.setattr("zerosum.web.routes.games.MOST_MAPS", 2)
    ada = server.visitor()
    for start in (5, 6, 7):
        path = f"/api/v1/games/even-steven/map.svg?options=%7B%22start%22%3A{start}%7D"
        assert ada.get(path).status_code == 200
    assert len(server.site.maps) == 2


def test_qr_codes_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", analyses_per_minute=2) as server:
        ada = server.visitor()
        ada.create()
        statuses = [ada.get(f"/api/v1/matches/{ada.id}/qr.svg").status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


def test_health_tells_what_does_not_work(server: Inside, monkeypatch: Patch, caplog: Log) -> None:
    ada, site = server.visitor(), server.site
    assert ada.get("/healthz").json() == {"status": "ok"}
    monkeypatch.setattr(site.pool, "problems", lambda: ["The solver has stopped."])
    with caplog.at_level(logging.CRITICAL):
        monkeypatch.setattr(
            site.tables.store, "alone", AsyncMock(side_effect=Unwritable("/secret/a.db: full"))
        )
        monkeypatch.setattr(site.tables.clock, "_recorded", -math.inf)
        monkeypatch.setattr(site.tables.scheduler, "_repeated", [])
        answer = ada.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "failing",
        "problems": [
            "The solver has stopped.",
            "Bots and clocks have stopped.",
            "The database cannot be read or written.",
        ],
    }


@pytest.mark.parametrize("game", ["even-steven", NAME])  # of which rules are asked first
def test_client_that_leaves_cancels_its_question(
    server: Inside, monkeypatch: Patch, caplog: Log, game: str
) -> None:
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def ask(what: str, /, **more: Any) -> Any:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    coming = [{"type": "http.request", "body": b"", "more_body": False}]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if coming:
            return coming.pop()
        await asked.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def leave() -> None:
        headers = [(b"host", b"localhost")]
        path = f"/api/v1/games/{game}/position"
        await server.app(scope("GET", path, headers, "127.0.0.1"), receive, send)
        await cancelled.wait()

    monkeypatch.setattr(server.site.pool, "ask", ask)
    server.call(leave())
    assert (sent, caplog.text) == ([], "")
