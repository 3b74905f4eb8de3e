"""The theory of Divisor Duel: odd numbers are lost, even ones are won."""

from functools import lru_cache

from zerosum.books.divisor_duel.rules import DivisorDuel, State
from zerosum.protocol import Value
from zerosum.solver.theory import Theory
from zerosum.states import check_number, check_seat

COUNTED = 100_000  # up to here the plies are counted; they follow no pattern
FEW = 2_048  # where small numbers are enough, no more are counted
LONG = 10**40  # from here up, a sentence says "this number"


@lru_cache(maxsize=2)
def _plies(most: int) -> list[int]:
    """Count the moves to the end for every number up to `most`."""
    # An odd number has odd divisors only; from an even one, only these keep the win.
    divisors: list[list[int]] = [[] for _ in range(most + 1)]
    for divisor in range(1, most + 1, 2):
        for multiple in range(2 * divisor, most + 1, divisor):
            divisors[multiple].append(divisor)
    plies = [0, 0]
    for number in range(2, most + 1):
        lengths = [plies[number - divisor] for divisor in divisors[number]]
        plies.append(1 + (max(lengths) if number % 2 else min(lengths)))
    return plies


class DivisorDuelTheory(Theory[State]):
    """Odd numbers are lost and even ones are won; only the lengths follow no pattern."""

    game: DivisorDuel

    def value(self, state: State) -> Value:
        """Return the exact value of a state; the plies up to 100,000.

        >>> theory = DivisorDuelTheory(DivisorDuel(start=10**1000 + 1))
        >>> theory.value(State(16, 0)), theory.value(State(99999, 0))
        (Value(result='win', plies=9), Value(result='loss', plies=76))
        >>> theory.value(State(10**1000 + 1, 0))
        Value(result='loss', plies=None)
        """
        self._check(state)
        number = state.number
        # Every divisor of an odd number is odd, so only an even number can be left. From an even
        # one, 1 can be subtracted, which leaves an odd one. The last number, 1, is odd and lost.
        plies = None
        if number <= COUNTED:
            plies = _plies(FEW if number <= FEW else COUNTED)[number]
        return Value("loss" if number % 2 else "win", plies)

    def statement(self) -> str:
        """State in words which numbers are lost."""
        return (
            "Odd numbers are lost and even numbers are won. An odd number has only odd divisors, "
            "so from it you must leave an even one. From an even number, subtract an odd divisor "
            "(1 always works) to leave an odd one. The last number, 1, is odd."
        )

    def why(self, state: State) -> str:
        """Explain why the player to move wins or loses here."""
        self._check(state)
        number = state.number
        if number == 1:
            return "1 has no proper divisor, so you have no move and have lost."
        name = "This number" if number >= LONG else str(number)
        if number % 2:
            return f"{name} is odd, so all its divisors are odd and leave an even number."
        left = "" if number >= LONG else f" and leaves {number - 1}"
        return (
            f"{name} is even. Subtract an odd divisor to leave your opponent an odd number: "
            f"1 always works{left}."
        )

    def _check(self, state: State) -> None:
        """Refuse a state that cannot occur."""
        number, player = state
        check_number(number, least=1, most=self.game.start)
        check_seat(player)
