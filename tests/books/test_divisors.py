"""Proper divisors, of small and of huge numbers."""

from hypothesis import given
from hypothesis import strategies as st

from zerosum.books.divisor_duel.divisors import MOST_DIVISORS, proper_divisors


@given(st.integers(1, 100_000))
def test_divisors_of_small_numbers(number: int) -> None:
    expected = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    expected += [number // d for d in expected]
    assert proper_divisors(number) == (tuple(sorted(set(expected) - {number})), True)


def test_divisors_of_huge_numbers_may_be_incomplete() -> None:
    number = 12 * (2**521 - 1) * (2**607 - 1)
    found, complete = proper_divisors(number)
    assert not complete
    assert found == (1, 2, 3, 4, 6, 12)
    number = 2**300 * 3**200
    found, complete = proper_divisors(number)
    assert not complete
    assert len(found) == MOST_DIVISORS
    smallest = sorted(2**i * 3**j for i in range(301) for j in range(201))[:MOST_DIVISORS]
    assert list(found) == smallest
    assert proper_divisors(30 * 4_294_967_291).complete
    assert proper_divisors(4_294_967_291 * 4_294_967_279) == ((1,), False)
