"""The server: where it is, how it starts and stops, and its workers."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
import webbrowser

import pytest

from tests.web.serving import HEAD, PATIENCE, Serving, answer, everything, until
from zerosum.web.http.limits import Limits
from zerosum.web.http.server import announce, serve
from zerosum.web.http.sockets import (
    SEND_BUFFER,
    ServeError,
    listen,
    network_url,
    port_of,
    url,
    with_room,
)
from zerosum.web.settings import Settings

SHARED = "postgresql://nowhere/zerosum"  # the small application never opens it


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as made:
            made.bind(("::1", 0))
    except OSError:
        return False
    return True


# Where it is


def test_prints_its_address_and_nothing_else() -> None:
    with Serving(quiet=True) as server:
        assert (
            server.said
            == f"Zerosum is running at http://127.0.0.1:{server.port}/ (press Ctrl-C to stop)\n"
        )
        assert server.get()[0] == 200
        assert server.stop(signal.SIGTERM) == (0, "", "stopped properly\n")


def test_log_goes_to_standard_error() -> None:
    with Serving() as server:
        server.get("/nothing?query")
        code, out, err = server.stop(signal.SIGTERM)
    assert (code, out) == (0, "")
    assert " GET /nothing 404 " in err
    assert "\x1b" not in err
    assert "query" not in err


def test_answers_do_not_reveal_the_server_library() -> None:
    with Serving() as server, server.connect(b"GET / " + HEAD + b"Connection: close\r\n\r\n") as c:
        assert b"uvicorn" not in everything(c).lower()


@pytest.mark.skipif(not has_ipv6(), reason="IPv6 is not available")
@pytest.mark.parametrize("host", ["::1", "[::1]", "::"])
def test_listens_on_ipv6(host: str) -> None:
    with Serving(host=host) as server:
        assert f"http://[::1]:{server.port}/" in server.said
        status, body = server.get()
        assert (status, b'"::1"' in body) == (200, True)


@pytest.mark.skipif(not has_ipv6(), reason="IPv6 is not available")
def test_wildcard_host_listens_on_every_address() -> None:
    with Serving(host="::") as server:
        server.host = "127.0.0.1"
        status, body = server.get()
        assert (status, b'"127.0.0.1"' in body) == (200, True)


def test_announces_an_address_for_the_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "zerosum.web.http.server.network_url", lambda host, port: f"http://192.0.2.7:{port}/"
    )
    announce(Settings("", host="0.0.0.0"), 8000)
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Zerosum is running at http://127.0.0.1:8000/ (press Ctrl-C to stop)"
    assert second == "For others on your network: http://192.0.2.7:8000/"


def test_network_address_only_for_wildcard_hosts() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "192.0.2.7"):
        assert network_url(host, 8000) is None
    found = network_url("0.0.0.0", 8000)
    assert found is None or (found.startswith("http://") and "0.0.0.0" not in found)


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


def test_failed_start_is_explained_in_a_sentence() -> None:
    for workers in (1, 2):
        env = {**os.environ, "SMALL_FAILS": "1"}
        with Serving(env=env, workers=workers, db=SHARED) as server:
            assert server.said == ""
            _, err = server.process.communicate(timeout=PATIENCE)
            assert server.process.returncode == 1
        assert "Error: The store is not there.\n" in err
        assert "Traceback" not in err


# How it stops


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 0)]
)
def test_signal_stops_the_server_whatever_is_going_on(number: int, code: int) -> None:
    # The grace period is longer than this test waits, but there is nothing to wait for.
    with Serving(env={**os.environ, "SMALL_GRACE": "3600"}) as server:
        stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
        until(stream, b": beat")
        others = [
            server.connect(b"GET /flood " + HEAD + b"\r\n", small=True),
            server.connect(b"POST /echo " + HEAD + b"Content-Length: 5\r\n\r\nha"),
            server.connect(b"GET / HT"),
            server.connect(),
        ]
        got, _, err = server.stop(number)
        assert (got, "stopped properly" in err, "Traceback" in err) == (code, True, False)
        assert everything(stream).endswith(b"0\r\n\r\n"), "the stream has a proper end"
        for connection in (stream, *others):
            connection.close()


def test_answer_in_progress_is_completed_on_stop() -> None:
    with Serving() as server:
        asking = server.connect(b"GET /pause?seconds=0.5 " + HEAD + b"\r\n")
        server.get()
        assert server.stop(signal.SIGTERM)[0] == 0
        assert answer(everything(asking)) == (200, b"done")
        asking.close()


def test_stop_does_not_wait_for_slow_answers() -> None:
    with Serving(env={**os.environ, "SMALL_GRACE": "1"}) as server:
        asking = server.connect(b"GET /pause?seconds=1000 " + HEAD + b"\r\n")
        server.get()
        code, _, err = server.stop(signal.SIGTERM)
        assert (code, "Traceback" in err) == (0, False)
        asking.close()


def test_port_is_free_again_at_once() -> None:
    with Serving() as server:
        held = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
        until(held, b"beat")
        server.stop(signal.SIGTERM)
        with Serving(port=server.port) as again:
            assert again.port == server.port
            assert again.get()[0] == 200
        held.close()


# Open files


def test_connection_limit_fits_the_file_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        assert with_room(Limits(connections_total=50)).connections_total == 50
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
        if hard >= 1200:
            assert with_room(Limits(connections_total=1000)).connections_total == 1000
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 1200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    code = (
        "import resource; from zerosum.web.http.limits import Limits\n"
        "from zerosum.web.http.sockets import with_room\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))\n"
        "print(with_room(Limits()).connections_total)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "150\n"


def test_kernel_send_buffer_is_small() -> None:
    with listen("127.0.0.1", 0) as made:
        # Linux doubles the size for its own bookkeeping; by default it would go far higher.
        size = made.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert size in (SEND_BUFFER, 2 * SEND_BUFFER)
