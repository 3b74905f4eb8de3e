"""Asks a game under test, and turns what is wrong into one error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any, Literal

from zerosum.errors import Nonconforming, RulesTooSlow, ZerosumError
from zerosum.protocol import Game, Move
from zerosum.registry.loading import blame
from zerosum.text import brief

# What can be wrong with the rules; faults of words, theory or options have no code.
RuleCode = Literal[
    "crash",
    "not-deterministic",
    "bad-state",
    "bad-player",
    "changes-its-state",
    "over-at-start",
    "stuck",
    "moves-after-the-end",
    "bad-moves",
    "duplicate-moves",
    "bad-outcome",
    "bad-winner",
    "bad-legality",
    "bad-objection",
    "bad-symmetry",
    "nonconforming",
]


class Late(BaseException):
    """The check's time is up; no fault, so nothing that looks for faults catches it."""


class Checker:
    """A variant under test; after `seconds`, `Late` is raised."""

    def __init__(self, game: Game[Any], seconds: float | None = None) -> None:
        """Take the variant."""
        self.game = game
        self.name = type(game).__name__
        # The position being checked, for a fault that does not name it.
        self.position: Any = None
        self.move: Move | None = None  # that is being played there
        self.sound = set[Any]()  # proper states, as far as their form goes
        self.states, self.ends = set[Any](), set[Any]()  # that are done, and those without a move
        self._deadline = inf if seconds is None else monotonic() + seconds

    @property
    def seconds(self) -> float | None:
        """The time that is left; None if there is no limit."""
        if self._deadline == inf:
            return None
        return max(0.0, self._deadline - monotonic())

    def call(self, method: Any, *args: Any) -> Any:
        """Call a method of the game, and report what it raises."""
        self._be_in_time()
        try:
            return method(*args)
        except (Exception, SystemExit) as error:
            arguments = ", ".join(brief(repr(arg), 100) for arg in args)
            asked = f"{getattr(method, '__name__', 'it')}({arguments})"
            if isinstance(error, RulesTooSlow):
                message = str(error).removeprefix(f"{self.name}.").rstrip(".")
                raise self.fault(message, "crash") from error
            if isinstance(error, ZerosumError):
                raise self.fault(f"{asked} fails: {str(error).rstrip('.')}", "crash") from error
            raise self.fault(f"{asked} fails in {blame(error)}", "crash") from error

    def call_twice(self, method: Any, *args: Any) -> Any:
        """Call a method of the game, which must return the same the next time."""
        answer = self.call(method, *args)
        self.call_again(answer, method, *args)
        return answer

    def call_again(self, answer: Any, method: Any, *args: Any) -> None:
        """Call a method of the game, which must return what it did before."""
        if _differ(answer, self.call(method, *args)):
            at = f" at {brief(args[0], 100)}" if args else ""
            name = f"{method.__name__}({', '.join(map(repr, args[1:]))})"
            raise self.fault(
                f"{name} returns something else when called again{at}", "not-deterministic"
            )

    def ask(self, function: Any, *args: Any, **options: Any) -> Any:
        """Call our own function about the game; its errors say enough."""
        self._be_in_time()
        try:
            return function(*args, **options)
        except ZerosumError as error:
            raise self.fault(str(error).rstrip(".")) from error
        except (Exception, SystemExit) as error:
            raise self.fault(f"it could not be loaded: {blame(error)}") from error

    def _be_in_time(self) -> None:
        """Stop once the time is up."""
        if monotonic() > self._deadline:
            raise Late

    def is_sound(self, state: Any) -> bool:
        """Return whether a state was checked; one without a hash was not."""
        try:
            return state in self.sound and hasattr(state, "_fields")
        except TypeError:
            return False

    def fault(self, message: str, code: RuleCode = "nonconforming") -> Nonconforming:
        """Return the error for a fault, with the game's name and the position."""
        if self.position is not None and (here := brief(self.position, 100)) not in message:
            message = f"{message}, at {here}"
        return Nonconforming(f"{self.name}: {message}.", code)


def _differ(answer: Any, again: Any) -> bool:
    """Return whether two answers differ, by how they look if not comparable."""
    try:
        return bool(answer != again)
    except Exception:
        return repr(answer) != repr(again)


@contextmanager
def numbers_of_any_length() -> Iterator[None]:
    """Let messages show numbers of any length, as games may use them."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)
