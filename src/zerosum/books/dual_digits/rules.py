"""The rules of Dual Digits: subtract, but never what your opponent has just subtracted."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.errors import OptionError
from zerosum.options import option
from zerosum.protocol import Game, Outcome

NOTHING = 0


class State(NamedTuple):
    """The shared number, the number just subtracted (0 at the start), and the seat to move."""

    number: int
    previous: int
    player: int


@dataclass(frozen=True)
class DualDigits(Game[State]):
    """One variant of Dual Digits.

    >>> game = DualDigits()
    >>> game.moves(game.play(game.initial(), 3))
    (1, 2, 4)
    """

    start: int = option(25, "the shared number at the start", least=1)
    numbers: tuple[int, ...] = option((1, 2, 3, 4), "the numbers that may be subtracted", least=1)

    def __post_init__(self) -> None:
        """Check the numbers against each other and the start, and sort them."""
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
        number, previous, _ = state
        return tuple([n for n in self.numbers if n <= number and n != previous])

    def allowed(self, state: State) -> tuple[int, ...]:
        """List the numbers that the opponent's last one does not forbid, however large."""
        return tuple(n for n in self.numbers if n != state.previous)

    def play(self, state: State, move: int) -> State:
        """Subtract a number."""
        return State(state.number - move, move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        """A player who reaches zero wins; one without a legal number loses."""
        number = state.number
        if number == 0:
            return Outcome(1 - state.player, "the number is exactly zero")
        # Only one of the two smallest can be forbidden, so above both there is a move.
        if number >= self.numbers[1 % len(self.numbers)] > self.numbers[0] or self.moves(state):
            return None
        return Outcome(1 - state.player, "every number is forbidden or would go below zero")

    def canonical(self, state: State) -> State:
        """Swap the seats if the second is to move: the rules are the same for both."""
        if state.player:
            return State(state.number, state.previous, 0)
        return state

    def objection(self, state: State, move: int) -> str:
        """Name the rule that forbids a number."""
        if move not in self.numbers:
            return f"Only these may be subtracted: {', '.join(map(str, self.numbers))}."
        if move == state.previous:
            return "Your opponent has just subtracted that number, so it is forbidden now."
        return "That would go below zero."
