"""The routes of matches: create, join and fork one; state, actions, pages, coach, review."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from zerosum.documents import dumps
from zerosum.errors import OptionError
from zerosum.match import Match, check_players, is_engine
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.record import to_record
from zerosum.store import new_id
from zerosum.store.people import Person
from zerosum.web.analysis.cards import first_seat
from zerosum.web.answers import JSON, TableView, answer
from zerosum.web.http.middleware import prefers_html
from zerosum.web.http.origins import header
from zerosum.web.refusals import Refused, invalid, refused_option, sentence
from zerosum.web.routes import pages
from zerosum.web.routes import request_schemas as asked
from zerosum.web.site import Site, client_of
from zerosum.web.tables import actions, tokens
from zerosum.web.tables.actions import DECLINED
from zerosum.web.tables.service import ID_LENGTH
from zerosum.web.tables.table import LiveTable, News, default_names, misleads
from zerosum.web.tables.view import Viewer, reviewables, shown

Fields = dict[str, Any]
SetUp = Callable[[Person | None], Awaitable[LiveTable]]
# A fork stores all moves up to its position: this many count as another match.
FORK_PLIES = 50


async def create(site: Site, request: Request, wanted: asked.NewMatch) -> Response:
    """Create a match."""
    set_up = partial(_new, site, request, wanted)
    return await _opened(site, request, wanted.key, content_digest(wanted), set_up)


async def create_again(site: Site, request: Request, refused: Refused) -> Response:
    """Show the form for a new match again, with what was typed and is wrong."""
    form = await asked.form_of(request)
    if refused.status != 422 or form.get("game") not in site.games:
        raise refused
    card, options = await site.card(form["game"]), asked.options_in(form)
    errors = site.marked(form["game"], options, refused) | asked.problems(form, asked.NewMatch)
    try:
        check_players(default_names(form.get("mode", ""), form.get("names", [])[:2], "bot"))
    except OptionError as error:
        errors.setdefault("names", sentence(error.message))
    return pages.response(request, "new", 422, game=card, values=form, errors=errors)


async def _new(
    site: Site, request: Request, wanted: asked.NewMatch, person: Person | None
) -> LiveTable:
    """Set up the table that somebody requests, who may have a name on this server."""
    game, state = await site.variant(request, wanted.game, wanted.options)
    level = wanted.level if wanted.mode == "bot" else None
    if level is not None:
        site.check_opponent(level)
    given, challenged = [*wanted.names, "", ""][:2], None
    if person is not None:
        given[0] = person.name
    if wanted.to is not None:
        if wanted.mode != "friend":
            raise invalid("to", "only a match with a friend can be a challenge")
        challenged = await site.people.challenged(wanted.to, wanted.game, person)
        given[1] = challenged.name
    names = default_names(wanted.mode, given, level)
    if wanted.mode == "friend" and any(map(misleads, names)):
        raise invalid("names", "this name is reserved")
    first, reason = await _first(site, request, wanted, game)
    seed = secrets.randbits(32)
    try:
        match = Match.new(
            *(game, names, first, wanted.games, wanted.clock, (None, level), seed), initial=state
        )
    except OptionError as error:
        raise refused_option(error, "") from error
    return LiveTable(
        id=new_id(ID_LENGTH),
        match=match,
        mode=wanted.mode,
        holders=(),
        watch=wanted.watched,
        want=(wanted.coach, "off" if wanted.mode == "friend" else wanted.coach),
        news=(News(0, 0, reason, player=1),) if reason else (),
        to="" if challenged is None else challenged.holder,
        programs=() if challenged is None else (1,),
    )


async def _first(
    site: Site, request: Request, wanted: asked.NewMatch, game: Game[Any]
) -> tuple[int, str]:
    """Return the player who begins, and why, if a newcomer could not win otherwise."""
    if wanted.first == "random":
        return secrets.randbelow(2), ""
    if wanted.first != "auto":
        return int(wanted.first) - 1, ""
    if wanted.mode != "bot":
        return 0, ""
    variant = {"game": wanted.game, "options": option_values(game)}
    try:
        seat, reason = await site.ask(request, first_seat.__name__, **variant)
    except Refused as error:
        if error.code != "too_hard":
            raise
        return 0, ""  # who wins from this start is unknown
    return seat, reason


async def _opened(
    site: Site, request: Request, key: str, digest: str, set_up: SetUp, cost: float = 1.0
) -> Response:
    """Open a table, once for each key, and give its creator a seat."""
    token, table = _token(site, request, key), await site.tables.created(key, digest)
    if table is None:
        site.allow(request, "games", cost)
        holder = tokens.digest_of(token)
        person = await site.people.find(holder)
        table = await set_up(person)
        await _prepare(site, request, table)
        seats = (0, 1) if table.mode == "here" else (0,)
        programs = (*seats, *table.programs) if person and person.bot else table.programs
        owner = tokens.owner_of(site.tables.secret, client_of(request))
        table = replace(table, holders=((holder, seats),), owner=owner, programs=programs)
        table = await site.tables.open(table, key, digest)
    return _seated(site, request, table, token, 201)


def _token(site: Site, request: Request, key: str) -> str:
    """Return the token of a person who takes a seat: the one they have, or their first."""
    return tokens.token_of(request) or tokens.token_for(site.tables.secret, key)


async def _prepare(site: Site, request: Request, table: LiveTable) -> None:
    """Prepare a bot, so that it fails before the game and not during it."""
    level = table.match.bots[1]
    if level is None or is_engine(level):
        return
    try:
        await site.ask(request, "prepare", **table.place, level=level)
    except Refused as error:
        if error.code != "too_hard":
            raise
        raise Refused("too_hard", error.message, field="level") from error


def _seated(site: Site, request: Request, table: LiveTable, token: str, status: int) -> Response:
    """Answer with the table and the cookie of the person."""
    response: Response
    if asked.is_form(request):
        response = RedirectResponse(f"/m/{table.id}", 303)
    else:
        response = answer(view(site, request, table, tokens.digest_of(token)), status)
        response.headers["location"] = f"{asked.MATCHES}/{table.id}"
    tokens.set_cookie(request, response, token)
    return response


async def join(site: Site, request: Request, wanted: asked.Join) -> Response:
    """Take the open seat."""
    key, name = wanted.key, None if wanted.name is None else wanted.name.strip()
    site.allow(request, "moves")
    id_, token = request.path_params["id"], _token(site, request, key)
    holder = tokens.digest_of(token)
    digest, person = content_digest("join", name), await site.people.find(holder)
    program = person is not None and bool(person.bot)
    if person is not None:
        name = person.name
    table = await site.tables.change(
        id_, lambda table, now: actions.join(table, holder, name, now, program), holder, key, digest
    )
    return _seated(site, request, table, token, 200)


async def decline(site: Site, request: Request, wanted: asked.Decline) -> Response:
    """Decline an invitation, or withdraw one's own."""
    site.allow(request, "moves")
    before, _ = await site.readable(request)
    holder = tokens.holder_of(request)
    table = await site.tables.change(
        before.id,
        lambda table, _: actions.decline_seat(table, holder),
        holder,
        wanted.key,
        "decline",
    )
    if asked.is_form(request):
        return RedirectResponse(f"/m/{table.id}", 303)
    return answer(view(site, request, table, holder))


