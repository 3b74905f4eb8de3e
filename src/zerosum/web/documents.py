"""How positions, values and moves are written down for a page; numbers of a game are texts."""

from __future__ import annotations

import json
from typing import Any

from zerosum.coach.advice import GLYPHS, Coach, from_now, spoken
from zerosum.coach.review import Verdict
from zerosum.game import Value, ZerosumError
from zerosum.wording import Names, Wording, short

# The largest whole number that JavaScript can hold.
LARGEST = 2**53 - 1
Document = dict[str, Any]


def unknown(error: ZerosumError) -> Document:
    """Say that there is no exact value, and why."""
    return {"exact": False, "reason": str(error)}


def value_of(value: Value) -> Document:
    """Write a value down; a length that no browser could hold is in its text only.

    >>> value_of(Value("win", 7))
    {'result': 'win', 'plies': 7, 'glyph': '+', 'text': 'win in 7'}
    """
    plies = value.plies if value.plies is None or value.plies <= LARGEST else None
    text = f"{value.result}, the game is over" if value.plies == 0 else spoken(value)
    return {"result": value.result, "plies": plies, "glyph": GLYPHS[value.result], "text": text}


def text_of(state: Any) -> str:
    """Write a state as a text that can be asked about again.

    >>> from zerosum.games.even_steven.rules import State
    >>> text_of(State(15, 0))
    '[15,0]'
    """
    return json.dumps(state, separators=(",", ":"))


def fields(words: Wording, state: Any) -> tuple[list[Document], list[list[Document]]]:
    """Show a state by its fields: what is shared, and what each seat has."""
    shared: list[Document] = []
    own: list[list[Document]] = [[], []]
    for one in words.fields(state):
        field = {"name": one.name, "title": one.title, "value": str(one.value), "kind": one.kind}
        (shared if one.seat is None else own[one.seat]).append(field)
    return shared, own


def shown(words: Wording, state: Any, names: Names) -> Document:
    """Show a state: as a text, on one line, and by its fields."""
    shared, own = fields(words, state)
    position = short(words.position(state, names))
    return {"state": text_of(state), "position": position, "fields": shared, "player_fields": own}


def judged_of(move: int, one: Verdict) -> Document:
    """Write down what a move is worth to whoever is about to make it."""
    return {
        "move": str(move),
        "value": value_of(from_now(one.value)),
        "best": one.best,
        "verdict": one.label,
        "word": one.word,
    }


def standing_of(coach: Coach, state: Any) -> Document:
    """Say what a position is worth, and why."""
    over = coach.game.outcome(state) is not None
    return {
        "exact": True,
        "value": value_of(coach.solution.value(state)),
        "standing": "The game is over." if over else coach.standing(state),
        "why": [] if over else coach.why(state)[1:],
    }
