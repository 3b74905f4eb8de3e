"""The real server in its own process, and clients that behave badly."""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0
HEAD = b"HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /echo " + HEAD
GET = b"GET / " + HEAD
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


class Serving:
    """A server with the small application, and what it has printed."""

    def __init__(self, **settings: Any) -> None:
        limits = {
            name: settings.pop(name)
            for name in list(settings)
            if name not in ("db", "host", "port", "trust_proxy", "workers", "quiet", "env")
        }
        env = settings.pop("env", None)
        self.given = {**settings, "limits": limits}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.http.small", json.dumps(self.given)],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.said = self._first_line()
        found = re.search(r":(\d+)/", self.said)
        self.port = int(found[1]) if found else 0
        self.host = "::1" if ":" in settings.get("host", "") else "127.0.0.1"

    def _first_line(self) -> str:
        assert self.process.stdout
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
            raise AssertionError("the server says nothing")
        return self.process.stdout.readline()

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()

    def stop(self, number: int) -> tuple[int, str, str]:
        """Send a signal and wait for the end: the exit code, and what was printed since."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err

    def connect(self, sent: bytes = b"", small: bool = False) -> socket.socket:
        """Open a connection and send something; a small one can take little at once."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.settimeout(PATIENCE)
        if small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect((self.host, self.port))
        if sent:
            made.sendall(sent)
        return made

    def get(self, path: str = "/", method: str = "GET", body: bytes = b"") -> tuple[int, bytes]:
        """Send a request as a normal client does."""
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        head = f"{method} {path} ".encode() + HEAD + length + b"Connection: close\r\n\r\n"
        with self.connect(head + body) as made:
            return answer(everything(made))

    def settle(self, connections: int = 0) -> None:
        """Wait until only so many connections are left, beside the one that asks."""
        limit = time.monotonic() + PATIENCE
        while int(self.get("/connections")[1]) > connections + 1:
            assert time.monotonic() < limit, "the server holds on to connections"
            time.sleep(0.05)


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


def code(body: bytes) -> str:
    """Return the code of a typed error."""
    found: str = json.loads(body)["error"]["code"]
    return found


def until(made: socket.socket, end: bytes) -> bytes:
    """Read until some bytes have arrived."""
    data = b""
    while end not in data:
        part = made.recv(65536)
        assert part, f"{end!r} did not come; there was {data!r}"
        data += part
    return data
