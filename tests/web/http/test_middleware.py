"""The middleware: methods, headers, paths, rates, errors, and what every answer carries."""

from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Router

from tests.web.http.asgi import HERE, OPEN, PROXIED, app, ask
from zerosum.errors import GameError, MatchError, StoreError
from zerosum.web.http.middleware import Guard

# Methods, headers, paths


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "QUERY"]
)
def test_unsupported_methods_are_refused(method: str) -> None:
    answer = ask(app(), "/", method)
    assert (answer.status, answer.error["code"]) == (405, "method")
    assert set((answer.header("allow") or "").split(", ")) == {"GET", "HEAD", "POST"}
    assert method in answer.error["message"]


@pytest.mark.parametrize(
    "name", ["host", "origin", "content-type", "content-length", "sec-fetch-site"]
)
def test_duplicate_critical_headers_are_refused(name: str) -> None:
    answer = ask(app(), headers=[HERE, (name, "0"), (name, "0")])
    assert (answer.status, answer.error["code"]) == (400, "malformed")
    assert ask(app(), headers=[HERE, ("accept", "a/b"), ("accept", "c/d")]).status == 200


# Rates


def test_requests_are_counted_by_client() -> None:
    guard = app(requests_per_minute=3)
    assert [ask(guard, headers=[HERE]).status for _ in range(4)] == [200, 200, 200, 429]
    answer = ask(guard, headers=[HERE])
    assert answer.error["code"] == "too_many"
    assert 1 <= int(answer.header("retry-after") or 0) <= 20
    assert ask(guard, headers=[HERE], client="192.0.2.2").status == 200
    assert ask(guard, headers=[], client="192.0.2.3").status == 400
    refused = [ask(guard, headers=[], client="192.0.2.3").status for _ in range(3)]
    assert refused == [400, 400, 429], "what is refused counts too"


# What goes wrong inside is answered, and shows nothing


@pytest.mark.parametrize("error", [ValueError, KeyError, GameError, StoreError, MatchError])
def test_own_bug_is_a_500_logged_once_and_reveals_nothing(
    error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    async def bug(scope: Any, receive: Any, send: Any) -> None:
        raise error("the secret")

    for inner in (bug, Router([Mount("/", bug)])):
        caplog.clear()
        answer = ask(Guard(inner, OPEN))
        assert (answer.status, answer.error["code"]) == (500, "error")
        assert b"secret" not in answer.body
        assert caplog.text.count("Traceback") == 1


def test_browsers_get_an_error_page() -> None:
    def page(status: int, code: str, message: str, path: str) -> str:
        return f"<p>{status} {code}"

    guard = Guard(Router(), OPEN, page=page)
    accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    answer = ask(guard, "/nothing", headers=[HERE, accept])
    assert (answer.status, answer.header("content-type")) == (404, "text/html; charset=utf-8")
    assert answer.body == b"<p>404 no_page"
    for wanted in ("application/json", "*/*", "text/html;q=0.1, application/json", "", "q=x"):
        assert ask(guard, "/nothing", headers=[HERE, ("accept", wanted)]).error


async def breaking(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a part", "more_body": True})
    raise ValueError("in the middle")


def test_partial_answer_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(AssertionError, match="the answer has no end"):
        ask(Guard(breaking, OPEN))
    assert "in the middle" in caplog.text


def test_head_works_like_get() -> None:
    answer = ask(app(), "/", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.header("content-length") or 0) > 0
    assert ask(app(), "/nothing", "HEAD").body == b""

    async def bare(scope: Any, receive: Any, send: Any) -> None:
        assert scope["method"] == "GET"
        await PlainTextResponse("hello")(scope, receive, send)

    answer = ask(Guard(bare, OPEN), "/", "HEAD")
    assert (answer.status, answer.body, answer.header("content-length")) == (200, b"", "5")


# What every answer carries

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
    for settings, proto in ((OPEN, "http"), (OPEN, "https"), (PROXIED, "http"), (PROXIED, "x")):
        answer = ask(app(settings), headers=[HERE, ("x-forwarded-proto", proto)])
        assert answer.header("strict-transport-security") is None


def test_matches_and_documents_are_not_cached() -> None:
    for path in ("/m/x", "/m/x/nothing", "/api/map.svg", "/nothing"):
        assert ask(app(), path).header("cache-control") == "no-store"
    for path in ("/", "/static/x", "/max"):  # not everything that begins with m is a match
        assert ask(app(), path).header("cache-control") is None
    assert ask(app(), "/m/x/daring").header("cache-control") == "max-age=60"
