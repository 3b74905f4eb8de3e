"""Connections: how many there may be, and how long each step of a request may take."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import httptools

from zerosum.web.http.client import client_address, network_of
from zerosum.web.http.log import log_request
from zerosum.web.http.middleware import Guard, Header, refusal, refusal_for, with_security
from zerosum.web.http.rates import Slots
from zerosum.web.http.responder import CLOSE, Responder, head
from zerosum.web.refusals import Refused

# Unsent data is memory that a client holds.
WAITING_BYTES = 16_384
# A body in chunks of one byte is at most this many times its size.
OVERHEAD = 16
# A client refused while it is sending will not read the answer unless we read a bit more.
DRAINED_BYTES = 1 << 20
LAST_SECONDS = 1.0
POLL_SECONDS = 0.02
ASGI = {"version": "3.0", "spec_version": "2.3"}
# The version and the expectation of a client that waits before it sends a body.
CONTINUE = ("1.1", b"100-continue")
# What a connection waits for.
IDLE, HEAD, BODY, ANSWER, END = range(5)


class Connections:
    """The connections of one server, and what they share."""

    def __init__(self, guard: Guard, loop: asyncio.AbstractEventLoop) -> None:
        """Answer with an application; behind a proxy, everybody comes from its address."""
        self.guard, self.loop = guard, loop
        self.limits = limits = guard.settings.limits
        proxied = guard.settings.trust_proxy
        each = limits.connections_total if proxied else limits.connections_per_client
        self.slots = Slots(each, limits.connections_total)
        self.most_unread = DRAINED_BYTES + limits.head_bytes + OVERHEAD * limits.body_bytes
        self.open: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()

    async def close(self, seconds: float) -> None:
        """Finish the answers under way, for some seconds at most; streams end at once."""
        limit = self.loop.time() + seconds
        while self.open or self.tasks:
            for connection in list(self.open):
                connection.shutdown()
            if self.loop.time() >= limit:
                break
            await asyncio.sleep(POLL_SECONDS)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Connection(asyncio.Protocol):
    """An HTTP/1.1 connection: one request at a time, and one deadline for its current step.

    Whatever arrives while a request is answered is dropped, and the connection closes after the
    answer: a client that pipelines sends the rest again, as HTTP demands of it.
    """

    transport: asyncio.Transport
    _responder: Responder  # while one answers
    _timer: asyncio.TimerHandle
    _step: int

    def __init__(self, shared: Connections) -> None:
        """Wait for a client."""
        self._shared, self._limits = shared, shared.limits
        self.writable = asyncio.Event()
        self.writable.set()
        self._parser = httptools.HttpRequestParser(self)
        self._unread = 0  # bytes since the last complete request
        self._wait()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a slot, or turn the client away before anything is read."""
        self.transport = transport
        transport.set_write_buffer_limits(high=WAITING_BYTES)
        # It may have left before it was accepted.
        self._peer = (transport.get_extra_info("peername") or ("", 0))[:2]
        shared, slots = self._shared, self._shared.slots
        shared.open.add(self)
        self._timer = shared.loop.call_later(self._limits.header_seconds, self._expire)
        self._counted = slots.take(network_of(self._peer[0]))
        if not self._counted and slots.full:
            self._turn_away(Refused("busy", "The server is full; try again soon.", retry=10))
        elif not self._counted:
            text = f"You already have {slots.each} connections; close one first."
            self._turn_away(Refused("too_many", text, retry=10))

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self._shared.open.discard(self)
        self._timer.cancel()
        if self._counted:
            self._shared.slots.give_back(network_of(self._peer[0]))
        if self._step == ANSWER:
            self._responder.ended.set()
            del self._responder
        self._step = END
        self.writable.set()
        del self._parser  # they refer to each other

    # Time

    def _due(self, seconds: float) -> None:
        """Set the deadline of the current step."""
        self._timer.cancel()
        self._timer = self._shared.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        """Refuse what is incomplete, drop clients that do not read; an answer may take its time."""
        if self._step in (HEAD, BODY):
            self._turn_away(refusal_for(408))
        elif self._step != ANSWER or not self.writable.is_set():
            self.transport.abort()

    def pause_writing(self) -> None:
        """Give the client time to read what is waiting."""
        self.writable.clear()
        self._due(self._limits.send_seconds)

    def resume_writing(self) -> None:
        """Continue: the client has read it."""
        self.writable.set()

    # Reading

    def _wait(self) -> None:
        """Wait for a request."""
        self._step = IDLE
        self._url, self._body = b"", bytearray()
        self._headers: list[Header] = []
        self._scope: dict[str, Any] = {}

    def data_received(self, data: bytes) -> None:
        """Read, within the limits of time and size."""
        self._unread += len(data)
        if self._unread > self._shared.most_unread:
            self.transport.abort()
        elif self._step < ANSWER:
            self._parse(data)

    def eof_received(self) -> bool:
        """Stay open for an answer, but not for a stream: its client has probably left."""
        staying = self._step == ANSWER and not self._responder.streaming
        if staying:
            self._responder.keep_alive = False
        return staying

    def _parse(self, data: bytes) -> None:
        """Feed the parser, and time what is still to come."""
        before = self._step
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._parse_as_http(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            if self._step == ANSWER:
                self._unread = len(data)  # pipelined
            elif self._step != END:
                self._turn_away(Refused("malformed", "This is not a valid HTTP/1.1 request."))
        if self._step == HEAD and self._unread > self._limits.head_bytes:
            self._turn_away(refusal_for(431))
        elif self._step == HEAD != before:
            self._due(self._limits.header_seconds)
        elif self._step == BODY != before:
            self._due(self._limits.body_seconds)

    def _parse_as_http(self, rest: bytes) -> None:
        """Read a request for another protocol again as plain HTTP, with its body."""
        lines = [b"%s: %s" % header for header in self._headers if header[0] != b"upgrade"]
        first = b"%s %s HTTP/1.1" % (self._parser.get_method(), self._url)
        self._parser = httptools.HttpRequestParser(self)
        self._wait()
        self._parse(b"\r\n".join([first, *lines, b"", rest]))

    def on_message_begin(self) -> None:
        """Begin a request; one that was pipelined stops the parser."""
        if self._step != IDLE:
            raise ValueError("pipelined")
        self._step = HEAD

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, but not a trailer after the body."""
        if self._step == HEAD:
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Go on to the body, unless the request is too large."""
        limits, method = self._limits, self._parser.get_method()
        if self._unread > limits.head_bytes:
            size = len(self._url) + sum(len(name) + len(value) + 4 for name, value in self._headers)
            if size > limits.head_bytes:
                self._turn_away(refusal_for(431))
                return
        if method == b"CONNECT":
            raise ValueError("not a proxy")
        if self._parser.should_upgrade():
            return  # to be read again as plain HTTP
        url, headers = httptools.parse_url(self._url), dict(self._headers)
        if url.host and self._url.split(b"/")[2].lower() != headers.get(b"host", b"").lower():
            raise ValueError("two hosts")
        if headers.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
            raise ValueError("an unknown encoding")
        path = url.path.decode("ascii")
        self._scope = {
            "type": "http",
            "asgi": ASGI,
            "http_version": self._parser.get_http_version(),
            "method": method.decode("ascii"),
            "scheme": "http",
            "path": unquote(path) if "%" in path else path,
            "raw_path": url.path,
            "query_string": url.query or b"",
            "root_path": "",
            "headers": self._headers,
            "client": self._peer,
        }
        self._step = BODY
        if int(headers.get(b"content-length", 0)) > limits.body_bytes:
            self._turn_away(refusal_for(413, most=limits.body_bytes))
        elif (self._scope["http_version"], headers.get(b"expect", b"").lower()) == CONTINUE:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if self._step == BODY:
            self._body += body
            if len(self._body) > self._limits.body_bytes:
                self._turn_away(refusal_for(413, most=self._limits.body_bytes))

    def on_message_complete(self) -> None:
        """Answer the request."""
        if self._step == BODY:
            self._step = ANSWER
            self._unread = 0
            keep_alive = self._scope["http_version"] == "1.1" and self._parser.should_keep_alive()
            self._responder = Responder(self, self._scope, bytes(self._body), keep_alive)
            task = self._shared.loop.create_task(self._responder.run(self._shared.guard))
            self._shared.tasks.add(task)
            task.add_done_callback(self._shared.tasks.discard)

    # Closing

    def answered(self, keep_alive: bool) -> None:
        """Wait for the next request, or close."""
        if self._step == ANSWER:
            del self._responder
            if keep_alive and not self._unread:
                self._wait()
                self._due(self._limits.idle_seconds)
            else:
                self._close()

    def shutdown(self) -> None:
        """Close with the server: answers are completed, streams end now."""
        if self._step < ANSWER:
            self._close()
        elif self._step == ANSWER:
            self._responder.keep_alive = False
            if self._responder.streaming and not self._responder.ended.is_set():
                self._responder.ended.set()
                self._due(LAST_SECONDS)

    def _close(self) -> None:
        """Close; but read on for a while if the client is still sending: it would be cut off."""
        self._step = END
        if self._unread and not self.transport.is_closing():
            self.transport.write_eof()
            self._due(LAST_SECONDS)
        else:
            self.transport.close()
            self._due(self._limits.send_seconds)

    def _turn_away(self, refused: Refused) -> None:
        """Refuse what is not a complete request, and close."""
        guard, headers, scope = self._shared.guard, dict(self._headers), self._scope
        client = client_address(self._peer[0], headers, guard.settings.trust_proxy)
        page = None if guard.rates.allow(client, "requests") else guard.page  # pages are costly
        own, body = refusal(refused, headers.get(b"accept", b""), page)
        full = [*with_security(own, "", refused.status, https=False), CLOSE]
        self.transport.write(head(refused.status, full) + body)
        log_request(scope.get("method", "-"), scope.get("path", "-"), refused.status, 0.0, client)
        self._close()
