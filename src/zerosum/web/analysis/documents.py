"""Positions, values and moves as JSON documents; a game's numbers are strings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from zerosum.coach.advice import GLYPHS, Coach
from zerosum.coach.verdicts import Judgement
from zerosum.errors import ZerosumError
from zerosum.protocol import Move, Value
from zerosum.text import short
from zerosum.wording.words import Names, Words, spoken

# The largest whole number that JavaScript can hold.
LARGEST = 2**53 - 1
Document = dict[str, Any]


def unknown(error: ZerosumError) -> Document:
    """Return the document of an unknown value, with the reason."""
    return {"exact": False, "reason": str(error)}


def value_of(value: Value) -> Document:
    """Return a value's document; a length too large for a browser is in its text only.

    >>> value_of(Value("win", 7))
    {'result': 'win', 'plies': 7, 'endless': False, 'glyph': '+', 'text': 'win in 7'}
    """
    plies = value.plies if value.plies is None or value.plies <= LARGEST else None
    return {
        "result": value.result,
        "plies": plies,
        "endless": value.endless,
        "glyph": GLYPHS[value.result],
        "text": spoken(value),
    }


def text_of(state: Any) -> str:
    """Serialise a state so that it can be asked about again.

    >>> from zerosum.books.even_steven.rules import State
    >>> text_of(State(15, 0))
    '[15,0]'
    """
    return json.dumps(state, separators=(",", ":"))


def fields(words: Words[Any], state: Any) -> tuple[list[Document], list[list[Document]]]:
    """Return the fields of a state: the shared ones, and each seat's own."""
    shared: list[Document] = []
    own: list[list[Document]] = [[], []]
    for name, title, value, seat, kind in words.fields(state):
        field = {"name": name, "title": title, "value": str(value), "kind": kind}
        (shared if seat is None else own[seat]).append(field)
    return shared, own


def board(words: Words[Any], state: Any, moves: Sequence[Move]) -> Document | None:
    """Return the board of a state with the moves of each cell, or None without a board."""
    rows = words.board(state)
    if rows is None:
        return None
    cells: list[list[Document]] = [[{"text": text, "moves": []} for text in row] for row in rows]
    for (row, column), here in words.moves_by_cell(state, moves).items():
        cells[row][column]["moves"] = [str(move) for move in here]
    return {"rows": cells}


def are_digits(words: Words[Any]) -> bool:
    """Return whether every move of the game, legal now or not, is a single digit."""
    keys = words.keys()
    return bool(keys) and all(isinstance(move, int) and 0 <= move <= 9 for move in keys)


def shown(words: Words[Any], state: Any, names: Names) -> Document:
    """Return a state's document: as JSON, on one line, by its fields, and as a board."""
    shared, own = fields(words, state)
    return {
        "state": text_of(state),
        "position": short(words.position(state, names)),
        "fields": shared,
        "player_fields": own,
        "board": board(words, state, words.game.moves(state)),
        "mover": state.player,
    }


def judged_of(move: Move, judged: Judgement | None) -> Document:
    """Return what a move is worth to the player making it, if known."""
    value, verdict, word = judged or (None, None, "")
    return {
        "move": str(move),
        "value": None if value is None else value_of(value),
        "verdict": verdict,
        "word": word,
    }


def standing_of(coach: Coach[Any], state: Any) -> Document:
    """Return what a position is worth, and why."""
    return {
        "exact": True,
        "value": value_of(coach.solution.value(state)),
        "standing": coach.standing(state),
        "why": coach.reasons(state),
    }
