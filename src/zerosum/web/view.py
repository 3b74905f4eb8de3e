"""What one visitor sees of a table, as a JSON document; numbers of a game are texts in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from zerosum.game import lists_all, options_of, variant_of, written
from zerosum.match import Match, Round
from zerosum.registry import entry_of, title_of
from zerosum.web.actions import to_undo
from zerosum.web.careful import broken
from zerosum.web.documents import fields
from zerosum.web.table import News, Table
from zerosum.web.telling import ending
from zerosum.wording import Wording, short

FORMAT, VERSION = "zerosum-table", 1
MOST_MOVES = 60
LAST = 20


def view(table: Table, who: tuple[int, ...], origin: str, now: float) -> dict[str, Any]:
    """Show a table to whoever moves for these players; nobody's is a watcher's."""
    match = table.match
    try:
        return {
            **fixed(table),
            **common(table),
            "last": [told(match, place) for place in last(match)],
            "news": [news(one) for one in table.news],
            **personal(table, who, origin, now),
        }
    except Exception as error:
        raise broken(error) from error


def fixed(table: Table) -> dict[str, Any]:
    """Show what stays as it is for the whole match."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": table.id,
        "game": about(table.match.game),
        "mode": table.mode,
        "watch": table.watch,
    }


def common(table: Table) -> dict[str, Any]:
    """Show what everybody sees alike of the position that stands."""
    match = table.match
    played, state = match.round, match.state
    words = wording(match.game)
    shared, own = fields(words, state)
    score = match.score
    moves, more = ([], 0) if not table.running else _moves(words, state, played)
    return {
        "change": table.change,
        "ply": table.ply,
        "waiting": table.waiting,
        "players": [
            {
                "name": match.players[player],
                "bot": match.bots[player],
                "joined": table.joined[player],
                "seat": played.player(player),
                "score": score[player],
                "tally": table.tally[player],
                "fields": own[played.player(player)],
            }
            for player in (0, 1)
        ],
        "fields": shared,
        "moves": moves,
        "more": more,
        "said": table.news[-1].text if table.news else "",
        "series": {"length": match.length, "game": len(match.rounds), "score": list(score)},
        "ended": _ended(match),
        "over": match.over,
        "reviewable": reviewables(table),
        "offers": [{"kind": kind, "player": player} for kind, player in table.offers],
        "next": None if table.next is None else f"/m/{table.id}/next",
    }


def personal(table: Table, who: tuple[int, ...], origin: str, now: float) -> dict[str, Any]:
    """Show what depends on the visitor, and on the time."""
    match = table.match
    turn = None
    if table.running:
        name = match.players[match.mover]
        prompt = short(wording(match.game).prompt(match.state, match.seated).strip())
        yours = match.mover in who
        turn = {"player": match.mover, "yours": yours, "text": f"{name}'s turn", "prompt": prompt}
    clock = None
    if match.clock is not None:
        left = None
        if table.running and not table.bots_turn and table.due is not None:
            # After an absence a player may have a moment more than a turn has.
            left = round(min(match.clock, max(0.0, table.due - now)), 2)
        clock = {"seconds": match.clock, "left": left}
    return {
        "you": list(who),
        "watching": not who,
        "turn": turn,
        "clock": clock,
        "can": _can(table, who),
        "coach": {"want": list(table.want), "open": table.coach_open, "yours": _want(table, who)},
        "link": f"{origin}/m/{table.id}",
    }


def _want(table: Table, who: tuple[int, ...]) -> str:
    """Tell whether this visitor wants the coach."""
    return table.want[who[0]] if who else "off"


def _can(table: Table, who: tuple[int, ...]) -> list[str]:
    """List what a visitor may ask for now."""
    match = table.match
    can = []
    if not who:
        can += ["join"] if table.waiting else []
    elif table.running:
        can += ["move"] if match.mover in who else []
        can += [kind for kind in ("undo", "draw") if _may(table, kind, who)]
        can.append("resign")
    elif match.over:
        can += ["rematch"] if table.next is None and _may(table, "rematch", who) else []
    elif not table.waiting:
        can += ["next"] if _may(table, "next", who) else []
    if who:
        can.append("coach")
        can += ["decline"] if table.offers else []
    if reviewables(table):
        can.append("review")
    return can


