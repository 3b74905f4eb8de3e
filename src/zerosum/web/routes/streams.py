"""Server-sent events: the whole table when a stream begins, and after every change."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from zerosum.errors import StoreError
from zerosum.web.answers import Beat, Here, Opened, Part, StreamEnd
from zerosum.web.refusals import Refused
from zerosum.web.routes.request_schemas import Follow
from zerosum.web.site import Site, client_of
from zerosum.web.tables.table import LiveTable
from zerosum.web.tables.tokens import holder_of
from zerosum.web.tables.view import Viewer, document

log = logging.getLogger("zerosum.web")

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would buffer the stream
]
RETRY = 1000
# The database may be away for a moment; listeners need not notice.
PAUSE = 1.0
# A match that is over may still have a rematch, but not forever.
QUIET = 300.0


class Followed:
    """One table of a stream, and what was sent of it last."""

    def __init__(self) -> None:
        """Begin to follow it; nothing has been sent yet."""
        self.sent: int | None = None  # the change that was sent last
        self.at = time.monotonic()
        self.role: Literal["player", "spectator"] | None = None  # known when it is first sent
        self.present: tuple[bool, bool] | None = None

    def news(
        self,
        table: LiveTable,
        viewer: Viewer,
        now: float,
        present: tuple[bool, bool] | None,
        kind: bytes,
    ) -> bytes:
        """Return the events that bring the visitor up to date; nothing if they are."""
        events = b""
        if table.change != self.sent:
            self.sent, self.at = table.change, time.monotonic()
            data = document(table, viewer, now)
            events = b"event: %s\nid: %d\ndata: %s\n\n" % (kind, table.change, data)
        if present != self.present:
            self.present = present
            events += _event(b"here", Here(table.id, present))
        return events


class Stream:
    """One open stream, which counts against the limits until it ends."""

    def __init__(self, site: Site, request: Request, ids: Iterable[str]) -> None:
        """Follow tables, if there is room."""
        self.site, self.client = site, client_of(request)
        if not site.streams.take(self.client):
            if site.streams.full:
                text = "Too many streams are open on this server; try again soon."
                raise Refused("full", text, retry=10)
            text = f"You already have {site.streams.each} streams open; close one first."
            raise Refused("too_many", text, retry=5)
        self.viewer = Viewer(holder_of(request) or "", site.origin(request), site.levels)
        self.followed = {id_: Followed() for id_ in ids}
        # The tables that may have changed since they were last sent.
        self.pending = set(self.followed)
        self.awake = asyncio.Event()
        self.gone = False
        self._active = time.monotonic()

    def notify(self, id: str) -> None:  # noqa: A002
        """Note that a table has changed."""
        self.pending.add(id)
        self.awake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send news until the visitor leaves, nothing is left to follow, or the server stops."""
        memory, beat = self.site.tables.memory, self.site.limits.beat_seconds
        for id_ in self.followed:
            memory.watch(id_, self.notify)
        tasks = [asyncio.create_task(self._leave(receive)), asyncio.create_task(self._tick(beat))]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send(_chunk(b"retry: %d\n%s" % (RETRY, _event(b"open", Opened(beat)))))
            await self._feed(send, beat)
            with suppress(OSError):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            for task in tasks:
                task.cancel()
            for id_ in list(self.followed):
                self._unfollow(id_)
            self.site.streams.give_back(self.client)

    async def _feed(self, send: Send, beat: float) -> None:
        """Send what changes, a table at a time, and a heartbeat when nothing does."""
        while self.followed and not self.gone and not self.site.closing.is_set():
            news = b""
            if self.pending:
                news = await self._news(self.pending.pop())
            elif time.monotonic() - self._active >= beat:
                # A comment would do, but the page would not see it.
                news = _event(b"beat", Beat())
            else:
                self.awake.clear()
                await self.awake.wait()
            if news:
                self._active = time.monotonic()
                await send(_chunk(news))
                await asyncio.sleep(0)  # it is written, and the next one waits until it is read

    async def _tick(self, seconds: float) -> None:
        """Wake the stream regularly: for a heartbeat, and to end those that are over."""
        while True:
            await asyncio.sleep(seconds)
            await self._beat()

    async def _beat(self) -> None:
        """Look again at what has been quiet, and let a heartbeat be sent."""
        late = time.monotonic() - QUIET
        self.pending |= {id_ for id_, table in self.followed.items() if table.at < late}
        self.awake.set()

    async def _news(self, id: str) -> bytes:  # noqa: A002
        """Return the events of one table."""
        followed, site, holder = self.followed.get(id), self.site, self.viewer.holder
        if followed is None:
            return b""
        try:
            table = await site.tables.get(id)
        except Refused as refused:
            return self._end(id, refused.code)
        except StoreError as error:
            log.warning("%s", error)
            asyncio.get_running_loop().call_later(PAUSE, self.notify, id)
            return b""
        if not table.may_see(holder):
            return self._end(id, "private")  # both seats are taken, and the match is private
        memory = site.tables.memory
        if followed.role is None:
            if table.players_of(holder):
                followed.role = "player"
                memory.arrive(id, holder)
            elif table.to and table.to == holder:
                pass  # whoever is challenged may become a player
            elif site.spectators.take(id):
                followed.role = "spectator"
            else:
                return self._end(id, "too_many")
        # This server does not know who follows a table through another one.
        present = None if site.settings.shared else memory.present(table)
        now, kind = site.tables.clock.now(), self._kind(table)
        news = followed.news(table, self.viewer, now, present, kind)
        if not news and table.over and time.monotonic() - followed.at > QUIET:
            return self._end(id, "over")
        return news

    def _kind(self, table: LiveTable) -> bytes:
        """Return the kind of event by which a table is sent."""
        return b"table"

    def _end(self, id: str, code: str) -> bytes:  # noqa: A002
        """Stop following a table, and return the event that says so."""
        self._unfollow(id)
        return _event(b"end", StreamEnd(id, code))

    def _unfollow(self, id: str) -> None:  # noqa: A002
        """Stop following a table."""
        followed, memory = self.followed.pop(id), self.site.tables.memory
        memory.leave(id, self.notify)
        if followed.role == "spectator":
            self.site.spectators.give_back(id)
        elif followed.role == "player":
            memory.depart(id, self.viewer.holder)

    async def _leave(self, receive: Receive) -> None:
        """Wait until the visitor leaves, then wake the stream."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.awake.set()


async def events(site: Site, request: Request) -> Stream:
    """Follow a match."""
    table, who = await site.readable(request)
    if not who:
        if not site.spectators.take(table.id):
            raise Refused("too_many", "Too many people are already watching this match.", retry=30)
        site.spectators.give_back(table.id)
    return Stream(site, request, [table.id])


async def follow(site: Site, request: Request, wanted: Follow) -> Stream:
    """Follow several matches through one stream."""
    return Stream(site, request, wanted.matches)


def _event(kind: bytes, data: Part) -> bytes:
    """Return an event that is not a change."""
    return b"event: %s\ndata: %s\n\n" % (kind, msgspec.json.encode(data))


def _chunk(body: bytes) -> dict[str, Any]:
    """Wrap a piece of the stream."""
    return {"type": "http.response.body", "body": body, "more_body": True}
