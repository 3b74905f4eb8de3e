"""What an answer may cost, and how it is refused where it would cost more."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.errors import GameError, OptionError, UnknownGame, UnknownLevel, ZerosumError
from zerosum.web.errors import Refused


class Budget(NamedTuple):
    """The most that one question may cost, and the most questions that may wait.

    `seconds` is for one answer, `positions` for one table, `memory` (in bytes) for one process
    beyond what it needs to be there at all. `waiting` is for each kind of question, `each` for the
    questions of one kind that one asker has waiting or being answered.
    """

    seconds: float = 10.0
    positions: int = 400_000
    waiting: int = 64
    memory: int = 1 << 30
    # A class of thirty behind one address asks at the same time when its teacher says so; fewer
    # would refuse some of them. It is half of a line, and who has more in it comes later in it.
    each: int = 32


class Busy(Refused):
    """There are too many questions before this one; it may be asked again a little later."""

    def __init__(self, message: str, retry: int = 5) -> None:
        """Say in how many seconds it is worth asking again."""
        super().__init__("busy", message, retry=retry)


class TooHard(Refused):
    """An answer that would take more time, more positions or more memory than is allowed."""

    def __init__(self, message: str) -> None:
        """Take the sentence that says what was too much."""
        super().__init__("too_hard", message)


class NoPosition(Refused):
    """What was asked about is not a position of the game."""

    def __init__(self, message: str) -> None:
        """Take the sentence that says what is wrong with it."""
        super().__init__("invalid", message)


class NoPuzzle(Refused):
    """There is no puzzle of that name."""

    def __init__(self, message: str) -> None:
        """Take the sentence that says so."""
        super().__init__("invalid", message)


# The errors that arrive as what they were; the names are what travels.
TOLD: dict[str, type[ZerosumError]] = {
    kind.__name__: kind
    for kind in (Busy, GameError, NoPosition, NoPuzzle, TooHard, UnknownGame, UnknownLevel)
}


def to_document(error: ZerosumError) -> dict[str, Any]:
    """Write an error down, for the process that asked.

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
    """Make an error again of what was written down.

    >>> from_document(to_document(TooHard("It takes too long.")))
    TooHard('It takes too long.')
    """
    if document["kind"] == "OptionError":
        return OptionError(document["option"], document["message"])
    if document["kind"] == "Refused":
        return Refused(document["code"], document["message"], **document["more"])
    return TOLD.get(document["kind"], ZerosumError)(document["message"])
