"""Every error that a person may meet: what went wrong, and what would be right."""

from __future__ import annotations


class ZerosumError(Exception):
    """What went wrong, as a sentence for a person; every error of ours is one."""


class UnknownGame(ZerosumError):
    """There is no game of that name."""


class GameError(ZerosumError):
    """A game, or the file that should hold one, does not follow the protocol."""


def broken_game(game: object, message: str) -> GameError:
    """Say what a game does that no game may do."""
    return GameError(
        f"{type(game).__name__} breaks the protocol of a game: {message} "
        "(zerosum check FILE says more)."
    )


class Nonconforming(GameError, AssertionError):
    """The conformance kit found a fault; the message says where, and what would be right."""


class OptionError(ZerosumError):
    """An option has a value that it cannot have."""

    def __init__(self, option: str, message: str) -> None:
        """Name the option beside the message."""
        super().__init__(f"{option}: {message}")
        self.option = option
        self.message = message


class MoveError(ZerosumError):
    """A move that was not made; the position is as it was."""


class UnreadableMove(MoveError):
    """What was typed is not a move at all."""


class IllegalMove(MoveError):
    """A move that the rules forbid here; `reason` names the rule, the message what is legal too."""

    def __init__(self, reason: str, legal: str = "") -> None:
        """Take the rule that forbids the move, and a sentence with the legal ones."""
        super().__init__(f"{reason} {legal}".strip())
        self.reason = reason


class MatchError(ZerosumError):
    """Something that cannot be done with a match as it stands; the match is as it was."""


class RecordError(ZerosumError):
    """A document that is not a record of a match, or one that breaks the rules."""


class NotSolved(ZerosumError):
    """A position that a solution does not have: unreachable, or not a position of the game."""


class TooLarge(ZerosumError):
    """A game with more positions than a table may have."""


class MissingExtra(ZerosumError):
    """A library that is needed for this, and not installed."""


class UnknownLevel(ZerosumError):
    """There is no level of that name."""
