"""Every error that a user can meet: what went wrong, and what would be right."""

from __future__ import annotations


class ZerosumError(Exception):
    """The base of all errors of Zerosum; its message is a sentence for people."""


class UnknownGame(ZerosumError):
    """No game has that name."""


class GameError(ZerosumError):
    """A game, or the file of one, does not follow the protocol."""


class PartError(GameError):
    """The words or the theory of a game break the protocol; its rules need not."""


class RulesTooSlow(GameError):
    """A game did not answer in time; the message names what was asked, and the position."""


class NoGame(GameError):
    """A file of Python without a game in it."""


class BrokenGame(GameError):
    """A game does what no game may do."""

    def __init__(self, game: object, message: str) -> None:
        """Take the game, and what it does."""
        super().__init__(f"{type(game).__name__} breaks the rules for games: {message}.")
        self.game = game


class Nonconforming(GameError, AssertionError):
    """A fault found by the conformance kit; the message says where and what is right."""

    def __init__(self, message: str, code: str = "nonconforming") -> None:
        """Take the message, and the code of the fault (zerosum.testing.checker.RuleCode)."""
        super().__init__(message)
        self.code = code


class OptionError(ZerosumError):
    """An option has an invalid value."""

    def __init__(self, option: str, message: str) -> None:
        """Take the name of the option and the message."""
        super().__init__(f"{option}: {message}")
        self.option = option
        self.message = message


class MoveError(ZerosumError):
    """A move that was not made; the position has not changed."""


class UnreadableMove(MoveError):
    """A string that is not a move at all."""


class IllegalMove(MoveError):
    """A move that the rules forbid; `reason` names the rule, the message adds what is legal."""

    def __init__(self, reason: str, legal: str = "") -> None:
        """Take the rule that forbids the move, and a sentence with the legal moves."""
        super().__init__(f"{reason} {legal}".strip())
        self.reason = reason


class MatchError(ZerosumError):
    """An action that a match does not allow now; the match has not changed."""


class DocumentError(ZerosumError):
    """A JSON document that cannot be read: of another format or version, or faulty."""


class RecordError(DocumentError):
    """A document that is not a record of a match, or one that breaks the rules."""


class NotSolved(ZerosumError):
    """A position without a value: unreachable, or not a position of the game."""


class Unknown(NotSolved):
    """A position whose value is unknown, since too many positions can follow it."""


class TooLarge(ZerosumError):
    """A game too large for a table; `limit` is set if a larger one would allow it."""

    def __init__(self, message: str, limit: int | None = None) -> None:
        """Take the message, and the limit that was exceeded."""
        super().__init__(message)
        self.limit = limit


class TooSlow(TooLarge):
    """What was not finished in time: more time would allow it."""

    def __init__(self, what: str, seconds: float, remembered: bool = False) -> None:
        """Take what was not finished, and the seconds for it: now, or when it was tried before.

        >>> str(TooSlow("A table of Chess", 5.0))
        'A table of Chess was not finished within 5 seconds.'
        >>> str(TooSlow("A table of Chess", 0.0123))
        'A table of Chess was not finished within 0.01 seconds.'
        """
        rounded = round(seconds, 1) or float(f"{seconds:.1g}")
        time = f"{rounded:g} second{'s' * (rounded != 1)}"
        found = f"takes more than {time}, as was found before; it was not tried again"
        super().__init__(f"{what} {found if remembered else f'was not finished within {time}'}.")


class PolicyError(ZerosumError):
    """An array that is not a policy: the chance of every edge of a table."""


class NotEncoded(ZerosumError):
    """A move without a number, or a state without a vector, in an environment."""


class MissingExtra(ZerosumError):
    """An optional library that is needed for this and is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        """Take what needs the extra, and its name in pyproject.toml."""
        command = install_command(extra)
        super().__init__(f"{what} needs packages that are not installed. Run: {command}")


def install_command(extra: str) -> str:
    """Return the command that installs an extra for this interpreter."""
    import os

    clone = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if os.path.exists(os.path.join(clone, "pyproject.toml")):
        return pip_install("-e", f"{clone}[{extra}]")
    return pip_install(f"zerosum[{extra}]")


def pip_install(*arguments: str) -> str:
    """Return the command that installs a package for the interpreter that runs."""
    import shlex
    import sys
    from importlib.util import find_spec

    pip = [sys.executable, "-m", "pip", "install"]
    if not find_spec("pip"):  # as in an environment that uv has made
        pip = ["uv", "pip", "install", "--python", sys.executable]
    return shlex.join([*pip, *arguments])


class UnknownLevel(ZerosumError):
    """No level has that name."""


class StoreError(ZerosumError):
    """A database that cannot be used, or that does not have what was asked for."""


class NoMatch(StoreError):
    """A match that is not in the database."""


class Unwritable(StoreError):
    """A database that can no longer be written; a match may go on without."""


class Unreadable(StoreError):
    """A match that cannot be replayed: rules changed or missing, or events lost."""


class FileNotNamed(Unreadable):
    """A match of a game from a file that the command line must name."""

    def __init__(self, id: str, game: str, file: str) -> None:  # noqa: A002
        """Take the match, its game, and the path in the database, if it can be typed."""
        from shlex import quote  # a path from elsewhere must not read as part of the sentence

        self.start = f"Match {id} is of the game {game}, from {quote(file) if file else 'a file'}."
        named = quote(file) if file else "FILE"
        super().__init__(f"{self.start} If you trust that file, add --game {named}.")
        self.id = id
        self.file = file


class Rejected(StoreError):
    """A change that the database does not accept."""


class Conflict(StoreError):
    """The match was continued elsewhere since it was read."""


class KeyUsed(StoreError):
    """A request whose key was used; `digest` is what was saved with it."""

    def __init__(self, digest: str) -> None:
        """Take the digest that was saved with the key."""
        super().__init__("This request was handled before and is not repeated.")
        self.digest = digest
