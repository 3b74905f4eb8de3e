"""The routes besides matches: home, forms, rule books, maps, positions, puzzles."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from zerosum.errors import StoreError
from zerosum.options import option_values
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.reading import answer, fields_of, options_in, typed_move
from zerosum.web.routes.requests import ATTEMPT, PICK, PLACE, VARIANT
from zerosum.web.site import Site, described

log = logging.getLogger("zerosum.web")

# A page whose forms carry keys must not be shared.
FRESH = {"cache-control": "no-store"}
MOST_SEEN = 2000
# Shorter than most programs that check a server wait.
HEALTH_SECONDS = 3.0


async def home(site: Site, request: Request) -> Response:
    """Show all games."""
    return HTMLResponse(pages.home(await _cards(site)), headers=FRESH)


async def new(site: Site, request: Request) -> Response:
    """Show the form for a new match; the address may fill in some fields."""
    fields = fields_of(request.query_params.multi_items())
    return HTMLResponse(pages.new(await _card(site, request), fields, {}), headers=FRESH)


async def rules(site: Site, request: Request) -> Response:
    """Show the rule book of a game."""
    return HTMLResponse(pages.rules(await _card(site, request)))


async def explore(site: Site, request: Request) -> Response:
    """Show the map of a game; a wrong option is marked at its field."""
    card = await _card(site, request)
    fields = fields_of(request.query_params.multi_items())
    try:
        await site.variant(request, card["name"], options_in(fields))
    except Refused as error:
        if error.code == "invalid":  # rules that fail are reported with the position
            return HTMLResponse(pages.explore(card, fields, pages.marked(error)), 422)
    return HTMLResponse(pages.explore(card, fields, {}))


async def puzzles(site: Site, request: Request) -> Response:
    """Show the page of puzzles."""
    return HTMLResponse(pages.puzzles(await _cards(site)))


async def games(site: Site, request: Request) -> Response:
    """List the games."""
    return answer({"games": [described(entry) for entry in site.games.values()]})


async def position(site: Site, request: Request) -> Response:
    """Analyse a position."""
    state = PLACE.query(request).state
    return answer(await _study(site, request, "position", at=None if state is UNSET else state))


async def map_svg(site: Site, request: Request) -> Response:
    """Draw the map of a game."""
    return Response(await _study(site, request, "map_svg"), media_type="image/svg+xml")


async def theory(site: Site, request: Request) -> Response:
    """Explain the theory of a game."""
    return answer(await _study(site, request, "theory"))


async def _study(site: Site, request: Request, what: str, **more: Any) -> Any:
    """Ask about the variant in the address."""
    name = request.path_params["game"]
    site.allow(request, "analyses")
    game, _ = await site.variant(request, name, VARIANT.query(request).options)
    return await site.ask(request, what, game=name, options=option_values(game), **more)


async def puzzle(site: Site, request: Request) -> Response:
    """Get a puzzle."""
    query = PICK.query(request)
    names = [site.entry(query.game).name] if query.game else list(site.games)
    seen = [name for name in query.seen.split(",") if name]
    if len(seen) > MOST_SEEN:
        raise Refused("invalid", f"seen can have at most {MOST_SEEN} names.", field="seen")
    site.allow(request, "analyses")
    seed = str(secrets.randbits(64))
    asked = {"games": names, "grade": query.grade or None, "seen": seen, "seed_text": seed}
    return answer(await site.ask(request, "puzzle", **asked))


async def attempt(site: Site, request: Request) -> Response:
    """Answer a puzzle or give up."""
    attempt = await ATTEMPT.read(request)
    if attempt.give_up == (attempt.move is not UNSET):
        raise Refused("invalid", "Send either a move or give_up.", field="move")
    move = None if attempt.move is UNSET else typed_move(attempt.move, site.limits)
    site.allow(request, "analyses")
    return answer(await site.ask(request, "answer", id=attempt.id, move=move))


async def healthz(site: Site, request: Request) -> Response:
    """Check the database, the solver processes and the scheduler."""
    problems = [*site.pool.problems(), *site.tables.scheduler.problems()]
    store, clock = site.tables.store, site.tables.clock
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await store.read(lambda found: found.live_version(""))
            await clock.beat()  # a write, at most once a second
    except TimeoutError:
        problems.append("The database does not answer.")
    except StoreError as error:
        log.error("%s", error)
        problems.append("The database cannot be read or written.")
    if problems:
        return answer({"status": "failing", "problems": problems}, 503)
    return answer({"status": "ok"})


async def pictures_css(site: Site, request: Request) -> Response:
    """Return the style sheet of the pictures."""
    from zerosum.pictures.svg import svg_stylesheet

    headers = {"cache-control": "public, max-age=3600"}
    return Response(svg_stylesheet(), media_type="text/css", headers=headers)


async def _card(site: Site, request: Request) -> dict[str, Any]:
    """Describe the game in the address."""
    return await site.card(request.path_params["game"])


async def _cards(site: Site) -> list[dict[str, Any]]:
    """Describe all games."""
    return [await site.card(name) for name in site.games]
