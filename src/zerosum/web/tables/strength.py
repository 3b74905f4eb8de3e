"""How well a person plays, by what they decided in their finished games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from zerosum.errors import Unreadable
from zerosum.options import option_values
from zerosum.store.people import PlayedMatch
from zerosum.store.replay import variant_of
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.answers import OwnStrength
from zerosum.web.refusals import Refused
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import read_stored

log = logging.getLogger("zerosum.web")

# Asks the solver processes.
Ask = Callable[..., Awaitable[Any]]
# A person is placed on the scale by at most this many of the last matches, and as soon as there are
# this many decisions; an answer may take this many seconds to judge games for the first time.
MOST_JUDGED, MOST_DECIDED, JUDGING_SECONDS = 1_000, 20_000, 2.0


async def own_strength(tables: Tables, ask: Ask, holder: str | None) -> OwnStrength:
    """Judge the finished games of a person, as far as time allows, and place them on the scale.

    Nobody knows whose moves they are on a shared screen, and in a game that continues an earlier
    one, the review has told what to play: neither counts. Nor does a match between people before
    it is over: what was right in its games is told with the review.
    """
    store, loop = tables.store, asyncio.get_running_loop()
    matches: list[PlayedMatch] = []
    if holder is not None:
        matches = await store.read(lambda store: store.people.played(holder, MOST_JUDGED))
    until, played, pending, decided = loop.time() + JUDGING_SECONDS, list[Any](), 0, 0
    for match in matches:
        if decided >= MOST_DECIDED:
            break
        try:
            stored = read_stored(match.match, match.data)
        except Unreadable as error:
            log.warning("%s", error)
            continue
        who = next((players for held, players in stored.holders if held == holder), ())
        early = stored.mode == "friend" and not match.over
        if len(who) != 1 or early or stored.forked or match.game not in tables.games:
            continue
        if stored.want[who[0]] == "on" and not await _helped(tables, match.match):
            continue  # earlier versions did not save where the coach has helped
        games = None if match.judged < match.played else msgspec.json.decode(match.made)
        if match.judged < match.played:
            try:
                games = await _judge(tables, ask, match, until)
            except (TimeoutError, Refused) as error:
                if getattr(error, "code", "busy") not in ("too_hard", "broken_game"):
                    pending += match.played
                    continue
            except Unreadable as error:
                log.warning("%s", error)
        title = texts_of(tables.games[match.game].variant()).title
        made = [None] * match.played if games is None else [each[who[0]] for each in games]
        decided += sum(len(each) for each in made if each)
        played += [(match.game, title, each) for each in reversed(made)]
    found = await ask("own_strength", played=played[::-1])
    return msgspec.structs.replace(msgspec.convert(found, OwnStrength), pending=pending)


async def _helped(tables: Tables, match: str) -> bool:
    """Return whether the coach is known to have helped in a match."""
    return bool(await tables.store.read(lambda store: store.hints(match)))


async def _judge(tables: Tables, ask: Ask, match: PlayedMatch, until: float) -> Any:
    """Let a solver process say what was decided in the finished games of a match, and keep that."""
    if asyncio.get_running_loop().time() > until:
        raise TimeoutError  # nor are all the others read from the database
    store = tables.store
    rows, hints = await store.read(
        lambda store: (store.rows(match.match), store.hints(match.match))
    )
    if rows is None:
        raise Refused("no_match", "This match was deleted.")
    row, events, _ = rows
    game = variant_of(row, tables.games[row.game])
    variant = {"game": row.game, "options": option_values(game)}
    asked = {"first": row.first, "games": row.length, "events": events, "hints": hints}
    async with asyncio.timeout_at(until):
        games = await ask("decided", **variant, **asked)
    made = msgspec.json.encode(games).decode()
    judged = match.played if games is None else len(games)
    await store.alone(lambda store: store.people.keep_decisions(match.match, judged, made))
    return games
