"""The proper divisors of a number, as far as they can be found quickly."""

from functools import lru_cache
from math import isqrt
from typing import NamedTuple

SMALL_PRIMES_BELOW = 1 << 16
MOST_DIVISORS = 10_000


class Divisors(NamedTuple):
    """Proper divisors in rising order, and whether these are all."""

    found: tuple[int, ...]
    complete: bool


@lru_cache(maxsize=64)
def proper_divisors(number: int) -> Divisors:
    """Find the proper divisors of a number, or the small ones of a huge number.

    >>> proper_divisors(16)
    Divisors(found=(1, 2, 4, 8), complete=True)
    >>> proper_divisors(1)
    Divisors(found=(), complete=True)
    """
    primes, rest = _small_factors(number)
    complete = rest == 1
    divisors = [1]
    for prime in sorted(set(primes)):
        before, power = divisors, 1
        for _ in range(primes.count(prime)):
            power *= prime
            divisors = divisors + [power * d for d in before]
            if len(divisors) > MOST_DIVISORS:
                # The small ones are wanted, so the largest are dropped.
                complete = False
                divisors = sorted(divisors)[:MOST_DIVISORS]
                if power > divisors[-1]:
                    break
    return Divisors(tuple(d for d in sorted(divisors) if d < number), complete)


def _small_factors(number: int) -> tuple[list[int], int]:
    """Divide out all primes below the limit; return them and what remains."""
    primes = []
    for prime in _small_primes():
        if prime * prime > number:
            break
        while number % prime == 0:
            primes.append(prime)
            number //= prime
    if 1 < number < SMALL_PRIMES_BELOW**2:
        primes.append(number)
        number = 1
    return primes, number


@lru_cache(maxsize=1)
def _small_primes() -> tuple[int, ...]:
    """Sieve the small primes."""
    sieve = bytearray([1]) * SMALL_PRIMES_BELOW
    sieve[0] = sieve[1] = 0
    for n in range(2, isqrt(SMALL_PRIMES_BELOW) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, SMALL_PRIMES_BELOW, n)))
    return tuple(n for n, prime in enumerate(sieve) if prime)
