"""The theory of Dual Digits for any numbers: in the end, everything repeats."""

from functools import lru_cache
from typing import NamedTuple

from zerosum.books.dual_digits.rules import NOTHING, DualDigits, State
from zerosum.errors import ZerosumError
from zerosum.protocol import Value
from zerosum.solver.theory import Theory
from zerosum.states import check_number, check_seat
from zerosum.text import brief, either

LARGEST = 2_000  # the largest number of a set
WORK = 400_000  # the most steps of the search for a repetition: some tenths of a second
LONG = 10**40  # from here up, a sentence does not print a number
LISTED = 12  # a sentence lists this many numbers at most


class Row(NamedTuple):
    """The scores of one number: +plies is a win, -plies a loss, and 0 is over.

    The score is `best`, but `without` where the single best move, `only`, is forbidden.
    """

    best: int
    only: int
    without: int

    def at(self, previous: int) -> int:
        """Return the score after a previous number."""
        return self.without if previous == self.only else self.best


class Pattern(NamedTuple):
    """The rows from 0 up; from `base` on, who wins repeats with `period` (0: not found).

    If `straight`, each score also grows by a step of its own from one period to the next.
    """

    rows: list[Row]
    base: int = 0
    period: int = 0
    straight: bool = False

    def row(self, number: int) -> Row:
        """Return the row of a number, where the pattern is straight."""
        times, offset = divmod(number - self.base, self.period)
        here = self.rows[self.base + offset]
        there = self.rows[self.base + offset + self.period]
        return Row(
            here.best + times * (there.best - here.best),
            here.only,
            here.without + times * (there.without - here.without),
        )

    def value(self, number: int, previous: int) -> Value | None:
        """Return the value of a state, as far as it is known."""
        exact = number < len(self.rows) or self.straight
        if number < len(self.rows):
            row = self.rows[number]
        elif self.straight:
            row = self.row(number)
        elif self.period:
            row = self.rows[self.base + (number - self.base) % self.period]
        else:
            return None
        score = row.at(previous)
        return Value("win" if score > 0 else "loss", abs(score) if exact else None)


