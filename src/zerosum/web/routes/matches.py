"""The routes of an existing match: state, actions, pages, coach, review."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zerosum.record import to_record
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.messages import ACT, GameNumber
from zerosum.web.routes.reading import JSON, answer, digest_of, query_value
from zerosum.web.site import origin_of, site_of
from zerosum.web.tables.service import Asked
from zerosum.web.tables.table import Table
from zerosum.web.tables.tokens import COOKIE, give, held
from zerosum.web.tables.view import Viewer, document, reviewables


def shown(request: Request, table: Table, holder: str | None) -> bytes:
    """Return the document of a table for this visitor."""
    tables = site_of(request).tables
    viewer = Viewer(tables.secret, table.id, holder or "", origin_of(request))
    return document(table, viewer, tables.clock.now()).whole()


def view(request: Request, table: Table, holder: str | None) -> dict[str, Any]:
    """Return the document of a table for this visitor, for a page."""
    found: dict[str, Any] = msgspec.json.decode(shown(request, table, holder))
    return found


async def state(request: Request) -> Response:
    """Return the current table."""
    table, who = await site_of(request).readable(request)
    tag = f'"{table.change}-{"".join(map(str, who))}"'
    if request.headers.get("if-none-match") == tag and table.match.clock is None:
        return Response(status_code=304, headers={"etag": tag})
    text = shown(request, table, held(request))
    return Response(text, media_type=JSON, headers={"etag": tag})


async def actions(request: Request) -> Response:
    """Carry out a player's action."""
    site = site_of(request)
    act = await ACT.read(request)
    action = act.action(site.limits)
    asked = Asked(act.key, digest_of(act.ply, *action[:4]), act.ply, action)
    site.allow(request, "moves")
    id_, holder = request.path_params["id"], held(request)
    try:
        table, repeated = await site.tables.act(id_, holder, asked)
    except Refused as error:
        if error.code == "stale":
            error.more["state"] = view(request, await site.tables.get(id_), holder)
        raise
    done = {
        "id": id_,
        "change": table.change,
        "ply": table.ply,
        "repeated": repeated,
        "news": [] if repeated else [table.news[-1]._asdict()],
    }
    return answer(done)


async def page(request: Request) -> Response:
    """Show the page of a match: invitation, game or result; it never takes a seat."""
    table, _ = await site_of(request).readable(request)
    return HTMLResponse(pages.table(view(request, table, held(request))))


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
    site = site_of(request)
    table, _ = await site.readable(request)
    site.allow(request, "analyses")
    async with site.drawing:
        drawn = await asyncio.to_thread(pages.qr_svg, f"{origin_of(request)}/m/{table.id}")
    return Response(drawn, media_type="image/svg+xml")


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
    advice = await site.ask(request, "advice", **table.place)
    # Meanwhile a player may have turned the coach off.
    now = await site.tables.get(table.id, fresh=True)
    if not now.coach_open:
        raise Refused("coach_not_agreed", "A player has just turned the coach off.")
    return answer({"ply": table.ply, **advice})


def game_of(table: Table, given: int | None) -> int:
    """Return which game of a match is meant; refuse one that cannot be reviewed yet."""
    last = table.match.number - 1
    usual = max(reviewables(table), default=last)
    game = usual if given is None else given
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
    game = game_of(table, query_value(request, "game", GameNumber))
    site.allow(request, "analyses")
    return answer(await site.ask(request, "review", record=to_record(table.match), game=game))


async def review_page(request: Request) -> Response:
    """Show the page of a review."""
    table, _ = await site_of(request).readable(request)
    game = game_of(table, query_value(request, "game", GameNumber))
    return HTMLResponse(pages.review(view(request, table, held(request)), game))
