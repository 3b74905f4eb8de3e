"""Requests that are too large, or not HTTP at all, on the real server."""

from __future__ import annotations

import contextlib
import socket
import time

import pytest

from tests.web.serving import (
    CHUNKED,
    GET,
    HEAD,
    POST,
    Serving,
    answer,
    code,
    everything,
    until,
)


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
def test_too_large_head_is_refused(server: Serving, head: bytes) -> None:
    with server.connect(head) as made:
        status, body = answer(everything(made))
    assert (status, code(body)) == (431, "too_large")


def test_head_of_allowed_size_is_read_in_any_pieces(server: Serving) -> None:
    head = GET + b"X-Large: " + b"x" * 16_000 + b"\r\nConnection: close\r\n\r\n"
    with server.connect() as made:
        for at in range(0, len(head), 4000):
            made.sendall(head[at : at + 4000])
            time.sleep(0.01)
        assert answer(everything(made))[0] == 200


def test_too_large_body_still_gets_an_answer(server: Serving) -> None:
    status, body = server.get("/echo", "POST", b"x" * 500_000)
    assert (status, code(body)) == (413, "too_large")
    assert server.get("/echo", "POST", b"x" * 16_384) == (200, b"x" * 16_384)


def pour(made: socket.socket, piece: bytes, most: int) -> int:
    """Send a piece again and again; return how many bytes the server took before it hung up."""
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            made.sendall(piece)
            sent += len(piece)
    return sent


def test_endless_body_is_cut_off(server: Serving) -> None:
    with server.connect(POST + CHUNKED) as made:
        assert pour(made, b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n", 10**9) < 10**9


def test_endless_trailer_is_cut_off_early() -> None:
    endless = POST + CHUNKED + b"0\r\nX-Trailer: "
    with Serving(body_seconds=600) as server, server.connect(endless) as made:
        assert pour(made, b"x" * 65_536, 10**8) < 50_000_000


def test_client_still_sending_can_read_the_refusal(server: Serving) -> None:
    with server.connect(GET + b"X-Large: " + b"x" * 20_000) as made:
        until(made, b"HTTP/1.1 431")
        # A connection that was closed at once would be reset by the first of these.
        for _ in range(5):
            made.sendall(b"x" * 1000)
            time.sleep(0.01)


def test_expect_continue_is_supported(server: Serving) -> None:
    asking = POST + b"Expect: 100-continue\r\n"
    with server.connect(asking + b"Content-Length: 2\r\nConnection: close\r\n\r\n") as made:
        until(made, b"100 Continue\r\n\r\n")
        made.sendall(b"ok")
        assert answer(everything(made)) == (200, b"ok")
    with server.connect(asking + b"Content-Length: 999999\r\n\r\n") as made:
        status, body = answer(everything(made))
    assert (status, code(body)) == (413, "too_large")


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
        GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        GET + b"X: a\r\n b\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused(server: Serving, data: bytes) -> None:
    with server.connect(data) as made:
        got = everything(made)
    assert answer(got)[0] == 400
    assert b"content-security-policy: default-src 'none'" in got
    assert b"x-content-type-options: nosniff" in got
    assert code(answer(got)[1])
    assert server.get()[0] == 200


@pytest.mark.parametrize("body", [b"Transfer-Encoding: gzip, x\r\n\r\n", CHUNKED + b"zz\r\n"])
def test_a_malformed_body_ends_the_connection(server: Serving, body: bytes) -> None:
    with server.connect(POST + body) as made:
        assert everything(made) == b""
    assert server.get()[0] == 200


def test_refusal_never_interrupts_an_answer(server: Serving) -> None:
    with server.connect(b"GET /m/x/events " + HEAD + b"\r\n") as made:
        until(made, b"beat")
        made.sendall(b"nonsense\r\n\r\n")
        assert b"400" not in everything(made)


def test_trailers_are_not_headers() -> None:
    with Serving(trust_proxy=True) as behind:
        head = b"GET / " + HEAD + b"X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n" + CHUNKED
        with behind.connect(head + b"1\r\nx\r\n0\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n") as made:
            assert b'"192.0.2.1"' in everything(made)


def test_pipelining_is_limited(server: Serving) -> None:
    last = GET + b"Connection: close\r\n\r\n"
    with server.connect((GET + b"\r\n") * 4 + last) as made:
        assert everything(made).count(b"200 OK") == 5
    slow = b"GET /pause?seconds=20 " + HEAD + b"\r\n"
    with server.connect(slow + (GET + b"\r\n") * 200) as made:
        assert everything(made) == b""


def test_upgrade_requests_are_answered_in_http(server: Serving) -> None:
    for wanted in (b"websocket", b"h2c"):
        upgrade = b"Connection: Upgrade\r\nUpgrade: " + wanted + b"\r\n\r\n"
        with server.connect(GET + upgrade) as made:
            assert b"200 OK" in until(made, b"}")
