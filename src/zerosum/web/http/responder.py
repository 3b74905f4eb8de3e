"""The answer to one request, as the application sends it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING

from zerosum.web.http.answers import Header
from zerosum.web.http.log import TROUBLE
from zerosum.web.refusals import Refused

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

    from zerosum.web.http.connection import Connection

# A client has the time for sending to read this much.
PIECE_BYTES = 65_536
STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
CLOSE = b"connection: close\r\n"


def lines_of(headers: Iterable[Header]) -> bytes:
    """Format headers."""
    return b"".join([b"%s: %s\r\n" % header for header in headers])


class Responder:
    """Answers one request on a connection."""

    def __init__(
        self, connection: Connection, scope: Scope, body: bytes | Refused, keep_alive: bool
    ) -> None:
        """Take the request: its scope, and its body or why there is none."""
        self._connection = connection
        self._scope = scope
        self._body: bytes | Refused | None = body
        self._bodiless = scope["method"] == "HEAD"
        self._left = 0
        self._complete = False
        self.ended = asyncio.Event()  # nobody waits for more
        self.keep_alive = keep_alive
        self.chunked = False
        self.dropped = False
        if isinstance(body, Refused):
            self.drop()

    def drop(self) -> None:
        """Note that something was not read: the connection cannot be used again."""
        self.dropped, self.keep_alive = True, False

    async def run(self, app: ASGIApp) -> None:
        """Call the application; an answer without an end is cut off."""
        try:
            await app(self._scope, self.receive, self.send)
            if self.chunked and self.ended.is_set():
                await self.send({"type": "http.response.body"})
        except Exception as error:
            TROUBLE.error("A request failed.", exc_info=error)
        finally:
            if not self._complete:
                self._connection.transport.abort()

    async def receive(self) -> Message:
        """Return the body, and after that wait for the end."""
        body, self._body = self._body, None
        if isinstance(body, Refused):
            raise body
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        await self.ended.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Write a part of the answer, once the client has read what was before."""
        connection = self._connection
        if not connection.writable.is_set():
            await connection.writable.wait()
        if self._complete or connection.transport.is_closing():
            return
        if message["type"] == "http.response.start":
            self._start(message["status"], message["headers"])
            return
        body, last = message.get("body", b""), not message.get("more_body", False)
        if self.chunked:
            chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
            await self._write(chunk + b"0\r\n\r\n" if last else chunk)
        elif self._left:
            self._left -= len(body)
            await self._write(body)
        if last:
            self._complete = True
            self.ended.set()
            if self._left:
                connection.transport.abort()
            connection.answered(self)

    def _start(self, status: int, headers: Sequence[Header]) -> None:
        """Write the status and the headers."""
        lines = lines_of(headers)
        if lines.count(b"\n") != len(headers) or lines.count(b"\r") != len(headers):
            raise ValueError("a header has more than one line")
        parts = [STATUS_LINES[status], self._connection.shared.date(), lines]
        if not self.keep_alive:
            parts.append(CLOSE)
        if not self._bodiless and status not in (204, 304):
            length = next((value for name, value in headers if name == b"content-length"), None)
            if length is None:
                self.chunked = True
                parts.append(b"transfer-encoding: chunked\r\n")
            else:
                self._left = int(length)
        parts.append(b"\r\n")
        self._connection.transport.write(b"".join(parts))
        if self._connection.shared.closing:
            self._connection.shutdown()

    async def _write(self, data: bytes) -> None:
        """Write in pieces, so that a slow client has time for each."""
        connection = self._connection
        for at in range(0, len(data), PIECE_BYTES):
            if at:
                await connection.writable.wait()
            if connection.transport.is_closing():
                return
            connection.transport.write(data[at : at + PIECE_BYTES])
