"""What one address can store and make the server remember."""

import time
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

from tests.store.support import execute
from tests.web.support import Frozen, Inside, Visitor, new_key
from zerosum import game
from zerosum.match import Match
from zerosum.web.tables import open_tables as module
from zerosum.web.tables.open_tables import OpenTables
from zerosum.web.tables.table import LiveTable
from zerosum.web.tables.tokens import owner_of, token_for

LONG = {"options": {"start": "1000000"}}


def fork(visitor: Visitor, ply: int) -> httpx.Response:
    """Play on from a position of the visitor's match."""
    body = {"key": new_key(), "ply": ply, "level": "random"}
    return visitor.post(f"/api/v1/matches/{visitor.id}/fork", body)


def played(server: Inside, moves: int, **fields: Any) -> Visitor:
    """Return a visitor with a game on one screen that ended after some moves."""
    ada = server.visitor()
    ada.create(mode="here", names=["Ada", "Bob"], **{**LONG, **fields})
    for ply in range(moves):
        assert ada.act("move", move="1", ply=ply).status_code == 200
    ada.do("resign")
    return ada


def here() -> dict[str, Any]:
    """Return a request for a new match on one screen."""
    return {"key": new_key(), "game": "even-steven", "mode": "here"}


def code(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


def test_forks_are_charged_by_their_length(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", games_per_minute=7) as server:
        ada = played(server, 50)
        answers = [fork(ada, 50) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert answers[-1].json()["error"]["code"] == "too_many"


def test_fork_that_costs_more_than_a_minute_is_possible(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", games_per_minute=2) as server:
        ada = played(server, 60)
        server.site.rates.buckets.clear()
        assert fork(ada, 60).status_code == 201
        assert code(fork(ada, 0)) == (429, "too_many")


def test_matches_of_one_address_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", matches_per_client=3) as server:
        ada, _ = server.pair()
        body = here()
        answers = [ada.post("/api/v1/matches", body) for _ in range(3)]  # one request, repeated
        assert [answer.status_code for answer in answers] == [201] * 3
        assert len({answer.json()["id"] for answer in answers}) == 1
        eve = played(server, 1)
        answer = eve.post("/api/v1/matches", here())
        assert code(answer) == (429, "too_many")
        assert "from your address" in answer.json()["error"]["message"]
        assert code(fork(eve, 0)) == (429, "too_many")
        ada.do("move", move="1")


def test_rematch_counts_as_a_new_match(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", matches_per_client=2) as server:
        ada, bob = server.pair()
        ada.do("resign")
        bob.do("rematch")
        ada.do("rematch")
        for visitor in (ada, bob):
            location = visitor.get(f"/m/{visitor.id}/next").headers["location"]
            visitor.see(location.removeprefix("/m/"))
        ada.do("resign")
        bob.do("rematch")
        assert code(ada.act("rematch")) == (429, "too_many")


def test_moves_of_one_address_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", moves_per_client=25) as server:
        ada = played(server, 9)  # and a resignation
        assert fork(ada, 9).status_code == 201
        assert code(fork(ada, 7)) == (429, "too_many")
        assert fork(ada, 6).status_code == 201
        assert code(fork(ada, 1)) == (429, "too_many")


def test_full_server_plays_on_and_creates_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Inside(tmp_path / "a.db", matches_total=2) as server:
        ada, _ = server.pair()
        server.pair()
        eve = server.visitor()
        body = here()
        assert code(eve.post("/api/v1/matches", body)) == (503, "full")
        assert ada.do("move", move="1")["ply"] == 1
        # There is room again after a while, if matches were deleted.
        execute(str(tmp_path / "a.db"), "delete from keys")
        execute(str(tmp_path / "a.db"), "delete from live where id <> ?", ada.id)
        execute(str(tmp_path / "a.db"), "delete from matches where id <> ?", ada.id)
        assert code(eve.post("/api/v1/matches", body)) == (503, "full")
        real = time.monotonic
        monkeypatch.setattr("zerosum.web.tables.service.time.monotonic", lambda: real() + 61)
        assert eve.post("/api/v1/matches", body).status_code == 201


def test_database_does_not_hold_addresses(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db") as server:
        server.pair()
    owners = execute(str(tmp_path / "a.db"), "select owner from live")
    secret = bytes.fromhex(
        execute(str(tmp_path / "a.db"), "select value from meta where name = 'secret'")[0][0]
    )
    assert owners == [(owner_of(secret, "127.0.0.1"),)]
    assert b"127.0.0.1" not in (tmp_path / "a.db").read_bytes()


def table(id: str, plies: int = 0, change: int = 1) -> LiveTable:  # noqa: A002
    """Return a table with some moves."""
    match: Match[Any] = Match.new(game("even-steven"))
    return LiveTable("here", (), False, id=id, match=match, ply=plies, change=change)


def test_memory_is_limited_by_plies() -> None:
    memory = OpenTables(3 * module.PLIES_PER_TABLE + 60)
    for name in ("a", "b", "c"):
        assert memory.put(table(name), memory.epoch)
    assert memory.find("a") is not None
    memory.put(table("d", 50), memory.epoch)
    assert [name for name in "abcd" if memory.find(name)] == ["a", "c", "d"]
    memory.put(table("d", 61, change=2), memory.epoch)
    assert [name for name in "abcd" if memory.find(name)] == ["c", "d"]
    memory.put(table("long", 10**9), memory.epoch)
    assert [name for name in ("a", "c", "d", "long") if memory.find(name)] == ["long"]
    memory.forget("long")
    for name in ("a", "b", "c"):
        memory.put(table(name), memory.epoch)
    assert all(memory.find(name) for name in "abc")


def test_change_stored_while_the_connection_is_lost_outdates_what_was_read_before_it() -> None:
    memory = OpenTables()
    epoch = memory.epoch
    memory.noticed("", 0)
    memory.put(table("a", change=1), memory.epoch)
    assert memory.put(table("a", change=2), epoch)
    assert memory.find("a") is None
    assert memory.outdated("a", 1, memory.epoch)
    assert not memory.outdated("a", 2, memory.epoch)


@pytest.mark.parametrize("earlier", [False, True], ids=["newcomers", "with an earlier cookie"])
def test_people_behind_one_address_are_charged_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: bool
) -> None:
    with Frozen(tmp_path / "a.db") as server:
        ask = AsyncMock(wraps=server.site.pool.ask)
        monkeypatch.setattr(server.site.pool, "ask", ask)
        askers = []
        for _ in range(2):
            visitor = server.visitor()
            if earlier:  # of another server on this host, or of a database that is gone
                visitor.wire.client.cookies.set("zerosum", token_for(b"other", new_key()))
            visitor.create(mode="bot", level="random", coach="on")
            ask.reset_mock()
            visitor.do("move", move="1")
            server.let_it_move(visitor)
            assert visitor.get(f"/api/v1/matches/{visitor.id}/coach").status_code == 200
            visitor.create(mode="bot", level="random", options={"start": 10**20})
            visitor.do("move", move="1")
            asked = {call.args[0] for call in ask.await_args_list}
            assert {"bot_move", "advice", "prepare", "play_and_look"} <= asked
            (asker,) = {call.kwargs["asker"] for call in ask.await_args_list}
            askers.append(asker)
    assert askers[0] != askers[1]
