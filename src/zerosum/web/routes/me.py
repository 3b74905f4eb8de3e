"""The routes of a person or a bot: their name, matches and events, and the bots that are open."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zerosum.errors import StoreError, Unreadable
from zerosum.options import option_values
from zerosum.store.people import PlayedMatch
from zerosum.store.replay import variant_of
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.answers import Bots, Enrolled, Listed, Matches, OpenTo, OwnStrength, answer
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes import request_schemas as asked
from zerosum.web.routes.matches import view
from zerosum.web.routes.streams import PAUSE, Followed, Stream
from zerosum.web.site import Site, client_of
from zerosum.web.tables.table import LiveTable, read_stored
from zerosum.web.tables.tokens import holder_of, owner_of

log = logging.getLogger("zerosum.web")

# How many matches are listed at once, and which parts of their tables.
MOST_LISTED = 20
LISTED = Listed.__struct_fields__
# A stream follows this many matches, those that changed last.
MOST_FOLLOWED = 200
# Looking up all matches of a person takes as long as this many moves.
LOOKED_UP = 10.0
# A person is placed on the scale by at most this many of the last matches, and as soon as there are
# this many decisions; an answer may take this many seconds to judge games for the first time.
MOST_JUDGED, MOST_DECIDED, JUDGING_SECONDS = 1_000, 20_000, 2.0


async def enroll(site: Site, request: Request, wanted: asked.NewPerson) -> Response:
    """Make a person with a name, and get their token."""
    site.allow(request, "games")
    owner = owner_of(site.tables.secret, client_of(request))
    token, person = await site.people.enroll(wanted.key, wanted.name, wanted.bot, owner)
    return answer(Enrolled(token, person.name, bool(person.bot)), 201)


async def my_matches(site: Site, request: Request, page: asked.MatchesQuery) -> Response:
    """List your matches, the newest first."""
    holder = _me(site, request)
    ids = await site.tables.store.read(
        lambda store: store.people.matches(holder, MOST_LISTED, page.before)
    )
    found = []
    for id_ in ids:
        try:
            table = await site.tables.get(id_)
        except Refused as refused:
            if refused.code not in ("no_match", "broken_game", "too_hard"):
                raise
            continue
        seen = view(site, request, table, holder)
        found.append(Listed(**{name: getattr(seen, name) for name in LISTED}))
    before = ids[-1] if len(ids) == MOST_LISTED else None
    return answer(Matches(found, before))


async def my_events(site: Site, request: Request) -> Stream:
    """Follow all that concerns you: challenges, and every change of your matches."""
    holder = _me(site, request)
    await site.people.find(holder)
    return OwnStream(site, request, holder)


async def open_to(site: Site, request: Request, wanted: asked.Open) -> Response:
    """Be open to challenges in some games, or in none."""
    holder = _me(site, request)
    games = list(dict.fromkeys(site.entry(name).name for name in wanted.games))
    person = await site.people.open(holder, games)
    return answer(OpenTo(person.name, person.games))


async def bots(site: Site, request: Request) -> Response:
    """List the bots that are open to challenges and connected."""
    if not site.settings.bots:
        text = "This server lists no bots; whoever knows the name of one can challenge it."
        raise Refused("no_bots", text)
    found = await site.people.listed()
    return answer(Bots([OpenTo(bot.name, bot.games) for bot in found]))


async def strength(site: Site, request: Request) -> Response:
    """Say how well you play, by what you decided in your finished games."""
    holder = _me(site, request)
    return answer(await own_strength(site, request, holder))


async def you(site: Site, request: Request) -> Response:
    """Show the page of the person whose browser this is."""
    site.allow(request, "moves", LOOKED_UP)
    found = await own_strength(site, request, holder_of(request))
    return pages.response(request, "you", fresh=True, own=found)


async def own_strength(site: Site, request: Request, holder: str | None) -> OwnStrength:
    """Judge the finished games of a person, as far as time allows, and place them on the scale.

    Nobody knows whose moves they are on a shared screen, and in a game that continues an earlier
    one, the review has told what to play: neither counts. Nor does a match between people before
    it is over: what was right in its games is told with the review.
    """
    store, loop = site.tables.store, asyncio.get_running_loop()
    matches: list[PlayedMatch] = []
    if holder is not None:
        matches = await store.read(lambda store: store.people.played(holder, MOST_JUDGED))
    until, played, pending, decided = loop.time() + JUDGING_SECONDS, list[Any](), 0, 0
    for match in matches:
        if decided >= MOST_DECIDED:
            break
        try:
            stored = read_stored(match.match, match.data)
        except Unreadable as error:
            log.warning("%s", error)
            continue
        who = next((players for held, players in stored.holders if held == holder), ())
        early = stored.mode == "friend" and not match.over
        if len(who) != 1 or early or stored.forked or match.game not in site.games:
            continue
        games = None if match.judged < match.played else msgspec.json.decode(match.made)
        if match.judged < match.played:
            try:
                games = await _judge(site, request, match, until)
            except (TimeoutError, Refused) as error:
                if getattr(error, "code", "busy") not in ("too_hard", "broken_game"):
                    pending += match.played
                    continue
            except Unreadable as error:
                log.warning("%s", error)
        title = texts_of(site.games[match.game].variant()).title
        made = [None] * match.played if games is None else [each[who[0]] for each in games]
        decided += sum(len(each) for each in made if each)
        played += [(match.game, title, each) for each in reversed(made)]
    found = await site.ask(request, "own_strength", played=played[::-1])
    return msgspec.structs.replace(msgspec.convert(found, OwnStrength), pending=pending)


async def _judge(site: Site, request: Request, match: PlayedMatch, until: float) -> Any:
    """Let a solver process say what was decided in the finished games of a match, and keep that."""
    if asyncio.get_running_loop().time() > until:
        raise TimeoutError  # nor are all the others read from the database
    store = site.tables.store
    rows, hints = await store.read(
        lambda store: (store.rows(match.match), store.hints(match.match))
    )
    if rows is None:
        raise Refused("no_match", "This match was deleted.")
    row, events, _ = rows
    game = variant_of(row, site.games[row.game])
    variant = {"game": row.game, "options": option_values(game)}
    asked = {"first": row.first, "games": row.length, "events": events, "hints": hints}
    async with asyncio.timeout_at(until):
        games = await site.ask(request, "decided", **variant, **asked)
    made = msgspec.json.encode(games).decode()
    judged = match.played if games is None else len(games)
    await store.alone(lambda store: store.people.keep_decisions(match.match, judged, made))
    return games


def _me(site: Site, request: Request) -> str:
    """Return the holder of a request's token; whatever they ask costs more than a move."""
    site.allow(request, "moves", LOOKED_UP)
    holder = holder_of(request)
    if holder is None:
        text = "Send your token as Authorization: Bearer TOKEN. POST /api/v1/me gives you one."
        raise Refused("no_token", text)
    return holder


