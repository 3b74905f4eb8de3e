"""The rules of Number Navigator: bring your own number to exactly zero first."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.options import option
from zerosum.protocol import Game, Outcome

SUBTRACT_ONE, SUBTRACT_TWO, HALVE, ADD_FIVE = OPERATIONS = (1, 2, 3, 4)
STEP = {SUBTRACT_ONE: -1, SUBTRACT_TWO: -2, ADD_FIVE: 5}
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
class NumberNavigator(Game[State]):
    """One variant of Number Navigator.

    >>> game = NumberNavigator(start=8)
    >>> game.moves(game.initial())
    (1, 2, 3, 4)
    >>> game.play(game.initial(), 3)
    State(first=4, second=8, player=1)
    """

    start: int = option(20, "the number that each player starts with", least=1)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the keys of the possible operations."""
        first, second, player = state
        number, other = (second, first) if player else (first, second)
        if other <= 0:
            return ()
        # Going below zero is a last resort; from 1 up, 1 can always be subtracted.
        moves: tuple[int, ...] = (1,) if number == 1 else (1, 2)
        if number % 2 == 0:
            moves += (3,)
        return (*moves, 4) if number < ADD_BELOW else moves

    def play(self, state: State, move: int) -> State:
        """Apply an operation to the mover's own number."""
        first, second, player = state
        number = second if player else first
        number = number // 2 if move == HALVE else number + STEP[move]
        if player:
            return State(first, number, 0)
        return State(number, second, 1)

    def outcome(self, state: State) -> Outcome | None:
        """Exactly zero wins; below zero loses."""
        # Only the seat that has just moved can have reached either.
        number = state.first if state.player else state.second
        if number > 0:
            return None
        if number == 0:
            return Outcome(1 - state.player, "the winner's number is exactly zero")
        return Outcome(state.player, "the loser's number is below zero")

    def canonical(self, state: State) -> State:
        """Swap the seats if the second is to move: the rules are the same for both."""
        return State(state.second, state.first, 0) if state.player else state

    def objection(self, state: State, move: int) -> str:
        """Name the rule that forbids an operation."""
        if move == HALVE:
            return "Only an even number can be halved."
        if move == ADD_FIVE:
            return "5 can be added only to a number below 10."
        if move not in OPERATIONS:
            return (
                "The operations are 1 (subtract 1), 2 (subtract 2), 3 (multiply by 0.5), 4 (add 5)."
            )
        return "You cannot go below zero while you have another move."
