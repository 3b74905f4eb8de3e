"""The search for a table's law: a sample suggests it, every position checks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from math import log2
from typing import Any

import numpy as np

from zerosum.bulk.table import Flags, Floats, Longs
from zerosum.coach.laws.covering import Pair, cover
from zerosum.coach.laws.features import Feature, features_of
from zerosum.coach.laws.law import Clause, Law, LawCondition, LawPart
from zerosum.coach.laws.proof import proved_for
from zerosum.protocol import Game, Result
from zerosum.solver.table import RESULTS

MOST_CLAUSES = 5
# The most positions, and conditions, that are searched for a law at once.
SAMPLE, MOST_CONDITIONS = 3_000, 500
# How often positions that contradict a law are added to the sample, and how many.
ROUNDS, ADDED = 6, 300
# A law of more conditions may take this share of the bits that it explains: with more, it is a
# coincidence.
FEW_CONDITIONS, MOST_BITS = 3, 0.6
# The smallest and the largest numbers that a feature is compared with.
FEW, MANY, LAST = 12, 30, 4
# Up to this many different values, ranges are conditions too.
MOST_RANGED = 12
# Larger numbers do not fit into an array.
LARGEST = 2**53


class Finder:
    """The search for the law of one table."""

    def __init__(self, game: Game[Any], states: list[Any], results: Longs) -> None:
        """Take a game, its positions, and indexes into RESULTS for them."""
        self.game, self.states, self.results = game, states, results
        self.features = features_of(game, states)
        self._columns: dict[str, Any] = {}

    def law(self) -> Law | None:
        """Find a law of few clauses that is true of all positions; None if none is found."""
        present = [RESULTS[index] for index in np.unique(self.results)]
        sample = self._sample()
        for _ in range(ROUNDS):
            parts = self._parts(sample, present)
            if parts is None:
                return None
            (otherwise,) = set(present) - {part.result for part in parts}
            wrong = np.flatnonzero(self._predicted(parts, otherwise) != self.results)
            if not len(wrong):
                return self._made(parts, otherwise)
            sample = np.union1d(sample, wrong[:: max(1, len(wrong) // ADDED)])
        return None

    def _sample(self) -> Longs:
        """Choose positions, as many of each result; all, if they are few."""
        size = len(self.states)
        if size <= SAMPLE:
            everything: Longs = np.arange(size)
            return everything
        shuffled = np.random.default_rng(0).permutation(size)
        some = [shuffled[self.results[shuffled] == result] for result in range(3)]
        chosen: Longs = np.sort(np.concatenate([part[: SAMPLE // 2] for part in some]))
        return chosen

    def _conditions(self, sample: Longs) -> tuple[list[LawCondition], Floats, Flags]:
        """List the conditions that differ in some positions, the simplest first.

        With them come their costs, and a row for each: where it holds.
        """
        found: list[tuple[float, int, LawCondition, Any]] = []
        for feature in self.features.values():
            values = [feature.of(self.states[index]) for index in sample.tolist()]
            column = _column(values)
            for test, *numbers in candidates(feature, values):
                condition = LawCondition(feature.name, test, tuple(numbers))
                row, cost = _row(condition, column), condition.cost + feature.weight
                found.append((cost, len(found), condition, row))
        found.sort(key=lambda entry: entry[:2])
        distinct: dict[bytes, tuple[LawCondition, float, Any]] = {}
        for cost, _, condition, row in found:
            if row.any() and not row.all():
                distinct.setdefault(np.packbits(row).tobytes(), (condition, cost, row))
            if len(distinct) == MOST_CONDITIONS:
                break
        conditions = [condition for condition, _, _ in distinct.values()]
        costs = np.array([cost for _, cost, _ in distinct.values()])
        rows = [row for _, _, row in distinct.values()]
        return conditions, costs, np.array(rows, bool).reshape(len(rows), len(sample))

    def _predicted(self, parts: tuple[LawPart, ...], otherwise: Result) -> Longs:
        """Return the results that some parts give to all positions."""
        given: Longs = np.full(len(self.states), RESULTS.index(otherwise))
        for part in reversed(parts):
            for clause in part.clauses:
                holds = np.all([self._everywhere(condition) for condition in clause], axis=0)
                given[holds] = RESULTS.index(part.result)
        return given

    def _everywhere(self, condition: LawCondition) -> Flags:
        """Return where a condition holds, among all positions."""
        name = condition.feature
        if name not in self._columns:
            values = [self.features[name].of(state) for state in self.states]
            self._columns[name] = _column(values)
        return _row(condition, self._columns[name])

    def _parts(self, sample: Longs, present: list[Result]) -> tuple[LawPart, ...] | None:
        """Find simple parts that are true of a sample: all results but one have one."""
        if len(present) == 1:
            return ()
        conditions, costs, holds = self._conditions(sample)
        if not conditions:
            return None
        covers: dict[Result, tuple[float, tuple[Pair, ...]]] = {}
        for result in present:
            target = self.results[sample] == RESULTS.index(result)
            found = cover(holds, costs, target, MOST_CLAUSES - len(present) + 2)
            if found is not None:
                covers[result] = found
        ways = [
            way
            for way in permutations(covers, len(present) - 1)
            if sum(len(covers[result][1]) for result in way) <= MOST_CLAUSES
        ]
        if not ways:
            return None

        # Among equal laws, the one about lost positions is the most useful.
        def price(way: tuple[Result, ...]) -> tuple[float, list[int]]:
            cost = sum(covers[result][0] for result in way)
            return round(cost, 3), [RESULTS.index(result) for result in way]

        return tuple(
            LawPart(result, _sorted(self._clause(conditions, pair) for pair in covers[result][1]))
            for result in min(ways, key=price)
        )

    def _clause(self, conditions: list[LawCondition], pair: Pair) -> Clause:
        """Return the conditions of a clause: what was played comes last."""
        clause = [conditions[index] for index in dict.fromkeys(pair)]
        late = {c: self.features[c.feature].kind in ("move", "turn") for c in clause}
        clause.sort(key=lambda c: (late[c], c.test != "remainder"))
        return tightened(tuple(clause))

    def _made(self, parts: tuple[LawPart, ...], otherwise: Result) -> Law | None:
        """Make a law of parts that are true everywhere; None if it is too long."""
        law = Law(self.game, parts, otherwise, len(self.states), features=self.features)
        every_size = proved_for(law, self.states) if parts else None
        if every_size:
            return replace(law, every_size=every_size)
        conditions = len(list(law.conditions))
        bits = 2 * law.document.cost + conditions * log2(max(2, len(self.features)) / 2)
        counts = np.bincount(self.results)
        entropy = -sum(float(n) * log2(n / counts.sum()) for n in counts if n)
        if conditions > FEW_CONDITIONS and bits > MOST_BITS * entropy:
            return None
        return law


def _sorted(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Group clauses about the same things, by their numbers."""
    listed = list(clauses)
    shapes = [[(c.feature, c.test) for c in clause] for clause in listed]

    def key(clause: Clause) -> Any:
        numbers = [c.numbers for c in reversed(clause)]
        shape = shapes.index([(c.feature, c.test) for c in clause])
        return shape, [[(type(n).__name__, n) for n in part] for part in numbers]

    return tuple(sorted(listed, key=key))


