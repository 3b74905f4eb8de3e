"""The theory of Number Navigator: a race, decided by the moves each number needs."""

from zerosum.books.number_navigator.rules import NumberNavigator, State
from zerosum.errors import ZerosumError
from zerosum.protocol import Value
from zerosum.solver.theory import Theory
from zerosum.states import check_number, check_seat
from zerosum.text import counted

LONG = 10**40  # from here up, a sentence says "this number"


def distance(number: int) -> int:
    """Count the fewest moves from a number to exactly zero.

    >>> [distance(number) for number in (0, 1, 2, 3, 7, 20)]
    [0, 1, 1, 2, 4, 5]
    """
    if number < 2:
        return number
    # Halving takes away a bit, and subtracting 1 from an odd number takes away a one, down to 2,
    # which goes at once. No move does better: subtracting 2 is subtracting 1 from all bits but
    # the last, a borrow never lowers bits + ones, and adding 5 below 10 gains nothing.
    return number.bit_length() + number.bit_count() - 2


class NumberNavigatorTheory(Theory[State]):
    """A race: no move touches the other number, and the player who needs fewer moves wins."""

    game: NumberNavigator

    def value(self, state: State) -> Value:
        """Return the exact value of a state of any size.

        >>> theory = NumberNavigatorTheory(NumberNavigator())
        >>> theory.value(State(20, 20, 0))
        Value(result='win', plies=9)
        >>> theory.value(State(20, 8, 0))
        Value(result='loss', plies=6)
        """
        own, other = self._numbers(state)
        mine, theirs = distance(own), distance(other)
        # Nobody can touch the other's number, so both take the shortest way; the mover is ahead.
        if theirs and mine <= theirs:
            return Value("win", 2 * mine - 1)
        return Value("loss", 2 * theirs)

    def statement(self) -> str:
        """State in words who wins."""
        return (
            "This is a race, since no move touches the other number. The fastest way to zero is to "
            "halve an even number, subtract 1 from an odd one, and subtract 2 at the very end, "
            "from 2. The player who needs fewer moves wins. If both need the same number of moves, "
            "as at the start, the player to move wins."
        )

    def why(self, state: State) -> str:
        """Explain why the player to move wins or loses here."""
        own, other = self._numbers(state)
        mine, theirs = distance(own), distance(other)
        if not theirs:
            return "Your opponent's number is zero, so the game is over and you have lost."
        number = own if own < LONG else "this number"
        need = f"You need {counted(mine, 'move')} to bring {number} to zero"
        first = "subtract 2" if own == 2 else "subtract 1" if own % 2 else "halve your number"
        if mine == theirs:
            return f"{need} and your opponent needs as many, but you go first: {first}."
        rival = f"{counted(theirs, 'move')} for {other if other < LONG else 'the other number'}"
        if mine > theirs:
            return f"{need}, and your opponent needs only {rival}."
        return f"{need}, and your opponent needs {rival}: {first}."

    def _numbers(self, state: State) -> tuple[int, int]:
        """Return the mover's number and the opponent's; refuse an impossible state."""
        first, second, player = state
        check_seat(player)
        for number in (first, second):
            # 5 is added only below 10, so nothing grows beyond 14.
            check_number(number, most=max(self.game.start, 14))
        own, other = (second, first) if player else (first, second)
        if own == 0:
            raise ZerosumError("The player to move has already reached zero, which ended the game.")
        return own, other
