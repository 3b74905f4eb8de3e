"""What all routes share: the games, the tables, the limits, and the caller."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from zerosum.errors import OptionError, UnknownGame
from zerosum.options import options_of, written
from zerosum.protocol import Game
from zerosum.registry import Entry, find
from zerosum.text import brief, plain_name
from zerosum.web.analysis.pool import Pool
from zerosum.web.careful import thought
from zerosum.web.http.limits import Limits, Places, Rates
from zerosum.web.refusals import Refused
from zerosum.web.routes.motif import motif_of
from zerosum.web.routes.reading import options_read, refused_option
from zerosum.web.settings import Settings
from zerosum.web.tables.rendering import Writer
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import Table
from zerosum.web.tables.tokens import held
from zerosum.wording.rulebook import summary_of
from zerosum.wording.words import title_of


@dataclass
class Site:
    """One server."""

    settings: Settings
    games: dict[str, Entry]
    tables: Tables
    thinkers: Pool
    rates: Rates
    rng: random.Random
    streams: Places
    spectators: Places
    writer: Writer = field(default_factory=Writer)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def limits(self) -> Limits:
        """The limits of this server."""
        return self.settings.limits

    def allow(self, request: Request, kind: str) -> None:
        """Count a request of a kind, or refuse it if there were too many."""
        wait = self.rates.allow(client_of(request), kind)
        if wait > 0:
            seconds = max(1, round(wait + 0.5))
            raise Refused(
                "too_many",
                f"Too many requests. Try again in {seconds} "
                f"{'second' if seconds == 1 else 'seconds'}; nothing was changed.",
                retry=seconds,
            )

    def entry(self, name: str) -> Entry:
        """Find a game by name, never by path."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise Refused("no_game", f"There is no game '{brief(name)}'. The games are {known}.")
        return self.games[name]

    def variant(self, name: str, given: Mapping[str, Any]) -> Game[Any]:
        """Make a variant from options as typed."""
        entry = self.entry(name)
        try:
            return entry.variant(**options_read(entry, given, self.limits))
        except OptionError as error:
            raise refused_option(error) from error

    async def think(self, what: str, /, *, asker: str, **arguments: Any) -> Any:
        """Ask the solver processes on behalf of a client."""
        return await thought(self.thinkers, what, asker=asker, **arguments)

    async def readable(self, request: Request) -> tuple[Table, tuple[int, ...]]:
        """Return the requested table and the players the visitor moves for, if they may see it."""
        table = await self.tables.get(request.path_params["id"], fresh=True)
        who = table.players_of(held(request))
        if not who and not table.watch and not table.waiting:
            raise Refused("private", "This game is private. Only its players can see it.")
        return table, who


def site_of(request: Request) -> Site:
    """Return the site that a request came to."""
    site: Site = request.app.state.site
    return site


def client_of(request: Request) -> str:
    """Return the client's address, as determined by the guard."""
    return str(request.state.client)


def origin_of(request: Request) -> str:
    """Return this server's address as the visitor typed it."""
    return str(request.state.origin)


def entries(files: tuple[str, ...], names: tuple[str, ...]) -> dict[str, Entry]:
    """Find the games to offer: by name, and from the user's own files."""
    found: dict[str, Entry] = {}
    for name in (*names, *files):
        entry = find(name)
        if entry.name in found:
            raise UnknownGame(f"Two games are called '{entry.name}': {name} is one of them.")
        found[entry.name] = entry
    return found


def described(entry: Entry) -> dict[str, Any]:
    """Describe a game, for the API, cards and forms."""
    game = entry.variant()
    return {
        "name": entry.name,
        "title": title_of(game),
        "summary": summary_of(game),
        "options": [
            {
                "name": option.name,
                "title": plain_name(option.name).capitalize(),
                "help": option.about,
                "kind": option.kind,
                "default": written(option.default),
                "least": option.least,
                "most": option.most,
                "choices": [written(choice) for choice in option.choices],
            }
            for option in options_of(entry.game)
        ],
    }


def card(entry: Entry) -> dict[str, Any]:
    """Describe a game with its picture."""
    return {**described(entry), "motif": motif_of(entry.variant())}
