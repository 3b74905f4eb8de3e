"""The routes besides matches: home, forms, rule books, maps, positions, puzzles."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from zerosum.coach.lesson import NO_LESSON
from zerosum.coach.puzzles import game_of_day, today
from zerosum.errors import StoreError
from zerosum.options import option_values
from zerosum.players.scale import above
from zerosum.web.analysis.cards import game_lesson, trial
from zerosum.web.answers import Games, Health, Rulebook, answer
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes import request_schemas as asked
from zerosum.web.routes.me import LOOKED_UP
from zerosum.web.site import AT_ONCE, Site, described
from zerosum.web.tables.strength import own_strength
from zerosum.web.tables.tokens import holder_of

log = logging.getLogger("zerosum.web")

MOST_SEEN = 2000
MOST_BOTS = 12
MOST_MAPS = 64  # a large one is 50 kB
# Shorter than most programs that check a server wait.
HEALTH_SECONDS = 3.0


async def home(site: Site, request: Request) -> Response:
    """Show all games, and a position to try, which the address may answer."""
    tried = request.query_params.get("try", "")
    cards = await _cards(site)
    data: dict[str, Any] = {"games": cards, "trial": trial(), "tried": tried}
    data["of_day"] = _of_day(cards)
    data["bots"] = (await site.people.listed())[:MOST_BOTS] if site.settings.bots else []
    return pages.response(request, "home", fresh=True, **data)


async def new(site: Site, request: Request) -> Response:
    """Show the form for a new match; the address may fill in some fields."""
    card, fields = await _card(site, request), asked.fields_in(request)
    return pages.response(request, "new", fresh=True, game=card, values=fields, errors={})


async def learn(site: Site, request: Request) -> Response:
    """Show a step of the lesson of a game, which the address may answer; the last is a match."""
    about, query, problem = await _card(site, request), request.query_params, ""
    steps: list[dict[str, Any]] = []
    try:
        steps = (await _lesson(site, request, about["name"]))["steps"]
    except Refused as error:
        if error.code not in ("too_hard", "broken_game"):
            raise
        problem = error.message
    if not steps:
        problem = problem or NO_LESSON
    numbers = [str(number) for number in range(1, len(steps) + 2)]
    wanted = query.get("step", "")
    data: dict[str, Any] = {"game": about, "steps": steps, "problem": problem}
    data["number"] = int(wanted) if wanted in numbers else 1
    data["tried"] = query.get("try", "")
    data["own"] = None
    if data["number"] > len(steps):
        data["own"] = await _own_level(site, request, about["name"])
    return pages.response(request, "learn", fresh=True, **data)


async def _own_level(site: Site, request: Request, game: str) -> tuple[str, str] | None:
    """Return the level just above a visitor, and how they play, if that is known."""
    holder = holder_of(request)
    if holder is None:
        return None
    site.allow(request, "moves", LOOKED_UP)
    own = await own_strength(site.tables, partial(site.ask, request), holder)
    known = [*(place for place in own.games if place.game == game), own.together]
    told = ((above(place.strength), place.text) for place in known)
    return next(((level, text) for level, text in told if level), None)


async def lesson(site: Site, request: Request) -> Response:
    """Get the lesson of a game, with the answers."""
    return answer(await _lesson(site, request, request.path_params["game"]))


async def _lesson(site: Site, request: Request, name: str) -> Any:
    """Ask the solver processes for the lesson of a game."""
    site.allow(request, "analyses")
    name = site.entry(name).name
    return await site.ask(request, game_lesson.__name__, game=name, options={})


async def rules(site: Site, request: Request) -> Response:
    """Show the rule book of a game."""
    return pages.response(request, "rules", game=await _card(site, request))


async def explore(site: Site, request: Request) -> Response:
    """Show the map of a game; a wrong option is marked at its field."""
    card, fields = await _card(site, request), asked.fields_in(request)
    errors, options = {}, asked.options_in(fields)
    try:
        await site.variant(request, card["name"], options)
    except Refused as error:
        if error.code == "invalid":  # rules that fail are reported with the position
            errors = site.marked(card["name"], options, error)
    status = 422 if errors else 200
    others = await _cards(site)
    about: dict[str, Any] = {"games": others, "game": card, "values": fields, "errors": errors}
    return pages.response(request, "explore", status, **about)


async def puzzles(site: Site, request: Request) -> Response:
    """Show the page of puzzles, or of the one of the day."""
    query = request.query_params
    cards = await _cards(site)
    solved = [card for card in cards if card["exact"]]
    data: dict[str, Any] = {"daily": "daily" in query, "wanted": query.get("game")}
    data |= {"games": solved, "of_day": _of_day(cards)}
    return pages.response(request, "puzzles", fresh=True, **data)


async def games(site: Site, request: Request) -> Response:
    """List the games."""
    return answer(Games([described(entry) for entry in site.games.values()], site.programs))


async def rulebook(site: Site, request: Request) -> Response:
    """Get the rule book of a game, as Markdown."""
    card = await _card(site, request)
    return answer(Rulebook(card["name"], card["title"], card["rulebook"]))


async def position(site: Site, request: Request, place: asked.PositionQuery) -> Response:
    """Analyse a position."""
    return answer(await _study(site, request, place, "position", at=place.state))


async def map_svg(site: Site, request: Request, variant: asked.VariantQuery) -> Response:
    """Draw the map of a game."""
    wanted = request.path_params["game"], msgspec.json.encode(variant.options, order="sorted")
    if wanted not in site.maps:
        drawn = str(await _study(site, request, variant, "map_svg")).encode()
        if len(site.maps) >= MOST_MAPS:
            del site.maps[next(iter(site.maps))]
        site.maps[wanted] = f'W/"{hashlib.sha256(drawn).hexdigest()[:32]}"', drawn
    tag, drawn = site.maps[wanted]
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return pages.packed(request, drawn, "image/svg+xml", headers)


async def theory(site: Site, request: Request, variant: asked.VariantQuery) -> Response:
    """Explain the theory of a game."""
    return answer(await _study(site, request, variant, "theory"))


async def _study(
    site: Site, request: Request, variant: asked.VariantQuery, what: str, **more: Any
) -> Any:
    """Ask the solver processes about a variant."""
    name = request.path_params["game"]
    site.allow(request, "analyses")
    game, _ = await site.variant(request, name, variant.options)
    return await site.ask(request, what, game=name, options=option_values(game), **more)


async def puzzle(site: Site, request: Request, pick: asked.PuzzleQuery) -> Response:
    """Get a puzzle."""
    if pick.id or pick.daily:
        site.allow(request, "analyses")
        if pick.id:
            return answer(await site.ask(request, "puzzle_named", id=pick.id))
        return answer(await site.ask(request, "puzzle_of_the_day", grade=pick.grade or "easy"))
    names = [site.entry(pick.game).name] if pick.game else await _solved(site)
    seen = [name for name in pick.seen.split(",") if name]
    if len(seen) > MOST_SEEN:
        raise Refused("invalid", f"`seen` can have at most {MOST_SEEN} names.", field="seen")
    site.allow(request, "analyses")
    seed = str(secrets.randbits(64))
    question = {"games": names, "grade": pick.grade or None, "seen": seen, "seed_text": seed}
    return answer(await site.ask(request, "puzzle", **question))


async def attempt(site: Site, request: Request, attempt: asked.Attempt) -> Response:
    """Answer a puzzle or give up."""
    if attempt.give_up == (attempt.move is not None):
        raise Refused("invalid", "Send either `move` or `give_up`.", field="move")
    move = None if attempt.move is None else asked.typed_move(attempt.move, site.limits)
    played = [asked.typed_move(move, site.limits) for move in attempt.played]
    site.allow(request, "analyses")
    return answer(await site.ask(request, "answer", id=attempt.id, move=move, played=played))


async def healthz(site: Site, request: Request) -> Response:
    """Check the database, the solver processes and the scheduler."""
    problems = [*site.pool.problems(), *site.tables.scheduler.problems()]
    store, clock = site.tables.store, site.tables.clock
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await store.read(lambda found: found.version(""))
            await clock.beat()  # a write, at most once a second
    except TimeoutError:
        problems.append("The database does not answer.")
    except StoreError as error:
        log.error("%s", error)
        problems.append("The database cannot be read or written.")
    return answer(Health("failing", problems), 503) if problems else answer(Health("ok"))


async def _card(site: Site, request: Request) -> dict[str, Any]:
    """Describe the game in the address."""
    return await site.card(request.path_params["game"])


async def _solved(site: Site) -> list[str]:
    """Name the games that have a solution."""
    found = await asyncio.gather(*(site.offered(name, AT_ONCE) for name in site.games))
    return [name for name, about in zip(site.games, found, strict=True) if about["exact"]]


async def _cards(site: Site) -> list[dict[str, Any]]:
    """Describe all games, with what is known about them at once."""
    return list(await asyncio.gather(*(site.card(name, AT_ONCE) for name in site.games)))


def _of_day(cards: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the game whose puzzles today has."""
    name = game_of_day(today())
    return next(card for card in cards if card["name"] == name)
