"""Server-sent events: at once, after every change, and only to those allowed to see them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import PATIENCE
from tests.web.support import Inside, Server, Stream, View, Visitor
from zerosum.errors import Unwritable


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "a.db") as server:
        yield server


def same(view: View, other: View) -> bool:
    """Return whether two views are equal except for the clock."""
    return {**view, "clock": None} == {**other, "clock": None}


def count_watching(server: Inside) -> tuple[int, int]:
    """Count the open streams, and those of spectators."""
    return server.site.streams.taken, server.site.spectators.taken


def closed(server: Inside, stream: Stream, left: tuple[int, int]) -> None:
    """Close a stream, and check that its place is free again."""
    stream.close()
    assert count_watching(server) == left


def test_stream_starts_with_the_state_and_its_ply_as_id(server: Inside) -> None:
    ada, bob = server.pair()
    for visitor in (ada, bob, server.visitor(ada.id)):
        stream = visitor.listen()
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.next("retry").id == "1000"
        first = stream.next()
        assert first.id == "0"
        assert same(first.view, visitor.see())
        stream.close()


def test_every_change_sends_each_visitor_their_own_view(server: Inside) -> None:
    ada, bob = server.pair(games=2)
    watcher = server.visitor(ada.id)
    everybody = [(visitor, visitor.listen()) for visitor in (ada, bob, watcher)]
    for who, action, more in (
        (ada, "move", {"move": "1"}),
        (bob, "draw", {}),
        (ada, "decline", {"offer": "draw"}),
        (bob, "coach", {"want": "ask"}),
        (ada, "undo", {}),
        (bob, "undo", {}),
        (ada, "resign", {}),
        (bob, "next", {}),
        (ada, "next", {}),
    ):
        change = who.do(action, **more)["change"]
        for visitor, stream in everybody:
            view = stream.until(change)
            assert view["change"] == change
            assert same(view, visitor.see())
    assert [view["you"] for view in (stream.view for _, stream in everybody)] == [[0], [1], []]
    for _, stream in everybody:
        stream.close()


def test_refused_and_repeated_actions_send_no_event(server: Inside) -> None:
    ada, bob = server.pair()
    stream = bob.listen()
    ada.do("move", move="1", key="k" * 22, ply=0)
    assert stream.until(3)["ply"] == 1
    assert ada.act("move", move="1", key="k" * 22, ply=0).json()["repeated"]
    assert ada.act("move", move="1", ply=1).status_code == 409
    assert bob.act("move", move="7", ply=1).status_code == 422
    ada.do("resign")
    assert stream.next().view["change"] == 4
    assert stream.left() == []
    stream.close()


def test_reconnecting_catches_up_on_moves(server: Inside) -> None:
    """`last` has all moves since the event with the last id."""
    ada, bob = server.pair(options={"start": "1000"})
    stream = ada.listen()
    known = int(stream.next().id)
    stream.close()
    for turn in range(15):
        (ada, bob)[turn % 2].do("move", move="1")
    stream = ada.listen(last=known)
    back = stream.next()
    assert back.id == "15"
    missed = [move for move in back.view["last"] if move["ply"] > known]
    assert [move["ply"] for move in missed] == list(range(1, 16))
    assert all(move["said"] for move in missed)
    stream.close()


def test_reconnecting_catches_up_on_undos_and_offers(server: Inside) -> None:
    ada, bob = server.pair()
    stream = bob.listen()
    before = stream.next().view["change"]
    stream.close()
    ada.do("move", move="1")
    ada.do("undo")
    bob.do("undo")
    ada.do("draw")
    news = bob.listen(last=0).next().view["news"]
    texts = [item["text"] for item in news if item["change"] > before]
    assert texts == [
        "Ada plays 1: Subtract 1, leaving 14.",
        "Ada asks to take a move back.",
        "A move was taken back.",
        "Ada offers a draw.",
    ]


@pytest.mark.parametrize("given", ["", "soon", "-1", "9" * 400, "\u0663"])
def test_last_event_id_is_ignored(server: Inside, given: str) -> None:
    ada, _ = server.pair()
    stream = ada.wire.listen(f"/m/{ada.id}/events", {"last-event-id": given.encode()})  # type: ignore[dict-item]
    assert stream.next().view["change"] == 2
    stream.close()


def test_idle_stream_sends_heartbeats(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", beat_seconds=0.05) as server:
        ada, bob = server.pair()
        stream = ada.listen()
        stream.next()
        for _ in range(3):
            stream.next("beat")
        bob.see()
        ada.do("move", move="1")
        assert stream.next().id == "1"
        assert b"event: beat\ndata: {}\n\n" in stream.body
        stream.close()


def test_stranger_loses_the_stream_when_a_private_match_starts(server: Inside) -> None:
    ada = server.visitor()
    ada.create(watch=False)
    stranger, friend = server.visitor(ada.id), server.visitor(ada.id)
    outside, inside = stranger.listen(), ada.listen()
    assert outside.next().view["can"] == ["join"]
    assert inside.next().view["you"] == [0]
    friend.join(ada.id, "Bob")
    assert inside.next().view["said"] == "Bob joined."
    assert outside.is_over()
    assert outside.left() == []
    assert "Bob" not in outside.body.decode()
    again = stranger.listen()
    assert again.status == 403
    assert json.loads(again.body)["error"]["code"] == "private"
    inside.close()
    assert count_watching(server) == (0, 0)


def test_stream_never_contains_analysis(server: Inside) -> None:
    """Not even while both want the coach: advice is only sent on request."""
    ada, bob = server.pair(coach="on")
    streams = [visitor.listen() for visitor in (ada, bob, server.visitor(ada.id))]
    bob.do("coach", want="on")
    assert ada.get(f"/m/{ada.id}/coach").json()["exact"] is True
    change = ada.do("move", move="1")["change"]
    for stream in streams:
        stream.until(change)
        text = stream.body.decode()
        for word in ('"value":{', '"verdict"', '"best"', '"exact"', '"hint"', "win in", "loss in"):
            assert word not in text
        stream.close()


def test_streams_per_address_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", streams_per_client=2) as server:
        ada, bob = server.pair()
        streams = [ada.listen(), bob.listen()]
        third = ada.listen()
        assert third.status == 429
        assert json.loads(third.body)["error"]["code"] == "too_many"
        assert int(third.headers["retry-after"]) > 0
        closed(server, streams.pop(), (1, 0))
        fourth = ada.listen()
        assert fourth.status == 200
        ada.do("move", move="1")
        assert fourth.until(3)["ply"] == 1
        for stream in (*streams, fourth):
            stream.close()


def test_streams_in_total_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", streams_total=1) as server:
        ada, _ = server.pair()
        stream = ada.listen()
        refused = ada.listen()
        assert (refused.status, json.loads(refused.body)["error"]["code"]) == (429, "busy")
        stream.close()


def test_spectators_are_limited_but_players_always_fit(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", spectators_per_match=2) as server:
        ada, bob = server.pair()
        watching = [server.visitor(ada.id).listen() for _ in range(2)]
        third = server.visitor(ada.id).listen()
        assert (third.status, json.loads(third.body)["error"]["code"]) == (429, "too_many")
        assert count_watching(server) == (2, 2)
        playing = [ada.listen(), bob.listen()]
        assert [stream.status for stream in playing] == [200, 200]
        other, _ = server.pair()
        elsewhere = server.visitor(other.id).listen()
        assert elsewhere.status == 200
        closed(server, watching.pop(), (4, 2))
        for stream in (*watching, *playing, elsewhere):
            stream.close()
        assert count_watching(server) == (0, 0)


def test_head_request_takes_no_stream_place(server: Inside) -> None:
    ada, _ = server.pair()
    answer = ada.wire.request("HEAD", f"/m/{ada.id}/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.content == b""
    assert count_watching(server) == (0, 0)


def test_stream_ends_when_the_server_stops(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db") as server:
        ada, bob = server.pair()
        streams = [ada.listen(), bob.listen(), server.visitor(ada.id).listen()]
        for stream in streams:
            stream.next()
    assert all(stream.ended.is_set() for stream in streams)


def test_stream_ends_when_its_match_is_deleted(server: Inside) -> None:
    ada = server.visitor()
    ada.create()
    stream = ada.listen()
    stream.next()

    async def expire() -> None:
        tables = server.site.tables
        late = tables.now() + 1e9
        await tables.keeping.alone(lambda store: store.expire(late, 1.0, 1.0, 1.0, 10))
        tables.memory.noticed("", 0)

    server.call(expire())
    assert stream.is_over()
    assert ada.get(f"/m/{ada.id}/state").status_code == 404


def test_stream_survives_a_database_outage(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.web.routes.streams.PAUSE", 0.01)
    ada, _ = server.pair()
    stream = ada.listen()
    stream.next()
    tried = threading.Event()
    keeping, memory = server.site.tables.keeping, server.site.tables.memory

    async def away(work: Any) -> None:
        tried.set()
        raise Unwritable("The database is away.")

    async def forget() -> None:
        memory.noticed("", 0)

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "read", away)
        server.call(forget())
        assert tried.wait(PATIENCE)
        answer = ada.get(f"/m/{ada.id}/state")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert not stream.ended.is_set()
    ada.do("move", move="1")
    assert stream.until(3)["ply"] == 1
    stream.close()


def test_server_process_stops_at_once_with_open_streams(tmp_path: Path) -> None:
    with Server(tmp_path / "a.db", tmp_path) as server:
        ada, bob = server.pair()
        streams = [visitor.listen() for visitor in (ada, bob, server.visitor(ada.id))]
        for stream in streams:
            stream.next()
        assert server.stop() == 0
        assert all(stream.is_over() for stream in streams)
        seats = [cookie_of(visitor) for visitor in (ada, bob)]
        assert all(len(seat) == 43 for seat in seats)
        assert not any(word in server.log for word in (*seats, ada.id))


def cookie_of(visitor: Visitor) -> str:
    """Return the token of a visitor's seat."""
    (cookie,) = visitor.wire.client.cookies.jar  # type: ignore[attr-defined]
    return str(cookie.value)
