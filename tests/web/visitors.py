"""Visitors of a server, and their streams of news; tests import them from tests.web.support."""

from __future__ import annotations

import json
import queue
import secrets
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import httpx
import msgspec

from tests.helpers import PATIENCE
from zerosum.web.answers import MY_EVENTS

View = dict[str, Any]
# As many requests as a test wants.
FREELY = {
    "requests_per_minute": 10_000_000,
    "games_per_minute": 10_000_000,
    "moves_per_minute": 10_000_000,
    "analyses_per_minute": 10_000_000,
}


def new_key() -> str:
    """Return the key of a new request."""
    return secrets.token_urlsafe(16)


class News(NamedTuple):
    """One event of a stream: its kind, its id, and its data."""

    kind: str
    id: str
    view: View


class Stream:
    """An open stream of news, read in the background until it ends or is closed."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.view: View = {}
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.closing = threading.Event()
        self._news: queue.Queue[News] = queue.Queue()
        self._rest = b""

    def begin(self, status: int, headers: dict[str, str]) -> None:
        """Take the head of the answer."""
        self.status, self.headers = status, headers
        self.begun.set()

    def feed(self, piece: bytes) -> None:
        """Take a piece of the answer, cut anywhere, and the events that it completes."""
        self.body += piece
        if self.status != 200:
            return
        *whole, self._rest = (self._rest + piece).split(b"\n\n")
        for block in whole:
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n"))
            view = json.loads(fields["data"])
            self._news.put(News(fields["event"], fields.get("id", ""), view))

    def end(self) -> None:
        """Record that nothing more will come."""
        self.begun.set()
        self.ended.set()

    def close(self) -> None:
        """Disconnect, like a visitor who closes the page."""
        self.closing.set()
        assert self.ended.wait(PATIENCE), "the stream does not end"

    def next(self, kind: str = "table") -> News:
        """Wait for the next event of a kind."""
        while True:
            event = self._news.get(timeout=PATIENCE)
            msgspec.convert(event.view, MY_EVENTS[event.kind])
            if event.kind == kind:
                self.view = event.view or self.view
                return event

    def until(self, change: int) -> View:
        """Return the view after this change or a later one, waiting for it if necessary."""
        while self.view.get("change", 0) < change:
            self.next()
        return self.view

    def poll(self) -> News | None:
        """Wait for whatever comes next; None at the end of the stream."""
        while True:
            try:
                return self._news.get(timeout=0.02)
            except queue.Empty:
                if self.ended.is_set() and self._news.empty():
                    return None

    def left(self) -> list[News]:
        """Return the events that arrived and were not read yet."""
        found = []
        with suppress(queue.Empty):
            while True:
                found.append(self._news.get_nowait())
        return found

    def is_over(self) -> bool:
        """Wait for the end of the stream."""
        return self.ended.wait(PATIENCE)


class Wire(Protocol):
    """A connection to a server, with its own cookies."""

    client: Any

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request."""

    def listen(self, path: str, headers: dict[str, str], body: bytes = b"") -> Stream:
        """Open a stream, by POST if there is a body."""


class Visitor:
    """A person with their own browser; `id` is the match they are at."""

    def __init__(self, wire: Wire, id: str = "") -> None:  # noqa: A002
        self.wire = wire
        self.id = id
        self.view: View = {}

    def get(self, path: str, **more: Any) -> httpx.Response:
        """Ask for a page or a document."""
        return self.wire.request("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """Send JSON (or `content=`, `data=` with `headers=`)."""
        if body is not None:
            more["json"] = body
        return self.wire.request("POST", path, **more)

    def create(self, game: str = "even-steven", **fields: Any) -> View:
        """Create a match, and take a seat."""
        body = {"key": new_key(), "game": game, "mode": "friend", "names": ["Ada"], **fields}
        answer = self.post("/api/v1/matches", body)
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]
        return self._seen(answer)

    def join(self, id: str, name: str | None = "Bob", key: str | None = None) -> View:  # noqa: A002
        """Take the open seat of a match."""
        self.id = id
        body = {"key": key or new_key(), **({} if name is None else {"name": name})}
        answer = self.post(f"/api/v1/matches/{id}/join", body)
        assert answer.status_code == 200, answer.text
        return self._seen(answer)

    def see(self, id: str = "") -> View:  # noqa: A002
        """Look at the match."""
        self.id = id or self.id
        answer = self.get(f"/api/v1/matches/{self.id}")
        assert answer.status_code == 200, answer.text
        return self._seen(answer)

    def act(
        self, action: str, key: str | None = None, ply: int | None = None, **more: Any
    ) -> httpx.Response:
        """Send an action, and return the answer."""
        ply = self.view["ply"] if ply is None else ply
        body = {"key": key or new_key(), "ply": ply, "action": action, **more}
        answer = self.post(f"/api/v1/matches/{self.id}/actions", body)
        if answer.status_code == 200:
            self._seen(answer)
        return answer

    def do(self, action: str, **more: Any) -> View:
        """Look at the match, do something allowed, and return the new view."""
        if "ply" not in more:
            self.see()
        answer = self.act(action, **more)
        assert answer.status_code == 200, answer.text
        return self.view

    def listen(self) -> Stream:
        """Open the stream of the match."""
        return self.wire.listen(f"/api/v1/matches/{self.id}/events", {})

    def listen_to(self, matches: Any) -> Stream:
        """Open one stream for several tables."""
        body = json.dumps({"matches": matches}).encode()
        return self.wire.listen("/api/v1/events", {"content-type": "application/json"}, body)

    def at(self, server: Host) -> Visitor:
        """Return the same person at another server."""
        there = server.visitor(self.id)
        there.view, there.wire.client.cookies = self.view, self.wire.client.cookies
        return there

    def _seen(self, answer: httpx.Response) -> View:
        """Remember the view."""
        self.view = answer.json()
        return self.view


class Host:
    """What both kinds of servers have in common."""

    def visitor(self, id: str = "") -> Visitor:  # noqa: A002
        """Return a visitor without cookies."""
        raise NotImplementedError

    def pair(self, game: str = "even-steven", **fields: Any) -> tuple[Visitor, Visitor]:
        """Return two people at a new match, Ada and Bob."""
        return pair_on((self, self), game, **fields)


def pair_on(
    servers: Sequence[Host], game: str = "even-steven", **fields: Any
) -> tuple[Visitor, Visitor]:
    """Return two people at a new match, Ada at the one server and Bob at the other."""
    ada, bob = (server.visitor() for server in servers)
    bob.join(ada.create(game, **fields)["id"])
    ada.see()
    return ada, bob
