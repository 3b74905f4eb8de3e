"""The routes of an existing match: state, actions, pages, coach, review."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zerosum.record import to_record
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.reading import JSON, answer, content_digest
from zerosum.web.routes.requests import ACT, MOMENT, PLAYED
from zerosum.web.routes.schemas import Acted
from zerosum.web.site import Site
from zerosum.web.tables.service import Asked
from zerosum.web.tables.table import Table
from zerosum.web.tables.tokens import COOKIE, give, held
from zerosum.web.tables.view import Viewer, document, reviewables


def shown(site: Site, request: Request, table: Table, holder: str | None) -> bytes:
    """Return the document of a table for this visitor."""
    viewer = Viewer(site.tables.secret, table.id, holder or "", site.origin(request))
    return document(table, viewer, site.tables.clock.now()).whole()


def view(site: Site, request: Request, table: Table, holder: str | None) -> dict[str, Any]:
    """Return the document of a table for this visitor, for a page."""
    found: dict[str, Any] = msgspec.json.decode(shown(site, request, table, holder))
    return found


async def state(site: Site, request: Request) -> Response:
    """Get a match."""
    table, who = await site.readable(request)
    tag = f'"{table.change}-{"".join(map(str, who))}"'
    if request.headers.get("if-none-match") == tag and table.match.clock is None:
        return Response(status_code=304, headers={"etag": tag})
    text = shown(site, request, table, held(request))
    return Response(text, media_type=JSON, headers={"etag": tag})


async def act(site: Site, request: Request) -> Response:
    """Move, make or answer an offer, resign."""
    wanted = await ACT.read(request)
    action = wanted.action(site.limits)
    asked = Asked(wanted.key, content_digest(wanted.ply, *action[:4]), wanted.ply, action)
    site.allow(request, "moves")
    id_, holder = request.path_params["id"], held(request)
    try:
        table, repeated = await site.tables.act(id_, holder, asked)
    except Refused as error:
        if error.code == "stale":
            error.more["state"] = view(site, request, await site.tables.get(id_), holder)
        raise
    news = [] if repeated else [table.news[-1]._asdict()]
    return answer(Acted(id_, table.change, table.ply, repeated, news))


async def page(site: Site, request: Request) -> Response:
    """Show the page of a match: invitation, game or result; it never takes a seat."""
    table, _ = await site.readable(request)
    seen, alone = view(site, request, table, held(request)), site.settings.loopback
    return HTMLResponse(pages.table(seen, {}, {}, alone))


async def rematch(site: Site, request: Request) -> Response:
    """Redirect from a match to its rematch, keeping the seat."""
    table, who = await site.readable(request)
    if table.next is None:
        raise Refused("not_now", "This match has no rematch yet.")
    response = RedirectResponse(f"/m/{table.next}", 303)
    if who:
        give(response, table.next, request.cookies[COOKIE], request.url.scheme == "https")
    return response


async def qr(site: Site, request: Request) -> Response:
    """Draw the link as a QR code."""
    table, _ = await site.readable(request)
    site.allow(request, "analyses")
    async with site.drawing:
        drawn = await asyncio.to_thread(pages.qr_svg, f"{site.origin(request)}/m/{table.id}")
    return Response(drawn, media_type="image/svg+xml")


async def coach(site: Site, request: Request) -> Response:
    """Ask the coach about the position."""
    table, _ = await site.readable(request)
    if not table.coach_open:
        raise Refused(
            "coach_not_agreed",
            "The coach is off. It turns on when both players agree.",
        )
    if not table.running:
        raise Refused("not_now", "No game is being played right now.")
    if MOMENT.query(request).ply not in (UNSET, table.ply):
        raise Refused("stale", "The game has moved on.", ply=table.ply)
    site.allow(request, "analyses")
    advice = await site.ask(request, "advice", **table.place)
    # Meanwhile a player may have turned the coach off.
    now = await site.tables.get(table.id, fresh=True)
    if not now.coach_open:
        raise Refused("coach_not_agreed", "A player has just turned the coach off.")
    return answer({"ply": table.ply, **advice})


def game_of(table: Table, given: int | UnsetType) -> int:
    """Return which game of a match is meant; refuse one that cannot be reviewed yet."""
    last = table.match.number - 1
    game = max(reviewables(table), default=last) if given is UNSET else given
    if game > last:
        raise Refused(
            "invalid", f"This match has {last + 1} {'game' if not last else 'games'}.", field="game"
        )
    if game not in reviewables(table):
        if not table.coach_open:
            raise Refused("coach_not_agreed", "The review opens when the match is over.")
        raise Refused("not_now", "The review opens when the game is over.")
    return game


async def review(site: Site, request: Request) -> Response:
    """Review a finished game."""
    table, _ = await site.readable(request)
    game = game_of(table, PLAYED.query(request).game)
    site.allow(request, "analyses")
    return answer(await site.ask(request, "review", record=to_record(table.match), game=game))


async def review_page(site: Site, request: Request) -> Response:
    """Show the page of a review."""
    table, _ = await site.readable(request)
    game = game_of(table, PLAYED.query(request).game)
    return HTMLResponse(pages.review(view(site, request, table, held(request)), game))
