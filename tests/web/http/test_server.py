"""The server: where it listens, how it starts and stops, and what it survives."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette

from tests.web.http.serving import (
    CHUNKED,
    GET,
    HEAD,
    PATIENCE,
    POST,
    Serving,
    answer,
    everything,
    until,
)
from zerosum.errors import StoreError
from zerosum.web.http.middleware import Guard
from zerosum.web.http.server import announce, serve
from zerosum.web.http.sockets import (
    SEND_BUFFER,
    ServeError,
    listen,
    network_urls,
    port_of,
    url,
    with_room,
)
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import Settings


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as made:
            made.bind(("::1", 0))
    except OSError:
        return False
    return True


# Where it is


@pytest.mark.skipif(not has_ipv6(), reason="IPv6 is not available")
def test_wildcard_host_listens_on_every_address() -> None:
    with Serving(host="::") as server:
        assert f"http://[::1]:{server.port}/" in server.said
        for host in ("::1", "127.0.0.1"):
            server.host = host
            status, body = server.get()
            assert (status, f'"{host}"'.encode() in body) == (200, True)


@pytest.mark.skipif(not has_ipv6(), reason="IPv6 is not available")
@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_listens_on_ipv6(host: str) -> None:
    with listen(host, 0) as made:
        assert made.getsockname()[0] == "::1"


def test_announces_an_address_for_the_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "zerosum.web.http.sockets.network_urls",
        lambda host, port: [f"http://192.0.2.7:{port}/", f"http://10.0.0.7:{port}/"],
    )
    announce(Settings("", host="0.0.0.0"), 8000)
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Zerosum is running at http://127.0.0.1:8000/ (press Ctrl-C to stop)"
    others = "http://192.0.2.7:8000/ or http://10.0.0.7:8000/"
    assert second == f"For others on your network: {others}"


def test_network_address_only_for_wildcard_hosts() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "192.0.2.7"):
        assert network_urls(host, 8000) == []
    for found in network_urls("0.0.0.0", 8000):
        assert found.startswith("http://")
        assert "0.0.0.0" not in found
        assert "127." not in found


def test_url_is_formatted_for_browsers() -> None:
    assert url("::", 8000) == "http://[::1]:8000/"
    assert url("[::1]", 80) == "http://[::1]/"
    assert url("localhost", 1) == "http://localhost:1/"
    assert url("", 8000) == "http://127.0.0.1:8000/"


@pytest.mark.parametrize("wanted", [True, False])
def test_browser_opens_if_wanted(
    wanted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    announce(Settings("", open=wanted), 8000)
    deadline = time.monotonic() + PATIENCE
    while wanted and not opened and time.monotonic() < deadline:
        time.sleep(0.01)
    assert opened == ["http://127.0.0.1:8000/"] * wanted
    assert capsys.readouterr().out


# Where it cannot be


def test_port_in_use_is_refused_with_advice() -> None:
    with listen("127.0.0.1", 0) as made:
        port = port_of(made)
        with pytest.raises(
            ServeError, match=rf"Port {port} is already in use.*--port {port + 1}.*--port 0"
        ):
            serve(Settings("", port=port), lambda settings: pytest.fail("it has started"))


@pytest.mark.parametrize("host", ["nowhere.invalid", "x y", "a" * 300, "300.1.1.1", "192.0.2.1"])
def test_foreign_host_is_refused(host: str) -> None:
    with pytest.raises(ServeError, match="--host: "):
        listen(host, 0)


def test_failed_start_is_raised_and_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    @asynccontextmanager
    async def failing(app: Starlette) -> AsyncIterator[None]:
        raise StoreError("The store is not there.")
        yield

    with pytest.raises(StoreError, match="The store is not there"):
        serve(Settings("", port=0), lambda given: Guard(Starlette(lifespan=failing), given))
    assert capsys.readouterr() == ("", "")


# How it stops


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signal_stops_the_server_whatever_is_going_on(number: int, code: int) -> None:
    # The grace period is longer than this test waits, but there is nothing to wait for.
    with Serving(env={**os.environ, "SMALL_GRACE": "3600"}) as server:
        address = f"http://127.0.0.1:{server.port}/"
        assert server.said == f"Zerosum is running at {address} (press Ctrl-C to stop)\n"
        stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
        assert b"uvicorn" not in until(stream, b": beat").lower()
        assert server.get("/nothing?query")[0] == 404
        others = [
            server.connect(b"GET /flood " + HEAD + b"\r\n", small=True),
            server.connect(b"POST /echo " + HEAD + b"Content-Length: 5\r\n\r\nha"),
            server.connect(b"GET / HT"),
            server.connect(),
        ]
        got, out, err = server.stop(number)
        assert (got, out, "stopped properly" in err, "Traceback" in err) == (code, "", True, False)
        assert " GET /nothing 404 " in err
        assert "query" not in err
        assert everything(stream).endswith(b"0\r\n\r\n"), "the stream has a proper end"
        listen("127.0.0.1", server.port).close()  # free again at once
        for connection in (stream, *others):
            connection.close()


def test_stop_completes_answers_but_does_not_wait_for_slow_ones() -> None:
    with Serving(env={**os.environ, "SMALL_GRACE": "1"}) as server:
        asking, slow = (
            server.connect(b"GET /pause?seconds=%s " % seconds + HEAD + b"\r\n")
            for seconds in (b"0.5", b"1000")
        )
        server.get()
        code, _, err = server.stop(signal.SIGTERM)
        assert (code, "Traceback" in err) == (0, False)
        assert answer(everything(asking)) == (200, b"done")
        asking.close()
        slow.close()


# Bad clients


def test_bad_clients_are_shrugged_off_and_leave_no_trace_in_a_quiet_log() -> None:
    kinds = [
        (b"", False),
        (b"GET / HT", False),
        (GET, False),
        (POST + b"Content-Length: 1000\r\n\r\nhalf", False),
        (POST + CHUNKED + b"5\r\nha", False),
        (b"GET /flood " + HEAD + b"\r\n", True),
        (b"GET /large " + HEAD + b"\r\n", True),
        (b"hello\r\n\r\n", False),
        # Pipelined: in one piece, behind a slow answer, and behind a stream.
        ((GET + b"\r\n") * 200, True),
        ((b"GET /pause?seconds=1 " + HEAD + b"\r\n") * 10, False),
        (b"GET /m/x/events " + HEAD + b"\r\n" + GET + b"\r\n", False),
    ]
    seconds = ("header_seconds", "body_seconds", "idle_seconds", "send_seconds")
    with Serving(
        quiet=True,
        connections_per_client=2000,
        requests_per_minute=1_000_000,
        **dict.fromkeys(seconds, 0.5),
    ) as server:
        bad = [server.connect(*kinds[number % len(kinds)]) for number in range(500)]
        for _ in range(20):
            assert server.get()[0] == 200
            assert server.get("/echo", "POST", b"move") == (200, b"move")
        for number in range(10, 500, len(kinds)):
            bad[number].close()  # streams end with their client
        server.settle()
        for connection in bad:
            connection.close()
        assert server.get()[0] == 200
        assert server.stop(signal.SIGTERM) == (0, "", "stopped properly\n")


# Open files


def test_connection_limit_fits_the_file_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        assert with_room(ServerLimits(connections_total=50)).connections_total == 50
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
        if hard >= 1200:
            assert with_room(ServerLimits(connections_total=1000)).connections_total == 1000
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 1200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    code = (
        "import resource; from zerosum.web.limits import ServerLimits\n"
        "from zerosum.web.http.sockets import with_room\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))\n"
        "print(with_room(ServerLimits()).connections_total)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "150\n"


def test_connections_inherit_a_small_buffer_and_an_end_for_vanished_clients() -> None:
    with (
        listen("127.0.0.1", 0, 0.5) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as made,
    ):
        # Linux doubles the size for its own bookkeeping; by default it would go far higher.
        size = made.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert size in (SEND_BUFFER, 2 * SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 500
