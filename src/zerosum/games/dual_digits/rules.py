"""The rules of Dual Digits: subtract, but never what your opponent has just subtracted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import OptionError, Outcome, check_whole, option

NOTHING = 0


class State(NamedTuple):
    """The shared number, the number just subtracted (0 at the start), and the seat to move."""

    number: int
    previous: int
    player: int


@dataclass(frozen=True)
class DualDigits:
    """One variant of Dual Digits.

    >>> game = DualDigits()
    >>> game.moves(game.play(game.initial(), 3))
    (1, 2, 4)
    """

    start: int = option(25, "the shared number at the start, from 1 up")
    numbers: tuple[int, ...] = option((1, 2, 3, 4), "the numbers that may be subtracted")

    def __post_init__(self) -> None:
        """Check the options, and put the numbers into rising order."""
        check_whole("start", self.start, least=1)
        if not isinstance(self.numbers, (tuple, list)) or not self.numbers:
            raise OptionError("numbers", "must be one or more whole numbers, such as 1,2,3,4")
        for number in self.numbers:
            check_whole("numbers", number, least=1)
        numbers = tuple(sorted(set(self.numbers)))
        if len(numbers) < len(self.numbers):
            raise OptionError("numbers", "must all be different")
        if numbers[0] > self.start:
            raise OptionError("numbers", "at least one must be no larger than the start")
        object.__setattr__(self, "numbers", numbers)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, NOTHING, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the numbers that may be subtracted now."""
        return tuple(n for n in self.numbers if self.objection(state, n) is None)

    def allowed(self, state: State) -> tuple[int, ...]:
        """List the numbers that the opponent's last one does not forbid, however large."""
        return tuple(n for n in self.numbers if n != state.previous)

    def play(self, state: State, move: int) -> State:
        """Subtract a number."""
        return State(state.number - move, move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        """Whoever reaches zero wins; whoever has no legal number loses."""
        if state.number == 0:
            return Outcome(1 - state.player, "the number is exactly zero")
        if not self._open(state):
            return Outcome(1 - state.player, "every number is forbidden or would go below zero")
        return None

    def _open(self, state: State) -> bool:
        """Tell whether some number can be subtracted; only the smallest two can decide it."""
        return any(n <= state.number and n != state.previous for n in self.numbers[:2])

    def objection(self, state: State, move: int) -> str | None:
        """Name the rule that forbids a number."""
        if state.number == 0:
            return "The game is over: the number is zero."
        if move not in self.numbers:
            return f"Only these may be subtracted: {', '.join(map(str, self.numbers))}."
        if move == state.previous:
            return "Your opponent has just subtracted that number, so it is forbidden now."
        if move > state.number:
            return "That would go below zero."
        return None
