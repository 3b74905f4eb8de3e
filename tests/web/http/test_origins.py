"""The guard: names of the server, addresses of clients, and other sites."""

import json
from typing import Any

import pytest

from tests.web.http.asgi import HERE, OPEN, PROXIED, Header, app, ask
from zerosum.web.settings import ServerSettings


def seen(settings: ServerSettings, *headers: Header, **more: Any) -> dict[str, str]:
    answer = ask(app(settings), headers=headers, **more)
    assert answer.status == 200, answer.body
    found: dict[str, str] = json.loads(answer.body)
    return found


# The name of the server


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "[::1]"]
)
def test_loopback_server_accepts_local_names(host: str) -> None:
    for bound in ("127.0.0.1", "::1", "localhost"):
        assert ask(app(ServerSettings("", host=bound)), headers=[("host", host)]).status == 200


@pytest.mark.parametrize(
    "host", ["example.org", "localhost.example.org", "192.168.0.7:8000", "127.0.0.1.example.org"]
)
def test_loopback_server_refuses_other_names(host: str) -> None:
    answer = ask(app(ServerSettings("")), headers=[("host", host)])
    assert (answer.status, answer.error["code"]) == (403, "origin")
    assert "--trust-proxy" in answer.error["message"]
    assert ask(app(OPEN), headers=[("host", host)]).status == 200
    assert ask(app(PROXIED), headers=[("host", host)]).status == 200


@pytest.mark.parametrize(
    "host", ["", " ", "a b", "a/b", "a@b", "a,b", "a:b", "a:123456", "[x]", "[::1", "é", "a" * 300]
)
def test_invalid_host_is_refused(host: str) -> None:
    for settings in (OPEN, PROXIED):
        answer = ask(app(settings), headers=[("host", host)])
        assert (answer.status, answer.error["code"]) == (400, "malformed")


# Whom it comes from


def test_only_a_trusted_proxy_supplies_client_and_host() -> None:
    claims = [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-host", "Example.org"),
        ("x-forwarded-proto", "https"),
    ]
    found = seen(OPEN, HERE, *claims)
    assert (found["client"], found["origin"]) == ("192.0.2.1", "http://localhost:8000")
    found = seen(PROXIED, HERE, *claims, client="127.0.0.1")
    assert (found["client"], found["origin"]) == ("203.0.113.9", "https://example.org")
    assert found["url"] == "https://example.org/"


def test_only_the_proxys_own_entry_counts() -> None:
    for claimed in ("1.1.1.1, 203.0.113.9", "1.1.1.1,2.2.2.2,203.0.113.9", "nonsense, 203.0.113.9"):
        assert seen(PROXIED, HERE, ("x-forwarded-for", claimed))["client"] == "203.0.113.9"
    lines = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9")]
    assert seen(PROXIED, HERE, *lines)["client"] == "203.0.113.9"
    found = seen(PROXIED, HERE, ("x-forwarded-proto", "http, https"))
    assert found["origin"] == "https://localhost:8000"
    found = seen(PROXIED, HERE, ("x-forwarded-host", "evil.example, example.org"))
    assert found["origin"] == "http://example.org"


@pytest.mark.parametrize("said", ["", "unknown", "1.2.3", "1.1.1.1, ", "<script>"])
def test_unusable_forwarded_header_falls_back_to_the_peer(said: str) -> None:
    assert seen(PROXIED, HERE, ("x-forwarded-for", said), client="10.0.0.2")["client"] == "10.0.0.2"


def test_addresses_are_counted_by_network() -> None:
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "[2001:db8:1:2::9]:443"):
        found = seen(PROXIED, HERE, ("x-forwarded-for", address))
        assert found["client"] == "2001:db8:1:2::/64"
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
def test_own_pages_and_programs_may_post(headers: list[Header]) -> None:
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
def test_other_sites_may_link_but_not_post(headers: list[Header]) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = ask(app(), "/", method, [HERE, *headers], [b"x"])
        assert (answer.status, answer.error["code"]) == (403, "origin")
    for method in ("GET", "HEAD"):
        assert ask(app(), "/", method, [HERE, *headers]).status == 200


def test_origin_is_checked_against_the_proxys_host() -> None:
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
