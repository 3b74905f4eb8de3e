"""Connections: large, malformed, malicious and slow clients, over real sockets."""

import json
import socket
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from uvicorn.protocols.http import httptools_impl

from tests.web.http.serving import (
    CHUNKED,
    CLOSE,
    GET,
    HEAD,
    POST,
    Threaded,
    answer,
    everything,
    refusal,
    send,
    until,
)
from zerosum.web.http.connection import Joining

STREAM = b"GET /m/x/events " + HEAD + b"\r\n"
PAUSE = b"GET /pause?seconds=0.2 " + HEAD
FLOOD = b"GET /flood " + HEAD + b"\r\n"
OLD = b" HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
SHORT = dict.fromkeys(("header_seconds", "body_seconds", "idle_seconds", "send_seconds"), 0.5)


@pytest.fixture(scope="module")
def server() -> Iterator[Threaded]:
    with Threaded() as made:
        yield made


# Size, and what is not HTTP or tries to be two things at once

LARGE_HEADS = [
    GET + b"X-Large: " + b"x" * 20_000 + b"\r\n\r\n",
    GET + b"X: y\r\n" * 8_000 + b"\r\n",
    b"GET /?" + b"x" * 20_000 + b" " + HEAD + b"\r\n",
    # Without an end: refused before there is one.
    GET + b"X-Large: " + b"x" * 20_000,
    b"GET /?" + b"x" * 20_000,
]
LARGE_BODIES = [
    GET + b"Content-Length: 500000\r\n\r\n" + b"x" * 500_000,
    POST + b"Content-Length: 500000\r\n\r\n" + b"x" * 500_000,
    POST + CHUNKED + b"7a120\r\n" + b"x" * 500_000 + b"\r\n0\r\n\r\n",
]
MALFORMED = [
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
    GET + b"Host: localhost\r\n" + CLOSE,
]
REFUSED = [
    *((data, (431, "too_large")) for data in LARGE_HEADS),
    *((data, (400, "malformed")) for data in MALFORMED),
]


@pytest.mark.parametrize(("data", "refused"), REFUSED, ids=range(len(REFUSED)))
@pytest.mark.parametrize("pieces", [0, 1000])
def test_bad_request_is_refused_and_read_to_its_end(
    server: Threaded, data: bytes, refused: tuple[int, str], pieces: int
) -> None:
    assert refusal(server.ask(data, pieces)) == refused


@pytest.mark.parametrize("data", LARGE_BODIES, ids=range(len(LARGE_BODIES)))
@pytest.mark.parametrize("pieces", [0, 1000])
def test_large_body_is_refused_and_dropped(server: Threaded, data: bytes, pieces: int) -> None:
    with server.connect() as made:
        send(made, data, pieces)
        status, body = answer(until(made, b"}}"))
        assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")
        send(made, GET + CLOSE)
        assert answer(everything(made))[0] == 200, "the connection can be used again"


@pytest.mark.parametrize("head", [CHUNKED + b"fffffff\r\n", CHUNKED + b"0\r\nX-Trailer: "])
def test_endless_body_is_cut_off(server: Threaded, head: bytes) -> None:
    with server.connect(POST + head) as made, pytest.raises(ConnectionError):
        made.sendall(b"x" * 100_000_000)


def test_request_of_allowed_size_is_read_in_any_pieces(server: Threaded) -> None:
    head = GET + b"X-Large: " + b"x" * 16_000 + b"\r\n"
    body = b"x" * 16_384
    for pieces in (0, 100, 4000):
        with server.connect() as made:
            send(made, head + b"\r\n", pieces)
            until(made, b'"}')
            send(made, head + CLOSE, pieces)
            assert answer(everything(made))[0] == 200
        sent = POST + b"Content-Length: 16384\r\n" + CLOSE + body
        assert answer(server.ask(sent, pieces)) == (200, body)


def test_trailers_are_not_headers() -> None:
    head = b"GET / " + HEAD + b"X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n" + CHUNKED
    with Threaded(trust_proxy=True) as server:
        got = server.ask(head + b"1\r\nx\r\n0\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n")
        assert json.loads(answer(got)[1])["client"] == "192.0.2.1"


def test_client_that_sends_head_and_body_apart_reads_its_refusal(server: Threaded) -> None:
    head = POST + b"Origin: http://elsewhere\r\nContent-Length: 5\r\n"
    for last in (b"\r\n", CLOSE):  # such as urllib
        with server.connect(head + last) as made:
            assert until(made, b"}}").startswith(b"HTTP/1.1 403")
            send(made, b"a bod" + (GET + CLOSE if last != CLOSE else b""))
            got = b""
            while part := made.recv(65536):  # which is not reset
                got += part
            assert got.count(b"HTTP/1.1 200") == (last != CLOSE)


