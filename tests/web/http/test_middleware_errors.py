"""The guard: what goes wrong inside is answered, and shows nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse

from tests.web.asgi import ask
from tests.web.echoing import HERE, OPEN, app
from zerosum.web.http.middleware import guarded


def test_unknown_route_is_a_typed_error() -> None:
    answer = ask(app(), "/nothing")
    assert (answer.status, answer.error["code"]) == (404, "no_page")


def test_uncaught_refusal_is_answered() -> None:
    answer = ask(app(), "/late")
    assert (answer.status, answer.error["code"], answer.error["ply"]) == (409, "stale", 4)


def test_failure_is_logged_and_reveals_nothing(caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(app(), "/broken")
    assert (answer.status, answer.error["code"]) == (500, "error")
    assert b"secret" not in answer.body
    assert "Traceback" in caplog.text
    assert "the secret" in caplog.text


async def silent(scope: Any, receive: Any, send: Any) -> None:
    return


async def stammering(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b"Traceback"})


@pytest.mark.parametrize("inner", [silent, stammering])
def test_missing_answer_becomes_an_error(inner: Any, caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(guarded(inner, OPEN))
    assert (answer.status, answer.error["code"]) == (500, "error")
    assert "gave no proper answer" in caplog.text


async def honest(scope: Any, receive: Any, send: Any) -> None:
    await JSONResponse({"error": {"code": "x", "message": "Later."}}, 503)(scope, receive, send)


def test_proper_error_answers_are_passed_on() -> None:
    answer = ask(guarded(honest, OPEN))
    assert (answer.status, answer.error["code"]) == (503, "x")


def test_browsers_get_an_error_page() -> None:
    accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    answer = ask(app(), "/nothing", headers=[HERE, accept])
    assert (answer.status, answer.header("content-type")) == (404, "text/html; charset=utf-8")
    assert b"<h1>404</h1>" in answer.body
    for wanted in ("application/json", "*/*", "text/html;q=0.1, application/json", "", "q=x"):
        assert ask(app(), "/nothing", headers=[HERE, ("accept", wanted)]).error


def test_custom_error_page_is_used() -> None:
    def page(status: int, code: str, message: str) -> str:
        return f"<p>{status} {code}"

    guard = guarded(Starlette(), OPEN, page=page)
    answer = ask(guard, "/nothing", headers=[HERE, ("accept", "text/html")])
    assert answer.body == b"<p>404 no_page"


def test_failing_error_page_falls_back_to_json(caplog: pytest.LogCaptureFixture) -> None:
    def page(status: int, code: str, message: str) -> str:
        raise KeyError("no template")

    guard = guarded(Starlette(), OPEN, page=page)
    answer = ask(guard, "/nothing", headers=[HERE, ("accept", "text/html")])
    assert (answer.status, answer.error["code"]) == (404, "no_page")
    assert "no template" in caplog.text


async def breaking(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a part", "more_body": True})
    raise ValueError("in the middle")


def test_partial_answer_is_cut_off(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(AssertionError, match="the answer has no end"):
        ask(guarded(breaking, OPEN))
    assert "in the middle" in caplog.text


def test_head_works_like_get() -> None:
    answer = ask(app(), "/", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.header("content-length") or 0) > 0
    assert ask(app(), "/nothing", "HEAD").body == b""

    async def bare(scope: Any, receive: Any, send: Any) -> None:
        assert scope["method"] == "GET"
        await PlainTextResponse("hello")(scope, receive, send)

    answer = ask(guarded(bare, OPEN), "/", "HEAD")
    assert (answer.status, answer.body, answer.header("content-length")) == (200, b"", "5")


def test_websocket_is_closed() -> None:
    async def talk() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            raise AssertionError

        async def send(message: Any) -> None:
            sent.append(message)

        await app()({"type": "websocket"}, receive, send)
        return sent

    assert asyncio.run(talk()) == [{"type": "websocket.close", "code": 1008}]
