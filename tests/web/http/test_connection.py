"""Slow, silent and malicious clients on the real server."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.web.serving import (
    CHUNKED,
    GET,
    HEAD,
    POST,
    Serving,
    answer,
    closed,
    code,
    everything,
    until,
)
from zerosum.web.http.connection import WAITING_BYTES


@pytest.fixture(scope="module")
def bare() -> Iterator[Serving]:
    """A server on a system that does not detect clients that stopped reading."""
    with Serving(
        send_seconds=0.5, idle_seconds=0.3, env={**os.environ, "SMALL_SYSTEM": "1"}
    ) as made:
        yield made


def dropped(made: socket.socket, data: bytes) -> bool:
    """Send a byte at a time, and return whether the server ended the connection meanwhile."""
    try:
        for at in range(len(data)):
            made.sendall(data[at : at + 1])
            time.sleep(0.02)
    except OSError:
        return True
    return False


# Timeouts


def test_silent_client_is_dropped(server: Serving) -> None:
    with server.connect() as made:
        assert everything(made) == b""


def test_incomplete_head_times_out(server: Serving) -> None:
    with server.connect(b"GET / HTTP/1.1\r\nHost: loc") as made:
        status, body = answer(everything(made))
    assert (status, code(body)) == (408, "slow")


def test_dribbled_head_times_out(server: Serving) -> None:
    with server.connect(GET) as made:
        assert dropped(made, b"X-Long: " + b"x" * 2000)


def test_second_request_has_the_same_timeout(server: Serving) -> None:
    for second, status in ((b"GET / HTTP", 408), (b"\r\n", None), (b"\r\n\r\n\r\n", None)):
        with server.connect(GET + b"\r\n") as made:
            until(made, b"}")
            made.sendall(second)
            rest = everything(made)
            assert (answer(rest)[0] if rest else None) == status
    with server.connect(GET + b"\r\n") as made:
        until(made, b"}")
        assert dropped(made, b"\r\n" * 1000)


def test_idle_connection_closes_and_a_used_one_stays_open(server: Serving) -> None:
    with server.connect() as made:
        for _ in range(20):
            made.sendall(GET + b"\r\n")
            until(made, b"}")
            time.sleep(0.05)
        assert everything(made) == b""


@pytest.mark.parametrize("head", [b"Content-Length: 100\r\n\r\nhalf", CHUNKED + b"5\r\nhal"])
def test_incomplete_body_times_out(server: Serving, head: bytes) -> None:
    with server.connect(POST + head) as made:
        status, body = answer(everything(made))
    assert (status, code(body)) == (408, "slow")


def test_dribbled_body_times_out(server: Serving) -> None:
    with server.connect(POST + b"Content-Length: 10000\r\n\r\n") as made:
        assert dropped(made, b"x" * 10_000)


def test_endless_trailer_times_out(server: Serving) -> None:
    with server.connect(POST + CHUNKED + b"1\r\nx\r\n0\r\nX-Trailer: ") as made:
        assert dropped(made, b"x" * 10_000)


def stalled(server: Serving, path: bytes, more: bytes = b"") -> bool:
    """Read only the beginning of an answer, and return whether the server ends the connection."""
    with server.connect(b"GET " + path + b" " + HEAD + more + b"\r\n", small=True) as made:
        until(made, b"HTTP")
        server.settle()
        return closed([made])


@pytest.mark.parametrize("path", [b"/flood", b"/large"])
def test_client_that_does_not_read_is_dropped(server: Serving, bare: Serving, path: bytes) -> None:
    for each in (server, bare):
        assert stalled(each, path)
        assert stalled(each, path, b"Connection: close\r\n")


def test_client_that_does_not_read_a_little_is_dropped(bare: Serving) -> None:
    # Whatever the system takes, of some of these less is left than what makes the server wait.
    bad = []
    for size in range(80_000, 400_000, 10_000):
        for more in (b"", b"Connection: close\r\n"):
            head = b"GET /large?size=%d " % size + HEAD + more + b"\r\n"
            bad.append(bare.connect(head, small=True))
            until(bad[-1], b"HTTP")
    bare.settle()
    assert closed(bad)
    for connection in bad:
        connection.close()


def test_unsent_data_per_client_is_bounded(server: Serving) -> None:
    size, milliseconds = json.loads(server.get("/waiting")[1])
    assert size == WAITING_BYTES
    # For those who have vanished without a word, where the system can notice that.
    assert milliseconds == (500 if hasattr(socket, "TCP_USER_TIMEOUT") else 0)


def test_slow_reader_gets_everything(server: Serving, bare: Serving) -> None:
    for each in (server, bare):
        with each.connect(b"GET /large " + HEAD + b"Connection: close\r\n\r\n") as made:
            size = 0
            begun = time.monotonic()
            while part := made.recv(65_536):
                size += len(part)
                time.sleep(0.02)
            assert time.monotonic() - begun > 3 * each.given["limits"]["send_seconds"]
        assert size > 5_000_000


# Limits on connections


def refused(made: socket.socket) -> str:
    status, body = answer(everything(made))
    assert status == 429
    return code(body)


def test_connections_per_address_are_limited() -> None:
    with Serving(connections_per_client=3) as server:
        held = [server.connect(b"GET ") for _ in range(3)]
        with server.connect() as made:
            assert refused(made) == "too_many"
        held.pop().close()
        deadline = time.monotonic() + 10
        while server.get()[0] == 429:
            assert time.monotonic() < deadline
        for connection in held:
            connection.close()


@pytest.mark.parametrize("trust_proxy", [False, True])
def test_connections_in_total_are_limited(trust_proxy: bool) -> None:
    each = 3 if trust_proxy else 100
    with Serving(
        trust_proxy=trust_proxy, connections_per_client=each, connections_total=6
    ) as server:
        held = [server.connect(b"GET ") for _ in range(6)]
        with server.connect() as made:
            assert refused(made) == "busy"
        for connection in held:
            connection.close()
        server.settle()


# All kinds of bad clients together


def test_server_survives_hundreds_of_bad_clients(server: Serving) -> None:
    dripping = threading.Event()
    kinds = [
        (b"", False),
        (b"GET / HT", False),
        (GET, False),
        (POST + b"Content-Length: 1000\r\n\r\nhalf", False),
        (POST + CHUNKED + b"5\r\nha", False),
        (b"GET /flood " + HEAD + b"\r\n", True),
        (b"GET /large " + HEAD + b"\r\n", True),
    ]
    bad = [server.connect(*kinds[number % len(kinds)]) for number in range(350)]

    def keep_dripping() -> None:
        while not dripping.wait(0.05):
            for connection in bad[: 5 * len(kinds)]:
                try:
                    connection.send(b"x", socket.MSG_DONTWAIT)
                except OSError:
                    continue

    helper = threading.Thread(target=keep_dripping)
    helper.start()
    try:
        for _ in range(30):
            assert server.get()[0] == 200
            assert server.get("/echo", "POST", b"move") == (200, b"move")
        server.settle()
    finally:
        dripping.set()
        helper.join()
        for connection in bad:
            connection.close()
    assert server.get()[0] == 200
