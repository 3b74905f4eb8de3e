"""The routes of a match: make one, take a seat, move, see it, have it explained."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from zerosum.game import OptionError, variant_of
from zerosum.match import Match
from zerosum.record import to_record
from zerosum.registry import entry_of
from zerosum.store import new_id
from zerosum.web import pages
from zerosum.web.bodies import JSON, body_of, is_form
from zerosum.web.careful import broken
from zerosum.web.errors import Refused
from zerosum.web.reading import (
    NEW_FIELDS,
    Wanted,
    action_of,
    digest_of,
    key_of,
    level_of,
    refused_option,
    text_of,
    wanted_of,
    whole_of,
)
from zerosum.web.seats import COOKIE, give, held, token_for
from zerosum.web.seats import digest_of as token_digest
from zerosum.web.site import Site, card, client_of, origin_of, site_of
from zerosum.web.table import Table, default_names
from zerosum.web.tables import ID_LENGTH, Asked, place_of
from zerosum.web.view import reviewable, view

ACTION_FIELDS = ("key", "ply", "action", "move", "offer", "want")


def shown(request: Request, table: Table, who: tuple[int, ...], **more: Any) -> dict[str, Any]:
    """Give the view of a table for this request."""
    return {**view(table, who, origin_of(request), site_of(request).tables.now()), **more}


async def create(request: Request) -> Response:
    """Make a match; a form with a mistake comes back with the sentence at its field."""
    site = site_of(request)
    body = await body_of(request, NEW_FIELDS)
    try:
        wanted = wanted_of(body)
        digest = digest_of(*wanted)
        table = await site.tables.created(wanted.key, digest)
        if table is None:
            site.allow(request, "games")
            table = await site.tables.open(await _set_up(request, wanted), wanted.key, digest)
    except Refused as error:
        if is_form(request) and error.status == 422 and body.get("game") in site.games:
            return _form_again(site, body, error)
        raise
    return _seated(request, table, wanted.key, 201)


def _form_again(site: Site, body: dict[str, Any], error: Refused) -> Response:
    """Show the form with what was typed, and the sentence at the field that is wrong."""
    field = str(error.more.get("field", "")).replace("options.", "option.")
    values = {f"option.{name}": value for name, value in body.get("options", {}).items()}
    values |= {name: value for name, value in body.items() if name not in ("options", "key")}
    page = pages.new(card(site.entry(body["game"])), values, {field: error.message})
    return HTMLResponse(page, 422)


async def _set_up(request: Request, wanted: Wanted) -> Table:
    """Set a table up as it is wanted."""
    site = site_of(request)
    game = site.variant(wanted.game, wanted.options)
    level = wanted.level if wanted.mode == "bot" else None
    names = default_names(wanted.mode, wanted.names, level)
    first = site.rng.randrange(2) if wanted.first == "random" else int(wanted.first) - 1
    seed = site.rng.randrange(1 << 32)
    try:
        match = Match.new(game, names, first, wanted.games, wanted.clock, (None, level), seed)
    except OptionError as error:
        raise refused_option(error, "") from error
    except Exception as error:
        raise broken(error) from error
    if match.round.end is not None:
        raise Refused("invalid", "With these options the game is over before it begins.")
    # Rules that fail shall do so before anybody sits down.
    view(Table("", match, "here", (("", (0, 1)),), False), (0, 1), "", 0.0)
    table = Table(
        id=new_id(ID_LENGTH),
        match=match,
        mode=wanted.mode,
        holders=(),
        watch=wanted.watch,
        want=(wanted.coach, "off" if wanted.mode == "friend" else wanted.coach),
    )
    if level is not None:
        await _check_level(request, table, level)
    return _held(site, table, wanted.key)


def _held(site: Site, table: Table, key: str) -> Table:
    """Give the seats of a new table to who made it."""
    digest = token_digest(token_for(site.tables.secret, table.id, key))
    return replace(table, holders=((digest, (0, 1) if table.mode == "here" else (0,)),))


async def _check_level(request: Request, table: Table, level: str) -> None:
    """Let a program get ready, so that it fails before the game and not in it."""
    try:
        game, options = entry_of(table.match.game).name, variant_of(table.match.game)
        asked = {"game": game, "options": options, "level": level}
        await site_of(request).think("prepare", asker=client_of(request), **asked)
    except Refused as error:
        if error.code != "too_hard":
            raise
        raise Refused("too_hard", error.message, field="level") from error


def _seated(request: Request, table: Table, key: str, status: int) -> Response:
    """Answer with the table, and give the seat to who has just taken it."""
    site = site_of(request)
    token = token_for(site.tables.secret, table.id, key)
    where = f"/m/{table.id}"
    response: Response
    if is_form(request):
        response = RedirectResponse(where, 303)
    else:
        who = table.players_of(token_digest(token))
        headers = {"location": where}
        response = JSONResponse(shown(request, table, who), status, headers)
    give(response, table.id, token, request.url.scheme == "https")
    return response


async def join(request: Request) -> Response:
    """Take the open seat."""
    site = site_of(request)
    body = await body_of(request, ("key", "name"))
    key, name = key_of(body), body.get("name")
    if name is not None:
        name = text_of(body, "name", 100).strip()
    site.allow(request, "moves")
    id_ = request.path_params["id"]
    holder = token_digest(token_for(site.tables.secret, id_, key))
    table = await site.tables.get(id_)
    if table.players_of(held(request)) and not table.players_of(holder):
        if is_form(request):
            return RedirectResponse(f"/m/{id_}", 303)
        raise Refused("seat_taken", "You hold a seat at this table already.")
    table = await site.tables.join(id_, holder, name, key, digest_of("join", name))
    return _seated(request, table, key, 200)


async def state(request: Request) -> Response:
    """Show a table as it stands."""
    table, who = await site_of(request).readable(request)
    tag = f'"{table.change}-{"".join(map(str, who))}"'
    if request.headers.get("if-none-match") == tag and table.match.clock is None:
        return Response(status_code=304, headers={"etag": tag})
    return JSONResponse(shown(request, table, who), headers={"etag": tag})


async def actions(request: Request) -> Response:
    """Do what a player asks for."""
    site = site_of(request)
    body = await body_of(request, ACTION_FIELDS)
    ply, action = action_of(body, site.limits)
    asked = Asked(key_of(body), digest_of(ply, *action), ply, action)
    site.allow(request, "moves")
    id_, holder = request.path_params["id"], held(request)
    try:
        table, repeated = await site.tables.act(id_, holder, asked)
    except Refused as error:
        if error.code == "stale":
            table = await site.tables.get(id_)
            error.more["state"] = shown(request, table, table.players_of(holder))
        raise
    more = {"repeated": True} if repeated else {}
    who = table.players_of(holder)
    text = site.writer.view(table, who, origin_of(request), site.tables.now(), **more)
    return Response(text, media_type=JSON)


async def page(request: Request) -> Response:
    """Show the page of a table: an invitation, a game or its end; it never takes a seat."""
    table, who = await site_of(request).readable(request)
    return HTMLResponse(pages.table(shown(request, table, who)))


async def follow(request: Request) -> Response:
    """Lead from a match to its rematch, with the seat."""
    site = site_of(request)
    table, who = await site.readable(request)
    if table.next is None:
        raise Refused("not_now", "There is no rematch of this match.")
    response = RedirectResponse(f"/m/{table.next}", 303)
    if who:
        give(response, table.next, request.cookies[COOKIE], request.url.scheme == "https")
    return response


async def qr(request: Request) -> Response:
    """Draw the link of a table as a QR code."""
    import io

    import segno

    table, _ = await site_of(request).readable(request)
    made, file = segno.make(f"{origin_of(request)}/m/{table.id}", micro=False), io.BytesIO()
    made.save(file, kind="svg", scale=6, border=4, light="#fff", dark="#111", xmldecl=False)
    return Response(file.getvalue(), media_type="image/svg+xml")


async def coach(request: Request) -> Response:
    """Explain the position that stands, where that is allowed."""
    site = site_of(request)
    table, _ = await site.readable(request)
    if not table.coach_open:
        raise Refused(
            "coach_not_agreed",
            "Between people the coach speaks only when both players have asked for it.",
        )
    if not table.running:
        raise Refused("not_now", "No game is being played here now.")
    ply = request.query_params.get("ply")
    if ply is not None and ply != str(table.ply):
        raise Refused("stale", f"The match is at ply {table.ply}.", ply=table.ply)
    site.allow(request, "analyses")
    advice = await site.think("advice", asker=client_of(request), **place_of(table))
    # While that was worked out, somebody may have withdrawn, or moved.
    now = await site.tables.get(table.id)
    if not now.coach_open:
        raise Refused("coach_not_agreed", "A player has just sent the coach away.")
    return JSONResponse({"ply": table.ply, **advice})


def _game_of(table: Table, given: Any) -> int:
    """Read which game of a match is meant, and refuse one that may not be looked at yet."""
    last = len(table.match.rounds) - 1
    game = last if given is None else whole_of({"game": given}, "game", 0, 10**6, 0)
    if game > last:
        raise Refused("invalid", f"This match has {last + 1} games.", field="game")
    if not reviewable(table, game):
        if not table.coach_open:
            raise Refused("coach_not_agreed", "The review comes when the match is over.")
        raise Refused("not_now", "The review comes when the game is over.")
    return game


async def review(request: Request) -> Response:
    """Judge every move of a game that is over."""
    site = site_of(request)
    table, _ = await site.readable(request)
    game = _game_of(table, request.query_params.get("game"))
    site.allow(request, "analyses")
    asker, record = client_of(request), to_record(table.match)
    return JSONResponse(await site.think("review", asker=asker, record=record, game=game))


async def review_page(request: Request) -> Response:
    """Show the page of a review."""
    table, who = await site_of(request).readable(request)
    game = _game_of(table, request.query_params.get("game"))
    return HTMLResponse(pages.review(shown(request, table, who), game))


async def fork(request: Request) -> Response:
    """Go on from a position of a game that is over, against a program."""
    site = site_of(request)
    body = await body_of(request, ("key", "game", "ply", "level"))
    before, who = await site.readable(request)
    game = _game_of(before, body.get("game", 0))
    played = before.match.rounds[game]
    ply = whole_of(body, "ply", 0, len(played.moves), 0)
    if before.match.game.outcome(played.states[ply]) is not None:
        raise Refused("invalid", "The game is over at that position.", field="ply")
    level, key = level_of(body, "perfect"), key_of(body)
    digest = digest_of("fork", before.id, game, ply, level)
    table = await site.tables.created(key, digest)
    if table is None:
        site.allow(request, "games")
        made = _forked(site, before, who, game, ply, level)
        await _check_level(request, made, level)
        table = await site.tables.open(_held(site, made, key), key, digest)
    return _seated(request, table, key, 201)


def _forked(
    site: Site, before: Table, who: tuple[int, ...], game: int, ply: int, level: str
) -> Table:
    """Set up the table that goes on from a position; the visitor has the side to move."""
    match = before.match
    played = match.rounds[game]
    names = default_names("bot", [match.players[who[0]]] if len(who) == 1 else [], level)
    seed = site.rng.randrange(1 << 32)
    first = played.states[ply].player
    made = Match.new(match.game, names, first, 1, None, (None, level), seed)
    for move in played.moves[:ply]:
        made = made.play(move)
    want = before.want[who[0]] if who else "off"
    return Table(new_id(ID_LENGTH), made, "bot", (), False, (want, want))
