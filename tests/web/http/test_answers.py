"""The guard: what every answer carries, how streams end, and what the log holds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.web.asgi import Answer, Header, ask, asked
from zerosum.web.http.limits import Limits
from zerosum.web.http.log import start_log, stop_log
from zerosum.web.http.middleware import Guard, guarded
from zerosum.web.settings import Settings

HERE: Header = ("host", "localhost")
OPEN = Settings("", host="0.0.0.0")
MATCH = "abcdefghijklmnopqrstuvwxyz"


async def page(request: Request) -> Response:
    return HTMLResponse("<p>hello", headers={"Set-Cookie": "seat=secret"})


async def daring(request: Request) -> Response:
    loose = {"Content-Security-Policy": "default-src *", "X-Frame-Options": "ALLOWALL"}
    return HTMLResponse("<p>hello", headers={**loose, "Cache-Control": "max-age=60"})


async def picture(request: Request) -> Response:
    return Response("<svg/>", media_type="image/svg+xml")


async def document(request: Request) -> Response:
    return JSONResponse({"body": (await request.body()).decode()})


async def beats(request: Request) -> Response:
    async def news() -> AsyncIterator[bytes]:
        yield b"data: 1\n\n"
        await asyncio.Event().wait()

    return StreamingResponse(news(), media_type="text/event-stream")


def app(settings: Settings = OPEN) -> Guard:
    routes = [
        Route("/", page),
        Route("/daring", daring),
        Route("/m", document, methods=["POST"]),
        Route("/m/{id}", page),
        Route("/m/{id}/daring", daring),
        Route("/m/{id}/events", beats),
        Route("/api/games", document),
        Route("/api/map.svg", picture),
        Route("/static/{file}", page),
    ]
    return guarded(Starlette(routes=routes), settings)


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
    behind = Settings("", trust_proxy=True)
    secure = ask(app(behind), headers=[HERE, ("x-forwarded-proto", "https")])
    assert secure.header("strict-transport-security")
    for settings in (OPEN, behind):
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
        ask(guarded(Starlette(routes=[Route("/max", page)]), OPEN), "/max").header("cache-control")
        is None
    )


# Streams


async def stopped(guard: Guard, *, after: float = 0.05, **request: Any) -> Answer:
    """Ask, and stop the guard in the middle."""
    asking = asyncio.create_task(asked(guard, **request))
    await asyncio.sleep(after)
    assert not asking.done()
    guard.stop()
    return await asking


def test_stream_ends_at_once_on_stop() -> None:
    guard = app()
    answer = asyncio.run(stopped(guard, path="/m/x/events", headers=[HERE]))
    assert (answer.status, answer.body) == (200, b"data: 1\n\n")
    assert not guard.held


def test_stop_does_not_wait_for_a_body() -> None:
    guard = app()
    answer = asyncio.run(
        stopped(guard, path="/m", method="POST", headers=[HERE], parts=[b"1", 1000.0, b"2"])
    )
    assert (answer.status, answer.error["code"]) == (408, "slow")


def test_stream_opened_while_stopping_ends() -> None:
    guard = app()
    guard.stop()
    assert ask(guard, "/m/x/events").status == 200


def test_head_of_a_stream_is_not_a_stream() -> None:
    answer = ask(app(), "/m/x/events", "HEAD")
    assert (answer.status, answer.body) == (200, b"")


# The log


class Log:
    """The lines of the log."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    @property
    def text(self) -> str:
        """The text logged since the last time."""
        return self.capsys.readouterr().err

    @property
    def lines(self) -> list[str]:
        """Its lines since the last time, without their times."""
        found = self.text.splitlines()
        for line in found:
            assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line), line
        return [line.partition(" ")[2] for line in found]


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[Log]:
    start_log(quiet=False)
    yield Log(capsys)
    stop_log()


def test_log_line_has_request_and_result(log: Log) -> None:
    ask(app(), f"/m/{MATCH}", client="192.0.2.9")
    (line,) = log.lines
    assert line.startswith("GET /m/abcdef 200 ")
    assert line.endswith("ms 192.0.2.9")


def test_log_never_reveals_a_match_id(log: Log) -> None:
    secrets = [MATCH[:7], "tokentoken", "querying", "keykeykey", "secret"]
    headers = [HERE, ("cookie", "seat=tokentoken"), ("authorization", "tokentoken")]
    query = "?key=querying"
    ask(app(), f"/m/{MATCH}{query}", headers=headers)
    ask(app(), f"/m/{MATCH}/nothing{query}", headers=headers)
    ask(app(), f"/x/{MATCH}", headers=headers)
    ask(app(), f"/m/{MATCH[:12]}", headers=headers)
    ask(app(), "/m", "POST", headers, [b'{"key": "keykeykey"}'])
    ask(app(), "/m", "POST", [*headers, ("origin", "http://secret")], [b"keykeykey"])
    text = log.text
    assert len(text.splitlines()) == 6
    for secret in secrets:
        assert secret not in text


def test_path_cannot_inject_log_lines(log: Log) -> None:
    ask(app(), "/x\n2026 GET / 200\x1b[2J" + "/é" * 300)
    (line,) = log.lines
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < 1000


def test_successful_static_requests_are_not_logged(log: Log) -> None:
    ask(app(), "/static/x")
    assert log.lines == []
    ask(app(), "/static/x/y")
    assert len(log.lines) == 1


def test_quiet_server_logs_only_errors(log: Log) -> None:
    start_log(quiet=True)

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError

    ask(app(), "/")
    assert log.lines == []
    ask(guarded(broken, OPEN))
    text = log.text
    assert "GET / failed\nTraceback" in text
    assert text.endswith("ValueError\n")


def test_client_gone_before_the_answer_is_logged(log: Log) -> None:
    ask(app(), "/m", "POST", [HERE], [b"1", None])
    (line,) = log.lines
    assert line.startswith("POST /m - ")


# Starting


def test_startup_failure_is_remembered() -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "lifespan.startup.failed", "message": "Traceback"})
        raise OSError("no disk")

    async def start() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "lifespan.startup"}

        async def send(message: Any) -> None:
            sent.append(message)

        guard = guarded(failing, Settings("", limits=Limits()))
        with pytest.raises(OSError, match="no disk"):
            await guard({"type": "lifespan"}, receive, send)
        assert isinstance(guard.failure, OSError)
        return sent

    assert asyncio.run(start()) == [{"type": "lifespan.startup.failed"}]
