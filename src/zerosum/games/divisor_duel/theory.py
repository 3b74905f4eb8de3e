"""The closed form of Divisor Duel: odd numbers are lost, even ones are won."""

from __future__ import annotations

from functools import lru_cache

from zerosum.game import Value, check_number, check_seat
from zerosum.games.divisor_duel.rules import DivisorDuel, State

COUNTED = 2_000  # up to here the plies are counted; they follow no pattern
TABLE = 20_000  # up to this start a table of all states takes a moment only
LONG = 10**40  # from here up, a sentence says "this number"


def value(game: DivisorDuel, state: State) -> Value:
    """Give the exact value of a state; the plies only for small numbers.

    >>> value(DivisorDuel(), State(16, 0))
    Value(result='win', plies=9)
    >>> value(DivisorDuel(), State(10**1000 + 1, 0))
    Value(result='loss', plies=None)
    """
    _check(state)
    number = state.number
    # Every divisor of an odd number is odd, so from odd one can only leave even; from even, a 1
    # can be subtracted, which leaves odd. The last number, 1, is odd and lost.
    return Value("loss" if number % 2 else "win", _plies()[number] if number <= COUNTED else None)


@lru_cache(maxsize=1)
def _plies() -> list[int]:
    """Count the moves to the end for every small number, from 1 up."""
    divisors: list[list[int]] = [[] for _ in range(COUNTED + 1)]
    for divisor in range(1, COUNTED + 1):
        for multiple in range(2 * divisor, COUNTED + 1, divisor):
            divisors[multiple].append(divisor)
    plies = [0, 0]
    for number in range(2, COUNTED + 1):
        if number % 2:
            plies.append(1 + max(plies[number - d] for d in divisors[number]))
        else:
            plies.append(1 + min(plies[number - d] for d in divisors[number] if d % 2))
    return plies


def most(game: DivisorDuel) -> int:
    """Give the largest number that can occur: no move makes it larger."""
    return game.start


def law(game: DivisorDuel) -> str:
    """Say which numbers are lost, in words."""
    return (
        "Odd numbers are lost and even numbers are won. An odd number has only odd divisors, so "
        "whoever has it must leave an even one. From an even number, subtract an odd divisor "
        "(1 always works) and leave an odd one. The last number, 1, is odd."
    )


def why(game: DivisorDuel, state: State) -> str:
    """Say why the player to move has won or lost here."""
    _check(state)
    number = state.number
    if number == 1:
        return "1 has no proper divisor, so you have no move and have lost."
    name = "This number" if number >= LONG else str(number)
    if number % 2:
        return f"{name} is odd, so every divisor you can subtract is odd and leaves an even number."
    left = "" if number >= LONG else f" and leaves {number - 1}"
    return (
        f"{name} is even. Subtract an odd divisor to leave your opponent an odd number: "
        f"1 always works{left}."
    )


def table_is_better(game: DivisorDuel) -> bool:
    """Tell whether a table of all states would know more: the plies, where it is quickly made."""
    return COUNTED < game.start <= TABLE


def _check(state: State) -> None:
    """Refuse a state that no game of Divisor Duel can have."""
    number, player = state
    check_number(number, least=1)
    check_seat(player)
