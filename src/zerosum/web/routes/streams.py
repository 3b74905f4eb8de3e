"""Server-sent events of a table: the whole view after every change."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from zerosum.errors import StoreError
from zerosum.web.refusals import Refused
from zerosum.web.site import Site, client_of, origin_of, site_of
from zerosum.web.tables.tokens import held

log = logging.getLogger("zerosum.web")

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would buffer the stream
]
RETRY = 1000
# The database may be away for a moment; listeners need not notice.
PAUSE = 1.0
# A comment would keep the connection open too, but the page would not see it.
BEAT = b"event: beat\ndata: {}\n\n"


class Stream:
    """One open stream, which counts against the limits until it ends."""

    def __init__(self, site: Site, request: Request, id: str, watcher: bool) -> None:  # noqa: A002
        """Take the visitor and the table they follow."""
        self.site, self.request, self.id, self.watcher = site, request, id, watcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send views until the visitor leaves or the server stops."""
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
        """Send the view now and after every change, and a heartbeat when nothing changes."""
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
                    return  # both seats are taken, and the match is private
                try:
                    text = site.writer.view(table, who, origin, site.tables.now())
                except Refused:
                    return  # its rules failed; the next request says so
                await send(_chunk(f"event: state\nid: {table.ply}\ndata: {text}\n\n".encode()))
            if not await _sleep(waiting, site.limits.beat_seconds):
                await send(_chunk(BEAT))


async def events(request: Request) -> Stream:
    """Open a stream, within the limits."""
    site = site_of(request)
    table, who = await site.readable(request)
    client = client_of(request)
    if not site.streams.take(client):
        if site.streams.full:
            raise Refused(
                "busy", "Too many streams are open on this server; try again soon.", retry=10
            )
        most = site.streams.each
        raise Refused(
            "too_many", f"You already have {most} streams open; close one first.", retry=5
        )
    if not who and not site.spectators.take(table.id):
        site.streams.give_back(client)
        raise Refused("too_many", "Too many people are already watching this match.", retry=30)
    return Stream(site, request, table.id, not who)


async def _sleep(waiting: asyncio.Event, seconds: float) -> bool:
    """Wait for a change; return False if there was none in time."""
    try:
        async with asyncio.timeout(seconds):
            return await waiting.wait()
    except TimeoutError:
        return False


async def _gone(receive: Receive, waiting: asyncio.Event) -> None:
    """Wait until the visitor leaves, then wake the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    waiting.set()


def _chunk(body: bytes) -> dict[str, Any]:
    """Wrap a piece of the stream."""
    return {"type": "http.response.body", "body": body, "more_body": True}
