"""What an answer may cost, and the errors that travel between the processes."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.errors import GameError, UnknownGame, ZerosumError
from zerosum.web.refusals import Refused


class Budget(NamedTuple):
    """The most that one question may cost, and how many questions may wait.

    `seconds` is per answer, `rules_seconds` per answer of a game's own rules, `positions` per
    table, `megabytes` per process beyond what it needs to start. `waiting` is per kind of
    question, `each` per kind and asker, including the questions being answered.
    """

    seconds: float = 10.0
    positions: int = 400_000
    waiting: int = 64
    # A class of thirty behind one address may all ask at once. It is half of a queue, and those
    # who have used more are served later.
    each: int = 32
    megabytes: int = 1024
    rules_seconds: float = 2.0


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


class Bug(RuntimeError):
    """A fault of our own in a solver process; the message is its traceback."""


# The errors that keep their type between processes; a refusal keeps its code.
KINDS = {kind.__name__: kind for kind in (Bug, GameError, UnknownGame, ZerosumError)}


def to_document(error: Exception) -> dict[str, Any]:
    """Serialise an error for the process that asked.

    >>> to_document(TooHard("It takes too long."))
    {'kind': 'too_hard', 'message': 'It takes too long.', 'more': {}}
    """
    if isinstance(error, Refused):
        return {"kind": error.code, "message": error.message, "more": error.more}
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in KINDS)
    return {"kind": kind, "message": str(error), "more": {}}


def from_document(document: dict[str, Any]) -> Exception:
    """Rebuild an error from its document.

    >>> from_document(to_document(UnknownGame("There is no game 'x'.")))
    UnknownGame("There is no game 'x'.")
    """
    kind, message, more = document["kind"], document["message"], document["more"]
    return KINDS[kind](message) if kind in KINDS else Refused(kind, message, **more)