def _may(table: Table, kind: str, who: tuple[int, ...]) -> bool:
    """Tell whether a player may ask for something, or agree: not twice, and undo not nothing."""
    if table.offered(kind) in who:
        return False
    return kind != "undo" or to_undo(table, who[0]) > 0


def reviewables(table: Table) -> list[int]:
    """Give the games that may be looked at again: between people, when the match is over."""
    rounds = enumerate(table.match.rounds) if table.coach_open else ()
    return [place for place, played in rounds if played.end is not None and played.moves]


def wording(game: Any) -> Wording:
    """Give the words of a variant."""
    return _wording(game)


@lru_cache(maxsize=512)
def _wording(game: Any) -> Wording:
    """Find the words of a variant, once."""
    return Wording(game)


def label(game: Any, state: Any, move: int) -> str:
    """Name a move by what it does."""
    return short(wording(game).label(state, move))


def _player(played: Round, seat: int | None) -> int | None:
    """Tell whose a field is."""
    return None if seat is None else played.player(seat)


def about(game: Any) -> dict[str, Any]:
    """Name a variant, and say how it differs from the usual one."""
    options = {name: written(value) for name, value in variant_of(game).items()}
    usual = {one.name: written(one.default) for one in options_of(game)}
    parts = [
        f"{name.replace('_', ' ')} {value}"
        for name, value in options.items()
        if value != usual[name] or name == "start"
    ]
    entry = entry_of(game)
    return {
        "name": entry.name,
        "title": title_of(game),
        "options": options,
        "variant": short(", ".join(parts)),
    }


def _moves(words: Wording, state: Any, played: Round) -> tuple[list[dict[str, Any]], int]:
    """List the moves with what each would do, and with the reason those that are forbidden."""
    game = words.game
    legal = game.moves(state)
    shown = set(legal[:MOST_MOVES])
    if len(legal) <= MOST_MOVES:
        shown |= set(words.keys())
    now = _values(words, state)
    listed = []
    for move in sorted(shown):
        why = None if move in legal else game.objection(state, move)
        one: dict[str, Any] = {"move": str(move), "legal": why is None, "why": why}
        one["label"], one["changes"] = None, []
        if why is None:
            one["label"] = label(game, state, move)
            then = _values(words, game.play(state, move))
            one["changes"] = [
                {"name": name, "player": _player(played, seat), "value": value}
                for (name, seat), value in then.items()
                if now.get((name, seat)) != value
            ]
        listed.append(one)
    more = len(legal) - MOST_MOVES if lists_all(game, state) else 1
    return listed, max(0, more)


def _values(words: Wording, state: Any) -> dict[tuple[str, int | None], str]:
    """Give the shown values of a state by their names."""
    return {(one.name, one.seat): str(one.value) for one in words.fields(state)}


def last(match: Match) -> range:
    """Give the places of the last moves of the game that is shown."""
    return range(max(0, match.ply - LAST), match.ply)


def told(match: Match, place: int) -> dict[str, Any]:
    """Tell one move of the game that is shown."""
    played = match.round
    state, move = played.states[place], played.moves[place]
    player, text = played.player(state.player), label(match.game, state, move)
    said = f"{match.players[player]} plays {short(str(move))}: {text}."
    return {"ply": place + 1, "player": player, "move": str(move), "text": text, "said": said}


def news(one: News) -> dict[str, Any]:
    """Tell one thing that happened."""
    return {"change": one.change, "ply": one.ply, "text": one.text}


def _ended(match: Match) -> dict[str, Any] | None:
    """Tell how the game that is shown ended."""
    end = match.round.end
    if end is None:
        return None
    return {
        "by": end.by,
        "winner": end.winner,
        "text": ending(match),
        "reason": end.reason,
    }
