"""What a visitor sees of a table, as a JSON document; a game's numbers are strings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from zerosum.options import option_values, options_of, written
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.text import plain_name, short
from zerosum.web.analysis.referee import look
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.tables.actions import ACTIONS, asking, ending, no_seat, objection
from zerosum.web.tables.captions import captions, goal_reached
from zerosum.web.tables.table import LiveTable, News
from zerosum.web.tables.tokens import ticket_for

FORMAT, VERSION = "zerosum-table", 1
# A document by its keys; each value is JSON.
Parts = dict[str, bytes]

_encode = msgspec.json.Encoder().encode


class Viewer:
    """A visitor of one table: the seat that they hold, and what never changes for them."""

    def __init__(self, secret: bytes, id: str, holder: str, origin: str) -> None:  # noqa: A002
        """Take the digest of a seat's token, or nothing for a spectator."""
        self.holder = holder
        ticket = ticket_for(secret, id, holder)
        self.parts = {"link": _encode(f"{origin}/m/{id}"), "ticket": _encode(ticket)}


def document(table: LiveTable, viewer: Viewer, now: float) -> bytes:
    """Return what a visitor sees of a table, as JSON."""
    parts = table.rendered
    if not parts:
        parts.update({key: _encode(value) for key, value in _common(table).items()})
        parts["game"] = _about(table.match.game)
        parts["last"] = _array(table.last)
        parts["news"] = _array(map(_news, table.news))
    seen = {**parts, **_own(table, viewer, now)}
    return b"{%s}" % b",".join([b'"%s":%s' % (key.encode(), text) for key, text in seen.items()])


def _array(items: Iterable[bytes]) -> bytes:
    """Return a JSON array of what is JSON already."""
    return b"[%s]" % b",".join(items)


@lru_cache(maxsize=4096)
def _news(news: News) -> bytes:
    """Return news as JSON, once for all the documents that it is in."""
    return _encode(news._asdict())


def _common(table: LiveTable) -> dict[str, Any]:
    """Return what everyone sees, but for the game itself."""
    match, running = table.match, table.running
    played, score, mover = match.round, match.score, match.mover
    # Rules that are not quick have been asked in advance.
    position = table.position or look(match.game, match.state, match.seated, played.first, running)
    text = f"{match.players[mover]}'s turn"
    turn = {"player": mover, "text": text, "prompt": position.prompt}
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": table.id,
        "mode": table.mode,
        "watch": table.watch or table.public,
        "change": table.change,
        "ply": table.ply,
        "waiting": table.waiting,
        "players": [
            {
                "name": match.players[player],
                "bot": match.bots[player],
                "program": player in table.programs,
                "joined": player == 0 or table.stage != "waiting",
                "seat": played.player(player),
                "score": score[player],
                "tally": table.tally[player],
                "fields": position.own[played.player(player)],
            }
            for player in (0, 1)
        ],
        "goal": position.goal,
        "fields": position.fields,
        "board": position.board,
        "lines": position.lines,
        "moves": position.moves,
        "more": position.more,
        "digits": position.digits,
        "series": {"games": match.games, "game": match.number, "score": score},
        "ended": _ended(table, goal_reached(table, position.lines)),
        "over": table.over,
        "reviewable": reviewables(table),
        "offers": [
            {"kind": kind, "player": player, "text": asking(match.players[player], kind)}
            for kind, player in table.offers
        ],
        "next": None if table.next is None else f"/m/{table.id}/next",
        "turn": turn if running else None,
    }


def _own(table: LiveTable, viewer: Viewer, now: float) -> Parts:
    """Return what depends on the visitor and the time."""
    match, who = table.match, table.players_of(viewer.holder)
    can = _can(table, who, viewer.holder)
    turn, clock = table.rendered["turn"], None
    if table.running:
        turn = turn[:-1] + (b',"yours":true}' if match.mover in who else b',"yours":false}')
    if match.clock is not None:
        left = None
        if table.running and not table.bots_turn and table.due is not None:
            # After a pause of the server, a player may have slightly more than a full turn.
            left = round(min(match.clock, max(0.0, table.due - now)), 2)
        clock = {"seconds": match.clock, "left": left}
    return {
        **_seat(who, can, table.want, table.coach_open),
        "turn": turn,
        "clock": _encode(clock),
        "captions": _encode(captions(table, who, can)),
        **viewer.parts,
    }


@lru_cache(maxsize=4096)
def _seat(who: tuple[int, ...], can: tuple[str, ...], want: tuple[str, str], open_: bool) -> Parts:
    """Return what seldom changes for the players of a seat, or for a spectator."""
    yours = want[who[0]] if who else "off"
    coach = {"want": want, "open": open_, "yours": yours}
    parts = {"you": who, "watching": not who, "can": can, "coach": coach}
    return {key: _encode(value) for key, value in parts.items()}


def _can(table: LiveTable, who: tuple[int, ...], holder: str) -> tuple[str, ...]:
    """List the actions open to a visitor now."""
    can = [kind for kind in ACTIONS if objection(table, who, kind) is None]
    for kind, _ in table.offers:
        answers = ("accept", "decline")
        can += [answer for answer in answers if objection(table, who, answer, kind) is None]
    open_ = no_seat(table, holder) is None
    can += ["join"] * open_ + ["decline"] * (open_ or (table.waiting and bool(who)))
    if table.rendered["reviewable"] != b"[]":
        can.append("review")
    return tuple(dict.fromkeys(can))


def reviewables(table: LiveTable) -> list[int]:
    """List the games that can be reviewed; between people, once the match is over."""
    rounds = enumerate(table.match.rounds if table.coach_open else ())
    return [number for number, played in rounds if played.end is not None and played.moves]


@lru_cache(maxsize=512)
def _about(game: Game[Any]) -> bytes:
    """Describe a variant, and how it differs from the default."""
    options = {name: written(value) for name, value in option_values(game).items()}
    defaults = {option.name: written(option.default) for option in options_of(game)}
    # Where a game starts is what players ask first.
    parts = [
        f"{plain_name(name)} {value}"
        for name, value in options.items()
        if value != defaults[name] or name == "start"
    ]
    return _encode(
        {
            "name": entry_of(game).name,
            "title": texts_of(game).title,
            "options": options,
            "variant": short(", ".join(parts)),
        }
    )


def _ended(table: LiveTable, goal: int | None) -> dict[str, Any] | None:
    """Describe how the current game ended, or that it was declined."""
    match, end = table.match, table.match.round.end
    if table.declined:
        text = table.news[-1].text
        reason = text.removesuffix(".")
        return {"by": "declined", "winner": None, "text": text, "reason": reason, "goal": None}
    if end is None:
        return None
    text = ending(match)
    reason = text.removesuffix(".") if end.by == "endless" else end.reason
    return {"by": end.by, "winner": end.winner, "text": text, "reason": reason, "goal": goal}
