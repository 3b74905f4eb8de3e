"""Several servers on one database serve one match as if there were one."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests import postgres
from tests.helpers import PATIENCE
from tests.web.bots import Bot, challenge, code_of, decline
from tests.web.support import Inside, Server, Visitor, live_match, new_key, pair_on, saved_events
from tests.web.tables.sides import GAME, Side, check_all, finish, played_on
from zerosum.match import Event
from zerosum.store import Change
from zerosum.web.tables import table

ROUNDS = 8


Servers = tuple[Inside, Inside]


@pytest.fixture(scope="module")
def servers(postgres: postgres.Server) -> Iterator[Servers]:
    """Two servers on one database, whose computer does not wait before it moves."""
    database = postgres.fresh()
    with (
        pytest.MonkeyPatch.context() as patch,
        Inside(database) as first,
        Inside(database) as other,
    ):
        patch.setattr(table, "BOT_SECONDS", 0.02)
        yield first, other


def together(
    people: Sequence[Visitor], deed: Callable[[Visitor], httpx.Response]
) -> list[httpx.Response]:
    """Let several people do the same at the same moment."""
    barrier = threading.Barrier(len(people))

    def do(person: Visitor) -> httpx.Response:
        barrier.wait()
        return deed(person)

    with ThreadPoolExecutor(len(people)) as threads:
        return list(threads.map(do, people))


def sit_down(visitor: Visitor) -> httpx.Response:
    """Ask for a seat, under a unique name."""
    body = {"key": new_key(), "name": f"Friend {id(visitor)}"}
    return visitor.post(f"/api/v1/matches/{visitor.id}/join", body)


def codes(answers: list[httpx.Response]) -> list[str]:
    """Return the results of several requests, sorted."""
    named = [
        "done" if answer.is_success else str(answer.json()["error"]["code"])
        for answer in answers
        if answer.status_code < 500
    ]
    assert len(named) == len(answers)
    return sorted(named)


def test_events_reach_visitors_of_both_servers(servers: Servers) -> None:
    ada, bob = pair_on(servers)
    watcher = servers[1].visitor(ada.id)
    streams = [(visitor, visitor.listen()) for visitor in (ada, bob, watcher, ada.at(servers[1]))]
    for who, action, more in (
        (ada, "move", {"move": "1"}),
        (bob, "draw", {}),
        (ada, "resign", {}),
        (bob, "rematch", {}),
        (ada, "rematch", {}),
    ):
        change = who.do(action, **more)["change"]
        for visitor, stream in streams:
            view = stream.until(change)
            assert view["change"] == change
            assert {**view, "clock": None} == {**visitor.see(), "clock": None}
    ways = {visitor.get(f"/m/{ada.id}/next").headers["location"] for visitor in (ada, bob)}
    (way,) = ways
    assert ada.at(servers[1]).see(way.removeprefix("/m/"))["you"] == [0]
    assert bob.see(way.removeprefix("/m/"))["turn"]["yours"]
    for _, stream in streams:
        stream.close()


@pytest.mark.parametrize("same", [False, True], ids=["two requests", "one, sent twice"])
def test_simultaneous_moves_make_one(servers: Servers, same: bool) -> None:
    ada = servers[0].visitor()
    ada.create(mode="here", names=["Ada", "Bob"], options={"start": "1000"})
    ways = [ada, ada.at(servers[1])]
    for ply in range(ROUNDS):
        key = new_key() if same else None
        answers = together(ways, partial(Visitor.act, action="move", move="1", ply=ply, key=key))
        assert codes(answers) == ["done", "done" if same else "stale"]
        assert ada.see()["ply"] == ply + 1
    assert saved_events(servers[0].db, ada.id) == [Event("move", 1)] * ROUNDS


def test_simultaneous_joins_seat_one(servers: Servers) -> None:
    for _ in range(3):
        ada = servers[0].visitor()
        id_ = ada.create()["id"]
        people = [server.visitor(id_) for server in servers * 2]
        answers = together(people, sit_down)
        assert codes(answers) == ["done", *["seat_taken"] * 3]
        (winner,) = (n for n, answer in enumerate(answers) if answer.is_success)
        assert ada.see()["players"][1]["name"] == f"Friend {id(people[winner])}"
        seats = [visitor.see()["you"] for visitor in people]
        assert seats == [[1] if n == winner else [] for n in range(4)]


def test_one_key_makes_one_match_across_servers(servers: Servers) -> None:
    for _ in range(3):
        body = {"key": new_key(), "game": "even-steven", "mode": "friend"}
        people = [server.visitor() for server in servers * 2]
        answers = together(people, partial(Visitor.post, path="/api/v1/matches", body=body))
        assert codes(answers) == ["done"] * 4
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert len({answer.headers["set-cookie"] for answer in answers}) == 1


def test_simultaneous_rematch_requests_make_one_match(servers: Servers) -> None:
    for _ in range(3):
        people = pair_on(servers)
        people[0].do("resign")
        together(people, partial(Visitor.act, action="rematch", ply=1))
        assert [visitor.see()["next"] is not None for visitor in people] == [True, True]
        ways = {visitor.get(f"/m/{visitor.id}/next").headers["location"] for visitor in people}
        assert len(ways) == 1


def test_bot_moves_once_with_two_servers(servers: Servers) -> None:
    ada = servers[0].visitor()
    ada.create("even-steven", mode="bot", level="random", first="2", options={"start": "1000"})
    ways = [ada, ada.at(servers[1])]
    streams = [way.listen() for way in ways]
    for turn in range(3):
        change = 2 * turn + 2
        views = [stream.until(change) for stream in streams]
        assert [view["ply"] for view in views] == [change - 1] * 2
        ways[turn % 2].do("move", move="1")
    assert [event.kind for event in saved_events(servers[0].db, ada.id)][:6] == ["move"] * 6
    for stream in streams:
        stream.close()


def test_answer_to_a_move_that_is_stored_but_not_yet_acknowledged_is_accepted(
    database: str,
) -> None:
    """The other server has told Bob of it, whose answer is faster than the acknowledgement."""
    with Inside(database) as first, Inside(database) as other:
        ada, bob = pair_on((first, other))
        store, stored, acknowledge = other.site.tables.store, threading.Event(), threading.Event()
        write = store.write

        async def write_slowly(*changes: Change) -> None:
            await write(*changes)
            stored.set()
            await asyncio.to_thread(acknowledge.wait)

        store.write = write_slowly  # type: ignore[method-assign]
        moving = threading.Thread(target=partial(ada.at(other).do, "move", move="1"))
        moving.start()
        assert stored.wait(PATIENCE)
        store.write = write  # type: ignore[method-assign]
        try:
            assert bob.act("move", move="1", ply=1).status_code == 200
        finally:
            acknowledge.set()
            moving.join()
        assert [event.kind for event in saved_events(database, ada.id)] == ["move", "move"]


def test_play_continues_when_a_server_is_killed_and_the_database_restarts(
    postgres: postgres.Server, tmp_path: Path
) -> None:
    """By a server of two workers and one that is killed now and then."""
    database = postgres.fresh()
    with (
        Server(database, tmp_path, "--quiet", "--workers", "2") as first,
        Server(database, tmp_path, "--quiet") as other,
    ):
        pairs = []
        for number in (0, 2):
            ada, bob = pair_on((first, other), **GAME)
            pairs.append((Side(ada, number, ada.at(other)), Side(bob, number + 1, bob.at(first))))
        sides = [side for pair in pairs for side in pair]
        played_on(sides, 20)
        other.kill()
        played_on(sides, 20)
        other.start()
        for end in (postgres.stop, postgres.kill):
            end()
            postgres.start()
            played_on(sides, 20)
        ada, bob = pair_on((other, first), clock=1)
        bob.see()
        other.kill()
        view = bob.listen().until(3)  # the server that is left ends games on time
        assert (view["ended"]["by"], view["ended"]["winner"]) == ("time", 1)
        assert live_match(database, ada.id).saved.match.over
        finish(sides)
        check_all(database, pairs)
        assert first.visitor().get("/healthz").status_code == 200
        assert first.stop() == 0


def test_no_bot_has_a_name_that_the_database_cannot_hold(servers: Servers) -> None:
    assert code_of(challenge(servers[0].visitor(), "De\0ep")) == "no_bot"


def test_a_bot_hears_through_either_server_what_concerns_it(servers: Servers) -> None:
    deep = Bot(servers[0], "Deep", "even-steven")
    there = deep.at(servers[1])
    there.wire.client.headers["authorization"] = deep.wire.client.headers["authorization"]
    streams = [
        server.wire.listen("/api/v1/me/events", {"authorization": f"Bearer {deep.token}"})
        for server in (deep, there)
    ]
    ada = servers[0].visitor()
    ada.id = challenge(ada).json()["id"]
    for stream in streams:
        assert stream.next("challenge").view["id"] == ada.id
    there.join(ada.id, name=None)
    for stream in streams:
        assert stream.next().view["turn"]["player"] == 0
    declined = challenge(ada).json()["id"]
    for stream in streams:
        assert stream.next("challenge").view["id"] == declined
    assert decline(there, declined).status_code == 200
    for stream in streams:
        assert stream.next("declined").view["id"] == declined
    for server in servers:
        assert [bot.name for bot in server.call(server.site.people.listed())] == ["Deep"]
