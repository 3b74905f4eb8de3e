"""The answer to one request, as the application sends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from zerosum.web.http.middleware import Header

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

    from zerosum.web.http.connection import Connection

# A client has the time for sending to read this much.
PIECE_BYTES = 65_536
STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
CLOSE = (b"connection", b"close")
CHUNKED = (b"transfer-encoding", b"chunked")


def head(status: int, headers: Sequence[Header]) -> bytes:
    """Format a status and headers, each of which has one line."""
    lines = b"".join([b"%s: %s\r\n" % header for header in headers])
    if not lines.count(b"\r") == lines.count(b"\n") == len(headers):
        raise ValueError("a header has more than one line")
    return b"%s%s\r\n" % (STATUS_LINES[status], lines)


@lru_cache(maxsize=1)
def date(second: int) -> Header:
    """Return the Date header."""
    return b"date", formatdate(second, usegmt=True).encode()


class Responder:
    """Answers one request on a connection."""

    def __init__(self, connection: Connection, scope: Scope, body: bytes, keep_alive: bool) -> None:
        """Take a request, and whether another may follow it."""
        self._connection, self._transport = connection, connection.transport
        self._scope = scope
        self._body: bytes | None = body
        self._bodiless = scope["method"] == "HEAD"
        self._left = 0
        self._complete = False
        self.ended = asyncio.Event()  # nobody waits for more
        self.keep_alive = keep_alive
        self.streaming = False

    async def run(self, app: ASGIApp) -> None:
        """Call the application; an answer without an end is cut off."""
        try:
            await app(self._scope, self.receive, self.send)
            if self.streaming and self.ended.is_set():
                await self.send({"type": "http.response.body"})
        finally:
            if not self._complete:
                self._transport.abort()

    async def receive(self) -> Message:
        """Return the body, and after that wait for the end."""
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        await self.ended.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Write a part of the answer, once the client has read what was before."""
        if message["type"] == "http.response.start":
            await self._write(self._start(message["status"], message["headers"]))
            return
        body, last = message.get("body", b""), not message.get("more_body", False)
        if self.streaming:
            await self._write(self._chunks(body, last))
        elif self._left:
            self._left -= len(body)
            await self._write(body)
        if last and not self._complete:
            self._complete = True
            self.ended.set()
            if self._left:
                self._transport.abort()
            self._connection.answered(self.keep_alive)

    def _start(self, status: int, headers: Iterable[Header]) -> bytes:
        """Return the status and the headers, with those about the connection."""
        full = [*headers, date(int(time.time()))]
        if not self.keep_alive:
            full.append(CLOSE)
        if not self._bodiless and status not in (204, 304):
            length = next((value for name, value in full if name == b"content-length"), None)
            self.streaming = length is None
            self._left = int(length or 0)
            if self.streaming and self._scope["http_version"] == "1.1":
                full.append(CHUNKED)
        return head(status, full)

    def _chunks(self, body: bytes, last: bool) -> bytes:
        """Return a part of a stream; for HTTP/1.0, the end of the connection is its end."""
        if self._scope["http_version"] != "1.1":
            return body
        chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
        return chunk + b"0\r\n\r\n" if last else chunk

    async def _write(self, data: bytes) -> None:
        """Write in pieces, so that a slow client has time for each."""
        for at in range(0, len(data), PIECE_BYTES):
            if not self._connection.writable.is_set():
                await self._connection.writable.wait()
            if self._complete or self._transport.is_closing():
                return
            self._transport.write(data[at : at + PIECE_BYTES])
