"""What an answer may cost, and the refusals when it would cost more."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.errors import GameError, OptionError, UnknownGame, UnknownLevel, ZerosumError
from zerosum.web.refusals import Refused


class Budget(NamedTuple):
    """The most that one question may cost, and how many questions may wait.

    `seconds` is per answer, `positions` per table, `memory` (in bytes) per process beyond what it
    needs to start. `waiting` is per kind of question, `each` per kind and asker, including the
    questions being answered.
    """

    seconds: float = 10.0
    positions: int = 400_000
    waiting: int = 64
    memory: int = 1 << 30
    # A class of thirty behind one address may all ask at once. It is half of a queue, and those
    # with more questions in it are served later.
    each: int = 32


class Busy(Refused):
    """Too many questions are waiting; the client may retry a little later."""

    def __init__(self, message: str, retry: int = 5) -> None:
        """Take the message, and the seconds after which to retry."""
        super().__init__("busy", message, retry=retry)


class TooHard(Refused):
    """An answer that would take too much time, memory or too many positions."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("too_hard", message)


class NoPosition(Refused):
    """Not a position of the game."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("invalid", message)


class NoPuzzle(Refused):
    """No such puzzle."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("invalid", message)


# The errors that keep their type between processes, by name.
TOLD: dict[str, type[ZerosumError]] = {
    kind.__name__: kind
    for kind in (Busy, GameError, NoPosition, NoPuzzle, TooHard, UnknownGame, UnknownLevel)
}


def to_document(error: ZerosumError) -> dict[str, Any]:
    """Serialise an error for the process that asked.

    >>> to_document(OptionError("start", "must be less"))
    {'kind': 'OptionError', 'option': 'start', 'message': 'must be less'}
    """
    if isinstance(error, OptionError):
        return {"kind": "OptionError", "option": error.option, "message": error.message}
    if type(error) is Refused:
        return {"kind": "Refused", "code": error.code, "message": error.message, "more": error.more}
    known = (kind.__name__ for kind in type(error).__mro__ if kind.__name__ in TOLD)
    return {"kind": next(known, ""), "message": str(error)}


def from_document(document: dict[str, Any]) -> ZerosumError:
    """Rebuild an error from its document.

    >>> from_document(to_document(TooHard("It takes too long.")))
    TooHard('It takes too long.')
    """
    if document["kind"] == "OptionError":
        return OptionError(document["option"], document["message"])
    if document["kind"] == "Refused":
        return Refused(document["code"], document["message"], **document["more"])
    return TOLD.get(document["kind"], ZerosumError)(document["message"])
