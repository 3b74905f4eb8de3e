"""Connections: large, malformed and malicious requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.http.serving import CHUNKED, GET, HEAD, POST, answer, code
from tests.web.http.wire import OfflineServer, Wire
from zerosum.web.http.log import start_log, stop_log
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


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X-Large: " + b"x" * 20_000 + b"\r\n\r\n",
        GET + b"X: y\r\n" * 8_000 + b"\r\n",
        b"GET /?" + b"x" * 20_000 + b" " + HEAD + b"\r\n",
        # Without an end: refused before there is one.
        GET + b"X-Large: " + b"x" * 20_000,
        b"GET /?" + b"x" * 20_000,
    ],
)
@pytest.mark.parametrize("pieces", [0, 1000])
def test_too_large_head_is_refused(server: OfflineServer, head: bytes, pieces: int) -> None:
    assert refused(server.connect().send(head, pieces)) == (431, "too_large")


def test_head_of_allowed_size_is_read_in_any_pieces(server: OfflineServer) -> None:
    head = GET + b"X-Large: " + b"x" * 16_000 + b"\r\n\r\n"
    for pieces in (0, 100, 4000):
        wire = server.connect().send(head, pieces).send(head, pieces)
        assert wire.got.count(b"200 OK") == 2


@pytest.mark.parametrize("method", [b"GET", b"POST"])
@pytest.mark.parametrize("chunked", [False, True])
def test_too_large_body_is_refused_and_drained(
    server: OfflineServer, method: bytes, chunked: bool
) -> None:
    body = b"x" * 500_000
    head = CHUNKED + b"%x\r\n" % len(body) if chunked else b"Content-Length: 500000\r\n\r\n"
    wire = server.connect(method + b" / " + HEAD + head).send(body, 50_000)
    assert answer(wire.got)[0] == 413
    assert wire.line.ended, "the client is told that this was all"
    assert not wire.closed, "a client that is still sending is not cut off"
    assert refused(wire) == (413, "too_large")
    assert b"16384 bytes" in wire.got


def test_browser_that_sends_too_much_gets_a_page_but_not_too_often() -> None:
    request = GET + b"Accept: text/html\r\nContent-Length: 99999\r\n\r\n"
    with OfflineServer(requests_per_minute=2) as server:
        server.guard.page = lambda status, code, message, path: f"<p>{status} {code}"
        for _ in range(2):
            assert answer(server.connect(request).got) == (413, b"<p>413 too_large")
        assert refused(server.connect(request)) == (413, "too_large")


def test_refused_request_is_logged_with_what_is_known_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with OfflineServer(trust_proxy=True) as server:
        start_log(quiet=False)
        sender = b"X-Forwarded-For: 192.0.2.7\r\n"
        server.connect(POST + sender + b"Content-Length: 99999\r\n\r\n")
        server.connect(GET + sender + b"\r\n").send(b"hello\r\n\r\n")
        stop_log()
    found = [line.split()[1:] for line in capsys.readouterr().err.splitlines()]
    assert [(*line[:3], line[-1]) for line in found] == [
        ("POST", "/echo", "413", "192.0.2.7"),
        ("GET", "/", "200", "192.0.2.7"),
        ("-", "-", "400", "127.0.0.1"),
    ]


def test_body_of_allowed_size_is_read_in_any_pieces(server: OfflineServer) -> None:
    body = b"x" * 16_384
    for pieces in (0, 1000):
        wire = server.connect(POST + b"Content-Length: 16384\r\n\r\n").send(body, pieces)
        assert answer(wire.got) == (200, body)


@pytest.mark.parametrize("head", [CHUNKED + b"fffffff\r\n", CHUNKED + b"0\r\nX-Trailer: "])
def test_endless_body_is_cut_off(server: OfflineServer, head: bytes) -> None:
    wire = server.connect(POST + head).send(b"x" * 10_000_000, 100_000)
    assert wire.closed


def test_expect_continue_is_supported(server: OfflineServer) -> None:
    asking = POST + b"Expect: 100-continue\r\n"
    wire = server.connect(asking + b"Content-Length: 2\r\n\r\n")
    assert wire.got == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert answer(wire.send(b"ok").got.partition(b"\r\n\r\n")[2]) == (200, b"ok")
    assert refused(server.connect(asking + b"Content-Length: 999999\r\n\r\n")) == (413, "too_large")


def test_unknown_expectations_and_those_of_old_clients_are_ignored(server: OfflineServer) -> None:
    body = b"Content-Length: 2\r\n\r\nok"
    old = POST.replace(b"HTTP/1.1", b"HTTP/1.0")
    for head in (POST + b"Expect: something\r\n", old + b"Expect: 100-continue\r\n"):
        assert answer(server.connect(head + body).got) == (200, b"ok")


def test_client_that_has_sent_everything_gets_its_answer(server: OfflineServer) -> None:
    wire = server.connect()
    wire.connection.data_received(GET + b"\r\n")
    assert wire.connection.eof_received(), "the connection stays open"
    assert answer(wire.pass_time(1).got)[0] == 200
    assert wire.closed
    for sent in (b"", GET, b"GET /m/x/events " + HEAD + b"\r\n"):
        assert not server.connect(sent).connection.eof_received(), "it has left"


# What is not HTTP, and what tries to be two things at once


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"hello\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        b"GET noslash HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        GET + b"Content-Length: -1\r\n\r\n",
        GET + b"Content-Length: %d\r\n\r\n" % 10**30,
        GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: gzip, x\r\n\r\n",
        POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        POST + CHUNKED + b"zz\r\n",
        POST + CHUNKED + b"2\r\nokzz\r\n",
        b"GET http://elsewhere/ " + HEAD + b"\r\n",
        b"GET http://me@localhost/ " + HEAD + b"\r\n",
        GET + b"X: a\r\n b\r\n\r\n",
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused(server: OfflineServer, data: bytes) -> None:
    wire = server.connect(data)
    assert refused(wire) == (400, "malformed")
    assert b"content-security-policy: default-src 'none'" in wire.got
    assert b"x-content-type-options: nosniff" in wire.got


def test_what_follows_during_an_answer_does_not_interrupt_it(server: OfflineServer) -> None:
    wire = server.connect(b"GET /m/x/events " + HEAD + b"\r\n").pass_time(1)
    wire.send(b"nonsense\r\n\r\n").send(GET + b"\r\n").pass_time(1)
    assert not wire.closed
    assert wire.got.count(b"HTTP/1.1 ") == 1
    assert wire.got.endswith(b": beat\n\n\r\n")


def test_trailers_are_not_headers() -> None:
    head = b"GET / " + HEAD + b"X-Forwarded-For: 192.0.2.1\r\n" + CHUNKED
    with OfflineServer(trust_proxy=True) as server:
        wire = server.connect(head + b"1\r\nx\r\n0\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n")
        assert json.loads(answer(wire.got)[1])["client"] == "192.0.2.1"


@pytest.mark.parametrize("path", [b"/", b"/pause?seconds=1"])
@pytest.mark.parametrize("together", [True, False])
def test_pipelined_requests_close_the_connection_after_the_first_answer(
    server: OfflineServer, caplog: pytest.LogCaptureFixture, path: bytes, together: bool
) -> None:
    request = b"GET " + path + b" " + HEAD + b"\r\n"
    wire = server.connect(request * 200 if together else request)
    if not together:
        wire.send(request * 100, 50)
    wire.pass_time(3)
    assert wire.closed
    assert wire.got.count(b"HTTP/1.1 ") <= (1 if together or b"pause" in path else 101)
    assert wire.got.count(b"200 OK") >= 1
    assert caplog.text == ""


def test_client_that_leaves_during_an_answer_is_not_logged_as_an_error(
    server: OfflineServer, caplog: pytest.LogCaptureFixture
) -> None:
    for path in (b"/pause?seconds=1", b"/m/x/events", b"/flood"):
        wire = server.connect(b"GET " + path + b" " + HEAD + b"\r\n", reads=False)
        wire.leave()
        wire.pass_time(3)
    assert not server.connections.tasks
    assert caplog.text == ""


@pytest.mark.parametrize("wanted", [b"websocket", b"h2c", b"x"])
@pytest.mark.parametrize("pieces", [0, 1])
def test_upgrade_is_read_as_plain_http_with_its_body(
    server: OfflineServer, wanted: bytes, pieces: int
) -> None:
    upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: " + wanted + b"\r\n"
    for body in (b"Content-Length: 4\r\n\r\nmove", CHUNKED + b"4\r\nmove\r\n0\r\n\r\n"):
        wire = server.connect().send(POST + upgrade + body, pieces)
        assert answer(wire.got) == (200, b"move")
        assert answer(server.connect(GET + upgrade + b"\r\n").got)[0] == 200
        assert wire.send(GET + b"\r\n").got.count(b"200 OK") == 2, "the connection stays usable"


def test_stream_for_an_old_client_ends_with_the_connection(server: OfflineServer) -> None:
    old = b" HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"
    wire = server.connect(b"GET /count" + old)
    assert answer(wire.got) == (200, b"012")
    assert wire.closed
    assert b"chunked" not in wire.got
    wire = server.connect(b"GET /" + old)
    assert (answer(wire.got)[0], wire.closed) == (200, True)


def test_empty_answers_keep_the_connection_open(server: OfflineServer) -> None:
    wire = server.connect(b"HEAD /m/x/events " + HEAD + b"\r\n").send(b"HEAD / " + HEAD + b"\r\n")
    assert wire.got.count(b"200 OK") == 2
    assert wire.got.endswith(b"\r\n\r\n")
    assert not server.connections.tasks


# Stopping


def test_stopping_ends_streams_properly_and_completes_answers(server: OfflineServer) -> None:
    stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n").pass_time(1)
    asking = server.connect(b"GET /pause?seconds=5 " + HEAD + b"\r\n")
    blocked = server.connect(b"GET /flood " + HEAD + b"\r\n", reads=False)
    idle = server.connect(GET + b"\r\n")
    half = server.connect(POST + b"Content-Length: 5\r\n\r\nha")
    starting = server.connect()
    starting.connection.data_received(b"GET /m/x/events " + HEAD + b"\r\n")
    closing = server.loop.create_task(server.connections.close(10))
    late = server.connect(b"GET / HT")
    idle.pass_time(2)
    assert [wire.closed for wire in (stream, blocked, idle, half, starting, late)] == [True] * 6
    assert stream.got.endswith(b"0\r\n\r\n")
    assert not asking.closed
    assert answer(asking.pass_time(4).got) == (200, b"done")
    assert asking.closed
    assert not server.connections.open
    assert closing.done()


def test_header_with_a_line_break_is_a_logged_500(
    server: OfflineServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"x", b"1\r\nset-cookie: seat=1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    server.guard.app = app
    assert answer(server.connect(GET + b"\r\n").got)[0] == 500
    assert caplog.text.count("Traceback") == 1


def test_answer_without_an_end_is_cut_off(server: OfflineServer) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"10")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"half"})

    server.guard.app = app
    wire = server.connect(GET + b"\r\n")
    assert (wire.closed, answer(wire.got)[1]) == (True, b"half")
