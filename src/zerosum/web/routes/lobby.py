"""The routes that lead to a seat: create a match, join one, or play on from a position."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zerosum.errors import OptionError
from zerosum.match import Match
from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.store import new_id
from zerosum.web.refusals import Refused, invalid, refused_option
from zerosum.web.routes import pages
from zerosum.web.routes.matches import game_of, shown, view
from zerosum.web.routes.reading import JSON, content_digest, form_of, is_form
from zerosum.web.routes.requests import FORK, JOIN, NEW_MATCH, Join, NewMatch
from zerosum.web.site import Site, client_of
from zerosum.web.tables.quota import owner_of
from zerosum.web.tables.service import ID_LENGTH
from zerosum.web.tables.table import Table, default_names
from zerosum.web.tables.tokens import digest_of, give, held, token_for

SetUp = Callable[[], Awaitable[Table]]
# A fork stores all moves up to its position: so many count as another match.
FORK_PLIES = 50


async def create(site: Site, request: Request) -> Response:
    """Create a match."""
    try:
        wanted = await NEW_MATCH.read(request)
        set_up = partial(_new, site, request, wanted)
        return await _opened(site, request, wanted.key, content_digest(wanted), set_up)
    except Refused as error:
        form = await form_of(request) if is_form(request) and error.status == 422 else {}
        if form.get("game") not in site.games:
            raise
        page = pages.new(await site.card(form["game"]), form, pages.marked(error))
        return HTMLResponse(page, 422)


async def _new(site: Site, request: Request, wanted: NewMatch) -> Table:
    """Set up the requested table."""
    game, state = await site.variant(request, wanted.game, wanted.options)
    level = wanted.level if wanted.mode == "bot" else None
    names = default_names(wanted.mode, wanted.names, level)
    first = secrets.randbelow(2) if wanted.first == "random" else int(wanted.first) - 1
    seed = secrets.randbits(32)
    try:
        match = Match.new(
            *(game, names, first, wanted.games, wanted.clock, (None, level), seed), initial=state
        )
    except OptionError as error:
        raise refused_option(error, "") from error
    return Table(
        id=new_id(ID_LENGTH),
        match=match,
        mode=wanted.mode,
        holders=(),
        watch=wanted.watched,
        want=(wanted.coach, "off" if wanted.mode == "friend" else wanted.coach),
    )


async def _opened(
    site: Site, request: Request, key: str, digest: str, set_up: SetUp, cost: float = 1.0
) -> Response:
    """Open a table, once for each key, and give its creator a seat."""
    table = await site.tables.created(key, digest)
    if table is None:
        site.allow(request, "games", cost)
        table = await set_up()
        await _prepare(site, request, table.match)
        secret, seats = site.tables.secret, (0, 1) if table.mode == "here" else (0,)
        holders = ((digest_of(token_for(secret, table.id, key)), seats),)
        table = replace(table, holders=holders, owner=owner_of(secret, client_of(request)))
        table = await site.tables.open(table, key, digest)
    return _seated(site, request, table, key, 201)


async def _prepare(site: Site, request: Request, match: Match[Any]) -> None:
    """Prepare a bot, so that it fails before the game and not during it."""
    if match.bots[1] is None:
        return
    game, options = entry_of(match.game).name, option_values(match.game)
    try:
        await site.ask(request, "prepare", game=game, options=options, level=match.bots[1])
    except Refused as error:
        if error.code != "too_hard":
            raise
        raise Refused("too_hard", error.message, field="level") from error


def _seated(site: Site, request: Request, table: Table, key: str, status: int) -> Response:
    """Answer with the table and the cookie of the seat."""
    token = token_for(site.tables.secret, table.id, key)
    where = f"/m/{table.id}"
    response: Response
    if is_form(request):
        response = RedirectResponse(where, 303)
    else:
        text = shown(site, request, table, digest_of(token))
        response = Response(text, status, {"location": where}, JSON)
    give(response, table.id, token, request.url.scheme == "https")
    return response


async def join(site: Site, request: Request) -> Response:
    """Take the open seat."""
    try:
        return await _join(site, request, await JOIN.read(request))
    except Refused as error:
        if not is_form(request):
            raise
        id_ = request.path_params["id"]
        if error.code == "seat_taken":
            return RedirectResponse(f"/m/{id_}", 303)  # to watch, or to see that it is private
        if error.more.get("field") != "name":
            raise
        table = await site.tables.get(id_)
        form = await form_of(request)
        page = pages.table(view(site, request, table, None), form, pages.marked(error))
        return HTMLResponse(page, 422)


async def _join(site: Site, request: Request, wanted: Join) -> Response:
    """Take the open seat, unless the visitor already has one."""
    key, name = wanted.key, None if wanted.name is None else wanted.name.strip()
    site.allow(request, "moves")
    id_ = request.path_params["id"]
    holder = digest_of(token_for(site.tables.secret, id_, key))
    table = await site.tables.get(id_)
    if table.players_of(held(request)) and not table.players_of(holder):
        raise Refused("seat_taken", "You already have a seat in this match.")
    table = await site.tables.join(id_, holder, name, key, content_digest("join", name))
    return _seated(site, request, table, key, 200)


async def fork(site: Site, request: Request) -> Response:
    """Play on from a position of a finished game."""
    wanted = await FORK.read(request)
    before, who = await site.readable(request)
    game = game_of(before, wanted.game)
    played = before.match.rounds[game]
    key, ply, level = wanted.key, wanted.ply, wanted.level
    if ply > len(played.moves):
        raise invalid("ply", f"ply must be a whole number from 0 to {len(played.moves)}")
    ended = played.end is not None and played.end.by == "rules"
    if ended and ply == len(played.moves):
        raise Refused("invalid", "The game is over at that position.", field="ply")
    digest = content_digest("fork", before.id, game, ply, level)
    set_up = partial(_forked, before, who, game, ply, level)
    return await _opened(site, request, key, digest, set_up, 1 + ply / FORK_PLIES)


async def _forked(before: Table, who: tuple[int, ...], game: int, ply: int, level: str) -> Table:
    """Set up a table from a position; the visitor plays the side to move."""
    match = before.match
    names = default_names("bot", [match.players[who[0]]] if len(who) == 1 else [], level)
    made = match.fork(game, ply, names, (None, level), secrets.randbits(32))
    want = before.want[who[0]] if who else "off"
    return Table(new_id(ID_LENGTH), made, "bot", (), False, (want, want))
