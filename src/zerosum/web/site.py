"""What all routes share: the games, the tables, the solver processes, and the limits."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request

from zerosum.errors import GameError, OptionError, UnknownGame
from zerosum.options import Option, written
from zerosum.players.engines import SERVED
from zerosum.players.levels import LEVELS, SEARCHING, describe_level
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry, find, games, is_path, no_option, short_path
from zerosum.text import brief, either, plain_name
from zerosum.web import answers
from zerosum.web.analysis.cards import card, trial
from zerosum.web.analysis.pool import Pool
from zerosum.web.analysis.queue import asker_of
from zerosum.web.analysis.referee import is_built_in
from zerosum.web.analysis.stand_ins import about, stand_in, texts_of
from zerosum.web.http.middleware import unless_gone
from zerosum.web.http.rates import Rates, Slots
from zerosum.web.http.sockets import network_urls
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused, invalid, refused_option, sentence
from zerosum.web.settings import ServerSettings, is_loopback
from zerosum.web.tables.people import People
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import LiveTable
from zerosum.web.tables.tokens import holder_of, owner_of

log = logging.getLogger("zerosum.web")

LONGEST_TEXT = 100
# How the fields of a form begin that are options of the game.
OPTION = "option."
# Hosts that mean this machine, but nothing for others.
UNSPECIFIED = ("0.0.0.0", "[::]")  # noqa: S104
# What is said about a game that has a solution, and about one that may be too large.
EXACT = {"exact": True, "levels": {level: describe_level(level, True) for level in LEVELS}}
INEXACT = {"exact": False, "levels": {level: describe_level(level, False) for level in SEARCHING}}
# Nothing is said about levels if the rules fail.
BROKEN = {"exact": False, "levels": dict.fromkeys(SEARCHING, "")}
# Seconds that a page of one game waits to learn more than that, and one of all games.
SOON, AT_ONCE = 0.5, 0.1


class Site:
    """One server."""

    def __init__(self, settings: ServerSettings, tables: Tables) -> None:
        """Take the parts; nobody has come yet."""
        self.settings, self.tables = settings, tables
        self.people = People(tables)
        self.games, self.pool, self.limits = tables.games, tables.pool, tables.limits
        limits = self.limits
        self.rates = Rates(limits)
        self.streams = Slots(limits.streams_per_client, limits.streams_total)
        self.spectators = Slots(limits.spectators_per_match, limits.streams_total)
        self.closing = asyncio.Event()
        self.drawing = asyncio.Lock()
        self.cards: dict[str, dict[str, Any]] = {}
        self.maps: dict[tuple[str, bytes], tuple[str, bytes]] = {}  # with their tags
        self._asked: dict[tuple[str, str], asyncio.Task[dict[str, Any]]] = {}
        self._solving = asyncio.Lock()  # one at a time leaves a process for the players

    def origin(self, request: Request) -> str:
        """Return this server's address as typed, or the likeliest that others can reach."""
        return self.origins(request)[0]

    def origins(self, request: Request) -> list[str]:
        """List the addresses under which others may reach this server, the likeliest first."""
        origin = str(request.state.origin)
        host, port = host_of(origin)
        if self.settings.trust_proxy or not (is_loopback(host) or host in UNSPECIFIED):
            return [origin]
        return [url.rstrip("/") for url in network_urls(self.settings.host, port)] or [origin]

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
        """Make a variant from options as typed; return it with its first state."""
        entry = self.entry(name)
        options, wrong = read_options(entry, given, self.limits)
        try:
            if wrong:
                raise wrong[0]
            begin = self.tables.referee.begin(entry, options, self.asker(request))
            state = await unless_gone(request.receive, begin)
            game = entry.variant(**options)
        except OptionError as error:
            raise refused_option(error) from error
        return game, state

    def marked(self, name: str, given: Mapping[str, Any], refused: Refused) -> dict[str, str]:
        """Return what is wrong with each field of a form, if it is all about the options."""
        _, wrong = read_options(self.entry(name), given, self.limits)
        told = {f"{OPTION}{error.option}": sentence(error.message) for error in wrong}
        field = str(refused.more.get("field", ""))
        return {**told, field.replace("options.", OPTION): refused.message}

    async def card(self, name: str, seconds: float = SOON) -> dict[str, Any]:
        """Describe a game; its picture and its levels are waited for no longer than this."""
        known = self._known(name)
        drawn, levels = await asyncio.gather(
            self._found(card.__name__, name, seconds), self.offered(name, seconds)
        )
        return {**known, **drawn, **levels, "programs": self.programs}

    def _known(self, name: str) -> dict[str, Any]:
        """Describe a game by what needs no other process: for a built-in one, everything."""
        entry = self.entry(name)
        if name not in self.cards:
            game, found = entry.variant(), to_builtins(described(entry))
            found |= {"rulebook": texts_of(game).rulebook, "goal": found["summary"], "picture": ""}
            self.cards[name] = found | (card(game) if is_built_in(entry) else {})
        return self.cards[name]

    def warm_up(self) -> None:
        """Describe all games before the first visitor comes."""
        trial()
        for name in self.games:
            self._known(name)

    async def start(self) -> None:
        """Let users' games be drawn meanwhile."""
        for name in self.games:
            await self._found(card.__name__, name, 0.0)

    @property
    def programs(self) -> list[str]:
        """The operator's programs, named as opponents are."""
        return [f"{SERVED}{name}" for name in self.tables.engines.names]

    def check_opponent(self, opponent: str) -> None:
        """Refuse a program that this server does not offer."""
        if opponent not in (*LEVELS, *self.programs):
            known = either([*LEVELS, *self.programs])
            raise invalid("level", f"the opponent must be {known}, not '{brief(opponent)}'")

    async def offered(self, name: str, seconds: float = SOON) -> dict[str, Any]:
        """Return the levels that can play a game by default, and whether it has a solution."""
        if is_built_in(self.entry(name)):
            return EXACT
        return await self._found("offered", name, seconds) or INEXACT

    def levels(self, name: str) -> Collection[str]:
        """Return the levels known by now to play a game by default."""
        if name in BUILT_IN:
            return LEVELS
        asked = self._asked.get(("offered", name))
        known = asked is not None and asked.done() and not asked.cancelled()
        found: dict[str, Any] = asked.result() if asked and known else {}
        return found.get("levels") or SEARCHING

    async def _found(self, what: str, name: str, seconds: float) -> dict[str, Any]:
        """Return what the rules of a user's game say; what takes long is for the next visitor."""
        if is_built_in(self.entry(name)):
            return {}
        if (what, name) not in self._asked:
            self._asked[what, name] = asyncio.create_task(self._find(what, name))
        finding = self._asked[what, name]
        done, _ = await asyncio.wait([finding], timeout=seconds)
        return finding.result() if done else {}

    async def _find(self, what: str, name: str) -> dict[str, Any]:
        """Ask about a user's game, if its rules answer at all: those that fail do so once.

        What fails by chance or by a fault of our own is asked again for the next visitor.
        """
        solving, begun = what == "offered", False
        try:
            await self.tables.referee.begin(self.entry(name), {}, "")
            begun = True
            async with self._solving if solving else nullcontext():
                found: dict[str, Any] = await self.pool.ask(what, game=name, options={})
        except Exception as error:
            if not isinstance(error, Refused):
                log.error("The %s of %s could not be found out.", what, name, exc_info=error)
            if not isinstance(error, Refused) or error.code == "busy":
                del self._asked[what, name]
                return {}
            broken = not begun or error.code == "broken_game"
            return BROKEN if solving and broken else {}
        return found

    async def stop(self) -> None:
        """Stop what is still being found out."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def ask(self, request: Request, what: str, /, **arguments: Any) -> Any:
        """Ask the solver processes on behalf of a visitor; one who leaves no longer asks."""
        asking = self.pool.ask(what, asker=self.asker(request), **arguments)
        return await unless_gone(request.receive, asking)

    def asker(self, request: Request) -> str:
        """Return who asks: an address, and the person there, unless they have had no seat yet."""
        address = owner_of(self.tables.secret, client_of(request))
        return asker_of(address, holder_of(request) or "")

    async def readable(self, request: Request) -> tuple[LiveTable, tuple[int, ...]]:
        """Return the requested table and the players the visitor moves for, if they may see it."""
        table = await self.tables.get(request.path_params["id"], fresh=True)
        holder = holder_of(request)
        if not table.may_see(holder):
            raise Refused("private", "This game is private. Only its players can see it.")
        return table, table.players_of(holder)


@lru_cache(maxsize=256)
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


async def entries(pool: Pool, files: Sequence[str]) -> dict[str, Entry]:
    """Find the games to offer: the built-in ones, and users' own, which other processes load.

    What cannot be loaded is left out, and the log says why; if nothing that the user has named can
    be, that is raised.
    """
    found = {name: find(name) for name in BUILT_IN}
    failed: dict[str, GameError] = {}
    named: dict[str, str] = {}
    for name in (*games()[len(BUILT_IN) :], *files):
        try:
            entry, file = stand_in(await _told(pool, name))
        except GameError as error:
            failed[name] = error
            continue
        if entry.name in found:
            raise UnknownGame(
                f"Two games are called '{entry.name}': {named.get(entry.name, 'a built-in one')} "
                f"and {name}. Rename the class of one of them."
            )
        found[entry.name], pool.files[entry.name], named[entry.name] = entry, file, name
    fatal = failed.pop(files[0]) if files and failed.keys() >= set(files) else None
    for reason in failed.values():
        log.warning("%s", reason)
    if fatal is not None:
        raise fatal
    return found


async def _told(pool: Pool, name: str) -> Any:
    """Let another process load a game, and return what that tells about it."""
    try:
        return await pool.ask(about.__name__, name=name)
    except Refused as error:
        where = short_path(name) if is_path(name) else name
        raise GameError(f"{where} could not be loaded. {error}") from error


def described(entry: Entry) -> answers.OfferedGame:
    """Describe a game, for the API, cards and forms; its rules are not asked."""
    texts = texts_of(entry.variant())
    options = [
        answers.GameOption(
            name=option.name,
            title=plain_name(option.name).capitalize(),
            help=option.about,
            kind=option.kind,
            default=written(option.default),
            least=option.least,
            most=option.most,
            choices=[written(choice) for choice in option.choices],
        )
        for option in entry.options
    ]
    return answers.OfferedGame(entry.name, texts.title, texts.summary, options)


def read_options(
    entry: Entry, given: Mapping[str, Any], limits: ServerLimits
) -> tuple[dict[str, Any], list[OptionError]]:
    """Read the options of a game, as typed or as JSON values; return what is wrong with others."""
    known = {option.name: option for option in entry.options}
    values, wrong = {}, []
    for name, value in given.items():
        try:
            if name not in known:
                raise OptionError(brief(name), no_option(entry.name, name, list(known)))
            read = _read_option(known[name], value, limits)
            known[name].check(read)
        except OptionError as error:
            wrong.append(error)
        else:
            values[name] = read
    return values, wrong


def _read_option(option: Option, value: Any, limits: ServerLimits) -> Any:
    """Read one option, within the server's limits."""
    text, most = str(value), limits.numbers_listed
    if option.kind == "text" and not (
        text is value and text.isprintable() and len(text) <= LONGEST_TEXT
    ):
        told = f"this must be a string of at most {LONGEST_TEXT} characters"
        raise OptionError(option.name, told)
    if option.kind == "numbers":
        text = written(value)
        if text.count(",") >= most:
            told = f"enter at most {most} numbers, separated by commas, such as 1,2,3"
            raise OptionError(option.name, told)
    return option.read(text, limits.number_digits)
