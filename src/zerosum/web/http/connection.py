"""Connections: how many there may be, and how long each step may take."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from zerosum.web.http.answers import refusal, usual, with_security
from zerosum.web.http.client import cut
from zerosum.web.http.exchange import CLOSE, DRAINED_BYTES
from zerosum.web.http.limits import Limits, Places
from zerosum.web.http.log import log_request
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings

# Unsent data is memory that a client holds.
WAITING_BYTES = 16_384
# A client that read this much in the time for sending is slow, but alive.
PROGRESS_BYTES = 65_536
# A body in chunks of one byte is at most this many times its size.
OVERHEAD = 16
PIPELINED = 8
LAST_SECONDS = 0.5


class Timer:
    """A timer that calls back, unless it is stopped."""

    __slots__ = ("_handle", "_late", "_loop", "_seconds")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, late: Callable[[], None]
    ) -> None:
        """Call `late` when the time is up."""
        self._loop, self._seconds, self._late = loop, seconds, late
        self._handle: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        """Whether the timer is running."""
        return self._handle is not None

    def start(self) -> None:
        """Start or restart the timer."""
        self.stop()
        self._handle = self._loop.call_later(self._seconds, self._over)

    def stop(self) -> None:
        """Stop the timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _over(self) -> None:
        """Call back."""
        self._handle = None
        self._late()


class Connection(HttpToolsProtocol):
    """A connection that counts against a limit and has timeouts."""

    limits: ClassVar[Limits]
    places: ClassVar[Places]

    _client = ""
    _placed = False
    _refused = False
    _in_head = True  # reading a request's first line and headers
    _begun = False  # some of them have arrived
    _head = 0
    _heads = 0
    _taken = 0
    _left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or turn the client away before anything is read."""
        self._head_timer = Timer(self.loop, self.limits.header_seconds, self._head_late)
        self._send_timer = Timer(self.loop, self.limits.send_seconds, self._send_late)
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=WAITING_BYTES)
        self._client = cut(self.client[0]) if self.client else ""
        _give_up_after(transport, self.limits.send_seconds)
        if self.places.take(self._client):
            self._placed = True
            self._head_timer.start()
        elif self.places.full:
            self._turn_away(Refused("busy", "The server is full; try again soon.", retry=10))
        else:
            text = f"You already have {self.places.each} connections; close one first."
            self._turn_away(Refused("too_many", text, retry=10))

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._head_timer.stop()
        self._send_timer.stop()
        if self._placed:
            self._placed = False
            self.places.give_back(self._client)

    # Reading

    def data_received(self, data: bytes) -> None:
        """Read, within the limits of time and size."""
        if self._refused:
            return
        heads, waiting = self._heads, self._in_head
        if waiting and self._idle and not self._head_timer.running:
            self._head_timer.start()
        super().data_received(data)
        if self._refused:
            return
        if waiting and heads == self._heads:
            self._head += len(data)
            if self._head > self.limits.head_bytes:
                self._turn_away(usual(431), 431)
        elif not self._in_head:
            self._taken += len(data)
            if self._taken > DRAINED_BYTES + OVERHEAD * self.limits.body_bytes:
                self.transport.abort()

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._begun = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Accept a header, but not a trailer after the body."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Hand over the request, unless it is too large."""
        self._head_timer.stop()
        self._in_head = self._begun = False
        self._head = self._taken = 0
        self._heads += 1
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.limits.head_bytes:
            self._turn_away(usual(431), 431)
        elif len(self.pipeline) >= PIPELINED:
            self._turn_away(Refused("too_many", "Too many requests on one connection at once."))
        elif not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Accept part of a body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request; the next may follow."""
        self._in_head = True
        if not self._refused:
            super().on_message_complete()

    @property
    def _idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _head_late(self) -> None:
        """Close a connection that sent no complete request."""
        if self._begun:
            self._turn_away(usual(408))
        else:
            self.transport.close()

    # Writing

    def pause_writing(self) -> None:
        """Give the client time to read what is waiting."""
        super().pause_writing()
        self._watch_sending()

    def resume_writing(self) -> None:
        """Continue: the client has read it."""
        super().resume_writing()
        self._send_timer.stop()

    def on_response_complete(self) -> None:
        """Time the end of an answer too, after which nothing more is sent."""
        super().on_response_complete()
        if self.transport.is_closing() and not self._send_timer.running:
            self._watch_sending()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; what was not read by now never will be."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Close with the server, which does not wait for clients that do not read."""
        super().shutdown()
        self.loop.call_later(LAST_SECONDS, self._give_up_writing)

    def _give_up_writing(self) -> None:
        """Drop what has not been read."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _watch_sending(self) -> None:
        """Check again when the time for sending is up."""
        self._left = self.transport.get_write_buffer_size()
        self._send_timer.start()

    def _send_late(self) -> None:
        """Drop a client that does not read."""
        if self._left - self.transport.get_write_buffer_size() >= PROGRESS_BYTES:
            self._watch_sending()
        else:
            self.transport.abort()

    # Refusing

    def send_400_response(self, msg: str) -> None:
        """Answer a request that is not valid HTTP."""
        if not self._refused:
            self._turn_away(Refused("malformed", "This is not a valid HTTP/1.1 request."))

    def _turn_away(self, refused: Refused, status: int = 0) -> None:
        """Refuse and close; never write into the middle of another answer."""
        self._refused = True
        self._head_timer.stop()
        if not self._idle:
            self.transport.abort()
            return
        status, headers, body = refusal(refused, status)
        full = [*with_security(headers, "", status, https=False), CLOSE]
        head = b"".join(b"%s: %s\r\n" % header for header in full)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        log_request("-", "-", status, 0.0, self._client)
        if self._placed:
            # Closing at once with unread input would lose the answer.
            self.transport.write_eof()
            self.loop.call_later(LAST_SECONDS, self.transport.abort)
        else:
            self.transport.close()


def connections(settings: Settings) -> type[Connection]:
    """Return the connection class of a server, with its own count of places."""
    limits = settings.limits
    # Behind a proxy, everybody comes from its address.
    each = limits.connections_total if settings.trust_proxy else limits.connections_per_client
    places = Places(each, limits.connections_total)
    return type("Connection", (Connection,), {"limits": limits, "places": places})


def _give_up_after(transport: asyncio.Transport, seconds: float) -> None:
    """Let the kernel detect, where it can, that a client vanished."""
    found = transport.get_extra_info("socket")
    if found is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        with suppress(OSError):
            most = max(1, int(1000 * seconds))
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, most)
