"""Several processes on one port: started, replaced, and stopped together."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from tests.web.http.serving import HEAD, PATIENCE, Serving, everything, until
from zerosum.web.http.server import serve
from zerosum.web.http.sockets import ServeError
from zerosum.web.settings import Settings

SHARED = "postgresql://nowhere/zerosum"  # the small application never opens it


def test_several_workers_need_a_shared_database(tmp_path: Path) -> None:
    for db in ("", str(tmp_path / "zerosum.db"), "./postgresql.db"):
        with pytest.raises(ServeError, match=r"ZEROSUM_DB=postgresql://… zerosum web --workers 3"):
            serve(Settings(db, workers=3), lambda settings: pytest.fail("it has started"))


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


def test_workers_share_a_port_are_replaced_and_stop_together() -> None:
    with Serving(workers=2, db=SHARED, body_bytes=7) as server:
        first = workers_of(server, 2)
        assert server.get("/echo", "POST", b"x" * 7)[0] == 200
        assert server.get("/echo", "POST", b"x" * 8)[0] == 413, "they have the same settings"
        with server.connect(b"POST /leave " + HEAD + b"\r\n") as made:
            assert everything(made) == b""
        while len(first & (now := workers_of(server, 2))) != 1:
            pass
        assert len(now) == 2
        stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
        until(stream, b": beat")
        # As a terminal does it: to all of them.
        os.killpg(server.process.pid, signal.SIGINT)
        # Standard error ends when the last of them has ended.
        _, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 130
        assert err.count("stopped properly") == 2
        assert err.count("A worker ended (9); starting another.") == 1
        assert "Traceback" not in err
        assert everything(stream).endswith(b"0\r\n\r\n")
        stream.close()


def test_workers_end_with_their_parent() -> None:
    with Serving(workers=2, db=SHARED) as server:
        server.process.kill()
        _, err = server.process.communicate(timeout=PATIENCE)  # until the last has ended
        assert err.count("stopped properly") == 2


def test_failed_start_is_explained_in_a_sentence() -> None:
    with Serving(env={**os.environ, "SMALL_FAILS": "1"}, workers=2, db=SHARED) as server:
        assert server.said == ""
        _, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 1
    assert "Error: The store is not there.\n" in err
    assert "Traceback" not in err
