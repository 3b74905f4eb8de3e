"""The server inside this process; tests import it from tests.web.support."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import httpx
import msgspec

from tests.helpers import PATIENCE
from tests.web.http.asgi import scope
from tests.web.visitors import FREELY, Host, Stream, View, Visitor
from zerosum.web.analysis.pool import Pool, result_of
from zerosum.web.analysis.solutions import Solutions, install, solutions
from zerosum.web.analysis.solver_main import answered
from zerosum.web.app import build
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import ServerSettings
from zerosum.web.site import Site

T = TypeVar("T")


class Inline(Pool):
    """Answers in the server's own process, so that no other has to be started."""

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        """Answer at once."""
        solutions().files.update(self.files)
        question = msgspec.json.encode([asker, [what, arguments]])
        return result_of(answered(question))


class Inside(Host):
    """The server in this process; `now` replaces its clock, and keywords set limits."""

    def __init__(
        self,
        db: str | Path,
        processes: bool = False,
        now: Callable[[], float] = time.monotonic,
        files: tuple[str, ...] = (),
        engines: dict[str, str] | None = None,
        **limits: float,
    ) -> None:
        self.db = str(db)
        given: dict[str, Any] = {**FREELY, **limits}
        programs = tuple((engines or {}).items())
        limited = ServerLimits(**given)
        settings = ServerSettings(self.db, files=files, limits=limited, engines=programs)
        pool = None if processes else Inline()
        self._solutions = Solutions()
        self.app = cast(Any, build(settings, pool=pool, monotonic=now))
        self.site: Site = self.app.app.site
        self._clients: list[httpx.AsyncClient] = []
        self._streams: list[Stream] = []
        self._life: Any = None

    def __enter__(self) -> Self:
        self._before = solutions()
        install(self._solutions)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="inside")
        self._thread.start()
        try:
            self._life = self.app.app.lifespan_context(self.app.app)
            self.call(self._life.__aenter__())
        except BaseException:
            self._life = None
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server."""
        self.call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        install(self._before)

    async def _stop(self) -> None:
        """End streams first, as the server's process does."""
        for stream in self._streams:
            stream.closing.set()
        for client in self._clients:
            await client.aclose()
        if self._life is not None:
            await self._life.__aexit__(None, None, None)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=PATIENCE)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    @property
    def watching(self) -> tuple[int, int]:
        """The open streams, and those of spectators."""
        return self.site.streams.taken, self.site.spectators.taken

    def visitor(self, id: str = "") -> Visitor:  # noqa: A002
        """Return a visitor without cookies."""
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self.app), base_url="http://localhost"
        )
        self._clients.append(client)
        return Visitor(_InsideWire(self, client), id)


class Frozen(Inside):
    """A server whose clock stands still, so that bots move only on command."""

    def __init__(self, db: str | Path, **more: Any) -> None:
        self.now = 1_000_000.0
        super().__init__(db, now=lambda: self.now, **more)

    def let_it_move(self, visitor: Visitor, seconds: float = 1.0) -> View:
        """Let the time come for the program to move."""
        self.now += seconds
        self.call(self.site.tables.attend(visitor.id))
        return visitor.see()


class _InsideWire:
    """A connection to a server in this process."""

    def __init__(self, server: Inside, client: httpx.AsyncClient) -> None:
        self.server = server
        self.client = client

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request."""
        return self.server.call(self.client.request(method, path, **more))

    def listen(self, path: str, headers: dict[str, str], body: bytes = b"") -> Stream:
        """Open a stream, and wait until it has begun."""
        method = "POST" if body else "GET"
        request = self.client.build_request(method, path, headers=headers, content=body)
        stream = Stream()
        self.server._streams.append(stream)
        work = self._read(method, path, request.headers.raw, body, stream)
        asyncio.run_coroutine_threadsafe(work, self.server._loop)
        assert stream.begun.wait(PATIENCE)
        return stream

    async def _read(
        self,
        method: str,
        path: str,
        headers: list[tuple[bytes, bytes]],
        body: bytes,
        stream: Stream,
    ) -> None:
        """Run the application for one long answer, as a server does."""
        bodies = [body] if body else []

        async def receive() -> dict[str, Any]:
            if bodies:
                return {"type": "http.request", "body": bodies.pop(), "more_body": False}
            while not stream.closing.is_set():
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = {name.decode(): value.decode() for name, value in message["headers"]}
                stream.begin(message["status"], headers)
            else:
                stream.feed(message.get("body", b""))

        lowered = [(name.lower(), value) for name, value in headers]
        try:
            await self.server.app(scope(method, path, lowered, "127.0.0.1"), receive, send)
        finally:
            stream.end()
