"""Refusals: a code for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.errors import IllegalMove, MoveError, OptionError, ZerosumError
from zerosum.protocol import Move
from zerosum.text import upper_first

MOST_NAMED = 12
STATUS = {
    "malformed": 400,
    "no_token": 401,
    "origin": 403,
    "private": 403,
    "no_seat": 403,
    "no_bots": 403,
    "coach_not_agreed": 403,
    "no_match": 404,
    "no_game": 404,
    "no_bot": 404,
    "no_page": 404,
    "method": 405,
    "slow": 408,
    "stale": 409,
    "not_now": 409,
    "not_your_turn": 409,
    "seat_taken": 409,
    "key_reused": 409,
    "name_taken": 409,
    "not_open": 409,
    "too_large": 413,
    "media_type": 415,
    "invalid": 422,
    "illegal_move": 422,
    "unreadable_move": 422,
    "broken_game": 422,
    "too_hard": 422,
    "too_many": 429,
    "busy": 429,
    "error": 500,
    "unavailable": 503,
    "full": 503,
}


class Refused(ZerosumError):
    """A refused request, which changed nothing; `more` holds further details."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        """Take a code from STATUS, a sentence, and further details."""
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]
        self.message = message
        self.more = more

    def document(self) -> dict[str, Any]:
        """Return the body of the answer.

        >>> Refused("stale", "The game has moved on.", ply=4).document()
        {'error': {'code': 'stale', 'message': 'The game has moved on.', 'ply': 4}}
        """
        return {"error": {"code": self.code, "message": self.message, **self.more}}


def refused_move(error: MoveError, legal: Sequence[Move]) -> Refused:
    """Return the refusal of a move that is unreadable or illegal."""
    if not isinstance(error, IllegalMove):
        return Refused("unreadable_move", str(error), field="move")
    some = [str(move) for move in legal[:MOST_NAMED]]
    return Refused("illegal_move", error.reason, field="move", legal=some)


def invalid(field: str, message: str) -> Refused:
    """Return the refusal of a field."""
    return Refused("invalid", sentence(message), field=field)


def refused_option(error: OptionError, where: str = "options.") -> Refused:
    """Return the refusal of an option, with its field."""
    return invalid(f"{where}{error.option}", error.message)


def sentence(text: str) -> str:
    """Return a message with a capital letter, but for the name of a file, and a full stop.

    >>> sentence("must be 1"), sentence("Did you mean start?"), sentence("my.py: it fails")
    ('Must be 1.', 'Did you mean start?', 'my.py: it fails.')
    """
    return f"{upper_first(text)}{'' if text.endswith(('.', '?')) else '.'}"
