"""Proper divisors, of small and of huge numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zerosum.books.divisor_duel.divisors import MOST_DIVISORS, proper_divisors

BIG_PRIMES = (2**61 - 1, 10**18 + 9, 4_294_967_291, 4_294_967_279, 65_537)


@given(st.integers(1, 100_000))
def test_divisors_of_small_numbers(number: int) -> None:
    expected = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    expected += [number // d for d in expected]
    assert proper_divisors(number) == (tuple(sorted(set(expected) - {number})), True)


@given(st.lists(st.sampled_from(BIG_PRIMES), min_size=1, max_size=2), st.integers(1, 30))
def test_products_of_large_primes(primes: list[int], small: int) -> None:
    number = small
    for prime in primes:
        number *= prime
    found, complete = proper_divisors(number)
    assert all(number % d == 0 and d < number for d in found)
    assert list(found) == sorted(set(found))
    large = [p for p in primes if p > 65_536]
    if len(large) < 2 or large[0] * large[1] < 2**64:
        assert complete
        assert all(prime in found for prime in primes if prime < number)


def test_huge_numbers_have_incomplete_divisors() -> None:
    number = 12 * (2**521 - 1) * (2**607 - 1)
    found, complete = proper_divisors(number)
    assert not complete
    assert found == (1, 2, 3, 4, 6, 12)


def test_too_many_divisors_are_cut_to_the_smallest() -> None:
    number = 2**300 * 3**200
    found, complete = proper_divisors(number)
    assert not complete
    assert len(found) == MOST_DIVISORS
    smallest = sorted(2**i * 3**j for i in range(301) for j in range(201))[:MOST_DIVISORS]
    assert list(found) == smallest


def test_powers_of_a_large_prime() -> None:
    prime = 2_147_483_647
    assert proper_divisors(prime**2) == ((1, prime), True)
    assert not proper_divisors(prime**3).complete
