"""The rules of Divisor Duel: subtract proper divisors until none is left."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.books.divisor_duel.divisors import proper_divisors
from zerosum.options import option
from zerosum.protocol import Game, Move, Outcome
from zerosum.text import brief


class State(NamedTuple):
    """The shared number N, and the seat to move."""

    number: int
    player: int


@dataclass(frozen=True)
class DivisorDuel(Game[State]):
    """One variant of Divisor Duel.

    >>> game = DivisorDuel()
    >>> game.moves(game.initial())
    (1, 2, 4, 8)
    >>> game.objection(game.initial(), 3)
    '3 does not divide 16.'
    """

    start: int = option(16, "the number N at the start", least=2)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the proper divisors; of a huge number, those that can be found (see lists_all)."""
        return proper_divisors(state.number).found

    def lists_all(self, state: State) -> bool:
        """Return whether `moves` has every proper divisor."""
        return proper_divisors(state.number).complete

    def is_legal(self, state: State, move: Move) -> bool:
        """Return whether a move is a proper divisor, listed or not."""
        return isinstance(move, int) and 0 < move < state.number and state.number % move == 0

    def play(self, state: State, move: int) -> State:
        """Subtract a divisor."""
        return State(state.number - move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        """A player who faces 1 has no move and has lost."""
        if state.number == 1:
            return Outcome(1 - state.player, "1 has no proper divisor, so no move is left")
        return None

    def canonical(self, state: State) -> State:
        """Swap the seats if the second is to move: the rules are the same for both."""
        return State(state.number, 0) if state.player else state

    def objection(self, state: State, move: int) -> str:
        """Name the rule that forbids a number."""
        if move < 1:
            return "A divisor is a whole number of at least 1."
        if move >= state.number:
            return f"{brief(move)} is not smaller than {brief(state.number)}."
        return f"{brief(move)} does not divide {brief(state.number)}."
