"""The guard: what it lets in, by address, name, origin, method, size and time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.web.asgi import Answer, Header, ask
from zerosum.web.errors import Refused
from zerosum.web.guard import Guard, guarded
from zerosum.web.limits import Limits
from zerosum.web.settings import Settings

HERE: Header = ("host", "localhost:8000")
OPEN = Settings("", host="0.0.0.0")
PROXIED = Settings("", trust_proxy=True)


async def echo(request: Request) -> Response:
    """Tell what the application sees."""
    return JSONResponse(
        {
            "client": request.state.client,
            "origin": request.state.origin,
            "url": str(request.url),
            "method": request.method,
            "body": (await request.body()).decode(),
        }
    )


async def late(request: Request) -> Response:
    raise Refused("stale", "The game has gone on.", ply=4)


async def broken(request: Request) -> Response:
    raise ValueError("the secret")


def app(settings: Settings = OPEN, **limits: float) -> Guard:
    changed = settings._replace(limits=Limits(**limits))  # type: ignore[arg-type]
    routes = [
        Route("/", echo, methods=["GET", "POST"]),
        Route("/m/{id}/state", echo),
        Route("/late", late),
        Route("/broken", broken),
    ]
    return guarded(Starlette(routes=routes), changed)


def seen(settings: Settings, *headers: Header, **more: Any) -> dict[str, str]:
    answer = ask(app(settings), headers=headers, **more)
    assert answer.status == 200, answer.body
    found: dict[str, str] = json.loads(answer.body)
    return found


# The name of the server


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "[::1]"]
)
def test_a_server_for_this_machine_answers_to_its_names(host: str) -> None:
    for bound in ("127.0.0.1", "::1", "localhost"):
        assert ask(app(Settings("", host=bound)), headers=[("host", host)]).status == 200


@pytest.mark.parametrize(
    "host", ["example.org", "localhost.example.org", "192.168.0.7:8000", "127.0.0.1.example.org"]
)
def test_a_server_for_this_machine_answers_to_no_other_name(host: str) -> None:
    answer = ask(app(Settings("")), headers=[("host", host)])
    assert (answer.status, answer.error["code"]) == (403, "origin")
    assert "--trust-proxy" in answer.error["message"]
    assert ask(app(OPEN), headers=[("host", host)]).status == 200
    assert ask(app(PROXIED), headers=[("host", host)]).status == 200


@pytest.mark.parametrize(
    "host", ["", " ", "a b", "a/b", "a@b", "a,b", "a:b", "a:123456", "[x]", "[::1", "é", "a" * 300]
)
def test_what_is_no_name_is_refused(host: str) -> None:
    for settings in (OPEN, PROXIED):
        answer = ask(app(settings), headers=[("host", host)])
        assert (answer.status, answer.error["code"]) == (400, "malformed")


def test_a_name_is_needed() -> None:
    assert ask(app(), headers=[]).error["code"] == "malformed"


# Whom it comes from


def test_without_a_proxy_its_headers_count_for_nothing() -> None:
    claims = [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-host", "example.org"),
        ("x-forwarded-proto", "https"),
    ]
    told = seen(OPEN, HERE, *claims)
    assert (told["client"], told["origin"]) == ("192.0.2.1", "http://localhost:8000")


def test_a_trusted_proxy_tells_who_is_asking_and_for_what() -> None:
    told = seen(
        PROXIED,
        HERE,
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-host", "Example.org"),
        ("x-forwarded-proto", "https"),
        client="127.0.0.1",
    )
    assert (told["client"], told["origin"]) == ("203.0.113.9", "https://example.org")
    assert told["url"] == "https://example.org/"


def test_only_what_the_proxy_itself_has_added_counts() -> None:
    for claimed in ("1.1.1.1, 203.0.113.9", "1.1.1.1,2.2.2.2,203.0.113.9", "nonsense, 203.0.113.9"):
        assert seen(PROXIED, HERE, ("x-forwarded-for", claimed))["client"] == "203.0.113.9"
    lines = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9")]
    assert seen(PROXIED, HERE, *lines)["client"] == "203.0.113.9"
    told = seen(PROXIED, HERE, ("x-forwarded-proto", "http, https"))
    assert told["origin"] == "https://localhost:8000"
    told = seen(PROXIED, HERE, ("x-forwarded-host", "evil.example, example.org"))
    assert told["origin"] == "http://example.org"


@pytest.mark.parametrize("said", ["", "unknown", "1.2.3", "1.1.1.1, ", "<script>"])
def test_a_proxy_that_says_nothing_useful_is_the_client_itself(said: str) -> None:
    assert seen(PROXIED, HERE, ("x-forwarded-for", said), client="10.0.0.2")["client"] == "10.0.0.2"


def test_addresses_are_counted_by_household() -> None:
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "[2001:db8:1:2::9]:443"):
        told = seen(PROXIED, HERE, ("x-forwarded-for", address))
        assert told["client"] == "2001:db8:1:2::/64"
    assert seen(OPEN, HERE, client="2001:db8:1:2::1")["client"] == "2001:db8:1:2::/64"
    assert seen(OPEN, HERE, client="::ffff:192.0.2.9")["client"] == "192.0.2.9"
    assert seen(OPEN, HERE, client="::1")["client"] == "::1"


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("origin", "http://localhost:8000")],
        [("origin", "http://localhost:8000"), ("sec-fetch-site", "same-origin")],
        [("sec-fetch-site", "same-origin")],
        [("sec-fetch-site", "none")],
    ],
)
def test_our_own_pages_and_programs_may_post(headers: list[Header]) -> None:
    answer = ask(app(), "/", "POST", [HERE, *headers], [b"x"])
    assert answer.status == 200


FOREIGN: list[list[Header]] = [
    [("origin", "http://example.org")],
    [("origin", "http://localhost")],
    [("origin", "http://localhost:8001")],
    [("origin", "https://localhost:8000")],
    [("origin", "http://localhost:8000.example.org")],
    [("origin", "http://evil.localhost:8000")],
    [("origin", "ftp://localhost:8000")],
    [("origin", "localhost:8000")],
    [("origin", "null")],
    [("origin", "")],
    [("sec-fetch-site", "cross-site")],
    [("sec-fetch-site", "same-site")],
    [("sec-fetch-site", "")],
    [("origin", "http://localhost:8000"), ("sec-fetch-site", "cross-site")],
    [("origin", "http://example.org"), ("sec-fetch-site", "same-origin")],
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_other_sites_may_not(headers: list[Header]) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = ask(app(), "/", method, [HERE, *headers], [b"x"])
        assert (answer.status, answer.error["code"]) == (403, "origin")


@pytest.mark.parametrize("headers", FOREIGN)
def test_other_sites_may_link_to_us(headers: list[Header]) -> None:
    assert ask(app(), "/", "GET", [HERE, *headers]).status == 200
    assert ask(app(), "/", "HEAD", [HERE, *headers]).status == 200


def test_the_origin_is_the_one_that_the_proxy_was_called_by() -> None:
    proxy = [("x-forwarded-proto", "https"), ("x-forwarded-host", "example.org")]

    def status(*headers: Header) -> int:
        return ask(app(PROXIED), "/", "POST", [HERE, *headers], [b"x"]).status

    assert status(*proxy, ("origin", "https://example.org")) == 200
    assert status(*proxy, ("origin", "https://example.org:443")) == 200
    assert status(*proxy, ("origin", "http://example.org")) == 403
    assert status(*proxy, ("origin", "https://example.org:8443")) == 403
    assert status(*proxy, ("origin", "http://localhost:8000")) == 403
    # It may not say which scheme, and then both are ours.
    assert status(("origin", "https://localhost:8000")) == 200
    assert status(("origin", "http://localhost:8000")) == 200


# Methods, headers, paths


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND", "QUERY"])
def test_strange_methods_are_refused(method: str) -> None:
    answer = ask(app(), "/", method)
    assert (answer.status, answer.error["code"]) == (405, "method")
    assert answer.header("allow") == "GET, HEAD, POST"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
def test_methods_that_a_path_does_not_take_are_refused(method: str) -> None:
    answer = ask(app(), "/", method)
    assert (answer.status, answer.error["code"]) == (405, "method")
    assert set((answer.header("allow") or "").split(", ")) == {"GET", "HEAD", "POST"}
    assert method in answer.error["message"]


@pytest.mark.parametrize(
    "name", ["host", "origin", "content-type", "content-length", "sec-fetch-site"]
)
def test_headers_that_count_may_not_stand_there_twice(name: str) -> None:
    answer = ask(app(), headers=[HERE, (name, "0"), (name, "0")])
    assert (answer.status, answer.error["code"]) == (400, "malformed")
    assert ask(app(), headers=[HERE, ("accept", "a/b"), ("accept", "c/d")]).status == 200


def test_there_may_not_be_too_many_headers() -> None:
    many = [HERE, *((f"x-{number}", "1") for number in range(20))]
    assert ask(app(), headers=many).status == 200
    answer = ask(app(header_lines=20), headers=many)
    assert (answer.status, answer.error["code"]) == (400, "malformed")


def test_a_path_may_not_be_too_long() -> None:
    assert ask(app(path_letters=30), f"/m/{'a' * 21}/state").status == 200
    answer = ask(app(path_letters=30), f"/m/{'a' * 22}/state")
    assert (answer.status, answer.error["code"]) == (404, "no_page")
    assert "30" in answer.error["message"]


def test_a_null_character_is_refused() -> None:
    assert ask(app(), "/m/a\x00b/state").error["code"] == "malformed"
    assert ask(app(), "/?state=%00").error["code"] == "malformed"


def test_a_compressed_body_is_refused() -> None:
    answer = ask(app(), "/", "POST", [HERE, ("content-encoding", "gzip")], [b"x"])
    assert (answer.status, answer.error["code"]) == (415, "media_type")
    answer = ask(app(), "/", "POST", [HERE, ("content-encoding", "identity")], [b"x"])
    assert answer.status == 200


# Bodies


@pytest.mark.parametrize("told", [True, False])
def test_a_body_may_not_be_too_large(told: bool) -> None:
    one = app(body_bytes=10)
    assert ask(one, "/", "POST", [HERE], [b"12345", b"67890"], told=told).status == 200
    answer = ask(one, "/", "POST", [HERE], [b"12345", b"678901"], told=told)
    assert (answer.status, answer.error["code"]) == (413, "too_large")
    assert "10 bytes" in answer.error["message"]
    answer = ask(one, "/", "GET", [HERE], [b"12345", b"678901"], told=told)
    assert answer.status == 413, "of whatever method"


def test_a_body_that_is_announced_as_too_large_is_not_waited_for() -> None:
    waited = [HERE, ("expect", "100-continue"), ("content-length", "9" * 30)]
    answer = ask(app(), "/", "POST", waited)
    assert (answer.status, answer.error["code"]) == (413, "too_large")
    assert answer.header("connection") == "close"


def test_a_body_must_come_in_time() -> None:
    one = app(body_seconds=0.05)
    assert ask(one, "/", "POST", [HERE], [b"1", 0.01, b"2"]).status == 200
    dribble: list[bytes | float] = [0.02, b"1"]
    answer = ask(one, "/", "POST", [HERE], dribble * 200, told=False)
    assert (answer.status, answer.error["code"]) == (408, "slow")
    assert answer.header("connection") == "close"


def counted(one: Guard, parts: list[bytes | float], told: bool = True) -> tuple[Answer, int]:
    """Post, and count how much of the body was taken."""
    size = 0

    async def counting(scope: Any, receive: Any, send: Any) -> None:
        async def taken() -> Any:
            nonlocal size
            message = await receive()
            size += len(message["body"])
            return message

        await one(scope, taken, send)

    return ask(counting, "/", "POST", [HERE], parts, told=told), size


def test_what_is_refused_is_still_read_so_that_the_answer_is() -> None:
    answer, size = counted(app(body_bytes=10), [b"x" * 1000] * 5)
    assert (answer.status, answer.header("connection"), size) == (413, None, 5000)


def test_what_is_slow_is_not_waited_for_any_longer() -> None:
    dribble: list[bytes | float] = [0.02, b"1"]
    answer, size = counted(app(body_seconds=0.05), dribble * 1000, told=False)
    assert (answer.status, size < 50) == (408, True)


def test_a_client_that_goes_away_while_it_sends_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert ask(app(), "/", "POST", [HERE], [b"1", None]).status == 0
    assert "ERROR" not in caplog.text


# Rates


def test_requests_are_counted_by_client() -> None:
    one = app(requests_per_minute=3)
    assert [ask(one, headers=[HERE]).status for _ in range(4)] == [200, 200, 200, 429]
    answer = ask(one, headers=[HERE])
    assert answer.error["code"] == "too_many"
    assert 1 <= int(answer.header("retry-after") or 0) <= 20
    assert ask(one, headers=[HERE], client="192.0.2.2").status == 200
    assert ask(one, headers=[], client="192.0.2.3").status == 400
    refused = [ask(one, headers=[], client="192.0.2.3").status for _ in range(3)]
    assert refused == [400, 400, 429], "what is refused counts too"


# What goes wrong inside


def test_what_no_route_answers_is_a_typed_error() -> None:
    answer = ask(app(), "/nothing")
    assert (answer.status, answer.error["code"]) == (404, "no_page")


def test_a_refusal_that_nobody_has_caught_is_answered() -> None:
    answer = ask(app(), "/late")
    assert (answer.status, answer.error["code"], answer.error["ply"]) == (409, "stale", 4)


def test_a_failure_shows_nothing_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
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
def test_an_application_without_a_proper_answer_gets_one(
    inner: Any, caplog: pytest.LogCaptureFixture
) -> None:
    answer = ask(guarded(inner, OPEN))
    assert (answer.status, answer.error["code"]) == (500, "error")
    assert "gave no proper answer" in caplog.text


async def honest(scope: Any, receive: Any, send: Any) -> None:
    await JSONResponse({"error": {"code": "x", "message": "Later."}}, 503)(scope, receive, send)


def test_what_an_application_says_properly_is_passed_on() -> None:
    answer = ask(guarded(honest, OPEN))
    assert (answer.status, answer.error["code"]) == (503, "x")


def test_people_get_a_page() -> None:
    accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    answer = ask(app(), "/nothing", headers=[HERE, accept])
    assert (answer.status, answer.header("content-type")) == (404, "text/html; charset=utf-8")
    assert b"<h1>404</h1>" in answer.body
    for wanted in ("application/json", "*/*", "text/html;q=0.1, application/json", "", "q=x"):
        assert ask(app(), "/nothing", headers=[HERE, ("accept", wanted)]).error


def test_pages_of_errors_can_be_given() -> None:
    def page(status: int, code: str, message: str) -> str:
        return f"<p>{status} {code}"

    one = guarded(Starlette(), OPEN, page=page)
    answer = ask(one, "/nothing", headers=[HERE, ("accept", "text/html")])
    assert answer.body == b"<p>404 no_page"


def test_a_page_that_fails_is_no_second_error(caplog: pytest.LogCaptureFixture) -> None:
    def page(status: int, code: str, message: str) -> str:
        raise KeyError("no template")

    one = guarded(Starlette(), OPEN, page=page)
    answer = ask(one, "/nothing", headers=[HERE, ("accept", "text/html")])
    assert (answer.status, answer.error["code"]) == (404, "no_page")
    assert "no template" in caplog.text


async def breaking(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a part", "more_body": True})
    raise ValueError("in the middle")


def test_a_part_of_an_answer_is_not_ended_as_if_it_were_the_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(AssertionError, match="the answer has no end"):
        ask(guarded(breaking, OPEN))
    assert "in the middle" in caplog.text


def test_head_works_wherever_get_does() -> None:
    answer = ask(app(), "/", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.header("content-length") or 0) > 0
    assert ask(app(), "/nothing", "HEAD").body == b""

    async def bare(scope: Any, receive: Any, send: Any) -> None:
        assert scope["method"] == "GET"
        await PlainTextResponse("hello")(scope, receive, send)

    answer = ask(guarded(bare, OPEN), "/", "HEAD")
    assert (answer.status, answer.body, answer.header("content-length")) == (200, b"", "5")


def test_a_websocket_is_closed() -> None:
    async def talk() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            raise AssertionError

        async def send(message: Any) -> None:
            sent.append(message)

        await app()({"type": "websocket"}, receive, send)
        return sent

    assert asyncio.run(talk()) == [{"type": "websocket.close", "code": 1008}]
