"""Asks a game under test, and turns whatever is wrong into one error that names the game."""

from __future__ import annotations

from typing import Any

from zerosum.errors import Nonconforming, ZerosumError
from zerosum.protocol import Game
from zerosum.registry.loading import blame
from zerosum.text import brief


class Checker:
    """A variant under test."""

    def __init__(self, game: Game[Any]) -> None:
        """Take the variant."""
        self.game = game
        self.name = type(game).__name__

    def call(self, method: Any, *args: Any) -> Any:
        """Call a method of the game, and report what it raises."""
        try:
            return method(*args)
        except (Exception, SystemExit) as error:
            arguments = ", ".join(brief(repr(arg), 100) for arg in args)
            asked = f"{getattr(method, '__name__', 'it')}({arguments})"
            if isinstance(error, ZerosumError):
                raise self.fault(f"{asked} fails: {str(error).rstrip('.')}") from error
            raise self.fault(f"{asked} fails in {blame(error)}") from error

    def call_twice(self, method: Any, *args: Any) -> Any:
        """Call a method of the game, which must return the same when it is called again."""
        answer = self.call(method, *args)
        at = f" at {brief(args[0], 100)}" if args else ""
        name = f"{method.__name__}({', '.join(map(repr, args[1:]))})"
        again = self.call(method, *args)
        self.must(answer == again, f"{name} returns something else when called again{at}")
        return answer

    def ask(self, function: Any, *args: Any, **options: Any) -> Any:
        """Call a function of ours about the game; what that raises says enough."""
        try:
            return function(*args, **options)
        except ZerosumError as error:
            raise self.fault(str(error).rstrip(".")) from error
        except (Exception, SystemExit) as error:
            raise self.fault(f"it could not be loaded: {blame(error)}") from error

    def must(self, holds: bool, message: str) -> None:
        """Raise a fault unless something holds."""
        if not holds:
            raise self.fault(message)

    def fault(self, message: str) -> Nonconforming:
        """Return the error for a fault, with the name of the game."""
        return Nonconforming(f"{self.name}: {message}.")
