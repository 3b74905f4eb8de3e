"""A user's own rules that never return cost one answer, and hold up nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

import zerosum
from tests.game_files import write
from tests.web.inside import Inline
from tests.web.support import Server, new_key, saved_events
from zerosum.match import Event, Match
from zerosum.web.analysis.referee import Referee


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("endless")
    files = [write(folder, name) for name in ("Endless", "Trapping")]
    with Server(folder / "a.db", folder, *files, rules_seconds=1.0) as server:
        yield server


def test_endless_rules_are_refused_before_a_match_is_made(server: Server) -> None:
    ada = server.visitor()
    answer = ada.post("/m", {"key": new_key(), "game": "endless", "mode": "bot"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_hard"
    for page in ("/", "/new/endless", "/rules/endless", "/explore/endless", "/puzzles"):
        assert ada.get(page).status_code == 200
    assert ada.get("/healthz").json()["status"] == "ok"


def test_move_into_endless_rules_is_not_played(server: Server) -> None:
    ada, bob = server.pair("trapping")
    other, _ = server.pair()
    stream = bob.listen()
    stream.next()
    trap = server.home / "trapping.py.trap"
    trap.touch()
    answer = ada.act("move", move="1")
    trap.unlink()
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_hard"
    assert saved_events(server.db, ada.id) == []
    assert other.do("move", move="1")["ply"] == 1
    assert ada.do("move", move="1")["ply"] == 1
    assert bob.do("move", move="2")["ply"] == 2
    assert stream.until(4)["fields"][0]["value"] == "4"
    assert saved_events(server.db, ada.id) == [Event("move", 1), Event("move", 2)]
    stream.close()


@pytest.mark.parametrize(("start", "elsewhere"), [(10**6, False), (4294967291 * 4294967279, True)])
def test_large_numbers_are_factored_in_another_process(start: int, elsewhere: bool) -> None:
    asked = []

    class Elsewhere(Inline):
        async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
            asked.append(what)
            return await super().ask(what, asker=asker, **arguments)

    match = Match.new(zerosum.game("divisor-duel", start=start))
    played = asyncio.run(Referee(Elsewhere()).play(match, "1", "ada"))
    state = (start - 1, 1)
    assert (played.move, played.state) == (1, (1, state) if elsewhere else state)
    assert asked == ["play_and_look"] * elsewhere
