"""The proper divisors of a number, as far as they can be found quickly."""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt
from typing import NamedTuple

SMALL_PRIMES_BELOW = 1 << 16
MOST_DIVISORS = 10_000
SPLITTABLE_BELOW = 1 << 64
# Strong pseudoprimes to all of these bases are known to be larger (Sorenson and Webster, 2015).
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
PROVEN_BELOW = 3_317_044_064_679_887_385_961_981


class Divisors(NamedTuple):
    """Proper divisors in rising order, and whether these are all."""

    found: tuple[int, ...]
    complete: bool


@lru_cache(maxsize=64)
def proper_divisors(number: int) -> Divisors:
    """Find the proper divisors of a number: all of them, or the small ones of a huge number.

    >>> proper_divisors(16)
    Divisors(found=(1, 2, 4, 8), complete=True)
    >>> proper_divisors(1)
    Divisors(found=(), complete=True)
    """
    primes, rest = _small_factors(number)
    complete = True
    if rest > 1:
        large = _large_factors(rest)
        complete = large is not None
        primes += large or []
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


def _large_factors(number: int) -> list[int] | None:
    """Factor a number without small primes; None if that is not proven or takes too long."""
    if number < PROVEN_BELOW and _is_prime(number):
        return [number]
    if number >= SPLITTABLE_BELOW:
        return None
    factor = _split(number)
    parts = _large_factors(factor), _large_factors(number // factor)
    return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]


def _is_prime(number: int) -> bool:
    """Decide primality below PROVEN_BELOW, by strong tests to fixed bases."""
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    odd = (number - 1) >> twos
    for base in WITNESSES:
        x = pow(base, odd, number)
        if x in (1, number - 1):
            continue
        if not any((x := x * x % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True


def _split(number: int) -> int:
    """Find a factor of a composite number (Pollard's rho, with the gcd taken in batches)."""
    root = isqrt(number)
    if root * root == number:
        return root
    step = 0
    while True:
        step += 1
        for batch in (64, 1):  # one by one if a batch has met all factors together
            slow = fast = 2
            factor = 1
            while factor == 1:
                product = 1
                for _ in range(batch):
                    slow = (slow * slow + step) % number
                    fast = (fast * fast + step) % number
                    fast = (fast * fast + step) % number
                    product = product * (slow - fast) % number
                factor = gcd(product, number)
            if factor != number:
                return factor
