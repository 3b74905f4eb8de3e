"""The theory of Even-Steven: which numbers lose, and how long it takes."""

from zerosum.books.even_steven.rules import EvenSteven, State
from zerosum.protocol import Value
from zerosum.solver.theory import Theory
from zerosum.states import check_number, check_seat
from zerosum.text import either

HOW = ("subtract 1", "divide by 2", "subtract 2")  # the operations, by key less 1
LONG = 10**40  # from here up, a sentence says "this number"


def _lost(number: int) -> bool:
    """Return whether a number is lost in the basic game: 0, 2, and odd ones from 5."""
    return number in (0, 2) or (number >= 5 and number % 2 == 1)


def _plies(number: int) -> int:
    """Count the moves to the end of the basic game."""
    if number <= 3:
        return number
    if number % 2:
        return 1 + _plies(number - 1)
    # For even n, W(n) = 2 + the least of W(n-2) and, if n = 4k+2 >= 10, W(n/2-1). The latter is
    # never larger: W(2e) = 4 + W(e-2) > W(e) for even e >= 6, by induction. With h = n/2 + 1 this
    # halves an even h and takes 1 from an odd h, for 2 plies each, down to 3 (W = 3) or 4 (W = 5).
    half = number // 2 + 1
    bits = half.bit_length()
    return 2 * (bits + half.bit_count() - 2) + (-1 if half >> (bits - 2) == 3 else 1)


def _lost_with_two(number: int) -> bool:
    """Return whether a number is lost in the advanced game: 0, 3, 7, 10, 13, …"""
    return number in (0, 3) or (number >= 7 and number % 3 == 1)


def _plies_with_two(number: int) -> int:
    """Count the moves to the end of the advanced game."""
    if number in (1, 3, 4, 8):  # 8 cannot halve to a lost number, for 4 is won
        return {1: 1, 3: 2, 4: 3, 8: 5}[number]
    thirds, rest = divmod(number, 3)
    if rest == 2:  # leave a lost number by halving, which is faster, or else by subtracting 1
        return 1 + 2 * (number // 6 if number % 2 == 0 else thirds)
    # A lost number holds out longest by subtracting 1; a multiple of 3 is won by subtracting 2.
    return 2 * thirds if rest or not thirds else 2 * thirds - 1


class EvenStevenTheory(Theory[State]):
    """Which numbers are lost, and how long the game lasts, for numbers of any size."""

    game: EvenSteven

    def value(self, state: State) -> Value:
        """Return the exact value of a state of any size.

        >>> theory = EvenStevenTheory(EvenSteven(start=10**1000))
        >>> theory.value(State(15, 0))
        Value(result='loss', plies=8)
        >>> theory.value(State(10**1000, 0)).plies
        8965
        """
        self._check(state)
        number = state.number
        if self.game.subtract_two:
            return Value("loss" if _lost_with_two(number) else "win", _plies_with_two(number))
        return Value("loss" if _lost(number) else "win", _plies(number))

    def statement(self) -> str:
        """State in words which numbers are lost."""
        if self.game.subtract_two:
            return (
                "Leave your opponent 0, 3, or a number of 7 or more that has remainder 1 when "
                "divided by 3, such as 7, 10 or 13. The player who must move from one of these "
                "loses; every other number is won."
            )
        return (
            "Leave your opponent 0, 2, or an odd number of 5 or more. The player who must move "
            "from one of these loses; every other number is won. From an odd number you can only "
            "subtract 1, and that leaves an even one."
        )

    def why(self, state: State) -> str:
        """Explain why the player to move wins or loses here."""
        self._check(state)
        number, two = state.number, self.game.subtract_two
        if number == 0:
            return "The number is 0, so the game is over and you have lost."
        long = number >= LONG
        lost = _lost_with_two if two else _lost
        name = "This number" if long else str(number)
        after = {move: self.game.play(state, move).number for move in self.game.moves(state)}
        moves = [move for move in after if lost(number) or lost(after[move])]
        moves.sort(key=lambda move: -after[move])
        named = [HOW[move - 1] if long else str(after[move]) for move in moves]
        lefts = either(list(dict.fromkeys(named)))
        if number < (7 if two else 5):  # the smallest numbers follow no pattern
            if lost(number):
                return f"You can only leave {lefts}, and your opponent wins from there."
            how = HOW[moves[-1] - 1]
            if lefts == "0":
                return f"You {how}, reach 0 and win."
            return f"You {how} and leave {lefts}, from which your opponent loses."
        if two:
            name = f"{name} has remainder {number % 3} when divided by 3."
            if lost(number):
                only = lefts if long else f"leave {lefts}"
                return f"{name} You can only {only}, and your opponent wins from there."
            return f"{name} Leave your opponent a number of 7 or more with remainder 1: {lefts}."
        if lost(number):
            left = "" if long else f", {number - 1}"
            return (
                f"{name} is odd, so you can only subtract 1. That leaves an even number{left}, and "
                "your opponent can leave you an odd one again."
            )
        return f"{name} is even. Leave your opponent an odd number of 5 or more: {lefts}."

    def _check(self, state: State) -> None:
        """Refuse a state that cannot occur."""
        number, player = state
        check_number(number, most=self.game.start)
        check_seat(player)
