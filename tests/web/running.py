"""The server as its own process; tests import it from tests.web.support."""

import http.client
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

import httpx

from tests.helpers import PATIENCE, ZEROSUM, clean_env
from tests.web.visitors import FREELY, Host, Stream, Visitor

# The same command, with a computer that does not wait before it moves.
PROMPT = """
from zerosum.web.tables import table
table.BOT_SECONDS = 0.02
from zerosum.__main__ import main
main()
"""


class Server(Host):
    """`zerosum web` as its own process, on the same port after every restart."""

    def __init__(
        self, db: str | Path, home: Path, *args: str, prompt: bool = False, **limits: float
    ) -> None:
        self.db = str(db)
        self.command = [sys.executable, "-c", PROMPT] if prompt else ZEROSUM
        self.home = home
        self.args = args
        self.env = {f"ZEROSUM_LIMIT_{name.upper()}": str(value) for name, value in limits.items()}
        for name, value in FREELY.items():
            self.env.setdefault(f"ZEROSUM_LIMIT_{name.upper()}", str(value))
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._out = home / f"web-{secrets.token_hex(4)}.log"
        self._rest = ExitStack()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._rest.close()
        self.kill()
        if kind is None:
            assert "Traceback" not in self.log, self.log

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything the server has printed, restarts included."""
        return self._out.read_text(errors="replace") if self._out.exists() else ""

    def start(self) -> None:
        """Start the process, and wait until it can be reached; always on the same port."""
        before = len(self.log)
        with open(self._out, "ab") as out:
            self.process = subprocess.Popen(
                [
                    *(*self.command, "web", "--no-open", "--port", str(self.port)),
                    *("--db", self.db, *self.args),
                ],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=clean_env(self.home, PYTHONUNBUFFERED="1", **self.env),
                cwd=self.home,
                start_new_session=True,
            )
        limit = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://[\w.\[\]:]+?:(\d+)", self.log[before:])):
            assert self.process.poll() is None, self.log[before:]
            assert time.monotonic() < limit, self.log[before:]
            time.sleep(0.01)
        self.port = int(found[1])

    def stop(self) -> int:
        """Stop the server with SIGTERM, and return its exit code."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill the server and its workers with SIGKILL."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)

    def visitor(self, id: str = "") -> Visitor:  # noqa: A002
        """Return a visitor without cookies."""
        return Visitor(_ServerWire(self), id)


class _ServerWire:
    """A connection to a server's process."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = server._rest.enter_context(
            httpx.Client(base_url=server.url, timeout=PATIENCE, trust_env=False)
        )

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request."""
        return self.client.request(method, path, **more)

    def listen(self, path: str, headers: dict[str, str], body: bytes = b"") -> Stream:
        """Open a stream, and wait until it has begun."""
        stream = Stream()
        method = "POST" if body else "GET"
        request = self.client.build_request(method, path, headers=headers, content=body)
        thread = threading.Thread(target=self._read, args=(request, stream), daemon=True)
        thread.start()
        self.server._rest.callback(thread.join, PATIENCE)
        self.server._rest.callback(stream.closing.set)
        assert stream.begun.wait(PATIENCE)
        return stream

    def _read(self, request: httpx.Request, stream: Stream) -> None:
        """Read until either side closes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        leaver: threading.Thread | None = None
        try:
            connection.connect()
            # The connection lets go of its socket when the answer ends.
            leaver = threading.Thread(target=_leave, args=(connection.sock, stream), daemon=True)
            leaver.start()
            headers = dict(request.headers)
            connection.request(request.method, request.url.path, request.content, headers)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            stream.begin(answer.status, headers)
            while piece := answer.read1(1 << 16):
                stream.feed(piece)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            stream.end()
            stream.closing.set()
            if leaver is not None:
                leaver.join()
            connection.close()


def _leave(line: socket.socket, stream: Stream) -> None:
    """Cut a connection when its stream is to be closed."""
    stream.closing.wait()
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
