"""News of a table as server-sent events: the whole view, whenever anything has changed."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from zerosum.store.base import StoreError
from zerosum.web.errors import Refused
from zerosum.web.seats import held
from zerosum.web.site import Site, client_of, origin_of, site_of

log = logging.getLogger("zerosum.web")

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would keep the news back
]
RETRY = 1000
# A store that is away comes back; whoever listens need not notice.
PAUSE = 1.0
# A comment would keep the connection open as well, but the page would never hear of it.
BEAT = b"event: beat\ndata: {}\n\n"


class Stream:
    """One open stream: it counts while it is open, and ends with the visitor or the server."""

    def __init__(self, site: Site, request: Request, id: str, watcher: bool) -> None:  # noqa: A002
        """Take who listens to which table."""
        self.site, self.request, self.id, self.watcher = site, request, id, watcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send news until somebody has had enough."""
        waiting = self.site.tables.memory.watch(self.id)
        gone = asyncio.create_task(_gone(receive, waiting))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send(_chunk(f"retry: {RETRY}\n\n".encode()))
            await self._feed(send, waiting, gone)
            with suppress(OSError):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self.site.tables.memory.leave(self.id, waiting)
            self.site.streams.give_back(client_of(self.request))
            if self.watcher:
                self.site.spectators.give_back(self.id)

    async def _feed(self, send: Send, waiting: asyncio.Event, gone: asyncio.Task[None]) -> None:
        """Send the view now, and again after every change; a beat where there is none."""
        site, holder, origin = self.site, held(self.request), origin_of(self.request)
        last = -1
        while not gone.done() and not site.closing.is_set():
            waiting.clear()
            try:
                table = await site.tables.get(self.id)
            except Refused:
                return  # it has expired
            except StoreError as error:
                log.warning("%s", error)
                await _sleep(waiting, PAUSE)
                continue
            if table.change != last:
                last = table.change
                who = table.players_of(holder)
                if not who and not table.watch and not table.waiting:
                    return  # both seats are taken now, and nobody else may see it
                try:
                    text = site.writer.view(table, who, origin, site.tables.now())
                except Refused:
                    return  # its rules fail; whoever asks again is told so
                await send(_chunk(f"event: state\nid: {table.ply}\ndata: {text}\n\n".encode()))
            if not await _sleep(waiting, site.limits.beat_seconds):
                await send(_chunk(BEAT))


async def events(request: Request) -> Stream:
    """Open a stream, if there is room for one more."""
    site = site_of(request)
    table, who = await site.readable(request)
    client = client_of(request)
    if not site.streams.take(client):
        if site.streams.full:
            raise Refused("busy", "Too many streams are open on this server.", retry=10)
        most = site.streams.each
        raise Refused("too_many", f"You have {most} streams open; close one of them.", retry=5)
    if not who and not site.spectators.take(table.id):
        site.streams.give_back(client)
        raise Refused("too_many", "Too many people are watching this match already.", retry=30)
    return Stream(site, request, table.id, not who)


async def _sleep(waiting: asyncio.Event, seconds: float) -> bool:
    """Wait for news for a while; False where there are none."""
    try:
        async with asyncio.timeout(seconds):
            return await waiting.wait()
    except TimeoutError:
        return False


async def _gone(receive: Receive, waiting: asyncio.Event) -> None:
    """Wait until the visitor is gone, and let the stream know."""
    while (await receive())["type"] != "http.disconnect":
        pass
    waiting.set()


def _chunk(body: bytes) -> dict[str, Any]:
    """Wrap a piece of the stream."""
    return {"type": "http.response.body", "body": body, "more_body": True}