def test_half_a_body_behind_its_answer_is_not_answered_again() -> None:
    head = POST + b"Origin: http://elsewhere\r\n" + CHUNKED
    for rest in (b"1\r\n", b"zz\r\n"):
        with Threaded(**SHORT) as server, server.connect(head) as made:
            assert until(made, b"}}").startswith(b"HTTP/1.1 403")
            send(made, rest)
            assert everything(made) == b""


# What other clients do


def test_expect_continue_is_supported(server: Threaded) -> None:
    asking = POST + b"Expect: 100-continue\r\n"
    with server.connect(asking + b"Content-Length: 2\r\n" + CLOSE) as made:
        assert until(made, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        send(made, b"ok")
        assert answer(everything(made)) == (200, b"ok")
    with server.connect(asking + b"Content-Length: 999999\r\n\r\n") as made:
        assert until(made, b"}}").startswith(b"HTTP/1.1 413")
    other = POST + b"Connection: close\r\nExpect: something\r\n"
    assert answer(server.ask(other + b"Content-Length: 2\r\n\r\nok")) == (200, b"ok")


def test_request_for_another_protocol_is_answered_as_plain_http(server: Threaded) -> None:
    for protocol in (b"h2c", b"websocket"):
        head = POST + b"Connection: Upgrade\r\nUpgrade: " + protocol + b"\r\n"
        for body in (b"Content-Length: 4\r\n\r\nmove", CHUNKED + b"4\r\nmove\r\n0\r\n\r\n"):
            for pieces in (0, 7):
                with server.connect() as made:
                    send(made, head + body, pieces)
                    assert until(made, b"move").startswith(b"HTTP/1.1 200")
                    send(made, GET + CLOSE)
                    assert answer(everything(made))[0] == 200
        with server.connect(head + b"Content-Length: 4\r\n\r\nmo") as made:
            made.shutdown(socket.SHUT_WR)
            assert everything(made) == b"", "half a body is not acted on"


def test_client_that_has_sent_everything_gets_its_answer(server: Threaded) -> None:
    for sent, status in ((GET + b"\r\n", b"200 OK"), (b"", b""), (GET, b""), (STREAM, b"200 OK")):
        with server.connect(sent) as made:
            if sent == STREAM:
                until(made, b": beat")
            made.shutdown(socket.SHUT_WR)
            assert sent == STREAM or status in everything(made)
    server.settle([])


def test_forwarded_headers_are_ignored_without_a_proxy(server: Threaded) -> None:
    for claim in (b"192.0.2.9", b"anything 200 0ms"):
        got = server.ask(GET + b"X-Forwarded-For: " + claim + b"\r\n" + CLOSE)
        assert json.loads(answer(got)[1])["client"] == "127.0.0.1"


def test_head_leaves_the_connection_open(server: Threaded) -> None:
    with server.connect() as made:
        for path in (b"/", b"/m/x/events", b"/nothing"):
            send(made, b"HEAD " + path + b" " + HEAD + b"\r\n")
            assert until(made, b"\r\n\r\n").endswith(b"\r\n\r\n")
        send(made, GET + CLOSE)
        assert everything(made).startswith(b"HTTP/1.1 200 OK\r\n")


def test_old_client_is_answered(server: Threaded) -> None:
    assert answer(server.ask(b"GET /" + OLD + b"\r\n"))[0] == 200
    asking = b"POST /echo" + OLD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\nok"
    assert answer(server.ask(asking)) == (200, b"ok")


def test_client_that_left_before_it_was_accepted_is_no_fault_of_ours(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httptools_impl, "get_remote_addr", lambda transport: None)
    with Threaded() as server:
        assert json.loads(answer(server.ask(GET + CLOSE))[1])["client"] == ""
    assert caplog.text == ""


def test_client_that_leaves_before_its_answer_is_no_fault_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = Mock()
    transport = Mock(is_closing=lambda: True)
    joining = Joining(transport, loop)
    joining.write(b"late")
    loop.call_soon.assert_called_once_with(joining.flush)
    joining.flush()
    transport.write.assert_not_called()


# Bugs of the application


def test_header_with_a_line_break_is_logged_and_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"x", b"1\r\nset-cookie: seat=1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    with Threaded() as server:
        server.guard.app = app
        assert server.ask(GET + CLOSE) == b""
    assert caplog.text.count("Traceback") == 1


# Time

# What slow clients send, whether they read, and how they are refused in the end.
SLOW: list[tuple[bytes, bool, tuple[int, str] | None]] = [
    (b"", True, None),
    (GET + b"\r\n", True, None),
    (b"GET / HT", True, (408, "slow")),
    (GET + b"X-Long: ", True, (408, "slow")),
    (POST + b"Content-Length: 100\r\n\r\nhalf", True, (408, "slow")),
    (POST + CHUNKED + b"5\r\nhal", True, (408, "slow")),
    (POST + CHUNKED + b"1\r\nx\r\n0\r\nX-Trailer: ", True, (408, "slow")),
    (FLOOD, False, None),
    (b"GET /flood " + HEAD + CLOSE, False, None),
    (b"GET /large " + HEAD + b"\r\n", False, None),
    (b"GET /large " + HEAD + CLOSE, False, None),
    # Pipelined: in one piece, and behind a slow answer.
    ((GET + b"\r\n") * 200, False, None),
    ((PAUSE + b"\r\n") * 10, False, None),
]


def test_slow_clients_are_dropped_and_hold_up_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with Threaded(connections_per_client=2000, **SHORT) as server:
        crowd = [server.connect(sent, not reads) for sent, reads, _ in SLOW * 30]
        leaving = [server.connect(sent) for sent in (STREAM, FLOOD, PAUSE + b"\r\n")]
        for _ in range(10):
            assert server.get()[0] == 200
            assert server.get("/echo", "POST", b"move") == (200, b"move")
        for made in leaving:
            made.close()
        # The first of each kind says no more; some others go on, a byte at a time.
        first, others = crowd[: len(SLOW)], crowd[len(SLOW) :]
        server.settle(others[: len(SLOW)])
        for made, (sent, reads, refused) in zip(first, SLOW, strict=True):
            got = everything(made)
            if refused:
                assert refusal(got) == refused, sent
            elif reads:
                assert got.count(b"HTTP/1.1 200") == (sent != b"")
        for made in crowd:
            made.close()
    assert caplog.text == ""


@pytest.mark.parametrize("body", [b"Content-Length: 9000\r\n\r\n", CHUNKED + b"2328\r\n"])
def test_refused_client_does_not_stay_with_half_a_body(body: bytes) -> None:
    with (
        Threaded(**SHORT) as server,
        server.connect(POST + b"Origin: http://elsewhere\r\n" + body) as made,
    ):
        assert b"403 Forbidden" in until(made, b"}}")
        send(made, b"x")
        server.settle([])


def test_half_a_request_behind_an_answer_is_late() -> None:
    sent = b"GET /large?size=900000 " + HEAD + b"\r\n"
    with Threaded(**SHORT) as server, server.connect(sent, small=True) as made:
        time.sleep(0.1)  # until the answer waits to be read
        send(made, b"GET ")
        got = everything(made)
        assert (got.count(b"x" * 900_000), got.count(b"HTTP/1.1 408")) == (1, 1)


def test_refused_client_is_dropped_also_if_it_reads_what_came_before() -> None:
    sent = b"GET /large?size=900000 " + HEAD + b"\r\n"
    with Threaded(**SHORT) as server, server.connect(sent, small=True) as made:
        time.sleep(0.1)
        send(made, b"hello\r\n\r\n")
        until(made, b"malformed")
        server.settle([])


def test_next_request_gives_no_more_time_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "TCP_USER_TIMEOUT", raising=False)  # which some systems lack
    sent = b"GET /large " + HEAD + b"\r\n"
    with Threaded(**SHORT) as server, server.connect(sent, small=True) as made:
        time.sleep(0.1)
        send(made, GET + b"\r\n")
        server.settle([])


