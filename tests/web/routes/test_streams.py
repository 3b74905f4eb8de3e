"""Server-sent events: at once, after every change, and only to those allowed to see them."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests.helpers import PATIENCE
from tests.web.support import Inside, View
from zerosum.errors import Unwritable
from zerosum.store.replay import replay
from zerosum.web.limits import ServerLimits
from zerosum.web.tables import service, view

QUICK = ServerLimits(beat_seconds=0.02)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "a.db") as server:
        yield server


def same(view: View, other: View) -> bool:
    """Return whether two views are equal except for the clock."""
    return {**view, "clock": None} == {**other, "clock": None}


async def forget(server: Inside) -> None:
    """Let every table be read again, as after a lost connection to the database."""
    server.site.tables.memory.noticed("", 0)


def test_stream_starts_with_the_whole_table_and_its_change_as_id(server: Inside) -> None:
    ada, bob = server.pair()
    for visitor, last in ((ada, b"1"), (bob, b"9" * 400), (server.visitor(ada.id), b"\xd9\xa3")):
        headers: Any = {"last-event-id": last}  # which changes nothing
        stream = visitor.wire.listen(f"/api/v1/matches/{ada.id}/events", headers)
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.next("open").view == {"beat": 15.0}
        first = stream.next()
        assert first.id == "2"
        assert b"event: table\n" in stream.body
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
        (bob, "accept", {"offer": "undo"}),
        (ada, "resign", {}),
        (bob, "next", {}),
        (ada, "next", {}),
    ):
        change = who.do(action, **more)["change"]
        for visitor, stream in everybody:
            view = stream.until(change)
            assert view["change"] == change
            assert same(view, visitor.see())
        assert b"event: table\nid: %d\n" % change in everybody[0][1].body
    assert [view["you"] for view in (stream.view for _, stream in everybody)] == [[0], [1], []]
    for _, stream in everybody:
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
        assert stream.next().id == "3"
        assert b"event: beat\ndata: {}\n\n" in stream.body
        stream.close()


def test_stranger_loses_the_stream_when_a_private_match_starts(server: Inside) -> None:
    ada = server.visitor()
    ada.create(watch=False)
    stranger, friend = server.visitor(ada.id), server.visitor(ada.id)
    outside, inside = stranger.listen(), ada.listen()
    assert outside.next().view["can"] == ["join", "decline"]
    assert inside.next().view["you"] == [0]
    friend.join(ada.id, "Bob")
    assert inside.next().view["news"][-1]["text"] == "Bob joined."
    assert outside.next("end").view == {"id": ada.id, "code": "private"}
    assert outside.is_over()
    assert outside.left() == []
    assert "Bob" not in outside.body.decode()
    again = stranger.listen()
    assert again.status == 403
    assert json.loads(again.body)["error"]["code"] == "private"
    inside.close()
    assert server.watching == (0, 0)


def test_stream_never_contains_analysis(server: Inside) -> None:
    """Not even while both want the coach: advice is only sent on request."""
    ada, bob = server.pair(coach="on")
    streams = [visitor.listen() for visitor in (ada, bob, server.visitor(ada.id))]
    bob.do("coach", want="on")
    assert ada.get(f"/api/v1/matches/{ada.id}/coach").json()["exact"] is True
    change = ada.do("move", move="1")["change"]
    assert ada.get(f"/api/v1/matches/{ada.id}/coach").json()["ply"] == 1
    for stream in streams:
        stream.until(change)
        text = stream.body.decode()
        for word in ('"value":{', '"verdict"', '"best"', '"exact"', '"hint"', "win in", "loss in"):
            assert word not in text
        stream.close()


def test_stream_ends_when_its_match_is_deleted(server: Inside) -> None:
    ada = server.visitor()
    ada.create()
    stream = ada.listen()
    stream.next()

    async def expire() -> None:
        tables = server.site.tables
        late = tables.clock.now() + 1e9
        await tables.store.alone(lambda store: store.expire(late, 1.0, 1.0, 1.0, 10))
        tables.memory.noticed("", 0)

    server.call(expire())
    assert stream.next("end").view["code"] == "no_match"
    assert stream.is_over()
    assert ada.get(f"/api/v1/matches/{ada.id}").status_code == 404


def test_stream_survives_a_database_outage(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.web.routes.streams.PAUSE", 0.01)
    ada, _ = server.pair()
    stream = ada.listen()
    stream.next()
    tried = threading.Event()

    async def away(work: Any) -> None:
        tried.set()
        raise Unwritable("The database is away.")

    with monkeypatch.context() as patch:
        patch.setattr(server.site.tables.store, "read", away)
        server.call(forget(server))
        assert tried.wait(PATIENCE)
        answer = ada.get(f"/api/v1/matches/{ada.id}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert not stream.ended.is_set()
    ada.do("move", move="1")
    assert stream.until(3)["ply"] == 1
    stream.close()


def test_one_stream_serves_all_tables_of_a_browser(server: Inside) -> None:
    ada = server.visitor()
    tables = {ada.create()["id"]: server.visitor() for _ in range(8)}
    for id_, bob in tables.items():
        bob.join(id_)
    stream = ada.listen_to(list(tables))
    seen = {stream.next().view["id"]: stream.view["you"] for _ in tables}
    assert seen == {id_: [0] for id_ in tables}
    assert server.watching == (1, 0)
    for id_, bob in reversed(tables.items()):
        ada.id = id_
        ada.do("move", move="1")
        change = bob.do("move", move="1")["change"]
        while stream.view["id"] != id_ or stream.view["change"] < change:
            stream.next()
        assert same(stream.view, ada.see())
    stream.close()
    assert server.watching == (0, 0)


def test_stream_tells_strangers_nothing_about_private_matches(server: Inside) -> None:
    ada, _ = server.pair(watch=False)
    public, _ = server.pair()
    stranger = server.visitor()
    for named, code in ((ada.id, "private"), ("", "no_match"), ("é", "no_match")):
        refused = stranger.listen_to([named])
        assert refused.next("end").view == {"id": named, "code": code}
        assert refused.is_over()
    mixed = stranger.listen_to([ada.id, "y" * 26, public.id])
    assert {mixed.next("end").view["id"] for _ in range(2)} == {ada.id, "y" * 26}
    public.do("move", move="1")
    assert mixed.until(3)["id"] == public.id
    mixed.close()
    for matches in ([], [ada.id] * 51, None, "x", [7]):
        assert stranger.listen_to(matches).status in (403, 422)
    assert server.watching == (0, 0)


def test_stream_of_a_finished_match_ends_after_a_while(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = server.pair()
    playing, _ = server.pair()
    monkeypatch.setattr("zerosum.web.routes.streams.QUIET", 0.0)
    monkeypatch.setattr(server.site, "limits", QUICK)
    both = ada.listen_to([ada.id, playing.id])
    ada.do("resign")
    assert both.next("end").view == {"id": ada.id, "code": "over"}
    playing.do("move", move="1")
    assert both.next().view["id"] == playing.id
    alone = bob.listen()
    assert alone.next().view["over"]
    assert alone.next("end").view == {"id": ada.id, "code": "over"}
    assert alone.is_over()
    both.close()


def test_watchers_of_a_long_game_share_one_replay_and_one_rendering(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = server.pair(options={"start": "100000"})
    for turn in range(6):
        (ada, bob)[turn % 2].do("move", move="1")
    streams = [server.visitor(ada.id).listen() for _ in range(50)]
    for stream in streams:
        stream.next()
    replays, renderings = Mock(wraps=replay), Mock(wraps=view._common)
    monkeypatch.setattr(service, "replay", replays)
    monkeypatch.setattr(view, "_common", renderings)
    server.call(forget(server))
    change = ada.do("move", move="1")["change"]
    for stream in streams:
        assert stream.until(change)["ply"] == 7
        stream.close()
    # Once when everything was forgotten, and once for the move.
    assert replays.call_count <= 1
    assert renderings.call_count <= 2


# How many there may be


def test_streams_per_address_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", streams_per_client=2) as server:
        ada, bob = server.pair()
        streams = [ada.listen(), bob.listen()]
        third = ada.listen()
        assert third.status == 429
        assert json.loads(third.body)["error"]["code"] == "too_many"
        assert int(third.headers["retry-after"]) > 0
        streams.pop().close()
        assert server.watching == (1, 0)
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
        assert (refused.status, json.loads(refused.body)["error"]["code"]) == (503, "full")
        stream.close()


def test_spectators_are_limited_but_players_always_fit(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", spectators_per_match=2) as server:
        ada, bob = server.pair()
        watching = [server.visitor(ada.id).listen() for _ in range(2)]
        third = server.visitor(ada.id).listen()
        assert (third.status, json.loads(third.body)["error"]["code"]) == (429, "too_many")
        assert server.watching == (2, 2)
        playing = [ada.listen(), bob.listen()]
        assert [stream.status for stream in playing] == [200, 200]
        other, _ = server.pair()
        elsewhere = server.visitor(other.id).listen()
        assert elsewhere.status == 200
        watching.pop().close()
        assert server.watching == (4, 2)
        for stream in (*watching, *playing, elsewhere):
            stream.close()
        assert server.watching == (0, 0)


def test_head_request_takes_no_stream_place(server: Inside) -> None:
    ada, _ = server.pair()
    answer = ada.wire.request("HEAD", f"/api/v1/matches/{ada.id}/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.content == b""
    assert server.watching == (0, 0)
