"""Several processes on one port: started, replaced, and stopped together."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from tests.web.serving import HEAD, PATIENCE, Serving, everything, until
from zerosum.web.http.server import serve
from zerosum.web.http.sockets import (
    ServeError,
)
from zerosum.web.settings import Settings

SHARED = "postgresql://nowhere/zerosum"  # the small application never opens it


def test_several_workers_need_a_shared_database(tmp_path: Path) -> None:
    for db in ("", str(tmp_path / "zerosum.db"), "./postgresql.db"):
        with pytest.raises(ServeError, match=r"ZEROSUM_DB=postgresql://… zerosum web --workers 3"):
            serve(Settings(db, workers=3))


def workers_of(server: Serving, count: int) -> set[bytes]:
    """Return the processes that answer, once there are this many."""
    found: set[bytes] = set()
    deadline = time.monotonic() + PATIENCE
    while len(found) < count:
        assert time.monotonic() < deadline, found
        with contextlib.suppress(OSError, IndexError):
            status, body = server.get()
            if status == 200:
                found.add(body)
    return found


def all_gone(server: Serving) -> bool:
    """Wait until no process is left of those that it has started."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        server.process.poll()
        try:
            os.killpg(server.process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_workers_share_a_port_and_stop_together() -> None:
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        with Serving(workers=2, db=SHARED) as server:
            workers_of(server, 2)
            stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
            until(stream, b": beat")
            # As a terminal does it: to all of them.
            os.killpg(server.process.pid, number)
            _, err = server.process.communicate(timeout=PATIENCE)
            assert server.process.returncode == code
            assert err.count("stopped properly") == 2
            assert "Traceback" not in err
            assert everything(stream).endswith(b"0\r\n\r\n")
            stream.close()
        assert all_gone(server)


def test_dead_worker_is_replaced() -> None:
    with Serving(workers=2, db=SHARED) as server:
        workers_of(server, 2)
        first = server.process.pid
        for _ in range(2):
            time.sleep(1)
            with server.connect(b"POST /leave " + HEAD + b"\r\n") as made:
                assert everything(made) == b""
        assert len(workers_of(server, 2)) == 2
        assert server.process.pid == first
        code, _, err = server.stop(signal.SIGTERM)
    assert code == 0
    assert "A worker ended (9); starting another." in err


def test_workers_end_with_their_parent() -> None:
    with Serving(workers=2, db=SHARED) as server:
        workers_of(server, 2)
        server.process.kill()
        assert all_gone(server)


def test_settings_reach_the_workers() -> None:
    with Serving(workers=2, db=SHARED, body_bytes=7) as server:
        workers_of(server, 2)
        assert server.get("/echo", "POST", b"x" * 7)[0] == 200
        assert server.get("/echo", "POST", b"x" * 8)[0] == 413