async def fork(site: Site, request: Request, wanted: asked.Fork) -> Response:
    """Play on from a position of a finished game."""
    before, who = await site.readable(request)
    game = game_of(before, wanted.game)
    played = before.match.rounds[game]
    key, ply, level = wanted.key, wanted.ply, wanted.level
    if ply > len(played.moves):
        raise invalid("ply", f"ply must be a whole number from 0 to {len(played.moves)}")
    ended = played.end is not None and played.end.by == "rules"
    if ended and ply == len(played.moves):
        raise Refused("invalid", "The game is over at that position.", field="ply")
    site.check_opponent(level)
    digest = content_digest("fork", before.id, game, ply, level)
    set_up = partial(_forked, before, who, game, ply, level)
    return await _opened(site, request, key, digest, set_up, 1 + ply / FORK_PLIES)


async def _forked(
    before: LiveTable,
    who: tuple[int, ...],
    game: int,
    ply: int,
    level: str,
    person: Person | None,
) -> LiveTable:
    """Set up a table from a position; the visitor plays the side to move."""
    match = before.match
    given = [match.players[who[0]]] if len(who) == 1 else []
    names = default_names("bot", given if person is None else [person.name], level)
    made = match.fork(game, ply, names, (None, level), secrets.randbits(32))
    want = before.want[who[0]] if who else "off"
    about: Fields = {"id": new_id(ID_LENGTH), "match": made, "forked": True}
    return LiveTable("bot", (), False, (want, want), **about)


def view(site: Site, request: Request, table: LiveTable, holder: str | None) -> TableView:
    """Return the document of a table for this visitor."""
    viewer = Viewer(holder or "", site.origin(request), site.levels)
    return shown(table, viewer, site.tables.clock.now())


async def match(site: Site, request: Request) -> Response:
    """Get a match."""
    table, _ = await site.readable(request)
    return answer(view(site, request, table, tokens.holder_of(request)))


async def act(site: Site, request: Request, wanted: asked.Act) -> Response:
    """Move, make or answer an offer, resign."""
    action = wanted.action(site.limits)
    digest = content_digest(wanted.ply, *action[:4])
    site.allow(request, "moves")
    id_, holder = request.path_params["id"], tokens.holder_of(request)
    try:
        table = await site.tables.act(id_, holder, action, wanted.ply, wanted.key, digest)
    except Refused as error:
        if error.code == "stale":
            error.more["state"] = view(site, request, await site.tables.get(id_), holder)
        raise
    if _is_page(request):
        return RedirectResponse(f"/m/{id_}", 303)
    return answer(view(site, request, table, holder))


