"""Connections: how many there may be, and how long each step of a request may take."""

from __future__ import annotations

import asyncio
import math
import socket
import time
from contextlib import suppress
from email.utils import formatdate
from typing import TYPE_CHECKING
from urllib.parse import unquote

import httptools

from zerosum.web.http.answers import Header, refusal, too_large, usual, with_security
from zerosum.web.http.client import household
from zerosum.web.http.log import log_request
from zerosum.web.http.rates import Slots
from zerosum.web.http.responder import CLOSE, STATUS_LINES, Responder, lines_of
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

# Unsent data is memory that a client holds.
WAITING_BYTES = 16_384
# A body in chunks of one byte is at most this many times its size.
OVERHEAD = 16
# A client refused while it is sending will not read the answer unless we read a bit more.
DRAINED_BYTES = 1 << 20
LAST_SECONDS = 1.0
POLL_SECONDS = 0.02
ASGI = {"version": "3.0", "spec_version": "2.3"}
# What a connection waits for.
IDLE, HEAD, BODY, ANSWER, END = range(5)


class Connections:
    """The connections of one server, and what they share."""

    def __init__(self, app: ASGIApp, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        """Answer with an application; behind a proxy, everybody comes from its address."""
        self.app, self.loop = app, loop
        self.limits = limits = settings.limits
        each = limits.connections_total if settings.trust_proxy else limits.connections_per_client
        self.slots = Slots(each, limits.connections_total)
        self.open: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.closing = False
        self._second, self._date = 0, b""

    def date(self) -> bytes:
        """Return the Date header, which changes once a second."""
        second = int(time.time())
        if second != self._second:
            self._second, self._date = second, b"date: %s\r\n" % formatdate(usegmt=True).encode()
        return self._date

    async def close(self, seconds: float) -> None:
        """Complete what is being answered, for so many seconds; streams end at once."""
        self.closing = True
        limit = self.loop.time() + seconds
        for connection in list(self.open):
            connection.shutdown()
        while (self.open or self.tasks) and self.loop.time() < limit:
            await asyncio.sleep(POLL_SECONDS)
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Connection(asyncio.Protocol):
    """An HTTP/1.1 connection: one request at a time, and one deadline for its current step.

    Whatever arrives while a request is answered is dropped, and the connection closes after the
    answer: a client that pipelines sends the rest again, as HTTP demands of it.
    """

    def __init__(self, shared: Connections) -> None:
        """Wait for a client."""
        self.shared, self.loop, self.limits = shared, shared.loop, shared.limits
        self.writable = asyncio.Event()
        self.writable.set()
        self._parser = httptools.HttpRequestParser(self)
        self._responder: Responder | None = None
        self._step = IDLE
        self._deadline = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._received = 0  # since the last request was complete
        self._most = DRAINED_BYTES + self.limits.head_bytes + OVERHEAD * self.limits.body_bytes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a slot, or turn the client away before anything is read."""
        self.transport = transport
        self.shared.open.add(self)
        # It may have left before it was accepted.
        self._peer = (transport.get_extra_info("peername") or ("", 0))[:2]
        self._client = household(self._peer[0])
        transport.set_write_buffer_limits(high=WAITING_BYTES)
        give_up_after(transport, self.limits.send_seconds)
        slots = self.shared.slots
        self._counted = slots.take(self._client)
        if self.shared.closing:
            self.shutdown()
        elif self._counted:
            self._due(self.limits.header_seconds)
        elif slots.full:
            self._turn_away(Refused("busy", "The server is full; try again soon.", retry=10))
        else:
            text = f"You already have {slots.each} connections; close one first."
            self._turn_away(Refused("too_many", text, retry=10))

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self.shared.open.discard(self)
        self._step = END
        if self._timer is not None:
            self._timer.cancel()
        if self._counted:
            self.shared.slots.give_back(self._client)
        self.writable.set()
        if self._responder is not None:
            self._responder.ended.set()
        del self._parser  # they refer to each other

    # Time

    def _due(self, seconds: float) -> None:
        """Set the deadline of the current step; the timer is moved only if it would be late."""
        self._deadline = self.loop.time() + seconds
        if self._timer is not None and self._timer.when() > self._deadline:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self.loop.call_at(self._deadline, self._check_deadline)

    def _check_deadline(self) -> None:
        """Act if the deadline has passed; wait on if it was moved."""
        self._timer = None
        if self._deadline > self.loop.time():
            if self._deadline < math.inf:
                self._timer = self.loop.call_at(self._deadline, self._check_deadline)
        elif self._step == HEAD:
            self._turn_away(usual(408))
        elif self._step == BODY:
            self._answer(usual(408))
        elif self._step == IDLE and not self.transport.get_write_buffer_size():
            self.transport.close()
        else:
            self.transport.abort()

    # Reading

    def data_received(self, data: bytes) -> None:
        """Read, within the limits of time and size."""
        self._received += len(data)
        if self._received > self._most:
            self.transport.abort()
        elif self._responder is not None:
            self._responder.drop()
        elif self._step != END:
            self._parse(data)

    def _parse(self, data: bytes) -> None:
        """Feed the parser, and time what is still to come."""
        before = self._step
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._parse_as_http(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            if self._responder is not None:
                self._responder.drop()
            elif self._step == BODY:
                self.transport.abort()
            elif self._step != END:
                self._turn_away(Refused("malformed", "This is not a valid HTTP/1.1 request."))
        if self._step == HEAD and self._received > self.limits.head_bytes:
            self._turn_away(usual(431), 431)
        elif self._step == HEAD != before:
            self._due(self.limits.header_seconds)
        elif self._step == BODY != before:
            self._due(self.limits.body_seconds)

    def _parse_as_http(self, rest: bytes) -> None:
        """Read a request for another protocol again as plain HTTP, with its body."""
        headers = lines_of(header for header in self._headers if header[0] != b"upgrade")
        head = b"%s %s HTTP/1.1\r\n%s\r\n" % (self._parser.get_method(), self._url, headers)
        self._parser = httptools.HttpRequestParser(self)
        self._step = IDLE
        self._parse(head + rest)

    def on_message_begin(self) -> None:
        """Begin a request; one that was pipelined stops the parser."""
        if self._step != IDLE:
            raise ValueError("pipelined")
        self._step = HEAD
        self._url = b""
        self._headers: list[Header] = []
        self._body = bytearray()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, but not a trailer after the body."""
        if self._step == HEAD:
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Go on to the body, unless the request is too large."""
        limits = self.limits
        if self._received > limits.head_bytes:
            size = len(self._url) + sum(len(name) + len(value) + 4 for name, value in self._headers)
            if size > limits.head_bytes:
                self._turn_away(usual(431), 431)
                return
        if self._parser.get_method() == b"CONNECT":
            raise ValueError("not a proxy")
        if self._parser.should_upgrade():
            return  # to be read again as plain HTTP
        self._target = httptools.parse_url(self._url)
        self._path = self._target.path.decode("ascii")
        self._step = BODY
        headers = dict(self._headers)
        if int(headers.get(b"content-length", 0)) > limits.body_bytes:
            self._answer(too_large(limits.body_bytes))
        elif b"expect" in headers:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if self._step == BODY:
            self._body += body
            if len(self._body) > self.limits.body_bytes:
                self._answer(too_large(self.limits.body_bytes))

    def on_message_complete(self) -> None:
        """Answer the request."""
        if self._step == BODY:
            self._received = 0
            self._answer(bytes(self._body))

    # Answering

    def _answer(self, body: bytes | Refused) -> None:
        """Hand a request to the application: its body, or why there is none."""
        parser, path, shared = self._parser, self._path, self.shared
        version = parser.get_http_version()
        scope = {
            "type": "http",
            "asgi": ASGI,
            "http_version": version,
            "method": parser.get_method().decode("ascii"),
            "scheme": "http",
            "path": unquote(path) if "%" in path else path,
            "raw_path": self._target.path,
            "query_string": self._target.query or b"",
            "root_path": "",
            "headers": self._headers,
            "client": self._peer,
        }
        keep_alive = version == "1.1" and parser.should_keep_alive()
        self._responder = Responder(self, scope, body, keep_alive)
        self._step = ANSWER
        self._deadline = math.inf
        if not self.writable.is_set():
            self._due(self.limits.send_seconds)
        task = self.loop.create_task(self._responder.run(shared.app))
        shared.tasks.add(task)
        task.add_done_callback(shared.tasks.discard)

    def answered(self, responder: Responder) -> None:
        """Wait for the next request, or close."""
        if self._step != END:
            self._responder = None
            if responder.keep_alive:
                self._step = IDLE
                self._due(self.limits.idle_seconds)
            else:
                self._close(linger=responder.dropped)

    def pause_writing(self) -> None:
        """Give the client time to read what is waiting."""
        self.writable.clear()
        self._due(self.limits.send_seconds)

    def resume_writing(self) -> None:
        """Continue: the client has read it."""
        self.writable.set()
        if self._step == ANSWER:
            self._deadline = math.inf

    # Closing

    def shutdown(self) -> None:
        """Close with the server: answers are completed, streams end now."""
        if self._responder is None:
            self._close()
            self._due(LAST_SECONDS)
        else:
            self._responder.keep_alive = False
            if self._responder.chunked:
                self._responder.ended.set()
                self._due(LAST_SECONDS)

    def _close(self, linger: bool = False) -> None:
        """Close; but read on for a while if the client is still sending: it would be cut off."""
        self._step = END
        if linger and not self.transport.is_closing():
            self.transport.write_eof()
        else:
            self.transport.close()
        self._due(LAST_SECONDS if linger else self.limits.send_seconds)

    def _turn_away(self, refused: Refused, status: int = 0) -> None:
        """Refuse what is not even a request, and close."""
        status, headers, body = refusal(refused, status=status)
        head = lines_of(with_security(headers, "", status, https=False))
        self.transport.write(b"".join((STATUS_LINES[status], head, CLOSE, b"\r\n", body)))
        log_request("-", "-", status, 0.0, self._client)
        self._close(linger=self._counted)


def give_up_after(transport: asyncio.Transport, seconds: float) -> None:
    """Let the kernel detect, where it can, that a client vanished."""
    found = transport.get_extra_info("socket")
    if found is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        with suppress(OSError):
            most = max(1, int(1000 * seconds))
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, most)
