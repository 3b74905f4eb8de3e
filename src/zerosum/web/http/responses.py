"""The headers of every answer, and refusals as JSON or as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from zerosum.web.http.log import log
from zerosum.web.refusals import STATUS, Refused

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

# Details of a refusal that are headers too.
DETAILS = (("retry", b"retry-after"), ("allow", b"allow"))
CODES = {
    400: ("malformed", "The request could not be read; nothing was changed."),
    404: ("no_page", "This page does not exist. The games are at /."),
    405: ("method", "This address does not accept {method}; it accepts {allow}."),
    408: ("slow", "The request took too long to arrive; nothing was changed."),
    431: ("too_large", "The headers are too large; nothing was changed."),
    500: (
        "error",
        "Something went wrong on the server. Confirmed moves are safe; please try again.",
    ),
}


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
    if not cached and (status >= 400 or path.startswith(("/m/", "/api/")) or path == "/m"):
        kept.append(NO_STORE)
    kept += security
    if https:
        kept.append(HTTPS_ONLY)
    return kept


def refusal_for(status: int, method: str = "", allow: str = "") -> Refused:
    """Return the refusal for a bare status code."""
    code, message = CODES.get(status, CODES[400])
    more = {"allow": allow} if allow else {}
    return Refused(code, message.format(method=method, allow=allow), **more)


def too_large(most: int) -> Refused:
    """Return the refusal of a body that is too large."""
    return Refused("too_large", f"The body must be at most {most} bytes; nothing was changed.")


def prefers_html(accept: bytes) -> bool:
    """Return whether an Accept header prefers a page to JSON, as every browser's does.

    >>> prefers_html(b"text/html,application/xml;q=0.9,*/*;q=0.8"), prefers_html(b"*/*")
    (True, False)
    """
    return accept.partition(b",")[0].strip().lower() == b"text/html"


def refusal(
    refused: Refused,
    accept: bytes = b"",
    page: Page | None = None,
    status: int = 0,
    path: str = "",
) -> tuple[int, list[Header], bytes]:
    """Render a refusal: as a page if the client prefers one, else as JSON."""
    status = status or STATUS.get(refused.code, 500)
    kind, body = b"application/json", b""
    if page is not None and prefers_html(accept):
        try:
            body = page(status, refused.code, refused.message, path).encode()
            kind = b"text/html; charset=utf-8"
        except Exception:
            log.exception("The error page failed.")
    body = body or msgspec.json.encode(refused.document())
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    for detail, name in DETAILS:
        if detail in refused.more:
            headers.append((name, str(refused.more[detail]).encode()))
    return status, headers, body
