"""The routes that lead to a seat: create a match, join one, or play on from a position."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zerosum.errors import OptionError
from zerosum.match import Match
from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.store import new_id
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.matches import game_of, shown, view
from zerosum.web.routes.messages import FORK, JOIN, NEW_MATCH, Join, NewMatch
from zerosum.web.routes.reading import JSON, digest_of, form_of, invalid, is_form, refused_option
from zerosum.web.site import Site, client_of, site_of
from zerosum.web.tables.quota import owner_of
from zerosum.web.tables.service import ID_LENGTH
from zerosum.web.tables.table import Table, default_names
from zerosum.web.tables.tokens import digest_of as token_digest
from zerosum.web.tables.tokens import give, held, token_for

# A fork stores all moves up to its position: so many count as another match.
FORK_PLIES = 50


async def create(request: Request) -> Response:
    """Create a match; a form with a mistake is shown again with the error at its field."""
    site = site_of(request)
    try:
        wanted = await NEW_MATCH.read(request)
        digest = digest_of(wanted)
        table = await site.tables.created(wanted.key, digest)
        if table is None:
            site.allow(request, "games")
            table = await site.tables.open(await _set_up(request, wanted), wanted.key, digest)
    except Refused as error:
        if is_form(request) and error.status == 422:
            body = form_of(await request.body())
            if body.get("game") in site.games:
                return await _form_again(site, body, error)
        raise
    return _seated(request, table, wanted.key, 201)


async def _form_again(site: Site, body: dict[str, Any], error: Refused) -> Response:
    """Show the form again with what was typed, and the error at its field."""
    field = str(error.more.get("field", "")).replace("options.", "option.")
    values = {f"option.{name}": value for name, value in body.get("options", {}).items()}
    values |= {name: value for name, value in body.items() if name not in ("options", "key")}
    page = pages.new(await site.card(body["game"]), values, {field: error.message})
    return HTMLResponse(page, 422)


async def _set_up(request: Request, wanted: NewMatch) -> Table:
    """Set up the requested table."""
    site = site_of(request)
    game = site.variant(wanted.game, wanted.options)
    await site.tables.rules.begin(game, client_of(request))
    level = wanted.level if wanted.mode == "bot" else None
    names = default_names(wanted.mode, wanted.names, level)
    first = site.rng.randrange(2) if wanted.first == "random" else int(wanted.first) - 1
    seed = site.rng.randrange(1 << 32)
    try:
        match = Match.new(game, names, first, wanted.games, wanted.clock, (None, level), seed)
    except OptionError as error:
        raise refused_option(error, "") from error
    if match.round.end is not None:
        raise Refused("invalid", "With these options the game is over before it begins.")
    table = Table(
        id=new_id(ID_LENGTH),
        match=match,
        mode=wanted.mode,
        holders=(),
        watch=wanted.watched,
        want=(wanted.coach, "off" if wanted.mode == "friend" else wanted.coach),
    )
    if level is not None:
        await _check_level(request, table, level)
    return _held(request, table, wanted.key)


def _held(request: Request, table: Table, key: str) -> Table:
    """Give the creator their seats at a new table."""
    secret = site_of(request).tables.secret
    digest = token_digest(token_for(secret, table.id, key))
    seats = (0, 1) if table.mode == "here" else (0,)
    return replace(table, holders=((digest, seats),), owner=owner_of(secret, client_of(request)))


async def _check_level(request: Request, table: Table, level: str) -> None:
    """Prepare a bot, so that it fails before the game and not during it."""
    try:
        game, options = entry_of(table.match.game).name, option_values(table.match.game)
        asked = {"game": game, "options": options, "level": level}
        await site_of(request).ask(request, "prepare", **asked)
    except Refused as error:
        if error.code != "too_hard":
            raise
        raise Refused("too_hard", error.message, field="level") from error


def _seated(request: Request, table: Table, key: str, status: int) -> Response:
    """Answer with the table and the cookie of the seat."""
    site = site_of(request)
    token = token_for(site.tables.secret, table.id, key)
    where = f"/m/{table.id}"
    response: Response
    if is_form(request):
        response = RedirectResponse(where, 303)
    else:
        text = shown(request, table, token_digest(token))
        response = Response(text, status, {"location": where}, JSON)
    give(response, table.id, token, request.url.scheme == "https")
    return response


async def join(request: Request) -> Response:
    """Take the open seat; a form with a bad name is shown again with the error."""
    try:
        return await _join(request, await JOIN.read(request))
    except Refused as error:
        if not is_form(request):
            raise
        id_ = request.path_params["id"]
        if error.code == "seat_taken":
            return RedirectResponse(f"/m/{id_}", 303)  # to watch, or to see that it is private
        if error.more.get("field") != "name":
            raise
        table = await site_of(request).tables.get(id_)
        name = form_of(await request.body())["name"]
        page = pages.table(view(request, table, None), error=error.message, name=name)
        return HTMLResponse(page, 422)


async def _join(request: Request, wanted: Join) -> Response:
    """Take the open seat, unless the visitor already has one."""
    site = site_of(request)
    key, name = wanted.key, None if wanted.name is None else wanted.name.strip()
    site.allow(request, "moves")
    id_ = request.path_params["id"]
    holder = token_digest(token_for(site.tables.secret, id_, key))
    table = await site.tables.get(id_)
    if table.players_of(held(request)) and not table.players_of(holder):
        raise Refused("seat_taken", "You already have a seat in this match.")
    table = await site.tables.join(id_, holder, name, key, digest_of("join", name))
    return _seated(request, table, key, 200)


async def fork(request: Request) -> Response:
    """Play on from a position of a finished game, against a bot."""
    site = site_of(request)
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
    digest = digest_of("fork", before.id, game, ply, level)
    table = await site.tables.created(key, digest)
    if table is None:
        site.allow(request, "games", 1 + ply / FORK_PLIES)
        made = _forked(site, before, who, game, ply, level)
        await _check_level(request, made, level)
        table = await site.tables.open(_held(request, made, key), key, digest)
    return _seated(request, table, key, 201)


def _forked(
    site: Site, before: Table, who: tuple[int, ...], game: int, ply: int, level: str
) -> Table:
    """Set up a table from a position; the visitor plays the side to move."""
    match = before.match
    names = default_names("bot", [match.players[who[0]]] if len(who) == 1 else [], level)
    seed = site.rng.randrange(1 << 32)
    made = match.fork(game, ply, names, (None, level), seed)
    want = before.want[who[0]] if who else "off"
    return Table(new_id(ID_LENGTH), made, "bot", (), False, (want, want))
