"""Slow and silent clients, and too many connections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.http.serving import CHUNKED, GET, HEAD, POST, answer, code
from tests.web.http.wire import OfflineServer, Wire
from zerosum.web.http.connection import WAITING_BYTES
from zerosum.web.limits import ServerLimits

LIMITS = ServerLimits()
CLOSE = b"Connection: close\r\n\r\n"


@pytest.fixture
def server() -> Iterator[OfflineServer]:
    with OfflineServer() as made:
        yield made


def refused(wire: Wire) -> tuple[int, str]:
    """Return how the server answered before it closed the connection."""
    assert wire.pass_time(10).closed
    status, body = answer(wire.got)
    assert wire.got.count(b"HTTP/1.1 4") == 1
    assert b"connection: close" in wire.got
    return status, code(body)


# Time


def test_silent_client_is_dropped(server: OfflineServer) -> None:
    wire = server.connect()
    assert not wire.pass_time(LIMITS.header_seconds - 1).closed
    assert wire.pass_time(2).closed
    assert wire.got == b""


@pytest.mark.parametrize("each", [0, 0.5])
def test_incomplete_head_times_out(server: OfflineServer, each: float) -> None:
    wire = server.connect(GET)
    wire.drip(b"X-Long: " + b"x" * 40, each)
    wire.pass_time(LIMITS.header_seconds)
    assert refused(wire) == (408, "slow")


def test_second_request_has_the_same_timeout(server: OfflineServer) -> None:
    wire = server.connect(GET + b"\r\n").pass_time(LIMITS.idle_seconds - 2)
    first = wire.got
    wire.send(b"GET / HTTP").pass_time(LIMITS.header_seconds - 1)
    assert (wire.closed, wire.got) == (False, first)
    wire.pass_time(2)
    assert answer(wire.got.removeprefix(first))[0] == 408


def test_idle_connection_closes_and_a_used_one_stays_open(server: OfflineServer) -> None:
    wire = server.connect()
    for number in range(1, 6):
        wire.send(GET + b"\r\n").pass_time(LIMITS.idle_seconds - 1)
        assert (wire.got.count(b"200 OK"), wire.closed) == (number, False)
    wire.drip(b"\r\n" * 5, 0.1)  # empty lines are not a request
    assert wire.pass_time(2).closed
    assert wire.got.count(b"HTTP/1.1 ") == 5


@pytest.mark.parametrize(
    ("head", "dripped"),
    [
        (b"Content-Length: 100\r\n\r\nhalf", 9),
        (CHUNKED + b"5\r\nhal", 1),
        (CHUNKED + b"1\r\nx\r\n0\r\nX-Trailer: ", 9),
    ],
)
def test_incomplete_body_times_out(server: OfflineServer, head: bytes, dripped: int) -> None:
    wire = server.connect(POST + head).drip(b"x" * dripped, 1.0)
    assert wire.got == b""
    wire.pass_time(LIMITS.body_seconds - dripped)
    assert refused(wire) == (408, "slow")


@pytest.mark.parametrize("path", [b"/flood", b"/large"])
@pytest.mark.parametrize("more", [b"\r\n", CLOSE])
def test_client_that_does_not_read_is_dropped(
    server: OfflineServer, path: bytes, more: bytes
) -> None:
    wire = server.connect(b"GET " + path + b" " + HEAD + more, reads=False)
    assert len(wire.line.waiting) < 100_000, "unsent data is bounded"
    assert not wire.pass_time(LIMITS.send_seconds - 1).closed
    assert wire.pass_time(2).closed


@pytest.mark.parametrize("more", [b"\r\n", CLOSE])
def test_client_that_does_not_read_the_last_bytes_is_dropped(
    server: OfflineServer, more: bytes
) -> None:
    wire = server.connect(b"GET / " + HEAD + more, reads=False)
    assert 0 < len(wire.line.waiting) < WAITING_BYTES
    assert wire.pass_time(LIMITS.idle_seconds).closed


def test_request_of_a_client_that_does_not_read_is_not_waited_for(server: OfflineServer) -> None:
    size = WAITING_BYTES + 1000
    wire = server.connect(b"GET /large?size=%d " % size + HEAD + b"\r\n", reads=False)
    wire.send(GET + b"\r\n")
    assert wire.pass_time(LIMITS.idle_seconds).closed


def test_slow_reader_gets_everything(server: OfflineServer) -> None:
    wire = server.connect(b"GET /large " + HEAD + CLOSE, reads=False)
    for _ in range(200):
        wire.pass_time(LIMITS.send_seconds / 3).line.read(40_000)
    assert len(answer(wire.got)[1]) == 5_000_000
    assert wire.closed


# Number


def test_connections_per_address_are_limited() -> None:
    with OfflineServer(connections_per_client=2, header_seconds=100) as server:
        held = [server.connect(b"GET "), server.connect()]
        assert refused(server.connect()) == (429, "too_many")
        assert not server.connect(peer="192.0.2.2").closed
        held[0].leave()
        assert not server.connect().closed
        assert refused(server.connect()) == (429, "too_many")


@pytest.mark.parametrize("trust_proxy", [False, True])
def test_connections_in_total_are_limited(trust_proxy: bool) -> None:
    each = 1 if trust_proxy else 100
    limits = {"connections_per_client": each, "connections_total": 3}
    with OfflineServer(trust_proxy=trust_proxy, **limits) as server:
        held = [server.connect(b"GET ") for _ in range(3)]
        assert refused(server.connect()) == (429, "busy")
        for wire in held:
            wire.leave()
        assert server.connections.slots.taken == 0
        assert not server.connections.open


# Size
