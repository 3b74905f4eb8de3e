"""The routes of an existing match: state, actions, pages, coach, review."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from zerosum.record import to_record
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.bodies import JSON, body_of
from zerosum.web.routes.reading import (
    action_of,
    digest_of,
    key_of,
    whole_of,
)
from zerosum.web.site import client_of, origin_of, site_of
from zerosum.web.tables.entries import Asked, place_of
from zerosum.web.tables.table import Table
from zerosum.web.tables.tokens import COOKIE, give, held
from zerosum.web.tables.view import reviewables

ACTION_FIELDS = ("key", "ply", "action", "move", "offer", "want")


def written(request: Request, table: Table, who: tuple[int, ...], **more: Any) -> str:
    """Render the view of a table for this request."""
    site = site_of(request)
    return site.writer.view(table, who, origin_of(request), site.tables.now(), **more)


def shown(request: Request, table: Table, who: tuple[int, ...]) -> dict[str, Any]:
    """Return the view of a table for this request."""
    view: dict[str, Any] = json.loads(written(request, table, who))
    return view


async def state(request: Request) -> Response:
    """Return the current table."""
    table, who = await site_of(request).readable(request)
    tag = f'"{table.change}-{"".join(map(str, who))}"'
    if request.headers.get("if-none-match") == tag and table.match.clock is None:
        return Response(status_code=304, headers={"etag": tag})
    return Response(written(request, table, who), media_type=JSON, headers={"etag": tag})


async def actions(request: Request) -> Response:
    """Carry out a player's action."""
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
    text = written(request, table, table.players_of(holder), **more)
    return Response(text, media_type=JSON)


async def page(request: Request) -> Response:
    """Show the page of a match: invitation, game or result; it never takes a seat."""
    table, who = await site_of(request).readable(request)
    return HTMLResponse(pages.table(shown(request, table, who)))


async def follow(request: Request) -> Response:
    """Redirect from a match to its rematch, keeping the seat."""
    site = site_of(request)
    table, who = await site.readable(request)
    if table.next is None:
        raise Refused("not_now", "This match has no rematch yet.")
    response = RedirectResponse(f"/m/{table.next}", 303)
    if who:
        give(response, table.next, request.cookies[COOKIE], request.url.scheme == "https")
    return response


async def qr(request: Request) -> Response:
    """Draw the match's link as a QR code."""
    import io

    import segno

    table, _ = await site_of(request).readable(request)
    made, file = segno.make(f"{origin_of(request)}/m/{table.id}", micro=False), io.BytesIO()
    made.save(file, kind="svg", scale=6, border=4, light="#fff", dark="#111", xmldecl=False)
    return Response(file.getvalue(), media_type="image/svg+xml")


async def coach(request: Request) -> Response:
    """Return the coach's advice on the current position, if allowed."""
    site = site_of(request)
    table, _ = await site.readable(request)
    if not table.coach_open:
        raise Refused(
            "coach_not_agreed",
            "The coach is off. It turns on when both players agree.",
        )
    if not table.running:
        raise Refused("not_now", "No game is being played right now.")
    ply = request.query_params.get("ply")
    if ply is not None and ply != str(table.ply):
        raise Refused("stale", "The game has moved on.", ply=table.ply)
    site.allow(request, "analyses")
    advice = await site.think("advice", asker=client_of(request), **place_of(table))
    # Meanwhile a player may have turned the coach off.
    now = await site.tables.get(table.id, fresh=True)
    if not now.coach_open:
        raise Refused("coach_not_agreed", "A player has just turned the coach off.")
    return JSONResponse({"ply": table.ply, **advice})


def game_of(table: Table, given: Any) -> int:
    """Return which game of a match is meant; refuse one that cannot be reviewed yet."""
    last = table.match.number - 1
    usual = max(reviewables(table), default=last)
    game = usual if given is None else whole_of({"game": given}, "game", 0, 10**6, 0)
    if game > last:
        raise Refused(
            "invalid", f"This match has {last + 1} {'game' if not last else 'games'}.", field="game"
        )
    if game not in reviewables(table):
        if not table.coach_open:
            raise Refused("coach_not_agreed", "The review opens when the match is over.")
        raise Refused("not_now", "The review opens when the game is over.")
    return game


async def review(request: Request) -> Response:
    """Review a finished game."""
    site = site_of(request)
    table, _ = await site.readable(request)
    game = game_of(table, request.query_params.get("game"))
    site.allow(request, "analyses")
    asker, record = client_of(request), to_record(table.match)
    return JSONResponse(await site.think("review", asker=asker, record=record, game=game))


async def review_page(request: Request) -> Response:
    """Show the page of a review."""
    table, who = await site_of(request).readable(request)
    game = game_of(table, request.query_params.get("game"))
    return HTMLResponse(pages.review(shown(request, table, who), game))