async def record(site: Site, request: Request) -> Response:
    """Get the record of a match, as `zerosum export` writes it."""
    table, _ = await site.readable(request)
    match = table.match
    if not match.over:
        match = dataclasses.replace(match, seed=None)  # it would foretell the moves of a bot
    return Response(dumps(to_record(match, id=table.id)), media_type=JSON)


def _is_page(request: Request) -> bool:
    """Return whether a form was sent by a page, whose browser shows the answer."""
    return asked.is_form(request) and prefers_html(header(request.scope, b"accept"))


async def table_again(site: Site, request: Request, refused: Refused) -> Response:
    """Show a table again, with what was typed and is wrong, to a browser that runs no scripts."""
    id_, form = request.path_params["id"], await asked.form_of(request)
    if refused.code == "seat_taken":
        return RedirectResponse(f"/m/{id_}", 303)  # to watch, or to see that it is private
    if refused.status not in (409, 422) or not _is_page(request):
        raise refused
    table, _ = await site.readable(request)
    field = "name" if refused.more.get("field") == "name" else "move"
    return await _page(site, request, table, form, {field: refused.message}, refused.status)


async def page(site: Site, request: Request) -> Response:
    """Show the page of a match: invitation, game or result; it never takes a seat."""
    table, who = await site.readable(request)
    response = await _page(site, request, table, {}, {})
    if who and (token := tokens.token_of(request)) is not None:
        tokens.set_cookie(request, response, token)  # for as long again
    return response


async def _page(
    site: Site,
    request: Request,
    table: LiveTable,
    values: Fields,
    errors: Fields,
    status: int = 200,
) -> Response:
    """Render the page of a match, and the form to join it with what was typed and is wrong."""
    seen, settings = view(site, request, table, tokens.holder_of(request)), site.settings
    links = [f"{origin}/m/{table.id}" for origin in site.origins(request)]
    data: Fields = {"view": seen, "values": values, "errors": errors, "links": links}
    data["command"] = settings.lan_command if settings.loopback else ""
    data |= await site.offered(seen.game.name)
    return pages.response(request, "table", status, **data)


async def rematch(site: Site, request: Request) -> Response:
    """Redirect from a match to its rematch."""
    table, _ = await site.readable(request)
    if table.next is None:
        raise Refused("not_now", "This match has no rematch yet.")
    return RedirectResponse(f"/m/{table.next}", 303)


async def qr(site: Site, request: Request) -> Response:
    """Draw the link as a QR code."""
    table, _ = await site.readable(request)
    site.allow(request, "analyses")
    async with site.drawing:
        drawn = await asyncio.to_thread(pages.qr_svg, f"{site.origin(request)}/m/{table.id}")
    return Response(drawn, media_type="image/svg+xml")


async def coach(site: Site, request: Request, moment: asked.AdviceQuery) -> Response:
    """Ask the coach about the position."""
    table, who = await site.readable(request)
    if not table.coach_open:
        raise Refused(
            "coach_not_agreed",
            "The coach is off. It turns on when both players agree.",
        )
    if not table.running:
        raise Refused("not_now", "No game is being played right now.")
    if moment.ply not in (None, table.ply):
        raise Refused("stale", "The game has moved on.", ply=table.ply)
    site.allow(request, "analyses")
    advice = await site.ask(request, "advice", **table.place)
    if table.match.mover in who:  # what they decide now is not theirs alone
        place = table.match.number - 1, table.match.ply
        await site.tables.store.alone(lambda store: store.save_hint(table.id, *place))
    # Meanwhile a player may have turned the coach off.
    now = await site.tables.get(table.id, fresh=True)
    if not now.coach_open:
        raise Refused("coach_not_agreed", "A player has just turned the coach off.")
    return answer({**advice, "ply": table.ply})


def game_of(table: LiveTable, given: int | None) -> int:
    """Return which game of a match is meant; refuse one that cannot be reviewed yet."""
    last = table.match.number - 1
    game = max(reviewables(table), default=last) if given is None else given
    if game > last:
        raise Refused(
            "invalid", f"This match has {last + 1} {'game' if not last else 'games'}.", field="game"
        )
    if table.declined:
        raise Refused("not_now", DECLINED)
    if game not in reviewables(table):
        if not table.coach_open:
            raise Refused("coach_not_agreed", "The review opens when the match is over.")
        raise Refused("not_now", "The review opens when the game is over.")
    return game


async def review(site: Site, request: Request, played: asked.ReviewQuery) -> Response:
    """Review a finished game."""
    table, who = await site.readable(request)
    game = game_of(table, played.game)
    site.allow(request, "analyses")
    match = dataclasses.replace(table.match, players=table.called(who))
    return answer(await site.ask(request, "review", record=to_record(match), game=game))


async def review_page(site: Site, request: Request) -> Response:
    """Show the page of a review."""
    table, _ = await site.readable(request)
    game = game_of(table, asked.read_query(request, asked.ReviewQuery).game)
    seen = view(site, request, table, tokens.holder_of(request))
    return pages.response(request, "review", view=seen, number=game)


def content_digest(*parts: Any) -> str:
    """Digest a request's content, so that a key cannot be reused for another."""
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()[:32]
