"""The server: where it listens, how it starts and stops, and what it survives."""

import contextlib
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from tests.helpers import PATIENCE
from tests.web.http.serving import HEAD, Serving, Threaded, answer, everything, refusal, until
from tests.web.support import Inside
from zerosum.errors import StoreError
from zerosum.store.lock import LockFile
from zerosum.web.http.server import announce, serve
from zerosum.web.http.sockets import ServeError, listen, network_urls, url
from zerosum.web.settings import ServerSettings

SHARED = "postgresql://nowhere/zerosum"  # the small application never opens it


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
    with Threaded(host="::") as server:
        for server.host in ("::1", "127.0.0.1"):
            status, body = server.get()
            assert (status, f'"{server.host}"'.encode() in body) == (200, True)
    for host in ("::1", "[::1]"):
        with listen(host, 0) as made:
            assert made.getsockname()[0] == "::1"


def test_announces_an_address_for_the_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "zerosum.web.http.sockets.network_urls",
        lambda host, port: [f"http://192.0.2.7:{port}/", f"http://10.0.0.7:{port}/"],
    )
    announce(ServerSettings("", host="0.0.0.0"))
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Zerosum is running at http://127.0.0.1:8000/ (press Ctrl-C to stop)"
    others = "http://192.0.2.7:8000/ or http://10.0.0.7:8000/"
    assert second == f"For others on your network: {others}"


def test_network_address_only_for_wildcard_hosts() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "192.0.2.7"):
        assert network_urls(host, 8000) == []
    for found in network_urls("0.0.0.0", 8000):
        assert found.startswith("http://")
        assert not any(here in found for here in ("0.0.0.0", "127."))
    assert url("[::1]", 80) == "http://[::1]/"
    assert url("", 8000) == "http://127.0.0.1:8000/"


# Where it cannot be


@pytest.mark.parametrize("host", ["nowhere.invalid", "x y", "a" * 300, "300.1.1.1", "192.0.2.1"])
def test_foreign_host_is_refused(host: str) -> None:
    with pytest.raises(ServeError, match="--host: "):
        listen(host, 0)


# How it stops


@pytest.mark.parametrize(
    ("number", "code", "grace"), [(signal.SIGTERM, 0, "0.6"), (signal.SIGINT, 130, "3600")]
)
def test_signal_stops_the_server_whatever_is_going_on(number: int, code: int, grace: str) -> None:
    pause = b"GET /pause?seconds=%s " + HEAD + b"\r\n"
    with Serving({"SMALL_GRACE": grace}) as server:
        address = f"http://127.0.0.1:{server.port}/"
        assert server.said == f"Zerosum is running at {address} (press Ctrl-C to stop)\n"
        stream = server.connect(b"GET /m/x/events " + HEAD + b"\r\n")
        until(stream, b": beat")
        asking = server.connect(pause % b"0.2")
        others = [
            server.connect(b"GET /flood " + HEAD + b"\r\n", small=True),
            server.connect(b"POST /echo " + HEAD + b"Content-Length: 5\r\n\r\nha"),
            server.connect(b"GET / HT"),
            server.connect(),
        ]
        if grace != "3600":  # which is longer than this test would wait
            others.append(server.connect(pause % b"1000"))
        assert server.get("/nothing?query")[0] == 404
        got, out, err = server.stop(number)
        assert (got, out, "stopped properly" in err, "Traceback" in err) == (code, "", True, False)
        assert " GET /nothing 404 " in err
        assert "query" not in err
        assert everything(stream).endswith(b"0\r\n\r\n"), "the stream has a proper end"
        assert answer(everything(asking)) == (200, b"done")
        if grace != "3600":
            assert refusal(everything(others[-1])) == (500, "error"), "it may have taken effect"
        listen("127.0.0.1", server.port).close()  # free again at once
        for connection in (stream, asking, *others):
            connection.close()


def test_second_signal_does_not_cut_the_stop_short() -> None:
    with Serving({"SMALL_AGAIN": "1"}) as server:
        code, _, err = server.stop(signal.SIGTERM)
    assert (code, "stopped properly" in err) == (0, True)


# One server per database file, by whatever name


def test_second_server_is_refused_before_it_opens_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    folder.mkdir()
    real, link, way = folder / "zerosum.db", folder / "link.db", tmp_path / "way"
    link.symlink_to(real)
    way.symlink_to(folder)
    for first, second in ((real, link), (real, way / "link.db"), (way / "zerosum.db", real)):
        with Inside(first) as server:
            before = sorted(path.name for path in folder.iterdir())
            with pytest.raises(StoreError, match="Another server at http"), Inside(second):
                pass
            assert sorted(path.name for path in folder.iterdir()) == before
            ada, _ = server.pair()
            ada.do("move", move="1")


def test_what_a_lock_file_links_to_is_not_overwritten(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.txt"
    theirs.write_text("theirs")
    (tmp_path / "zerosum.db.served").symlink_to(theirs)
    LockFile(str(tmp_path / "zerosum.db"), "http://127.0.0.1:8000/").close()
    assert theirs.read_text() == "theirs"


# Several processes on one port


def test_several_workers_need_a_shared_database(tmp_path: Path) -> None:
    for db in ("", str(tmp_path / "zerosum.db"), "./postgresql.db"):
        with pytest.raises(ServeError, match=r"ZEROSUM_DB=postgresql://… zerosum web --workers 3"):
            serve(ServerSettings(db, workers=3), lambda settings: pytest.fail("it has started"))


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
        status, _, err = server.ended()
        assert status == 130
        assert err.count("stopped properly") == 2
        assert err.count("A worker ended (9); starting another.") == 1
        assert "Traceback" not in err
        assert everything(stream).endswith(b"0\r\n\r\n")
        stream.close()


def test_workers_end_with_their_parent() -> None:
    with Serving(workers=2, db=SHARED) as server:
        assert server.stop(signal.SIGKILL)[2].count("stopped properly") == 2


def test_failed_start_is_explained_in_a_sentence() -> None:
    with Serving({"SMALL_FAILS": "1"}, workers=2, db=SHARED) as server:
        assert server.said == ""
        status, _, err = server.ended()
        assert status == 1
    assert "Error: The store is not there.\n" in err
    assert "Traceback" not in err