def test_slow_reader_gets_everything() -> None:
    sent = b"GET /large?size=900000 " + HEAD + CLOSE
    with Threaded(**SHORT) as server, server.connect(sent, small=True) as made:
        got = b""
        while part := made.recv(20_000):
            got += part
            time.sleep(0.001)
    assert len(answer(got)[1]) == 900_000


# Number


def test_connections_per_address_are_limited() -> None:
    with Threaded(connections_per_client=2) as server:
        first, second = server.connect(b"GET "), server.connect()
        assert refusal(server.ask(b"")) == (429, "too_many")
        with server.connect(GET + CLOSE, peer="127.0.0.2") as made:
            assert answer(everything(made))[0] == 200
        first.close()
        while server.open > 1:
            time.sleep(0.001)
        assert server.get()[0] == 200
        second.close()


@pytest.mark.parametrize("trust_proxy", [False, True])
def test_connections_in_total_are_limited(trust_proxy: bool) -> None:
    limits = {"connections_per_client": 1 if trust_proxy else 100, "connections_total": 3}
    with Threaded(trust_proxy=trust_proxy, **limits) as server:
        held = [server.connect(b"GET ") for _ in range(3)]
        assert refusal(server.ask(b"")) == (503, "full")
        for made in held:
            made.close()
        server.settle([])
