"""The rules of Number Navigator: bring your own number to exactly zero first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import Outcome, check_whole, option

SUBTRACT_ONE, SUBTRACT_TWO, HALVE, ADD_FIVE = OPERATIONS = (1, 2, 3, 4)
ADD_BELOW = 10


class State(NamedTuple):
    """The number of each seat, and the seat to move."""

    first: int
    second: int
    player: int

    @property
    def own(self) -> int:
        """The number of the seat to move."""
        return self.second if self.player else self.first


@dataclass(frozen=True)
class NumberNavigator:
    """One variant of Number Navigator.

    >>> game = NumberNavigator(start=8)
    >>> game.moves(game.initial())
    (1, 2, 3, 4)
    >>> game.play(game.initial(), 3)
    State(first=4, second=8, player=1)
    """

    start: int = option(20, "the number that each player starts with, from 1 up")

    def __post_init__(self) -> None:
        """Check the options."""
        check_whole("start", self.start, least=1)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the keys of the operations that are possible."""
        return tuple(key for key in OPERATIONS if self.objection(state, key) is None)

    def play(self, state: State, move: int) -> State:
        """Apply an operation to the mover's own number."""
        first, second, player = state
        if player:
            return State(first, _apply(second, move), 0)
        return State(_apply(first, move), second, 1)

    def outcome(self, state: State) -> Outcome | None:
        """Exactly zero wins; below zero loses."""
        # Only the seat that has just moved can have reached either.
        number = state.first if state.player else state.second
        if number == 0:
            return Outcome(1 - state.player, "the winner's number is exactly zero")
        if number < 0:
            return Outcome(state.player, "the loser's number is below zero")
        return None

    def objection(self, state: State, move: int) -> str | None:
        """Name the rule that forbids an operation."""
        if self.outcome(state):
            return "The game is over."
        number = state.own
        if move == HALVE:
            return "Only an even number can be halved." if number % 2 else None
        if move == ADD_FIVE:
            return "5 can be added only to a number below 10." if number >= ADD_BELOW else None
        if move not in OPERATIONS:
            return (
                "The operations are 1 (subtract 1), 2 (subtract 2), 3 (multiply by 0.5), 4 (add 5)."
            )
        # From 1 up, 1 can always be subtracted; only where it cannot, below zero is what is left.
        if number > 0 and _apply(number, move) < 0:
            return "Below zero is forbidden while another operation is possible."
        return None


def _apply(number: int, move: int) -> int:
    """Apply an operation to a number."""
    if move == HALVE:
        return number // 2
    return number + (0, -1, -2, 0, 5)[move]
