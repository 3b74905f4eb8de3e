"""The middleware around the application: what it admits, and what every answer carries."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from zerosum.web.http.client import check, client_address
from zerosum.web.http.log import log, log_request, short_path
from zerosum.web.http.rates import Rates
from zerosum.web.http.responses import Header, Page, refusal, refusal_for, with_security
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

READING = b"GET, HEAD"  # what static files accept


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
        await _Exchange(self, scope, send).run(receive)


class _Exchange:
    """One request and its answer."""

    def __init__(self, guard: Guard, scope: Scope, send: Send) -> None:
        """Take over a request from the server."""
        self._guard, self._scope, self._send = guard, scope, send
        self._method: str = scope["method"]
        self._headers = dict(scope["headers"])
        self._client = "-"
        self._status = 0
        self._muted = False  # nothing more from the application is passed on

    async def run(self, receive: Receive) -> None:
        """Answer the request, or refuse it; nothing is raised."""
        begun = time.perf_counter()
        try:
            self._admit()
            await self._guard.app(self._scope, receive, self.send)
            if not self._status:
                raise RuntimeError("the application gave no proper answer")
        except Refused as refused:
            await self._refuse(refused)
        except Exception:
            log.exception("%s %s failed", self._method, short_path(self._scope["path"]))
            await self._refuse(refusal_for(500))
        finally:
            spent = time.perf_counter() - begun
            log_request(self._method, self._scope["path"], self._status, spent, self._client)

    def _admit(self) -> None:
        """Check the request, and tell the application who is calling."""
        scope, headers, settings = self._scope, self._headers, self._guard.settings
        self._client = client_address(scope["client"][0], headers, settings.trust_proxy)
        self._guard.rates.charge(self._client, "requests")
        host, scheme = check(scope, headers, settings)
        scope["scheme"] = scheme = scheme or scope["scheme"]
        scope["state"] = {"client": self._client, "origin": f"{scheme}://{host}"}
        name = host.encode("latin-1")
        if name != headers.get(b"host"):
            own = [header for header in scope["headers"] if header[0] != b"host"]
            scope["headers"] = [(b"host", name), *own]
        if self._method == "HEAD":
            scope["method"] = "GET"  # the body is left out below

    async def send(self, message: Message) -> None:
        """Pass on the application's answer, with the headers every answer carries."""
        if self._muted:
            return
        if message["type"] != "http.response.start":
            await self._send(message)
            return
        status, headers = message["status"], message["headers"]
        if status >= 400:
            found = dict(headers)
            if found.get(b"content-type", b"text/plain").startswith(b"text/plain"):
                # A library's, not ours.
                self._muted = True
                if status < 500:
                    allow = found.get(b"allow", READING).decode() if status == 405 else ""
                    await self._refuse(refusal_for(status, self._method, allow), status)
                return
        await self._begin(status, headers)

    async def _begin(self, status: int, headers: Iterable[Header]) -> None:
        """Send the status and headers of the answer; for HEAD, that is all of it."""
        scope = self._scope
        full = with_security(headers, scope["path"], status, scope["scheme"] == "https")
        await self._send({"type": "http.response.start", "status": status, "headers": full})
        self._status = status
        if self._method == "HEAD":
            self._muted = True
            await self._send({"type": "http.response.body", "body": b""})

    async def _refuse(self, refused: Refused, status: int = 0) -> None:
        """Answer with a refusal; an answer already begun is cut off, never completed."""
        self._muted = True
        if not self._status:
            accept = self._headers.get(b"accept", b"")
            page, path = self._guard.page, self._scope["path"]
            status, headers, body = refusal(refused, accept, page, status, path)
            await self._begin(status, headers)
            if self._method != "HEAD":
                await self._send({"type": "http.response.body", "body": body})
