"""The routes besides matches: home, forms, rule books, maps, positions, puzzles."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import Entry
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.bodies import body_of, json_of
from zerosum.web.routes.reading import move_of, text_of
from zerosum.web.site import card, client_of, described, site_of
from zerosum.wording.rulebook import rulebook_of

# A page whose forms carry keys must not be shared.
FRESH = {"cache-control": "no-store"}
MOST_SEEN = 2000


async def home(request: Request) -> Response:
    """Show all games."""
    page = pages.home([_card(entry) for entry in site_of(request).games.values()])
    return HTMLResponse(page, headers=FRESH)


async def new(request: Request) -> Response:
    """Show the form for a new match; the address may fill in some fields."""
    values: dict[str, Any] = dict(request.query_params)
    return HTMLResponse(pages.new(_card(_entry(request)), values), headers=FRESH)


async def rules(request: Request) -> Response:
    """Show the rule book of a game."""
    entry = _entry(request)
    text = await asyncio.to_thread(rulebook_of, entry.variant())
    return HTMLResponse(pages.rules(_card(entry), text))


async def explore(request: Request) -> Response:
    """Show the map of a game; a wrong option is marked at its field."""
    site, entry = site_of(request), _entry(request)
    given = {
        name.removeprefix("option."): value
        for name, value in request.query_params.items()
        if name.startswith("option.") and value.strip()
    }
    errors = {}
    try:
        site.variant(entry.name, given)
    except Refused as error:
        errors[str(error.more.get("field", "")).removeprefix("options.")] = error.message
    return HTMLResponse(pages.explore(_card(entry), given, errors), 422 if errors else 200)


async def puzzles(request: Request) -> Response:
    """Show the page of puzzles."""
    return HTMLResponse(pages.puzzles([_card(entry) for entry in site_of(request).games.values()]))


async def games(request: Request) -> Response:
    """List the games for programs."""
    return JSONResponse({"games": [described(entry) for entry in site_of(request).games.values()]})


async def position(request: Request) -> Response:
    """Analyse a position."""
    site, game = site_of(request), _variant(request)
    text = request.query_params.get("state")
    state = None if text is None else json_of(text)
    if state is not None and not isinstance(state, list):
        raise Refused("invalid", "A state must be a JSON array.", field="state")
    site.allow(request, "analyses")
    asked = _named(request, game)
    asker = client_of(request)
    return JSONResponse(await site.think("position", asker=asker, **asked, state=state))


async def map_svg(request: Request) -> Response:
    """Draw the map of a game."""
    site, game = site_of(request), _variant(request)
    site.allow(request, "analyses")
    drawn = await site.think("map_svg", asker=client_of(request), **_named(request, game))
    return Response(drawn, media_type="image/svg+xml")


async def theory(request: Request) -> Response:
    """Return the theory of a game in words."""
    site, game = site_of(request), _variant(request)
    site.allow(request, "analyses")
    told = await site.think("theory", asker=client_of(request), **_named(request, game))
    return JSONResponse(told)


async def puzzle(request: Request) -> Response:
    """Return a puzzle, or judge an answer."""
    return await (_answered if request.method == "POST" else _posed)(request)


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
    return JSONResponse(await site.think("puzzle", asker=client_of(request), **asked))


async def _answered(request: Request) -> Response:
    """Judge the answer to a puzzle, or reveal it."""
    site = site_of(request)
    body = await body_of(request, ("id", "move", "give_up"))
    id_ = text_of(body, "id", 100)
    give_up = body.get("give_up", False)
    if not isinstance(give_up, bool) or give_up == ("move" in body):
        raise Refused("invalid", "Send either a move or give_up.", field="move")
    move = None if give_up else move_of(body, site.limits)
    site.allow(request, "analyses")
    judged = await site.think("answer", asker=client_of(request), id=id_, move=move)
    return JSONResponse(judged)


async def healthz(request: Request) -> Response:
    """Confirm that the server and its database work."""
    await site_of(request).tables.keeping.read(lambda store: store.live_version(""))
    return JSONResponse({"status": "ok"})


async def pictures_css(request: Request) -> Response:
    """Return the style sheet of the pictures."""
    from zerosum.pictures.svg import svg_stylesheet

    headers = {"cache-control": "public, max-age=3600"}
    return Response(svg_stylesheet(), media_type="text/css", headers=headers)


def _entry(request: Request) -> Entry:
    """Find the game in the address."""
    return site_of(request).entry(request.path_params["game"])


def _variant(request: Request) -> Game[Any]:
    """Make the variant in the address."""
    given = json_of(request.query_params.get("options") or "{}")
    if not isinstance(given, dict):
        raise Refused("invalid", "options must be a JSON object.", field="options")
    return site_of(request).variant(request.path_params["game"], given)


def _named(request: Request, game: Game[Any]) -> dict[str, Any]:
    """Return a variant's name and options, for the solver processes."""
    return {"game": request.path_params["game"], "options": option_values(game)}


@lru_cache(maxsize=100)
def _card(entry: Entry) -> dict[str, Any]:
    """Describe a game once."""
    return card(entry)
