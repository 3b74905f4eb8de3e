"""The rules of Even-Steven: bring the shared number to exactly zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import Outcome, check_flag, check_whole, option

SUBTRACT_ONE, DIVIDE, SUBTRACT_TWO = 1, 2, 3


class State(NamedTuple):
    """The shared number, and the seat to move."""

    number: int
    player: int


@dataclass(frozen=True)
class EvenSteven:
    """One variant of Even-Steven.

    >>> game = EvenSteven(start=6)
    >>> game.moves(game.initial())
    (1, 2)
    >>> game.play(game.initial(), 2)
    State(number=3, player=1)
    """

    start: int = option(15, "the shared number at the start, from 1 up")
    subtract_two: bool = option(False, "advanced play: 3 subtracts 2, from 2 up")

    def __post_init__(self) -> None:
        """Check the options."""
        check_whole("start", self.start, least=1)
        check_flag("subtract_two", self.subtract_two)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the keys of the operations that are possible."""
        return tuple(key for key in (1, 2, 3) if self.objection(state, key) is None)

    def play(self, state: State, move: int) -> State:
        """Apply an operation."""
        number, player = state
        if move == DIVIDE:
            return State(number // 2, 1 - player)
        return State(number - (1 if move == SUBTRACT_ONE else 2), 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        """Whoever reached zero has won."""
        if state.number == 0:
            return Outcome(1 - state.player, "the number is exactly zero")
        return None

    def objection(self, state: State, move: int) -> str | None:
        """Name the rule that forbids an operation."""
        if state.number == 0:
            return "The game is over: the number is zero."
        if move == SUBTRACT_ONE:
            return None
        if move == DIVIDE:
            return "Only an even number can be divided by 2." if state.number % 2 else None
        if move == SUBTRACT_TWO and self.subtract_two:
            return "2 can be subtracted only from 2 up." if state.number < 2 else None
        if self.subtract_two:
            return "The choices are 1 (subtract 1), 2 (divide by 2) and 3 (subtract 2)."
        return "The choices are 1 (subtract 1) and 2 (divide by 2)."
