"""What a visitor sees of a table, as a JSON document; a game's numbers are strings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from zerosum.match import Match, Round
from zerosum.options import option_values, options_of, written
from zerosum.protocol import Game, Move, refusal
from zerosum.registry import entry_of
from zerosum.text import plain_name, short
from zerosum.web.analysis.documents import board, fields
from zerosum.web.careful import broken
from zerosum.web.tables.actions import to_undo
from zerosum.web.tables.table import Table
from zerosum.web.tables.telling import ending
from zerosum.wording.words import Words, title_of, words_of

FORMAT, VERSION = "zerosum-table", 1
MOST_MOVES = 60
LAST = 20


def view(table: Table, who: tuple[int, ...], origin: str, now: float) -> dict[str, Any]:
    """Return the view for the visitor who moves for these players; a watcher has none."""
    match = table.match
    try:
        return {
            **fixed(table),
            **common(table),
            "last": [told(match, place) for place in last(match)],
            "news": [happening._asdict() for happening in table.news],
            **personal(table, who, origin, now),
        }
    except Exception as error:
        raise broken(error) from error


def fixed(table: Table) -> dict[str, Any]:
    """Return what never changes in a match."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": table.id,
        "game": about(table.match.game),
        "mode": table.mode,
        "watch": table.watch,
    }


def common(table: Table) -> dict[str, Any]:
    """Return what everyone sees of the current position."""
    match = table.match
    played, state = match.round, match.state
    words = _words(match.game)
    shared, own = fields(words, state)
    score = match.score
    legal = match.game.moves(state) if table.running else ()
    moves, more = _moves(words, state, played, legal) if legal else ([], 0)
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
        "board": board(words, state, legal),
        "moves": moves,
        "more": more,
        "digits": are_digits(words),
        "said": table.news[-1].text if table.news else "",
        "series": {"games": match.games, "game": match.number, "score": list(score)},
        "ended": _ended(match),
        "over": match.over,
        "reviewable": list(reviewables(table)),
        "offers": [{"kind": kind, "player": player} for kind, player in table.offers],
        "next": None if table.next is None else f"/m/{table.id}/next",
    }


def personal(table: Table, who: tuple[int, ...], origin: str, now: float) -> dict[str, Any]:
    """Return what depends on the visitor and the time."""
    match = table.match
    turn = None
    if table.running:
        name = match.players[match.mover]
        prompt = short(_words(match.game).prompt(match.state, match.seated).strip())
        yours = match.mover in who
        turn = {"player": match.mover, "yours": yours, "text": f"{name}'s turn", "prompt": prompt}
    clock = None
    if match.clock is not None:
        left = None
        if table.running and not table.bots_turn and table.due is not None:
            # After a pause of the server, a player may have slightly more than a full turn.
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
    """Return when this visitor wants the coach."""
    return table.want[who[0]] if who else "off"


def _can(table: Table, who: tuple[int, ...]) -> list[str]:
    """List the actions open to a visitor now."""
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
    if next(reviewables(table), None) is not None:
        can.append("review")
    return can


def _may(table: Table, kind: str, who: tuple[int, ...]) -> bool:
    """Return whether a player may make or accept an offer: not twice, nor undo nothing."""
    if table.offered(kind) in who:
        return False
    return kind != "undo" or to_undo(table, who[0]) > 0


def reviewables(table: Table) -> Iterator[int]:
    """Yield the games that can be reviewed; between people, once the match is over."""
    match = table.match
    if table.coach_open:
        yield from (place for place, played in enumerate(match.earlier) if played.moves)
        if match.round.end is not None and match.round.moves:
            yield len(match.earlier)


@lru_cache(maxsize=512)
def _words(game: Game[Any]) -> Words[Any]:
    """Return the words of a variant, cached."""
    return words_of(game)


def _player(played: Round[Any], seat: int | None) -> int | None:
    """Return the player that a field belongs to."""
    return None if seat is None else played.player(seat)


def about(game: Game[Any]) -> dict[str, Any]:
    """Describe a variant, and how it differs from the default."""
    options = {name: written(value) for name, value in option_values(game).items()}
    defaults = {option.name: written(option.default) for option in options_of(game)}
    parts = [
        f"{plain_name(name)} {value}"
        for name, value in options.items()
        if value != defaults[name] or name == "start"
    ]
    return {
        "name": entry_of(game).name,
        "title": title_of(game),
        "options": options,
        "variant": short(", ".join(parts)),
    }


def _moves(
    words: Words[Any], state: Any, played: Round[Any], legal: tuple[Move, ...]
) -> tuple[list[dict[str, Any]], int]:
    """List the moves with what each would do, and illegal ones with the reason; count the rest."""
    game = words.game
    now = _values(words, state)
    listed = []
    for move in _ordered(words.keys() if len(legal) <= MOST_MOVES else (), legal[:MOST_MOVES]):
        why = None if move in legal else refusal(game, state, move)
        told: dict[str, Any] = {"move": str(move), "legal": why is None, "why": why}
        told["label"], told["changes"] = None, []
        if why is None:
            told["label"] = short(words.label(state, move))
            then = _values(words, game.play(state, move))
            told["changes"] = [
                {"name": name, "player": _player(played, seat), "value": value}
                for (name, seat), value in then.items()
                if now.get((name, seat)) != value
            ]
        listed.append(told)
    more = len(legal) - MOST_MOVES if game.lists_all(state) else 1
    return listed, max(0, more)


def _ordered(keys: tuple[Move, ...], legal: tuple[Move, ...]) -> list[Move]:
    """Sort moves into a stable order: rising numbers, then texts in the order of the keys.

    >>> _ordered((2, 1, "swap", "pass"), ("pass", 7))
    [1, 2, 7, 'swap', 'pass']
    """
    moves = dict.fromkeys((*keys, *legal))
    numbers = sorted(move for move in moves if isinstance(move, int))
    return [*numbers, *(move for move in moves if isinstance(move, str))]


def are_digits(words: Words[Any]) -> bool:
    """Return whether every move of the game, legal now or not, is a single digit."""
    keys = words.keys()
    return bool(keys) and all(isinstance(move, int) and 0 <= move <= 9 for move in keys)


def _values(words: Words[Any], state: Any) -> dict[tuple[str, int | None], str]:
    """Return the values of a state's fields, by name and seat."""
    return {(field.name, field.seat): str(field.value) for field in words.fields(state)}


def last(match: Match[Any]) -> range:
    """Return the indices of the last moves of the current game."""
    return range(max(0, match.ply - LAST), match.ply)


def told(match: Match[Any], place: int) -> dict[str, Any]:
    """Describe one move of the current game."""
    played, words = match.round, _words(match.game)
    state, move = played.states[place], played.moves[place]
    player = played.player(state.player)
    return {
        "ply": place + 1,
        "player": player,
        "move": str(move),
        "text": short(words.label(state, move)),
        "said": short(f"{match.players[player]} plays {words.named(state, move)}."),
    }


def _ended(match: Match[Any]) -> dict[str, Any] | None:
    """Describe how the current game ended."""
    end = match.round.end
    if end is None:
        return None
    return {
        "by": end.by,
        "winner": end.winner,
        "text": ending(match),
        "reason": end.reason,
    }
