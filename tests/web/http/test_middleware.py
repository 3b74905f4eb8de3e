"""The guard: methods, headers, paths, bodies and rates."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.asgi import Answer, ask
from tests.web.echoing import HERE, app
from zerosum.web.http.middleware import Guard

# Methods, headers, paths


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND", "QUERY"])
def test_unknown_methods_are_refused(method: str) -> None:
    answer = ask(app(), "/", method)
    assert (answer.status, answer.error["code"]) == (405, "method")
    assert answer.header("allow") == "GET, HEAD, POST"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
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


def test_too_many_headers_are_refused() -> None:
    many = [HERE, *((f"x-{number}", "1") for number in range(20))]
    assert ask(app(), headers=many).status == 200
    answer = ask(app(header_lines=20), headers=many)
    assert (answer.status, answer.error["code"]) == (400, "malformed")


def test_too_long_path_is_refused() -> None:
    assert ask(app(path_letters=30), f"/m/{'a' * 21}/state").status == 200
    answer = ask(app(path_letters=30), f"/m/{'a' * 22}/state")
    assert (answer.status, answer.error["code"]) == (404, "no_page")
    assert "30" in answer.error["message"]


def test_null_character_is_refused() -> None:
    assert ask(app(), "/m/a\x00b/state").error["code"] == "malformed"
    assert ask(app(), "/?state=%00").error["code"] == "malformed"


def test_compressed_body_is_refused() -> None:
    answer = ask(app(), "/", "POST", [HERE, ("content-encoding", "gzip")], [b"x"])
    assert (answer.status, answer.error["code"]) == (415, "media_type")
    answer = ask(app(), "/", "POST", [HERE, ("content-encoding", "identity")], [b"x"])
    assert answer.status == 200


# Bodies


@pytest.mark.parametrize("announced", [True, False])
def test_too_large_body_is_refused(announced: bool) -> None:
    guard = app(body_bytes=10)
    assert ask(guard, "/", "POST", [HERE], [b"12345", b"67890"], announced=announced).status == 200
    answer = ask(guard, "/", "POST", [HERE], [b"12345", b"678901"], announced=announced)
    assert (answer.status, answer.error["code"]) == (413, "too_large")
    assert "10 bytes" in answer.error["message"]
    answer = ask(guard, "/", "GET", [HERE], [b"12345", b"678901"], announced=announced)
    assert answer.status == 413, "of whatever method"


def test_announced_too_large_body_is_refused_at_once() -> None:
    waited = [HERE, ("expect", "100-continue"), ("content-length", "9" * 30)]
    answer = ask(app(), "/", "POST", waited)
    assert (answer.status, answer.error["code"]) == (413, "too_large")
    assert answer.header("connection") == "close"


def test_slow_body_times_out() -> None:
    guard = app(body_seconds=0.05)
    assert ask(guard, "/", "POST", [HERE], [b"1", 0.01, b"2"]).status == 200
    dribble: list[bytes | float] = [0.02, b"1"]
    answer = ask(guard, "/", "POST", [HERE], dribble * 200, announced=False)
    assert (answer.status, answer.error["code"]) == (408, "slow")
    assert answer.header("connection") == "close"


def counted(guard: Guard, parts: list[bytes | float], announced: bool = True) -> tuple[Answer, int]:
    """Post, and count how much of the body was taken."""
    size = 0

    async def counting(scope: Any, receive: Any, send: Any) -> None:
        async def taken() -> Any:
            nonlocal size
            message = await receive()
            size += len(message["body"])
            return message

        await guard(scope, taken, send)

    return ask(counting, "/", "POST", [HERE], parts, announced=announced), size


def test_refused_body_is_drained() -> None:
    answer, size = counted(app(body_bytes=10), [b"x" * 1000] * 5)
    assert (answer.status, answer.header("connection"), size) == (413, None, 5000)


def test_slow_body_is_not_drained() -> None:
    dribble: list[bytes | float] = [0.02, b"1"]
    answer, size = counted(app(body_seconds=0.05), dribble * 1000, announced=False)
    assert (answer.status, size < 50) == (408, True)


def test_client_leaving_while_sending_is_not_an_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert ask(app(), "/", "POST", [HERE], [b"1", None]).status == 0
    assert "ERROR" not in caplog.text


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
