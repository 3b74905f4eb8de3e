"""Tables of servers, at which an assistant sits through the API that every bot uses."""

from __future__ import annotations

import time
from asyncio import sleep, to_thread
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.structs import replace

from zerosum.documents import MatchDocument, read
from zerosum.errors import MatchError
from zerosum.text import brief, either
from zerosum.web.answers import Advice, GameReview, Matches, TableView
from zerosum.web.client import (
    MATCHES,
    ServerClient,
    ServerError,
    patiently,
    read_address,
)

T = TypeVar("T")
# While we wait for our turn, we look once a second.
SECOND = 1.0
# How often a server that restarts is asked: for some seconds in all.
TRIES = 6


class RemoteTables:
    """Tables at the servers that were named at the start; nothing else is ever reached."""

    def __init__(self, origins: tuple[str, ...], folder: str, name: str) -> None:
        """Take the servers, the folder of the assistant's tokens, and its name there."""
        self.origins = origins
        self.name, self._folder = name, folder

    def _at(self, link: str) -> tuple[ServerClient, str]:
        """Return the server of a link and the path of its match; refuse other servers."""
        origin, match = read_address(link)
        if origin not in self.origins:
            known = either(list(self.origins)) if self.origins else "none"
            told = f"only those named at the start (--server) may be reached: {known}"
            raise ServerError(f"{brief(origin, 200)} is another server; {told}.")
        if not match:
            raise ServerError(f"{brief(link, 200)} is not the link of a match.")
        return ServerClient(origin, self._folder), f"{MATCHES}/{match}"

    async def invite(self, game: str, options: Any, terms: dict[str, Any]) -> TableView:
        """Open a table at the first server; whoever has its link can sit down."""
        server = ServerClient(self.origins[0], self._folder)
        await _patiently(server.take_name, self.name)
        wanted = {"mode": "friend", "game": game, "options": options, **terms}
        return await self._change(server, MATCHES, wanted)

    async def join(self, link: str) -> TableView:
        """Take the free seat of a table, unless we sit there."""
        server, path = self._at(link)
        await _patiently(server.take_name, self.name)
        table = await self.see(link)
        if table.you:
            return table
        if "join" not in table.can:
            raise MatchError("Both seats of this table are taken.")
        return await self._change(server, f"{path}/join", {})

    async def see(self, link: str, seconds: float = 0.0) -> TableView:
        """Return a table as it is now, or once it is our turn; after some seconds in any case.

        If the next game of a series can begin, we are ready for it.
        """
        (server, path), until = self._at(link), time.monotonic() + seconds

        async def look() -> TableView:
            return _named(server, await _patiently(server.ask, TableView, path))

        table = await look()
        while not _waits_for_us(table) and (left := until - time.monotonic()) > 0:
            await sleep(min(left, SECOND))
            table = await look()
        if "next" in table.can:
            return await self.act(link, "next", table.ply)
        return table

    async def play(
        self, link: str, typed: str, ply: int | None, person: bool, seconds: float
    ) -> TableView:
        """Make a move of ours, and perhaps wait for our next turn."""
        if person:
            raise MatchError("At a table, the person moves in the browser.")
        table = await self.act(link, "move", ply, move=typed)
        return await self.see(link, seconds) if seconds else table

    async def resign(self, link: str) -> TableView:
        """Resign."""
        return await self.act(link, "resign")

    async def record(self, link: str) -> MatchDocument:
        """Return the record of a match."""
        server, path = self._at(link)
        return read(MatchDocument, bytes(await _patiently(server.ask, Raw, f"{path}/record")))

    async def review(self, link: str) -> GameReview:
        """Review a match that is over."""
        server, path = self._at(link)
        return await _patiently(server.ask, GameReview, f"{path}/review")

    async def advice(self, link: str) -> Advice:
        """Ask the coach about the position."""
        (server, _), table = self._at(link), await self.see(link)
        return await _patiently(server.advice, table)

    async def act(self, link: str, action: str, ply: int | None = None, **more: str) -> TableView:
        """Act at a table; by default, on it as it is now."""
        server, path = self._at(link)
        if ply is None:
            ply = (await self.see(link)).ply
        return await self._change(server, f"{path}/actions", {"ply": ply, "action": action, **more})

    async def listed(self) -> list[tuple[str, str, tuple[str, str], bool]]:
        """List our tables at all servers: link, game, names, whether it is over.

        A server that is away has none.
        """
        found = []
        for origin in self.origins:
            server = ServerClient(origin, self._folder)
            with suppress(ServerError):
                answer = await to_thread(server.ask, Matches, "/api/v1/me/matches")
                for table in answer.matches:
                    ada, bob = (player.name for player in table.players)
                    link = f"{origin}/m/{table.id}"
                    found.append((link, table.game.name, (ada, bob), table.over))
        return found

    async def _change(self, server: ServerClient, path: str, body: dict[str, Any]) -> TableView:
        """Send what changes a table."""
        return _named(server, await to_thread(server.change, path, body, tries=TRIES))


def origin_of(address: str) -> str:
    """Return the address of a server as links of its matches begin; refuse any other address.

    >>> origin_of("HTTP://LocalHost:8000/")
    'http://localhost:8000'
    """
    origin, match = read_address(address)
    if match:
        raise ServerError(f"{brief(address, 200)} is a match; name its server, {origin}.")
    return origin


def _named(server: ServerClient, table: TableView) -> TableView:
    """Return a table with the link that we reach it by: a proxy may have others."""
    return replace(table, link=f"{server.origin}/m/{table.id}")


def _waits_for_us(table: TableView) -> bool:
    """Return whether somebody waits for us at a table."""
    mine = table.turn is not None and table.turn.yours and not table.waiting
    return mine or table.over or "next" in table.can


async def _patiently(ask: Callable[..., T], *arguments: Any) -> T:
    """Ask a server that may be starting again, a few times."""
    return await to_thread(patiently, partial(ask, *arguments), tries=TRIES)
