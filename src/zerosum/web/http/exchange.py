"""One request and its answer, between the server and the application."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from zerosum.web.http.answers import Header, header, prefers_html, refusal, usual, with_security
from zerosum.web.http.client import admitted, client_of
from zerosum.web.http.log import TROUBLE, log_request, shown
from zerosum.web.refusals import Refused

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from zerosum.web.http.middleware import Guard

BODILESS = (b"", b"0")
CLOSE = (b"connection", b"close")
ALLOW = (b"allow", b"GET, HEAD, POST")
DISCONNECT = {"type": "http.disconnect"}
# A client refused while it is sending will not read the answer unless we read a bit more.
DRAINED_BYTES = 1 << 20
DRAINED_SECONDS = 2.0


class Exchange:
    """One request and its answer."""

    def __init__(self, guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        """Take over a request from the server."""
        self._guard = guard
        self._scope = scope
        self._receive = receive
        self._send = send
        self._headers: dict[bytes, bytes] = {}
        self._body: bytes | None = None
        self._patience: asyncio.Timeout | None = None
        self._unread = False  # part of the body is still to come
        self.client = ""
        self.https = False
        self.status = 0
        self.started = False  # the answer has begun
        self.finished = False  # the answer is complete
        self.muted = False  # nothing more from the application is passed on
        self.failed = False  # the application reported a failure
        self.ended = False  # the application is told that the client is gone
        self.gone = False  # the client is gone

    async def run(self) -> None:
        """Admit the request and answer it, or refuse it; nothing is raised."""
        begun = time.perf_counter()
        try:
            await self._answered()
        except asyncio.CancelledError:
            if not self._guard.stopping:
                raise
        finally:
            self._guard.held.discard(self)
            scope = self._scope
            spent = time.perf_counter() - begun
            log_request(scope["method"], scope["path"], self.status, spent, self.client)

    async def _answered(self) -> None:
        """Admit the request and answer it."""
        try:
            scope = self._admitted()
            await self._read()
            if self.gone:
                return
            await self._guard.app(scope, self.receive, self.send)
        except Refused as refused:
            await self._refuse(refused)
        except Exception as error:
            if not (self.gone and _is_disconnect(error)):
                self._report(error)
            await self._refuse(usual(500))
        else:
            if self.ended and self.started and not self.finished:
                await self._finish()
            elif self.failed or not (self.finished or self.gone or self.ended):
                self._report(None)
                await self._refuse(usual(500))

    def _admitted(self) -> Scope:
        """Check everything but the body, and return the scope for the application."""
        scope, guard = self._scope, self._guard
        settings = guard.settings
        headers = self._headers = dict(scope["headers"])
        self._unread = _has_body(headers)
        peer = scope["client"][0] if scope.get("client") else ""
        self.client = client_of(peer, headers, settings)
        wait = guard.rates.allow(self.client, "requests")
        if wait:
            seconds = int(wait) + 1
            text = f"Too many requests. Try again in {seconds} s; nothing was changed."
            raise Refused("too_many", text, retry=seconds)
        caller = admitted(scope, self.client, settings)
        self.https = caller.scheme == "https"
        scheme = caller.scheme or scope.get("scheme", "http")
        own = [header for header in scope["headers"] if header[0] != b"host"]
        return {
            **scope,
            # HEAD is answered as GET; the body is dropped below.
            "method": "GET" if scope["method"] == "HEAD" else scope["method"],
            "scheme": scheme,
            "headers": [(b"host", caller.host.encode("latin-1")), *own],
            "state": {
                **scope.get("state", {}),
                "client": self.client,
                "origin": f"{scheme}://{caller.host}",
                "rates": guard.rates,
            },
        }

    async def _read(self) -> None:
        """Read the whole body before the application starts; it is small."""
        if not self._unread:
            return
        limits = self._guard.settings.limits
        told = self._headers.get(b"content-length", b"0")
        if len(told) > 15 or (told.isdigit() and int(told) > limits.body_bytes):
            raise self._too_large()
        parts: list[bytes] = []
        size = 0
        self._guard.held.add(self)
        try:
            async with asyncio.timeout(limits.body_seconds) as self._patience:
                while self._unread:
                    part = await self._part()
                    size += len(part)
                    if size > limits.body_bytes:
                        raise self._too_large()
                    parts.append(part)
        except TimeoutError:
            raise usual(408) from None
        finally:
            self._patience = None
            self._guard.held.discard(self)
        self._body = b"".join(parts)

    async def _part(self) -> bytes:
        """Receive part of the body."""
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.gone = True
            self._unread = False
            return b""
        self._unread = message.get("more_body", False)
        part: bytes = message.get("body", b"")
        return part

    def _too_large(self) -> Refused:
        """Return the refusal of a body that is too large."""
        most = self._guard.settings.limits.body_bytes
        return Refused("too_large", f"The body must be at most {most} bytes; nothing was changed.")

    async def receive(self) -> Message:
        """Hand the application the body, and later the client's disconnect."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        if self.ended or self.gone:
            return DISCONNECT
        try:
            # No limit, but `end` can set one.
            async with asyncio.timeout(None) as self._patience:
                message = await self._receive()
        except TimeoutError:
            return DISCONNECT
        finally:
            self._patience = None
        self.gone = message["type"] == "http.disconnect"
        return message

    def end(self) -> None:
        """Tell the application that the client is gone."""
        self.ended = True
        if self._patience is not None:
            self._patience.reschedule(0.0)

    async def send(self, message: Message) -> None:
        """Pass on the application's answer, with the headers every answer carries."""
        if self.muted:
            return
        if message["type"] == "http.response.start":
            await self._start(message)
            return
        if message["type"] == "http.response.body":
            self.finished = not message.get("more_body", False)
        await self._send(message)

    async def _start(self, message: Message) -> None:
        """Begin an answer; a library's plain error becomes one of ours."""
        status: int = message["status"]
        given: list[Header] = list(message.get("headers", ()))
        kind = header(given, b"content-type")
        plain = not kind or kind.startswith(b"text/plain")
        if status >= 500 and plain:
            self.failed = self.muted = True
        elif status >= 400 and plain:
            allow = header(given, b"allow")
            more = [header for header in given if header[0].lower() in (b"allow", b"retry-after")]
            await self._refuse(usual(status, self._scope["method"], allow), status, more)
        else:
            if kind.startswith(b"text/event-stream"):
                self._guard.held.add(self)
                if self._guard.stopping:
                    self.end()
            await self._begin(status, given)
            if self._scope["method"] == "HEAD":
                self.muted = True
                self.end()
                await self._finish()

    async def _begin(self, status: int, headers: list[Header]) -> None:
        """Send the status and headers of the answer."""
        self.started = True
        self.status = status
        full = with_security(headers, self._scope["path"], status, self.https)
        if self._unread:
            full.append(CLOSE)
        await self._send({"type": "http.response.start", "status": status, "headers": full})

    async def _finish(self, body: bytes = b"") -> None:
        """Send the end of the answer."""
        self.finished = True
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def _refuse(
        self, refused: Refused, status: int = 0, more: list[Header] | None = None
    ) -> None:
        """Answer with a refusal; an answer already begun is cut off, never completed."""
        self.muted = True
        if self.started or self.gone:
            return
        if refused.code != "slow":
            await self._drain()
        page = self._guard.page if prefers_html(self._headers.get(b"accept", b"")) else None
        if more is None:
            more = [ALLOW] if refused.code == "method" else []
        try:
            status, headers, body = refusal(refused, status, page, more)
        except Exception as error:
            self._report(error)
            status, headers, body = refusal(refused, status, None, more)
        await self._begin(status, headers)
        await self._finish(b"" if self._scope["method"] == "HEAD" else body)

    async def _drain(self) -> None:
        """Read what the client still sends, for a while, so that it gets to read the answer."""
        if not self._unread or b"expect" in self._headers or self._guard.stopping:
            return
        size = 0
        try:
            async with asyncio.timeout(DRAINED_SECONDS):
                while self._unread and size < DRAINED_BYTES:
                    size += len(await self._part())
        except TimeoutError:
            return

    def _report(self, error: Exception | None) -> None:
        """Log what went wrong."""
        what = "failed" if error else "gave no proper answer"
        method, path = self._scope["method"], shown(self._scope["path"])
        TROUBLE.error("%s %s %s", method, path, what, exc_info=error)


def _has_body(headers: dict[bytes, bytes]) -> bool:
    """Return whether a body follows."""
    told = headers.get(b"content-length", b"").strip()
    return b"transfer-encoding" in headers or told not in BODILESS


def _is_disconnect(error: Exception) -> bool:
    """Return whether an error only means that the client is gone."""
    from starlette.requests import ClientDisconnect

    return isinstance(error, (ClientDisconnect, OSError))