class OwnStream(Stream):
    """One open stream of what concerns a person: their matches, and challenges to them."""

    def __init__(self, site: Site, request: Request, person: str) -> None:
        """Follow the matches of the holder of a token, once they are looked up."""
        super().__init__(site, request, ())
        self.person = person
        self.pending = {person}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hear of new matches too."""
        memory = self.site.tables.memory
        memory.watch(self.person, self.notify)
        try:
            await super().__call__(scope, receive, send)
        finally:
            memory.leave(self.person, self.notify)

    @property
    def is_open(self) -> bool:
        """Whether anything is left to follow: new matches may always come."""
        return True

    async def _beat(self) -> None:
        """Save that the person was seen."""
        with suppress(StoreError):
            await self.site.people.find(self.person)
        await super()._beat()

    async def _news(self, id: str) -> bytes:  # noqa: A002
        """Return the events of one table, or follow all that are unfinished."""
        if id != self.person:
            self._follow(id)
            return await super()._news(id)
        try:
            found = await self.site.tables.store.read(
                lambda store: store.people.unfinished(id, MOST_FOLLOWED)
            )
        except StoreError as error:
            log.warning("%s", error)
            asyncio.get_running_loop().call_later(PAUSE, self.notify, id)
            return b""
        for match in found:
            self._follow(match)
            self.notify(match)
        return b""

    def _follow(self, id: str) -> None:  # noqa: A002
        """Follow a match, instead of the one that has been quiet for longest if there are many."""
        if id in self.followed:
            return
        if len(self.followed) >= MOST_FOLLOWED:
            self._unfollow(min(self.followed, key=lambda known: self.followed[known].at))
        self.followed[id] = Followed()
        self.site.tables.memory.watch(id, self.notify)

    def _kind(self, table: LiveTable) -> bytes:
        """Return the name of a table's event: a challenge, one that was declined, or a game."""
        if table.declined:
            return b"declined"
        return b"challenge" if table.waiting and table.to == self.person else b"table"
