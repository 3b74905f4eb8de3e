"""The small application on the real server, in a thread or a process, and raw clients for it."""

import contextlib
import json
import os
import re
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

from tests.helpers import PATIENCE
from tests.web.http.small import build
from zerosum.web.http.server import Server
from zerosum.web.http.sockets import listen, port_of
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import ServerSettings

ROOT = Path(__file__).parents[3]
HEAD = b"HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /echo " + HEAD
GET = b"GET / " + HEAD
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
CLOSE = b"Connection: close\r\n\r\n"


class Reached:
    """A server that clients can reach."""

    host, port = "127.0.0.1", 0

    def connect(self, sent: bytes = b"", small: bool = False, peer: str = "") -> socket.socket:
        """Open a connection and send something; a small one can take little at once."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.settimeout(PATIENCE)
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        if peer:
            made.bind((peer, 0))
        made.connect((self.host, self.port))
        send(made, sent)
        return made

    def ask(self, sent: bytes, pieces: int = 0) -> bytes:
        """Send something at once or in pieces, and return all that the server says to it."""
        with self.connect() as made:
            send(made, sent, pieces)
            return everything(made)

    def get(self, path: str = "/", method: str = "GET", body: bytes = b"") -> tuple[int, bytes]:
        """Send a request as a normal client does."""
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        return answer(self.ask(f"{method} {path} ".encode() + HEAD + length + CLOSE + body))


class Threaded(Reached):
    """A server in a thread of this process; keywords are settings and limits."""

    def __init__(self, **settings: Any) -> None:
        names = {
            name: settings.pop(name) for name in list(settings) if name in ServerSettings._fields
        }
        limits = ServerLimits(**{"requests_per_minute": 1_000_000, **settings})
        self.settings = ServerSettings("", limits=limits)._replace(**names)
        self.guard = build(self.settings)

    def __enter__(self) -> Self:
        listening = listen(self.settings.host, 0, self.settings.limits.send_seconds)
        self.port = port_of(listening)
        ready = threading.Event()
        self.server = Server(self.guard, ready.set)
        self._thread = threading.Thread(target=self.server.run, args=([listening],))
        self._thread.start()
        assert ready.wait(PATIENCE)
        return self

    def __exit__(self, *error: object) -> None:
        self.server.should_exit = True
        self._thread.join()

    @property
    def open(self) -> int:
        """How many connections there are."""
        return len(self.server.server_state.connections)

    def settle(self, dripping: list[socket.socket]) -> None:
        """Wait until no connection is left; some clients go on sending a byte at a time."""
        limit = time.monotonic() + PATIENCE
        while self.open or self.server.server_state.tasks:
            assert time.monotonic() < limit, "the server holds on to connections"
            for made in dripping:
                send(made, b"x")
            time.sleep(0.02)
        assert self.guard.connections.taken == 0


class Serving(Reached):
    """A server in its own process, and what it has printed."""

    def __init__(self, env: dict[str, str] | None = None, **settings: Any) -> None:
        limits = {
            name: settings.pop(name)
            for name in list(settings)
            if name not in ServerSettings._fields
        }
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.web.http.small"),
                json.dumps({**settings, "limits": limits}),
            ],
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], "the server says nothing"
        self.said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", self.said)
        self.port = int(found[1]) if found else 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()

    def stop(self, number: int) -> tuple[int, str, str]:
        """Send a signal and wait for the end: the exit code, and what was printed since."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        """Wait for the end of the server and its workers."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def send(made: socket.socket, data: bytes, pieces: int = 0) -> None:
    """Send at once or in pieces, as far as the server listens."""
    with contextlib.suppress(ConnectionError):
        for at in range(0, len(data), pieces or len(data) or 1):
            made.sendall(data[at : at + (pieces or len(data))])


def everything(made: socket.socket) -> bytes:
    """Read until the other side closes, gently or not."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := made.recv(65536):
            parts.append(part)
    return b"".join(parts)


def answer(data: bytes) -> tuple[int, bytes]:
    """Take an answer apart: its status, and its body."""
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def refusal(data: bytes) -> tuple[int, str]:
    """Check that the only answer is a refusal that closes, and return its status and code."""
    status, body = answer(data)
    assert len(re.findall(rb"HTTP/1.1 [45]", data)) == 1
    for header in (b"connection: close", b"x-content-type-options: nosniff", b"default-src 'none'"):
        assert header in data
    return status, json.loads(body)["error"]["code"]


def until(made: socket.socket, end: bytes, count: int = 1) -> bytes:
    """Read until some bytes have arrived, once or several times."""
    data = b""
    while data.count(end) < count:
        part = made.recv(65536)
        assert part, f"{end!r} did not come; there was {data!r}"
        data += part
    return data
