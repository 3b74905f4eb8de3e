"""The rules of Even-Steven: bring the shared number to exactly zero."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.options import option
from zerosum.protocol import Game, Outcome

SUBTRACT_ONE, DIVIDE, SUBTRACT_TWO = 1, 2, 3


class State(NamedTuple):
    """The shared number, and the seat to move."""

    number: int
    player: int


@dataclass(frozen=True)
class EvenSteven(Game[State]):
    """One variant of Even-Steven.

    >>> game = EvenSteven(start=6)
    >>> game.moves(game.initial())
    (1, 2)
    >>> game.play(game.initial(), 2)
    State(number=3, player=1)
    """

    start: int = option(15, "the shared number at the start", least=1)
    subtract_two: bool = option(False, "advanced play: you may also subtract 2")

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the keys of the possible operations."""
        number = state.number
        if number == 0:
            return ()
        if self.subtract_two and number >= 2:
            return (1, 3) if number % 2 else (1, 2, 3)
        return (1,) if number % 2 else (1, 2)

    def play(self, state: State, move: int) -> State:
        """Apply an operation."""
        number, player = state
        if move == DIVIDE:
            return State(number // 2, 1 - player)
        return State(number - (1 if move == SUBTRACT_ONE else 2), 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        """The player who reached zero has won."""
        if state.number == 0:
            return Outcome(1 - state.player, "the number is exactly zero")
        return None

    def canonical(self, state: State) -> State:
        """Swap the seats if the second is to move: the rules are the same for both."""
        return State(state.number, 0) if state.player else state

    def objection(self, state: State, move: int) -> str:
        """Name the rule that forbids an operation."""
        if move == DIVIDE:
            return "Only an even number can be divided by 2."
        if not self.subtract_two:
            return "The choices are 1 (subtract 1) and 2 (divide by 2)."
        if move == SUBTRACT_TWO:
            return "2 can be subtracted only from 2 or more."
        return "The choices are 1 (subtract 1), 2 (divide by 2) and 3 (subtract 2)."
