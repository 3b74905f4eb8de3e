"""The headers of every answer, and refusals as JSON or as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape

from zerosum.web.refusals import STATUS, Refused

Header = tuple[bytes, bytes]
Page = Callable[[int, str, str], str]

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
# Pictures carry their own styles, but run and load nothing.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
FEATURES = ", ".join(
    f"{name}=()"
    for name in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "serial",
        "usb",
    )
)
SECURITY: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    # Keep links to matches private. Not `no-referrer`: browsers would then send
    # `Origin: null` with forms, and the origin could not be checked.
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", FEATURES.encode()),
)
PAGE_SECURITY = ((b"content-security-policy", POLICY.encode()), *SECURITY)
PICTURE_SECURITY = ((b"content-security-policy", PICTURE_POLICY.encode()), *SECURITY)
HTTPS_ONLY = (b"strict-transport-security", b"max-age=15552000")
FIXED = frozenset(name for name, _ in (*PAGE_SECURITY, HTTPS_ONLY))
NO_STORE = (b"cache-control", b"no-store")

CODES = {
    400: ("malformed", "The request could not be read; nothing was changed."),
    403: ("origin", "This is not allowed; nothing was changed."),
    404: ("no_page", "This page does not exist. The games are at /."),
    405: ("method", "This address does not accept {method}{allow}."),
    408: ("slow", "The request took too long to arrive; nothing was changed."),
    413: ("too_large", "The request is too large; nothing was changed."),
    414: ("too_large", "The address is too long."),
    415: ("media_type", "The body has an unsupported content type; nothing was changed."),
    429: ("too_many", "Too many requests; nothing was changed."),
    431: ("too_large", "The headers are too large; nothing was changed."),
    500: (
        "error",
        "Something went wrong on the server. Confirmed moves are safe; please try again.",
    ),
}


def with_security(headers: Iterable[Header], path: str, status: int, https: bool) -> list[Header]:
    """Add the headers that every answer carries."""
    kept = []
    picture = cached = False
    for name, value in headers:
        name = name.lower()
        if name in FIXED:
            continue
        picture = picture or (name == b"content-type" and value.startswith(b"image/svg+xml"))
        cached = cached or name == b"cache-control"
        kept.append((name, value))
    if not cached and (status >= 400 or path == "/m" or path.startswith(("/m/", "/api/"))):
        kept.append(NO_STORE)
    kept += PICTURE_SECURITY if picture else PAGE_SECURITY
    if https:
        kept.append(HTTPS_ONLY)
    return kept


def header(headers: Iterable[Header], wanted: bytes) -> bytes:
    """Return a header of an answer, or nothing."""
    return next((value for name, value in headers if name.lower() == wanted), b"")


def usual(status: int, method: str = "", allow: bytes = b"") -> Refused:
    """Return the refusal for a bare status code."""
    code, message = CODES.get(status, CODES[400])
    takes = f"; it accepts {allow.decode('latin-1')}" if allow else ""
    return Refused(code, message.format(method=method, allow=takes))


def prefers_html(accept: bytes) -> bool:
    """Return whether an Accept header prefers a page to JSON.

    >>> prefers_html(b"text/html,application/xml;q=0.9,*/*;q=0.8"), prefers_html(b"*/*")
    (True, False)
    """
    best = {"text/html": 0.0, "application/json": 0.0, "*/*": 0.0}
    for part in accept.decode("latin-1").lower().split(","):
        kind, *parameters = (word.strip() for word in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    weight = float(parameter[2:])
                except ValueError:
                    weight = 0.0
        if kind in best:
            best[kind] = max(best[kind], weight)
    page = best["text/html"]
    return page > best["application/json"] and page >= best["*/*"]


def refusal(
    refused: Refused, status: int = 0, page: Page | None = None, more: Sequence[Header] = ()
) -> tuple[int, list[Header], bytes]:
    """Render a refusal, as a page if `page` is given, else as JSON."""
    status = status or STATUS.get(refused.code, 500)
    if page is not None:
        kind, text = b"text/html; charset=utf-8", page(status, refused.code, refused.message)
    else:
        kind, text = b"application/json", json.dumps(refused.document(), ensure_ascii=False)
    body = text.encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *more]
    if "retry" in refused.more:
        headers.append((b"retry-after", b"%d" % refused.more["retry"]))
    return status, headers, body


def plain_page(status: int, code: str, message: str) -> str:
    """Render a minimal error page, for use without the templates.

    >>> plain_page(404, "no_page", "There is no such page.").count("404")
    2
    """
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{status} · Zerosum</title>'
        f'<main><h1>{status}</h1><p>{escape(message)}</p><p><a href="/">All games</a></p></main>'
        f"</html>\n"
    )
