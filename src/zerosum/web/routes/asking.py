"""The requests of the API, as JSON Schema."""

from __future__ import annotations

from typing import Any

from zerosum.match import LONGEST_CLOCK, LONGEST_NAME
from zerosum.players.levels import LEVELS
from zerosum.web.routes.reading import FALSE, FIRSTS, LONGEST_SERIES, NEEDS, OFFERS, TRUE
from zerosum.web.tables.actions import ACTIONS
from zerosum.web.tables.table import MODES, WANTS

Schema = dict[str, Any]


def body(properties: Schema, *required: str) -> Schema:
    """Describe an object with no other fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def typed(schema: Schema, *texts: str) -> Schema:
    """Describe a value that may also be a string, as in a form."""
    return {"anyOf": [schema, *({"type": "string", "pattern": text} for text in texts)]}


def words(*words: str) -> Schema:
    """Describe a choice between words."""
    return {"type": "string", "enum": list(words)}


KEY = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{22,64}$",
    "description": "New for every request, with at least 128 random bits",
}
NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
DIGITS = "^[0-9]{1,9}$"
MOVE = {
    "anyOf": [{"type": "integer"}, {"type": "string", "minLength": 1, "maxLength": 40}],
    "description": "What a player types: a number or a short text such as b2, upper or lower case",
    "examples": ["1", "b2"],
}
PLY = typed({"type": "integer", "minimum": 0, "maximum": 10**9}, DIGITS)
NEW = {
    "key": KEY,
    "game": {"type": "string", "minLength": 1, "maxLength": 100, "examples": ["even-steven"]},
    "options": {"type": "object", "additionalProperties": True, "examples": [{"start": "15"}]},
    "mode": words(*MODES),
    "level": words(*LEVELS),
    "names": {"type": "array", "maxItems": 2, "items": {**NAME, "minLength": 0}},
    "first": words(*FIRSTS),
    "games": typed({"type": "integer", "minimum": 1, "maximum": LONGEST_SERIES}, "^[1-9][0-9]?$"),
    "clock": typed(
        {"type": ["number", "null"], "minimum": 1, "maximum": LONGEST_CLOCK},
        "^[1-9][0-9]{0,3}([.][0-9]{1,9})?$",
    ),
    "coach": words(*WANTS),
    "watch": {
        "enum": [True, False, *TRUE, *FALSE],
        "description": "Whether anyone with the link can watch",
    },
}
WITH = {"move": MOVE, "offer": words(*OFFERS), "want": words(*WANTS)}
ACTED = ("key", "ply", "action")
PLAIN = tuple(kind for kind in ACTIONS if kind not in NEEDS)


def _action(kinds: tuple[str, ...], *needs: str) -> Schema:
    """Describe the actions that need the same fields."""
    own = {need: WITH[need] for need in needs}
    return body({"key": KEY, "ply": PLY, "action": words(*kinds), **own}, *ACTED, *needs)


PUZZLE = {"type": "string", "minLength": 1, "maxLength": 100}
CREATE = body(NEW, "key", "game")
JOIN = body({"key": KEY, "name": {**NAME, "type": ["string", "null"]}}, "key")
ACT = [_action(PLAIN), *(_action((kind,), need) for kind, need in NEEDS.items())]
FORK = body({"key": KEY, "game": PLY, "ply": PLY, "level": words(*LEVELS)}, "key")
ANSWER = [
    body({"id": PUZZLE, "move": MOVE, "give_up": {"const": False}}, "id", "move"),
    body({"id": PUZZLE, "give_up": {"const": True}}, "id", "give_up"),
]
