"""How many streams there may be: for an address, in total, and of spectators."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.support import Inside


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path / "a.db") as server:
        yield server


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
        assert (refused.status, json.loads(refused.body)["error"]["code"]) == (429, "busy")
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
    answer = ada.wire.request("HEAD", f"/m/{ada.id}/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.content == b""
    assert server.watching == (0, 0)
