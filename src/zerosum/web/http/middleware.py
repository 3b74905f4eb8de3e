"""The middleware around the application: what it admits, and what every answer carries."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from zerosum.web.http.answers import Header, Page, refusal, too_large, usual, with_security
from zerosum.web.http.client import check, client_address
from zerosum.web.http.log import TROUBLE, log_request, short_path
from zerosum.web.http.rates import Rates
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALLOW = (b"allow", b"GET, HEAD, POST")


class Guard:
    """The outermost application; `page` renders errors for people."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        rates: Rates | None = None,
        page: Page | None = None,
    ) -> None:
        """Guard an application."""
        self.app = app
        self.settings = settings
        self.rates = rates or Rates(settings.limits)
        self.page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await _Exchange(self, scope, receive, send).run()


class _Exchange:
    """One request and its answer."""

    def __init__(self, guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        """Take over a request from the server."""
        self._guard = guard
        self._scope = scope
        self._receive = receive
        self._send = send
        self._method: str = scope["method"]
        self._headers: dict[bytes, bytes] = {}
        self._body: Message | None = None
        self._client = "-"
        self._https = False
        self._status = 0
        self._muted = False  # nothing more from the application is passed on

    async def run(self) -> None:
        """Answer the request, or refuse it; nothing is raised."""
        begun = time.perf_counter()
        try:
            self._admit()
            await self._read()
            await self._guard.app(self._scope, self.receive, self.send)
        except Refused as refused:
            await self._refuse(refused)
        except Exception as error:
            self._report("failed", error)
            await self._refuse(usual(500))
        else:
            if not self._status:
                self._report("gave no proper answer", None)
                await self._refuse(usual(500))
        finally:
            spent = time.perf_counter() - begun
            log_request(self._method, self._scope["path"], self._status, spent, self._client)

    def _admit(self) -> None:
        """Check everything but the body, and tell the application who is calling."""
        scope, guard = self._scope, self._guard
        headers = self._headers = dict(scope["headers"])
        peer = scope["client"][0] if scope["client"] else ""
        self._client = client_address(peer, headers, guard.settings.trust_proxy)
        guard.rates.charge(self._client, "requests")
        host, scheme = check(scope, headers, guard.settings)
        self._https = scheme == "https"
        scope["scheme"] = scheme = scheme or scope["scheme"]
        scope["state"] = {"client": self._client, "origin": f"{scheme}://{host}"}
        name = host.encode("latin-1")
        if name != headers.get(b"host"):
            own = [header for header in scope["headers"] if header[0] != b"host"]
            scope["headers"] = [(b"host", name), *own]
        if self._method == "HEAD":
            scope["method"] = "GET"  # the body is dropped below

    async def _read(self) -> None:
        """Read the whole body before the application starts; it is small."""
        if b"content-length" not in self._headers and b"transfer-encoding" not in self._headers:
            return
        most = self._guard.settings.limits.body_bytes
        body, more = b"", True
        while more:
            message = await self._receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                raise too_large(most)
        self._body = {"type": "http.request", "body": body, "more_body": False}

    async def receive(self) -> Message:
        """Hand the application the body, and later the client's disconnect."""
        if self._body is not None:
            body, self._body = self._body, None
            return body
        return await self._receive()

    async def send(self, message: Message) -> None:
        """Pass on the application's answer, with the headers every answer carries."""
        if self._muted:
            return
        if message["type"] != "http.response.start":
            await self._send(message)
            return
        status: int = message["status"]
        headers = message["headers"]
        if status >= 400:
            found = dict(headers)
            kind = found.get(b"content-type", b"text/plain")
            if kind.startswith(b"text/plain"):  # a library's, not ours
                self._muted = True
                if status < 500:
                    allow = found.get(b"allow", b"").decode("latin-1")
                    more = [(b"allow", allow.encode())] if allow else []
                    await self._refuse(usual(status, self._method, allow), status, more)
                return
        await self._begin(status, headers)
        if self._method == "HEAD":
            self._muted = True
            await self._finish(b"")

    async def _begin(self, status: int, headers: Iterable[Header]) -> None:
        """Send the status and headers of the answer."""
        full = with_security(headers, self._scope["path"], status, self._https)
        await self._send({"type": "http.response.start", "status": status, "headers": full})
        self._status = status

    async def _finish(self, body: bytes) -> None:
        """Send the whole body of the answer."""
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def _refuse(self, refused: Refused, status: int = 0, more: Sequence[Header] = ()) -> None:
        """Answer with a refusal; an answer already begun is cut off, never completed."""
        self._muted = True
        if self._status:
            return
        if refused.code == "method" and not more:
            more = [ALLOW]
        accept = self._headers.get(b"accept", b"")
        status, headers, body = refusal(refused, accept, self._guard.page, more, status)
        await self._begin(status, headers)
        await self._finish(b"" if self._method == "HEAD" else body)

    def _report(self, what: str, error: Exception | None) -> None:
        """Log what went wrong."""
        path = short_path(self._scope["path"])
        TROUBLE.error("%s %s %s", self._method, path, what, exc_info=error)
