"""The conditions of which laws are made, each about one feature of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from zerosum.coach.laws.features import Feature

Test = Literal["remainder", "is", "is not", "at most", "at least", "between"]
# Numbers with which a feature is compared: the smallest ones, and the largest.
FEW, MANY, LAST = 12, 30, 4
# Up to this many different values, ranges are conditions too.
MOST_RANGED = 12
# Larger numbers do not fit into an array.
LARGEST = 2**53


class Condition(NamedTuple):
    """A test of one feature: `numbers` is (divisor, remainder), (low, high) or what it is."""

    feature: Feature
    test: Test
    numbers: tuple[Any, ...]

    def holds(self, value: Any) -> Any:
        """Test a value, or an array of values.

        >>> odd = Condition(Feature("shared", "number", lambda state: state.number),
        ...                 "remainder", (2, 1))
        >>> odd.holds(7), odd.holds(8)
        (True, False)
        """
        numbers = self.numbers
        if self.test == "remainder":
            return value % numbers[0] == numbers[1]
        if self.test == "is":
            return value == numbers[0]
        if self.test == "is not":
            return value != numbers[0]
        if self.test == "at most":
            return value <= numbers[0]
        if self.test == "at least":
            return value >= numbers[0]
        return (value >= numbers[0]) & (value <= numbers[1])

    def true_of(self, state: Any) -> bool:
        """Return whether a position fulfils the condition."""
        return self.accepts(self.feature.of(state))

    def accepts(self, value: Any) -> bool:
        """Test a value of any kind: only a number has a size or a remainder."""
        plain = self.test in ("is", "is not")
        return (plain or isinstance(value, int)) and bool(self.holds(value))

    @property
    def cost(self) -> float:
        """How much there is to remember: short tests of small numbers are cheap."""
        base = {"remainder": 0.0, "is": 0.1, "is not": 0.3, "between": 0.7}.get(self.test, 0.2)
        numbers = self.numbers[:1] if self.test == "remainder" else self.numbers
        sizes = sum(min(abs(n), 200) / 20 for n in numbers if isinstance(n, int))
        return 1.0 + base + min(sizes, 2.0) + self.feature.weight


Clause = tuple[Condition, ...]


def clause_cost(clause: Clause) -> float:
    """Return the cost of a clause: all of its conditions have to hold."""
    return 1.0 + sum(condition.cost for condition in clause)


def tightened(clause: Clause) -> Clause:
    """Move bounds to numbers that are possible: odd and at least 4 is odd and at least 5."""
    rests = {c.feature: c.numbers for c in clause if c.test == "remainder"}

    def moved(condition: Condition) -> Condition:
        if condition.feature not in rests or condition.test not in ("at most", "at least"):
            return condition
        divisor, rest = rests[condition.feature]
        bound = condition.numbers[0]
        away = (rest - bound) % (divisor if condition.test == "at least" else -divisor)
        return condition._replace(numbers=(bound + away,))

    return tuple(map(moved, clause))


def candidates(feature: Feature, values: Sequence[Any]) -> Iterator[Condition]:
    """List the conditions on a feature that may tell positions with these values apart."""
    distinct = set(values)
    if len(distinct) < 2:
        return
    if not all(isinstance(value, int) and abs(value) < LARGEST for value in distinct):
        known = [value for value in distinct if value is None or isinstance(value, str | int)]
        for value in sorted(known, key=lambda v: (v is not None, str(v)))[:FEW]:
            yield Condition(feature, "is", (value,))
            yield Condition(feature, "is not", (value,))
        return
    ordered = sorted(distinct)
    if feature.kind == "compared":
        yield from _comparisons(feature)
        return
    if feature.kind not in ("move", "turn"):
        yield from _remainders(feature, ordered)
    if feature.kind not in ("move", "turn", "apart"):
        yield from _bounds(feature, ordered)
    for value in _some(ordered, FEW):
        yield Condition(feature, "is", (value,))
    if len(ordered) > 2:
        for value in _some(ordered, 4):
            yield Condition(feature, "is not", (value,))


def _comparisons(feature: Feature) -> Iterator[Condition]:
    """List how two numbers may compare."""
    tests: tuple[tuple[Test, int], ...] = (("is", 0), ("is not", 0), ("at least", 1))
    for test, number in (*tests, ("at most", -1), ("at least", 0), ("at most", 0)):
        yield Condition(feature, test, (number,))


def _remainders(feature: Feature, ordered: Sequence[int]) -> Iterator[Condition]:
    """List the remainders that differ between the values, by each small divisor."""
    for divisor in range(2, feature.moduli + 1):
        found = {value % divisor for value in ordered}
        if len(found) > 1 and len(ordered) > divisor:
            for remainder in sorted(found):
                yield Condition(feature, "remainder", (divisor, remainder))


def _bounds(feature: Feature, ordered: Sequence[int]) -> Iterator[Condition]:
    """List bounds and ranges; what has only two values needs none."""
    if len(ordered) < 3:
        return
    for value in _some(ordered[:-1], MANY):
        yield Condition(feature, "at most", (value,))
    for value in _some(ordered[1:], MANY):
        yield Condition(feature, "at least", (value,))
    if len(ordered) <= MOST_RANGED and feature.kind in ("shared", "own", "other"):
        for low, first in enumerate(ordered[1:-1], 1):
            for last in ordered[low + 1 : -1]:
                yield Condition(feature, "between", (first, last))


def _some(ordered: Sequence[int], most: int) -> Sequence[int]:
    """Return all of some numbers, or the first and the last of them."""
    return ordered if len(ordered) <= most + LAST else [*ordered[:most], *ordered[-LAST:]]