@lru_cache(maxsize=16)
def _pattern(numbers: tuple[int, ...]) -> Pattern:
    """Compute rows until they provably repeat."""
    span, most = numbers[-1], WORK // len(numbers)
    rows: list[Row] = []
    found = Pattern(rows)
    while len(rows) < most:
        size = min(most, max(2 * len(rows), 4 * span + 16))
        while len(rows) < size:
            rows.append(_next(rows, numbers))
        # Who wins in a row follows from the `span` rows before it: once these recur, all does.
        base = size // 4
        wins = "".join(map(_wins, rows))
        period = wins.find(wins[base : base + span], base + 1) - base
        if period > 0 and base >= span:
            found = Pattern(rows, base, period)
            for longer in range(period, (size - base - span) // 2 + 1, period):
                if _is_straight(Pattern(rows, base, longer, True), numbers):
                    return Pattern(rows, base, longer, True)
    return found


def _next(rows: list[Row], numbers: tuple[int, ...]) -> Row:
    """Compute a row from the rows before it."""
    options = []
    for number in numbers:
        if number > len(rows):
            break
        after = rows[-number].at(number)
        score = -1 - after if after > 0 else 1 - after
        options.append((score < 0, score, number))
    if not options:
        return Row(0, NOTHING, 0)
    options.sort()  # the fastest win first; if there is none, the slowest loss
    _, best, only = options[0]
    without = options[1][1] if len(options) > 1 else 0
    return Row(best, NOTHING if without == best else only, without)


def _wins(row: Row) -> str:
    """Encode as one character who wins in a row, and which ban would change that."""
    return chr(2 * row.only * (row.best > 0 >= row.without) + (row.best > 0))


def _is_straight(pattern: Pattern, numbers: tuple[int, ...]) -> bool:
    """Prove that every score grows linearly, by checks here and far away."""
    rows, base, period, _ = pattern
    span = numbers[-1]
    if any(pattern.row(n) != rows[n] for n in range(base + period, len(rows))):
        return False
    # Along the periods each move scores a line, and the best is the least. A line that is least
    # here and far away is least between and beyond: far is more periods than any two scores differ
    # by, so a line with a smaller step would be less by then.
    largest = max(max(abs(row.best), abs(row.without)) for row in rows)
    far = base + period * (2 + 2 * largest)
    ahead = [pattern.row(number) for number in range(far, far + span)]
    for number in range(far + span, far + span + period):
        row = pattern.row(number)
        here = rows[base + (number - base) % period]
        ahead.append(_next(ahead, numbers))
        if ahead[-1] != row or _wins(row) != _wins(here):
            return False
    return True


def _value(game: DualDigits, number: int, previous: int) -> Value | None:
    """Return the value of a possible state."""
    # A number beyond the shared one can never be taken, and forbidding it forbids nothing.
    numbers = tuple(step for step in game.numbers if step <= max(number, LARGEST))
    if not numbers:
        return Value("loss", 0)
    if numbers[-1] <= LARGEST:
        return _pattern(numbers).value(number, previous)
    return None


def _starts(pattern: Pattern) -> str:
    """State which numbers lose at the start, when none is forbidden."""
    rows, base, period, _ = pattern
    lost = "".join("L" if row.best <= 0 else "W" for row in rows[: base + 2 * period])
    again = lost[base : base + period]
    period = (again + again).find(again, 1)  # without the previous number it may be shorter
    while base and lost[base - 1] == lost[base - 1 + period]:
        base -= 1
    rests = [str(rest) for rest in range(period) if lost[base + (rest - base) % period] == "L"]
    early = [str(n) for n in range(1, base) if lost[n] == "L"]
    which = f"{len(rests)} of every {period} consecutive numbers are lost, always the same ones"
    if not rests:
        which = "every number is won"
    elif rests == ["0"]:
        which = f"every number that is a multiple of {period} is lost, and all others are won"
    elif len(rests) <= LISTED:
        rest = f"remainder {either(rests)} when divided by {period}"
        which = f"a number with {rest} is lost, and all others are won"
    if base <= 1:
        return f"At the start, {which}."
    below = "all are won"
    if early:
        listed = f"only these are lost: {', '.join(early)}"
        below = listed if len(early) <= LISTED else f"{len(early)} are lost"
    return f"At the start, from {base} up, {which}. Below {base}, {below}."


def _check(game: DualDigits, state: State) -> None:
    """Refuse a state that cannot occur."""
    number, previous, player = state
    check_number(number, most=game.start)
    if type(previous) is not int or previous not in (NOTHING, *game.numbers):
        raise ZerosumError(
            "The previous number must be 0 (none yet) or one that may be subtracted, "
            f"not {brief(previous)}."
        )
    check_seat(player)


class DualDigitsTheory(Theory[State]):
    """In the end, who wins repeats in a pattern, whatever the numbers."""

    game: DualDigits

    def value(self, state: State) -> Value | None:
        """Return the value of a state of any size; None without a pattern.

        >>> theory = DualDigitsTheory(DualDigits(start=10**31))
        >>> theory.value(State(25, 0, 0))
        Value(result='loss', plies=10)
        >>> theory.value(State(10**30 + 1, 1, 0))
        Value(result='loss', plies=400000000000000000000000000000)
        """
        _check(self.game, state)
        return _value(self.game, state.number, state.previous)

    def statement(self) -> str:
        """State in words which numbers are lost."""
        if self.game.numbers == (1, 2, 3, 4):
            return (
                "The multiples of 5 are lost, and at the start all other numbers are won. Later "
                "on, a number that ends in 1 is lost too if your opponent has just subtracted 1; "
                "so is one that ends in 3 after a 3, in 4 after a 4, and in 7 after a 2."
            )
        known = self.game.numbers[-1] <= LARGEST
        pattern = _pattern(self.game.numbers) if known else Pattern([])
        no_law = "No short law is known for these numbers."
        return (
            f"{_starts(pattern) if pattern.period else no_law} What is lost at the start is lost "
            "later on too, and so is every position where your opponent has just subtracted the "
            "only number that wins."
        )

    def why(self, state: State) -> str:
        """Explain why the player to move wins or loses here."""
        _check(self.game, state)
        number, previous, _ = state
        name = str(number) if number < LONG else "this number"
        result = _value(self.game, number, previous)
        moves = self.game.moves(state)
        if result is None:
            return "No short law is known for these numbers."
        if number == 0:
            return "The number is zero, so the game is over and you have lost."
        if not moves:
            return (
                f"You cannot subtract anything from {name}, so the game is over and you have lost."
            )
        if result.result == "loss":
            free = _value(self.game, number, NOTHING)
            if free and free.result == "win":
                only = brief(previous)
                return (
                    f"Only subtracting {only} wins from {name}, and your opponent has just "
                    f"subtracted {only}."
                )
            if number >= LONG or len(moves) > LISTED:
                return "Whatever you subtract, your opponent has a number that wins."
            lefts = either([str(number - move) for move in moves])
            return f"{name} is lost: you can only leave {lefts}, and your opponent wins from there."
        after = {move: _value(self.game, number - move, move) for move in moves}
        wins = {move: v.plies or 0 for move, v in after.items() if v and v.result == "loss"}
        best = min(wins, key=wins.__getitem__)
        if best == number:
            return f"You subtract {brief(best)}, reach zero and win."
        left = f" and leave {number - best}" if number < LONG else ""
        rest = _value(self.game, number - best, NOTHING)
        if rest and rest.result == "loss":
            lost = "From there your opponent loses."
        else:
            lost = "Your opponent may not repeat it, and nothing else wins from there."
        return f"Subtract {brief(best)}{left}. {lost}"
