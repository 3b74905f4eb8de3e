"""Laws for tests: found, and compared with values that come from the rules alone."""

from typing import Any

from tests.naive import Naive
from zerosum import Game
from zerosum.coach.laws.discovery import find_law
from zerosum.coach.laws.law import Law
from zerosum.solver import solve_table


def law_of(game: Game[Any]) -> Law:
    law = find_law(solve_table(game))
    assert law is not None
    return law


def check_everywhere(law: Law, game: Game[Any]) -> None:
    """Compare a law with values that come from the rules alone."""
    naive = Naive(game)
    going_on = naive.values.keys() - naive.ends.keys()
    assert len(going_on) >= law.positions
    for state in going_on:
        assert law.result(state) == naive.values[state].result, state


FOUND = {
    ("even-steven",): "the number is odd and at least 5, or it is 2",
    ("even-steven", "subtract_two"): (
        "the number has remainder 1 when divided by 3 and is at least 7, or it is 3"
    ),
    ("divisor-duel",): "the number is odd",
    ("dual-digits",): (
        "the number is a multiple of 5, or it ends in 1 after their opponent has just played 1, "
        "in 7 after 2, in 3 after 3 or in 4 after 4"
    ),
}
