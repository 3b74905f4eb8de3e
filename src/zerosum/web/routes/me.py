"""The routes of a person or a bot: their name, matches and events, and the bots that are open."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from math import inf

from starlette.requests import Request
from starlette.responses import Response

from zerosum.errors import StoreError
from zerosum.web.answers import Bots, Enrolled, Matches, OpenTo, answer
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes import request_schemas as asked
from zerosum.web.routes.matches import view
from zerosum.web.routes.streams import PAUSE, Followed, Stream
from zerosum.web.site import Site, client_of
from zerosum.web.tables.strength import own_strength
from zerosum.web.tables.table import LiveTable
from zerosum.web.tables.tokens import holder_of, owner_of

log = logging.getLogger("zerosum.web")

# How many matches are listed at once.
MOST_LISTED = 20
# A stream follows this many matches, those that changed last.
MOST_FOLLOWED = 200
# Looking up all matches of a person takes as long as this many moves.
LOOKED_UP = 10.0


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
        found.append(view(site, request, table, holder))
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
    return answer(await own_strength(site.tables, partial(site.ask, request), holder))


async def you(site: Site, request: Request) -> Response:
    """Show the page of the person whose browser this is."""
    site.allow(request, "moves", LOOKED_UP)
    ask, holder = partial(site.ask, request), holder_of(request)
    found = await own_strength(site.tables, ask, holder)
    return pages.response(request, "you", fresh=True, own=found)


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
        super().__init__(site, request, (person,))
        self.person = person
        self.followed[person].at = inf  # new matches may always come

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
        if len(self.followed) > MOST_FOLLOWED:
            self._unfollow(min(self.followed, key=lambda known: self.followed[known].at))
        self.followed[id] = Followed()
        self.site.tables.memory.watch(id, self.notify)

    def _kind(self, table: LiveTable) -> bytes:
        """Return the name of a table's event: a challenge, one that was declined, or a game."""
        if table.declined:
            return b"declined"
        return b"challenge" if table.waiting and table.to == self.person else b"table"
