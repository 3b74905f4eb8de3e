"""The middleware: what it admits, what every answer carries, and refusals as JSON or a page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect

from zerosum.web.http.log import log, log_request, short_path
from zerosum.web.http.origins import check, client_address
from zerosum.web.http.rates import Rates, Slots
from zerosum.web.refusals import Refused
from zerosum.web.settings import ServerSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

T = TypeVar("T")
Header = tuple[bytes, bytes]
Page = Callable[[int, str, str, str], str]

POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    b"connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; "
    b"base-uri 'none'; frame-ancestors 'none'"
)
# Pictures carry their own styles, but run and load nothing.
PICTURE_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
FEATURES = (
    "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi "
    "payment serial usb"
)
SECURITY: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    # Keep links to matches private. Not `no-referrer`: browsers would then send
    # `Origin: null` with forms, and the origin could not be checked.
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{name}=()" for name in FEATURES.split()).encode()),
)
PAGE_SECURITY = ((b"content-security-policy", POLICY), *SECURITY)
PICTURE_SECURITY = ((b"content-security-policy", PICTURE_POLICY), *SECURITY)
HTTPS_ONLY = (b"strict-transport-security", b"max-age=15552000")
FIXED = frozenset(name for name, _ in (*PAGE_SECURITY, HTTPS_ONLY))
NO_STORE = (b"cache-control", b"no-store")
CLOSE = (b"connection", b"close")

# Details of a refusal that are headers too.
DETAILS = (("retry", b"retry-after"), ("allow", b"allow"))
CODES = {
    400: ("malformed", "The request could not be read; nothing was changed."),
    404: ("no_page", "This page does not exist. The games are at /."),
    405: ("method", "This address does not accept {method}; it accepts {allow}."),
    408: ("slow", "The request took too long to arrive; nothing was changed."),
    413: ("too_large", "The body must be at most {most} bytes; nothing was changed."),
    431: ("too_large", "The headers are too large; nothing was changed."),
    500: (
        "error",
        "Something went wrong on the server. Confirmed moves are safe; please try again.",
    ),
}
READING = b"GET, HEAD"  # what static files accept


class Answered(Exception):
    """The answer is complete, whatever the application would still send."""


class Guard:
    """The outermost application; `page` renders errors for people."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        rates: Rates | None = None,
        page: Page | None = None,
    ) -> None:
        """Guard an application; behind a proxy, all connections have its address."""
        self.app, self.settings, self.page = app, settings, page
        limits = settings.limits
        self.rates = rates or Rates(limits)
        most, each = limits.connections_total, limits.connections_per_client
        self.connections = Slots(most if settings.trust_proxy else each, most)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; pass on other events, such as start and stop."""
        if scope["type"] == "http":
            await _Exchange(self, scope, send).run(receive)
        else:
            await self.app(scope, receive, send)


class _Exchange:
    """One request and its answer."""

    def __init__(self, guard: Guard, scope: Scope, send: Send) -> None:
        """Take over a request from the server."""
        # A copy: the server goes by the method of its own, which may be HEAD.
        self._guard, self._scope, self._send = guard, {**scope}, send
        self._method: str = scope["method"]
        self._headers = dict(scope["headers"])
        self._client = "-"
        self._status = 0

    async def run(self, receive: Receive) -> None:
        """Answer the request, or refuse it; nothing is raised."""
        begun = time.perf_counter()
        try:
            self._admit()
            await self._guard.app(self._scope, self._limited(receive), self.send)
            if not self._status:
                raise RuntimeError("the application gave no proper answer")
        except (Answered, ClientDisconnect):
            pass
        except Refused as refused:
            await self._refuse(refused)
        except asyncio.CancelledError:  # the server stops, and has waited long enough
            await self._refuse(refusal_for(500))
            raise
        except Exception:
            log.exception("%s %s failed", self._method, short_path(self._scope["path"]))
            await self._refuse(refusal_for(500))
        finally:
            spent = time.perf_counter() - begun
            log_request(self._method, self._scope["path"], self._status, spent, self._client)

    def _admit(self) -> None:
        """Check the request, and tell the application who is calling."""
        scope, headers, settings = self._scope, self._headers, self._guard.settings
        peer, _ = scope["client"] or ("", 0)  # it may have left already, or use a Unix socket
        self._client = client_address(peer, headers, settings.trust_proxy)
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

    def _limited(self, receive: Receive) -> Receive:
        """Limit the size of the body; how long it may take is the server's business."""
        left = most = self._guard.settings.limits.body_bytes
        if int(self._headers.get(b"content-length", 0)) > most:
            raise refusal_for(413, most=most)

        async def limited() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise refusal_for(413, most=most)
            return message

        return limited

    async def send(self, message: Message) -> None:
        """Pass on the application's answer, with the headers every answer carries."""
        if message["type"] != "http.response.start":
            if self._status:
                await self._send(message)
            return
        status, headers = message["status"], message["headers"]
        if status >= 400:
            found = dict(headers)
            if found.get(b"content-type", b"text/plain").startswith(b"text/plain"):
                # A library's, not ours.
                if status == 405:
                    allow = found.get(b"allow", READING).decode()
                    raise refusal_for(405, method=self._method, allow=allow)
                raise refusal_for(status)
        await self._begin(status, headers)
        if self._method == "HEAD":
            raise Answered

    async def _begin(self, status: int, headers: Iterable[Header]) -> None:
        """Send the status and headers of the answer; for HEAD, that is all of it."""
        scope = self._scope
        full = with_security(headers, scope["path"], status, scope["scheme"] == "https")
        await self._send({"type": "http.response.start", "status": status, "headers": full})
        self._status = status
        if self._method == "HEAD":
            await self._send({"type": "http.response.body", "body": b""})

    async def _refuse(self, refused: Refused) -> None:
        """Answer with a refusal; an answer already begun is cut off, never completed."""
        if self._status:
            return
        accept = self._headers.get(b"accept", b"")
        headers, body = refusal(refused, accept, self._guard.page, self._scope["path"])
        await self._begin(refused.status, headers)
        if self._method != "HEAD":
            await self._send({"type": "http.response.body", "body": body})


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work for a client; cancel it if the client leaves before."""

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    task, leaving = asyncio.create_task(work), asyncio.create_task(leave())
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        leaving.cancel()


def with_security(headers: Iterable[Header], path: str, status: int, https: bool) -> list[Header]:
    """Add the headers that every answer carries."""
    kept = []
    security, cached = PAGE_SECURITY, False
    for header in headers:
        name = header[0]
        if name in FIXED:
            continue
        if name == b"content-type" and header[1].startswith(b"image/svg+xml"):
            security = PICTURE_SECURITY
        elif name == b"cache-control":
            cached = True
        kept.append(header)
    if not cached and (status >= 400 or path.startswith(("/m/", "/api/"))):
        kept.append(NO_STORE)
    kept += security
    if https:
        kept.append(HTTPS_ONLY)
    return kept


def refusal_for(status: int, **named: object) -> Refused:
    """Return the refusal for a bare status code, with what its sentence names."""
    code, message = CODES.get(status, CODES[400])
    allow = {"allow": named["allow"]} if "allow" in named else {}
    refused = Refused(code, message.format(**named), **allow)
    refused.status = status
    return refused


def prefers_html(accept: bytes) -> bool:
    """Return whether an Accept header prefers a page to JSON, as every browser's does.

    >>> prefers_html(b"text/html,application/xml;q=0.9,*/*;q=0.8"), prefers_html(b"*/*")
    (True, False)
    """
    return accept.partition(b",")[0].strip().lower() == b"text/html"


def refusal(
    refused: Refused, accept: bytes, page: Page | None, path: str = ""
) -> tuple[list[Header], bytes]:
    """Render a refusal: as a page if the client prefers one, else as JSON."""
    kind, body = b"application/json", b""
    if page is not None and prefers_html(accept):
        try:
            body = page(refused.status, refused.code, refused.message, path).encode()
            kind = b"text/html; charset=utf-8"
        except Exception:
            log.exception("The error page failed.")
    body = body or msgspec.json.encode(refused.document())
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    for detail, name in DETAILS:
        if detail in refused.more:
            headers.append((name, str(refused.more[detail]).encode()))
    if refused.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return headers, body
