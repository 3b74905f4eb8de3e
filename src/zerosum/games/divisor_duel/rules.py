"""The rules of Divisor Duel: subtract proper divisors until none is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import Outcome, check_whole, option
from zerosum.games.divisor_duel.divisors import proper_divisors


class State(NamedTuple):
    """The shared number N, and the seat to move."""

    number: int
    player: int


@dataclass(frozen=True)
class DivisorDuel:
    """One variant of Divisor Duel.

    >>> game = DivisorDuel()
    >>> game.moves(game.initial())
    (1, 2, 4, 8)
    >>> game.objection(game.initial(), 3)
    'Only a proper divisor may be subtracted: one that divides N without remainder.'
    """

    start: int = option(16, "the number N at the start, from 2 up")

    def __post_init__(self) -> None:
        """Check the options."""
        check_whole("start", self.start, least=2)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the proper divisors; of a huge number, those that can be found (see lists_all)."""
        return proper_divisors(state.number).found

    def lists_all(self, state: State) -> bool:
        """Tell whether `moves` has every proper divisor."""
        return proper_divisors(state.number).complete

    def play(self, state: State, move: int) -> State:
        """Subtract a divisor."""
        return State(state.number - move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        """Whoever faces 1 has no move and has lost."""
        if state.number == 1:
            return Outcome(1 - state.player, "1 has no proper divisor, so no move is left")
        return None

    def objection(self, state: State, move: int) -> str | None:
        """Name the rule that forbids a number."""
        if state.number == 1:
            return "The game is over: 1 has no proper divisor."
        if move < 1:
            return "A divisor is a whole number from 1 up."
        if move >= state.number:
            return "A proper divisor is smaller than N."
        if state.number % move:
            return "Only a proper divisor may be subtracted: one that divides N without remainder."
        return None
