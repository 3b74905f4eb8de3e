"""What comes back from a solver process: an answer, or an error."""

from __future__ import annotations

from typing import Any

import msgspec

from zerosum.web.refusals import Refused


class Busy(Refused):
    """Too many questions are waiting; the client may retry a little later."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("busy", message, retry=5)


class TooHard(Refused):
    """An answer that would take too much time, memory or too many positions."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("too_hard", message)


class Bug(RuntimeError):
    """A fault of our own in a solver process; the message is its traceback."""


def read_answer(answer: bytes) -> Any:
    """Return what a process answered, or raise its error.

    >>> read_answer(b'{"error":["too_hard","It takes too long.",{}]}')
    Traceback (most recent call last):
    ...
    zerosum.web.refusals.Refused: It takes too long.
    """
    document = msgspec.json.decode(answer)
    if "error" in document:
        code, message, more = document["error"]
        raise Bug(message) if code == "error" else Refused(code, message, **more)
    return document["answer"]
