"""What all routes share: the games, the tables, the solver processes, and the limits."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from zerosum.errors import GameError, OptionError, UnknownGame
from zerosum.options import options_of, written
from zerosum.pictures.motif import motif_of
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry, find, games
from zerosum.states import read_state
from zerosum.text import brief, plain_name
from zerosum.web.analysis.pool import Pool
from zerosum.web.http.rates import Rates, Slots
from zerosum.web.http.sockets import network_url
from zerosum.web.refusals import Refused, refused_option
from zerosum.web.settings import Settings, is_loopback
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import Table
from zerosum.web.tables.tokens import held
from zerosum.web.variants import options_read
from zerosum.wording.rulebook import rulebook_of, summary_of
from zerosum.wording.words import title_of

log = logging.getLogger("zerosum.web")


class Site:
    """One server."""

    def __init__(
        self, settings: Settings, games: dict[str, Entry], tables: Tables, pool: Pool
    ) -> None:
        """Take the parts; nobody has come yet."""
        self.settings, self.games, self.tables, self.pool = settings, games, tables, pool
        self.limits = limits = settings.limits
        self.rates = Rates(limits)
        self.streams = Slots(limits.streams_per_client, limits.streams_total)
        self.spectators = Slots(limits.spectators_per_match, limits.streams_total)
        self.closing = asyncio.Event()
        self.drawing = asyncio.Lock()
        self.cards: dict[str, dict[str, Any]] = {}

    def origin(self, request: Request) -> str:
        """Return this server's address as typed, or for others, if they can reach the server."""
        origin = str(request.state.origin)
        host, port = host_of(origin)
        if self.settings.trust_proxy or not is_loopback(host):
            return origin
        return (network_url(self.settings.host, port) or origin).rstrip("/")

    def allow(self, request: Request, kind: str, cost: float = 1.0) -> None:
        """Count a request of a kind, or refuse it if there were too many."""
        self.rates.charge(client_of(request), kind, cost)

    def entry(self, name: str) -> Entry:
        """Find a game by name, never by path."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise Refused("no_game", f"There is no game '{brief(name)}'. The games are {known}.")
        return self.games[name]

    async def variant(
        self, request: Request, name: str, given: Mapping[str, Any]
    ) -> tuple[Game[Any], Any]:
        """Make a variant from options as typed; return it with its first state.

        A user's own game is tried in another process first: what hangs or ends that one does not
        hang or end this one.
        """
        entry = self.entry(name)
        options = options_read(entry, given, self.limits)
        try:
            state = await self.tables.rules.begin(entry, options, client_of(request))
            game = entry.variant(**options)
        except OptionError as error:
            raise refused_option(error) from error
        return game, read_state(game, state)

    async def card(self, name: str) -> dict[str, Any]:
        """Describe a game with its picture, once; one with slow rules has no picture."""
        if name not in self.cards:
            entry = self.entry(name)
            game = entry.variant()
            found = {**described(entry), "rulebook": rulebook_of(game), "motif": ""}
            if entry.file is None and name in BUILT_IN:
                found["motif"] = motif_of(game)
            else:
                try:
                    found["motif"] = await self.pool.ask("motif_of", game=name, options={})
                except Refused as error:
                    if error.code == "busy":
                        return found
                    log.warning("%s has no picture: %s", name, error)
            self.cards[name] = found
        return self.cards[name]

    async def ask(self, request: Request, what: str, /, **arguments: Any) -> Any:
        """Ask the solver processes on behalf of a client."""
        return await self.pool.ask(what, asker=client_of(request), **arguments)

    async def readable(self, request: Request) -> tuple[Table, tuple[int, ...]]:
        """Return the requested table and the players the visitor moves for, if they may see it."""
        table = await self.tables.get(request.path_params["id"], fresh=True)
        holder = held(request)
        if not table.may_see(holder):
            raise Refused("private", "This game is private. Only its players can see it.")
        return table, table.players_of(holder)


def host_of(url: str) -> tuple[str, int]:
    """Return the host and the port of this server in one of its addresses.

    >>> host_of("http://[::1]:8000/m/x"), host_of("http://localhost")
    (('[::1]', 8000), ('localhost', 80))
    """
    host, port = re.findall(r"//(.+?)(?::(\d+))?(?:/|$)", url)[0]
    return host, int(port or 80)


def client_of(request: Request) -> str:
    """Return the client's address, as determined by the guard."""
    return str(request.state.client)


def entries(files: tuple[str, ...]) -> dict[str, Entry]:
    """Find the games to offer: the user's own, and all installed that load."""
    found: dict[str, Entry] = {}
    for name in (*games(), *files):
        try:
            entry = find(name)
        except GameError as error:
            if name in files:
                raise
            log.warning("%s", error)
            continue
        if entry.name in found:
            raise UnknownGame(f"Two games are called '{entry.name}': {name} is one of them.")
        found[entry.name] = entry
    return found


def described(entry: Entry) -> dict[str, Any]:
    """Describe a game, for the API, cards and forms; its rules are not asked."""
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
