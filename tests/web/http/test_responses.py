"""The guard: what every answer carries, how streams end, and what the log holds."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.web.http.asgi import OPEN, PROXIED, ask
from zerosum.web.http.middleware import Guard
from zerosum.web.settings import ServerSettings

HERE = ("host", "localhost")


async def page(request: Request) -> Response:
    return HTMLResponse("<p>hello", headers={"Set-Cookie": "seat=secret"})


async def daring(request: Request) -> Response:
    loose = {"Content-Security-Policy": "default-src *", "X-Frame-Options": "ALLOWALL"}
    return HTMLResponse("<p>hello", headers={**loose, "Cache-Control": "max-age=60"})


async def picture(request: Request) -> Response:
    return Response("<svg/>", media_type="image/svg+xml")


async def document(request: Request) -> Response:
    return JSONResponse({"body": (await request.body()).decode()})


def app(settings: ServerSettings = OPEN) -> Guard:
    routes = [
        Route("/", page),
        Route("/daring", daring),
        Route("/m", document, methods=["POST"]),
        Route("/m/{id}", page),
        Route("/m/{id}/daring", daring),
        Route("/api/games", document),
        Route("/api/map.svg", picture),
        Route("/static/{file}", page),
    ]
    return Guard(Starlette(routes=routes), settings)


EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = {
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
}


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/daring", 200), ("/m/x", 200), ("/nothing", 404), ("/m", 405), ("/\x00", 400)],
)
def test_every_answer_has_security_headers(path: str, status: int) -> None:
    answer = ask(app(), path)
    assert answer.status == status
    for name, value in EVERYWHERE.items():
        assert answer.header(name) == value
    assert set((answer.header("content-security-policy") or "").split("; ")) == POLICY
    assert "camera=()" in (answer.header("permissions-policy") or "")
    assert answer.header("server") is None


def test_pictures_may_only_carry_styles() -> None:
    answer = ask(app(), "/api/map.svg")
    policy = answer.header("content-security-policy") or ""
    assert "default-src 'none'" in policy
    assert "style-src 'unsafe-inline'" in policy
    assert "script" not in policy
    assert answer.header("x-content-type-options") == "nosniff"


def test_hsts_only_over_https() -> None:
    secure = ask(app(PROXIED), headers=[HERE, ("x-forwarded-proto", "https")])
    assert secure.header("strict-transport-security")
    for settings in (OPEN, PROXIED):
        for proto in ("http", "x"):
            answer = ask(app(settings), headers=[HERE, ("x-forwarded-proto", proto)])
            assert answer.header("strict-transport-security") is None
    claimed = ask(app(OPEN), headers=[HERE, ("x-forwarded-proto", "https")])
    assert claimed.header("strict-transport-security") is None


def test_matches_and_documents_are_not_cached() -> None:
    for path in ("/m/x", "/m", "/m/x/nothing", "/api/games", "/api/map.svg", "/nothing"):
        assert ask(app(), path).header("cache-control") == "no-store"
    for path in ("/", "/static/x"):
        assert ask(app(), path).header("cache-control") is None
    assert ask(app(), "/m/x/daring").header("cache-control") == "max-age=60"
    # Not everything that begins so is a match.
    assert (
        ask(Guard(Starlette(routes=[Route("/max", page)]), OPEN), "/max").header("cache-control")
        is None
    )
