"""What a visitor sees of a table; a game's numbers are strings."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from msgspec.json import Encoder
from msgspec.structs import replace

from zerosum.match import LOST
from zerosum.options import option_values, options_of, written
from zerosum.players.autoplay import repetition
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.text import plain_name, short
from zerosum.web import answers
from zerosum.web.analysis.referee import PLAYERS, look
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.tables.actions import no_seat, possible, situation
from zerosum.web.tables.captions import captions, shown_offer
from zerosum.web.tables.table import NAMED, LiveTable, addressed

_encode = Encoder().encode
# The captions until it is known who looks.
NOTHING = answers.Captions("", ("", ""), "", "", "", "", "", "", [], [], [], [])


class Viewer(NamedTuple):
    """A visitor: the digest of their token, or nothing, and how they address this server.

    `levels` returns those that play a game there.
    """

    holder: str
    origin: str
    levels: Callable[[str], Collection[str]] = lambda game: LEVELS


def document(table: LiveTable, viewer: Viewer, now: float) -> bytes:
    """Return what a visitor sees of a table, as JSON."""
    return _encode(shown(table, viewer, now))


def shown(table: LiveTable, viewer: Viewer, now: float) -> answers.TableView:
    """Return what a visitor sees of a table."""
    if not table.shown:
        table.shown.append(_common(table))
    (common, over), match = table.shown[0], table.match
    who = table.players_of(viewer.holder)
    called, turn = table.called(who), common.turn
    if turn is not None:
        yours, text = match.mover in who, "your turn"
        if called[match.mover] != "You":
            text = addressed(f"{PLAYERS[match.mover]}'s turn", called)
        turn = replace(turn, yours=yours, text=text, prompt=addressed(turn.prompt, called))
    can = _can(table, who, viewer.holder)
    return replace(
        common,
        you=who,
        watching=not who,
        turn=turn,
        clock=_clock(table, now),
        offers=[shown_offer(table, who, *offer) for offer in table.offers],
        can=can,
        coach=replace(common.coach, yours=table.want[who[0]] if who else "off"),
        last=tuple([replace(move, said=addressed(move.said, called)) for move in table.last]),
        news=[
            answers.NewsItem(
                *item[:2], addressed(item.text, called), item.kind, item.player, item.move
            )
            for item in table.news
        ],
        captions=captions(table, common, who, called, can, over, viewer.levels),
        picture=_picture(common, called) if not set(who) & set(table.programs) else "",
        link=f"{viewer.origin}/m/{table.id}",
    )


def _common(table: LiveTable) -> tuple[answers.TableView, str]:
    """Return what everyone sees, with PLAYERS in its sentences, and why the game is over."""
    match, running, seats = table.match, table.running, (0, 1)
    played, score, mover = match.round, match.score, match.mover
    # Rules that are not quick have been asked in advance.
    scene = table.scene or _look(match.game, match.state, played.first, running)
    ada, bob = (
        answers.Seat(
            name=match.players[player],
            bot=match.bots[player],
            program=player in table.programs,
            joined=player == 0 or not table.alone,
            seat=played.player(player),
            score=score[player],
            tally=table.tally[player],
            fields=scene.own[played.player(player)],
        )
        for player in seats
    )
    turn = answers.WhoseTurn(mover, False, "", scene.prompt)
    over = _over(table, scene)
    shown = answers.TableView(
        format="zerosum-table",
        version=1,
        id=table.id,
        change=table.change,
        ply=table.ply,
        game=_about(match.game),
        mode=table.mode,
        watch=table.watch or table.public,
        you=(),
        watching=True,
        waiting=table.waiting,
        players=(ada, bob),
        turn=turn if running else None,
        played=table.played,
        last=(),
        news=[],
        clock=None,
        series=answers.Series(match.games, match.number, score),
        ended=_ended(table, over),
        over=table.over,
        reviewable=reviewables(table),
        offers=[],
        can=(),
        coach=answers.Agreed(table.want, table.coach_open, "off"),
        captions=NOTHING,
        link="",
        next=None if table.next is None else f"/m/{table.next}",
        **{name: getattr(scene, name) for name in answers.Playable.__struct_fields__},
    )
    return shown, over


def _picture(common: answers.TableView, called: tuple[str, str]) -> str:
    """Return the picture of the number lines, with the names of their owners."""
    return NAMED.sub(lambda found: escape(called[int(found[1])]), common.picture)


# In a game with few positions, the same ones come up in many matches.
_look = lru_cache(maxsize=1024)(look)


def _clock(table: LiveTable, now: float) -> answers.TurnClock | None:
    """Return the clock of the turn."""
    seconds, left = table.match.clock, None
    if seconds is None:
        return None
    if table.running and not table.bots_turn and table.due is not None:
        # After a pause of the server, a player may have slightly more than a full turn.
        left = round(min(seconds, max(0.0, table.due - now)), 2)
    return answers.TurnClock(seconds, left)


def _can(table: LiveTable, who: tuple[int, ...], holder: str) -> tuple[str, ...]:
    """List what is open to a visitor now."""
    can = possible(situation(table, who))
    if table.waiting:
        open_ = no_seat(table, holder) is None
        can += ("join",) * open_ + ("decline",) * (open_ or bool(who))
    if table.shown[0][0].reviewable:
        can += ("review",)
    return tuple(dict.fromkeys(can))


def reviewables(table: LiveTable) -> list[int]:
    """List the games that can be reviewed; between people, once the match is over."""
    rounds = enumerate(table.match.rounds if table.coach_open else ())
    return [number for number, played in rounds if played.end is not None and played.moves]


@lru_cache(maxsize=512)
def _about(game: Game[Any]) -> answers.Variant:
    """Describe a variant, and how it differs from the default."""
    options = {name: written(value) for name, value in option_values(game).items()}
    defaults = {option.name: written(option.default) for option in options_of(game)}
    # Where a game starts is what players ask first.
    parts = [
        f"{plain_name(name)} {value}"
        for name, value in options.items()
        if value != defaults[name] or name == "start"
    ]
    title, variant = texts_of(game).title, short(", ".join(parts))
    return answers.Variant(entry_of(game).name, title, options, variant)


def _over(table: LiveTable, scene: answers.Scene) -> str:
    """Say why the current game is over, with PLAYERS in the sentence; nothing if it is not."""
    match, end = table.match, table.match.round.end
    if table.declined:
        return table.news[-1].text.removesuffix(".")
    if end is None:
        return ""
    if end.by == "rules":
        return scene.reason or end.reason
    if end.by == "endless":
        return repetition(match).removesuffix(".")
    if end.winner is None:
        return end.reason
    return f"{PLAYERS[1 - end.winner]} {LOST[end.by]}"


def _ended(table: LiveTable, over: str) -> answers.Ended | None:
    """Describe how the current game ended, or that it was declined."""
    end, reason = table.match.round.end, addressed(over, table.match.players)
    if table.declined:
        return answers.Ended("declined", None, reason)
    return end and answers.Ended(end.by, end.winner, reason)
