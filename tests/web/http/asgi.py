"""Talks to an application as a server does, without a network."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Message

from tests.web.http.small import build
from zerosum.web.http.middleware import Guard
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import ServerSettings

Header = tuple[str, str]
HERE: Header = ("host", "localhost:8000")
OPEN = ServerSettings("", host="0.0.0.0")
PROXIED = ServerSettings("", trust_proxy=True)


class Answer(NamedTuple):
    """An answer."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The only header of that name."""
        found = [value.decode() for key, value in self.headers if key == name.encode()]
        assert len(found) <= 1, found
        return found[0] if found else None

    @property
    def error(self) -> dict[str, Any]:
        """The content of a typed error."""
        assert self.header("content-type") == "application/json"
        found: dict[str, Any] = json.loads(self.body)["error"]
        assert found["message"].endswith(".")
        return found


def scope(
    method: str, path: str, headers: list[tuple[bytes, bytes]], client: str, query: bytes = b""
) -> dict[str, Any]:
    """Return what a server tells an application about a request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "client": (client, 50_000),
        "server": ("127.0.0.1", 8000),
    }


def ask(
    app: ASGIApp,
    path: str = "/",
    method: str = "GET",
    headers: Sequence[Header] = (("host", "localhost"),),
    parts: Sequence[bytes] = (),
    client: str = "192.0.2.1",
) -> Answer:
    """Send one request."""
    path, _, query = path.partition("?")
    sent: list[Message] = []
    coming = list(parts) or [b""]
    length = ("content-length", str(sum(map(len, parts))))
    given = [*headers, *([length] if parts else [])]

    async def receive() -> Message:
        part = coming.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(coming)}

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode("latin-1")) for name, value in given]
    asked = scope(method, path, raw, client, query.encode())
    asyncio.run(asyncio.wait_for(app(asked, receive, send), 10))
    if not sent:
        return Answer(0, [], b"")
    start, *rest = sent
    assert start["type"] == "http.response.start"
    assert not rest or not rest[-1].get("more_body"), "the answer has no end"
    assert all(message.get("more_body") for message in rest[:-1])
    return Answer(start["status"], start["headers"], b"".join(message["body"] for message in rest))


def app(settings: ServerSettings = OPEN, **limits: float) -> Guard:
    """Return the small application behind its guard."""
    return build(settings._replace(limits=ServerLimits(**limits)))  # type: ignore[arg-type]
