"""A connection without a network, in a loop whose time passes at once."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any, Self

from tests.web.http.small import build
from zerosum.web.http.connection import Connection, Connections
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import Settings


class _Selector(selectors.DefaultSelector):
    """Lets time pass instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing will ever happen"
        self.now += max(timeout, 0.0)
        return super().select(0)


class Loop(asyncio.SelectorEventLoop):
    """An event loop with its own time."""

    def __init__(self) -> None:
        self._travelling = _Selector()
        super().__init__(self._travelling)

    def time(self) -> float:
        return self._travelling.now


class Line(asyncio.Transport):
    """The server's end of a connection; its client reads all, or only what `read` takes."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self.wire = wire
        self.reading = True
        self.taken = b""
        self.waiting = b""
        self.ended = self.closing = self.lost = self.paused = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": (self.wire.peer, 50_000), "sockname": ("127.0.0.1", 8000)}.get(name)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.high = high or 0

    def get_write_buffer_size(self) -> int:
        return len(self.waiting)

    def write(self, data: Any) -> None:
        if self.lost:
            raise RuntimeError("the handler is closed")  # as uvloop does
        self.waiting += data
        if self.reading:
            self.read(len(self.waiting))
        elif len(self.waiting) > self.high and not self.paused:
            self.paused = True
            self.wire.connection.pause_writing()

    def read(self, size: int) -> None:
        """Let the client read."""
        self.taken += self.waiting[:size]
        self.waiting = self.waiting[size:]
        if self.paused and len(self.waiting) <= self.high // 4:
            self.paused = False
            self.wire.connection.resume_writing()
        if self.closing and not self.waiting:
            self.abort()

    def write_eof(self) -> None:
        self.ended = True

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True
        if not self.waiting:
            self.abort()

    def abort(self) -> None:
        self.closing = True
        if not self.lost:
            self.lost = True
            self.wire.loop.call_soon(self.wire.connection.connection_lost, None)


class OfflineServer:
    """The connections of one server with the small application."""

    def __init__(self, **settings: Any) -> None:
        names = {name: settings.pop(name) for name in list(settings) if name in Settings._fields}
        limits = ServerLimits(**{"requests_per_minute": 1_000_000, **settings})
        self.settings = Settings("", limits=limits)._replace(**names)
        self.guard = build(self.settings)
        self.loop = Loop()
        self.connections = Connections(self.guard, self.loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.loop.run_until_complete(self.connections.close(0))
        self.loop.run_until_complete(asyncio.sleep(60))
        self.loop.close()

    def connect(self, sent: bytes = b"", peer: str = "127.0.0.1", reads: bool = True) -> Wire:
        """Open a connection and send something; the client may not read."""
        return Wire(self, peer, reads).send(sent)


class Wire:
    """One connection, seen by its client."""

    def __init__(self, server: OfflineServer, peer: str, reads: bool) -> None:
        self.loop, self.peer = server.loop, peer
        self.line = Line(self)
        self.line.reading = reads
        self.connection = Connection(server.connections)
        self.connection.connection_made(self.line)
        self.pass_time(0)

    def send(self, data: bytes, pieces: int = 0) -> Wire:
        """Send at once or in pieces, and let the server do what it can do now."""
        for at in range(0, len(data), pieces or len(data) or 1):
            if not self.line.closing:
                self.connection.data_received(data[at : at + (pieces or len(data))])
                self.pass_time(0)
        return self

    def drip(self, data: bytes, each: float) -> Wire:
        """Send a byte at a time, with a pause after each."""
        for at in range(len(data)):
            self.send(data[at : at + 1]).pass_time(each)
        return self

    def pass_time(self, seconds: float) -> Wire:
        """Let time pass."""
        self.loop.run_until_complete(_turns(seconds))
        return self

    def leave(self) -> None:
        """Close the connection from the client's side."""
        self.line.abort()
        self.pass_time(0)

    @property
    def got(self) -> bytes:
        """Everything that the client has read."""
        return self.line.taken

    @property
    def closed(self) -> bool:
        """Whether the server has closed the connection."""
        return self.line.lost


async def _turns(seconds: float) -> None:
    """Wait, and then for what can happen at once."""
    await asyncio.sleep(seconds)
    for _ in range(20):
        await asyncio.sleep(0)
