"""The routes besides matches: home, forms, rule books, maps, positions, puzzles."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from zerosum.errors import StoreError
from zerosum.options import option_values
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.messages import ATTEMPT, Options, State
from zerosum.web.routes.reading import answer, query_json, typed_move
from zerosum.web.site import site_of

log = logging.getLogger("zerosum.web")

# A page whose forms carry keys must not be shared.
FRESH = {"cache-control": "no-store"}
MOST_SEEN = 2000
# Shorter than most programs that check a server wait.
HEALTH_SECONDS = 3.0


async def home(request: Request) -> Response:
    """Show all games."""
    return HTMLResponse(pages.home(await _cards(request)), headers=FRESH)


async def new(request: Request) -> Response:
    """Show the form for a new match; the address may fill in some fields."""
    values: dict[str, Any] = dict(request.query_params)
    return HTMLResponse(pages.new(await _card(request), values), headers=FRESH)


async def rules(request: Request) -> Response:
    """Show the rule book of a game."""
    card = await _card(request)
    return HTMLResponse(pages.rules(card, card["rulebook"]))


async def explore(request: Request) -> Response:
    """Show the map of a game; a wrong option is marked at its field."""
    card = await _card(request)
    given = {
        name.removeprefix("option."): value
        for name, value in request.query_params.items()
        if name.startswith("option.") and value.strip()
    }
    errors = {}
    try:
        site_of(request).variant(card["name"], given)
    except Refused as error:
        errors[str(error.more.get("field", "")).removeprefix("options.")] = error.message
    return HTMLResponse(pages.explore(card, given, errors), 422 if errors else 200)


async def puzzles(request: Request) -> Response:
    """Show the page of puzzles."""
    return HTMLResponse(pages.puzzles(await _cards(request)))


async def games(request: Request) -> Response:
    """List the games for programs."""
    told = ("name", "title", "summary", "options")
    return answer({"games": [{key: card[key] for key in told} for card in await _cards(request)]})


async def position(request: Request) -> Response:
    """Analyse a position."""
    text = request.query_params.get("state")
    state = None if text is None else query_json(text, State, "state")
    return answer(await _study(request, "position", state=state))


async def map_svg(request: Request) -> Response:
    """Draw the map of a game."""
    return Response(await _study(request, "map_svg"), media_type="image/svg+xml")


async def theory(request: Request) -> Response:
    """Return the theory of a game in words."""
    return answer(await _study(request, "theory"))


async def _study(request: Request, what: str, **more: Any) -> Any:
    """Ask about the variant in the address."""
    site, name = site_of(request), request.path_params["game"]
    given = query_json(request.query_params.get("options") or "{}", Options, "options")
    options = option_values(site.variant(name, given))
    site.allow(request, "analyses")
    return await site.ask(request, what, game=name, options=options, **more)


async def puzzle(request: Request) -> Response:
    """Return a puzzle, or judge an answer."""
    return await (_judged if request.method == "POST" else _posed)(request)


async def _posed(request: Request) -> Response:
    """Return a puzzle."""
    site, query = site_of(request), request.query_params
    game, grade = query.get("game") or None, query.get("grade") or None
    names = list(site.games) if game is None else [site.entry(game).name]
    seen = [name for name in query.get("seen", "").split(",") if name]
    if len(seen) > MOST_SEEN:
        raise Refused("invalid", f"seen can have at most {MOST_SEEN} names.", field="seen")
    site.allow(request, "analyses")
    seed = str(site.rng.getrandbits(64))
    asked = {"games": names, "grade": grade, "seen": seen, "seed_text": seed}
    return answer(await site.ask(request, "puzzle", **asked))


async def _judged(request: Request) -> Response:
    """Judge the answer to a puzzle, or reveal it."""
    site, attempt = site_of(request), await ATTEMPT.read(request)
    if attempt.give_up == (attempt.move is not UNSET):
        raise Refused("invalid", "Send either a move or give_up.", field="move")
    move = None if attempt.move is UNSET else typed_move(attempt.move, site.limits)
    site.allow(request, "analyses")
    return answer(await site.ask(request, "answer", id=attempt.id, move=move))


async def healthz(request: Request) -> Response:
    """Say whether the database, the solver processes and the scheduler work."""
    site = site_of(request)
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


async def pictures_css(request: Request) -> Response:
    """Return the style sheet of the pictures."""
    from zerosum.pictures.svg import svg_stylesheet

    headers = {"cache-control": "public, max-age=3600"}
    return Response(svg_stylesheet(), media_type="text/css", headers=headers)


async def _card(request: Request) -> dict[str, Any]:
    """Describe the game in the address."""
    return await site_of(request).card(request.path_params["game"])


async def _cards(request: Request) -> list[dict[str, Any]]:
    """Describe all games."""
    site = site_of(request)
    return [await site.card(name) for name in site.games]
