"""What the server refuses, by a code that programs read and a sentence that people read."""

from __future__ import annotations

from typing import Any

from zerosum.game import ZerosumError

STATUS = {
    "malformed": 400,
    "origin": 403,
    "private": 403,
    "no_seat": 403,
    "coach_not_agreed": 403,
    "no_match": 404,
    "no_game": 404,
    "no_page": 404,
    "method": 405,
    "slow": 408,
    "stale": 409,
    "not_now": 409,
    "not_your_turn": 409,
    "seat_taken": 409,
    "key_reused": 409,
    "too_large": 413,
    "media_type": 415,
    "invalid": 422,
    "illegal_move": 422,
    "unreadable_move": 422,
    "broken_game": 422,
    "too_hard": 422,
    "too_many": 429,
    "busy": 429,
    "unavailable": 503,
}


class Refused(ZerosumError):
    """A request that changed nothing; `more` is what may help beside the sentence."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        """Take a code of the list, a sentence, and what else the answer should hold."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.more = more

    @property
    def status(self) -> int:
        """The status that the answer has."""
        return STATUS[self.code]

    def document(self) -> dict[str, Any]:
        """Give the body of the answer.

        >>> Refused("stale", "The game has gone on.", ply=4).document()
        {'error': {'code': 'stale', 'message': 'The game has gone on.', 'ply': 4}}
        """
        return {"error": {"code": self.code, "message": self.message, **self.more}}