def _row(condition: LawCondition, column: Any) -> Flags:
    """Return where a condition holds in a column."""
    if column.dtype != object:
        holds = condition.holds(column)
    else:
        holds = [condition.accepts(value) for value in column.tolist()]
    row: Flags = np.asarray(holds, bool)
    return row


def _column(values: list[Any]) -> Any:
    """Return values as an array: of numbers, unless some are too large."""
    return np.fromiter(values, np.int64 if _are_numbers(values) else object, len(values))


def _are_numbers(values: Iterable[Any]) -> bool:
    """Return whether all values are numbers that fit into an array."""
    return all(isinstance(value, int) and abs(value) < LARGEST for value in values)


def tightened(clause: Clause) -> Clause:
    """Move bounds to possible numbers: odd and at least 4 is odd and at least 5."""
    rests: dict[str, Any] = {c.feature: c.numbers for c in clause if c.test == "remainder"}

    def moved(condition: LawCondition) -> LawCondition:
        if condition.feature not in rests or condition.test not in ("at most", "at least"):
            return condition
        divisor, rest = rests[condition.feature]
        bound: Any = condition.numbers[0]
        away = (rest - bound) % (divisor if condition.test == "at least" else -divisor)
        return LawCondition(condition.feature, condition.test, (bound + away,))

    return tuple(map(moved, clause))


def candidates(feature: Feature, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """List a feature's tests, with numbers, that may tell these values apart."""
    ordered = _in_order(values)
    if len(ordered) < 2:
        return
    if not _are_numbers(ordered):
        known = [value for value in ordered if value is None or isinstance(value, str | int)]
        for value in known[:FEW]:
            yield "is", value
            yield "is not", value
        return
    if feature.kind == "compared":
        yield from (("is", 0), ("is not", 0), ("at least", 1))
        yield from (("at most", -1), ("at least", 0), ("at most", 0))
        return
    if feature.kind not in ("move", "turn"):
        yield from _remainders(feature, ordered)
    if feature.kind not in ("move", "turn", "apart"):
        yield from _bounds(feature, ordered)
    for value in _some(ordered, FEW):
        yield "is", value
    for value in _some(ordered, 4) if len(ordered) > 2 else ():
        yield "is not", value


def _in_order(values: Sequence[Any]) -> list[Any]:
    """Return the different values in order: numbers by size, others as written."""
    distinct = set(values)
    if _are_numbers(distinct):
        return sorted(distinct)
    return sorted(distinct, key=lambda value: (value is not None, str(value)))


def _remainders(feature: Feature, ordered: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """List the remainders, by small divisors, that differ between values."""
    for divisor in range(2, feature.moduli + 1):
        found = {value % divisor for value in ordered}
        if len(found) > 1 and len(ordered) > divisor:
            for remainder in sorted(found):
                yield "remainder", divisor, remainder


def _bounds(feature: Feature, ordered: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """List bounds and ranges; what has only two values needs none."""
    if len(ordered) < 3:
        return
    for value in _some(ordered[:-1], MANY):
        yield "at most", value
    for value in _some(ordered[1:], MANY):
        yield "at least", value
    if len(ordered) <= MOST_RANGED and feature.kind == "value":
        for first, last in combinations(ordered[1:-1], 2):
            yield "between", first, last


def _some(ordered: Sequence[int], most: int) -> Sequence[int]:
    """Return all of some numbers, or the first and the last of them."""
    if len(ordered) <= most + LAST:
        return ordered
    return [*ordered[:most], *ordered[-LAST:]]
