"""Connections: uvicorn's, with limits on how many there are and how long each step may take."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from zerosum.web.http.log import log_request
from zerosum.web.http.middleware import CLOSE, refusal, refusal_for, with_security
from zerosum.web.http.origins import network_of
from zerosum.web.refusals import Refused

# Unsent data is memory that a client holds.
WAITING_BYTES = 16_384
# A body in chunks of one byte is at most this many times its size.
OVERHEAD = 16
# A client refused while it is sending will not read the answer unless we take a bit more.
DROPPED_BYTES = 1 << 20
LAST_SECONDS = 1.0


class Joining:
    """A transport that joins what is written at once: the head and the body of an answer."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Take the transport; everything but writing is its own business."""
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        """Return what the transport has."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write with whatever else is written in this turn of the loop."""
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)

    def flush(self) -> None:
        """Write all parts, unless the client has left since."""
        data = b"".join(self._parts)
        self._parts.clear()
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def write_eof(self) -> None:
        """Write all parts, and nothing more."""
        self.flush()
        self._transport.write_eof()

    def close(self) -> None:
        """Close when all parts are written."""
        self.flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """An HTTP/1.1 connection with deadlines: for a request to arrive, and to read its answer."""

    def __init__(self, **given: Any) -> None:
        """Wait for a client of a guarded application."""
        super().__init__(**given)
        guard: Any = self.app
        self._slots, self._limits = guard.connections, guard.settings.limits
        self._most = DROPPED_BYTES + self._limits.head_bytes + OVERHEAD * self._limits.body_bytes
        self._arriving: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None
        self._unread = 0  # bytes since the last complete request
        self._in_head = True
        self._deaf = False  # whether everything else that comes is dropped
        self._keeping = True  # whether the connection stays open after the answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a slot, or turn the client away before anything is read."""
        super().connection_made(Joining(transport, self.loop))  # type: ignore[arg-type]
        transport.set_write_buffer_limits(high=WAITING_BYTES)
        self._arrive_within(self._limits.header_seconds)
        # It may have left before it was accepted.
        self._holder = network_of(self.client[0] if self.client else "")
        self._counted = self._slots.take(self._holder)
        if not self._counted and self._slots.full:
            self._turn_away(Refused("full", "The server is full; try again soon.", retry=10))
        elif not self._counted:
            text = f"You already have {self._slots.each} connections; close one first."
            self._turn_away(Refused("too_many", text, retry=10))

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self._arrived()
        self._sent()
        if self._counted:
            self._slots.give_back(self._holder)
        super().connection_lost(exc)

    # Time

    def _arrive_within(self, seconds: float) -> None:
        """Set the deadline of what is to arrive: a request, its body, or the end."""
        self._arrived()
        self._arriving = self.loop.call_later(seconds, self._late)

    def _arrived(self) -> None:
        """Clear the deadline of what was to arrive."""
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _late(self) -> None:
        """Refuse half a request; a client that sent nothing just leaves."""
        if self._deaf or not self._unread:
            self.transport.abort()
        else:
            self._turn_away(refusal_for(408))

    def pause_writing(self) -> None:
        """Give the client time to read what is waiting."""
        super().pause_writing()
        self._check_reader(inf)

    def _check_reader(self, before: float) -> None:
        """Drop the client unless it has read some of what was waiting before."""
        waiting = self.transport.get_write_buffer_size()
        if before - waiting < WAITING_BYTES:
            self.transport.abort()
        else:
            seconds = self._limits.send_seconds
            self._sending = self.loop.call_later(seconds, self._check_reader, waiting)

    def resume_writing(self) -> None:
        """Continue: the client has read it."""
        super().resume_writing()
        self._sent()

    def _sent(self) -> None:
        """Clear the deadline of what was to be read."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    # Reading

    def data_received(self, data: bytes) -> None:
        """Read, within the limits of time and size."""
        self._unread += len(data)
        if self._unread > self._most:
            self.transport.abort()
        elif not self._deaf:
            self._unset_keepalive_if_required()
            if self._arriving is None:
                self._arrive_within(self._limits.header_seconds)
            self._parse(data)
            if self._in_head and not self._deaf and self._unread > self._limits.head_bytes:
                self._turn_away(refusal_for(431))

    def _parse(self, data: bytes) -> None:
        """Feed the parser; a request for another protocol is read again as plain HTTP."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            kept = [header for header in self.headers if header[0] != b"upgrade"]
            named = self.parser.get_method(), self.url, self.parser.get_http_version().encode()
            lines = [b"%s %s HTTP/%s" % named, *(b"%s: %s" % header for header in kept)]
            self.parser = httptools.HttpRequestParser(self)
            self._parse(b"\r\n".join([*lines, b"", data[upgrade.args[0] :]]))
        except httptools.HttpParserError:
            self.send_400_response("")

    def eof_received(self) -> bool:  # type: ignore[override]
        """Stay open for an answer, but not for a stream: its client has probably left."""
        self.transport.flush()  # type: ignore[attr-defined]
        staying = not (self._idle or self.cycle.chunked_encoding or self.cycle.more_body)
        if staying:
            self.cycle.keep_alive = False
        return staying

    def on_message_begin(self) -> None:
        """Begin to read a request; one that was pipelined is dropped, and sent again elsewhere."""
        if not self._idle:
            raise ValueError("pipelined")
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, but not a trailer after the body."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Answer the request, unless it is too large or tries to be two things at once."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self._limits.head_bytes:
            self._turn_away(refusal_for(431))
            return
        headers = dict(self.headers)
        if self.parser.get_method() == b"CONNECT":
            raise ValueError("not a proxy")
        if self.parser.should_upgrade():
            return
        host = httptools.parse_url(self.url).host
        if host and self.url.split(b"/")[2].lower() != headers.get(b"host", b"").lower():
            raise ValueError("two hosts")
        if headers.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
            raise ValueError("an unknown encoding")
        self._in_head = False
        self._arrive_within(self._limits.body_seconds)
        if self.parser.get_http_version() == "1.0":
            self.expect_100_continue = False
        super().on_headers_complete()
        # An answer that closes would be cut off while the client is still sending.
        self._keeping, self.cycle.keep_alive = self.cycle.keep_alive, True

    def on_message_complete(self) -> None:
        """Wait for the next request, if this one has its answer already."""
        if self._deaf or self.parser.should_upgrade():
            return
        self._unread, self._in_head = 0, True
        self._arrived()
        self.cycle.keep_alive = self._keeping
        if self._idle and self._keeping:
            self._arrive_within(self._limits.header_seconds)
        elif self._idle:
            self.transport.close()
        super().on_message_complete()

    # Closing

    @property
    def _idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def shutdown(self) -> None:
        """Close with the server: answers are completed, streams end now."""
        super().shutdown()
        if self._idle:
            return
        if self.cycle.chunked_encoding:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.write(b"0\r\n\r\n")
            self.transport.close()
            self._deaf = True
            self._arrive_within(LAST_SECONDS)
        elif self.cycle.more_body:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; close after the answer if it came behind a whole request."""
        if self._idle or self.cycle.more_body:
            self._turn_away(Refused("malformed", "This is not a valid HTTP/1.1 request."))
        else:
            self._arrived()
            self._deaf, self.cycle.keep_alive = True, False

    def _turn_away(self, refused: Refused) -> None:
        """Refuse an incomplete request, and drop what follows, or the answer would be cut off."""
        if self._deaf:
            return
        self._deaf = True
        if not self._in_head and self.cycle.response_started:
            self.transport.close()
            return
        if not self._idle:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        own, body = refusal(refused, b"", None)
        full = [*with_security(own, "", refused.status, https=False), CLOSE]
        lines = b"".join(b"%s: %s\r\n" % header for header in full)
        self.transport.write(b"%s%s\r\n%s" % (STATUS_LINE[refused.status], lines, body))
        log_request("-", "-", refused.status, 0.0, self._holder)
        if self._unread and not self.transport.is_closing():
            self.transport.write_eof()
            self._arrive_within(LAST_SECONDS)
        else:
            self.transport.close()
            self._arrive_within(self._limits.send_seconds)
