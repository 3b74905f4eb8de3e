"""The search for the law of a table: a sample suggests it, and every position checks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import log2
from typing import TYPE_CHECKING, Any

from zerosum.coach.laws.covering import Covering, Pair
from zerosum.coach.laws.features import Feature, features_of
from zerosum.coach.laws.law import RESULTS, Clause, Condition, Law, Part, Test
from zerosum.coach.laws.proof import proved_for
from zerosum.protocol import Game, Result
from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Longs

MOST_CLAUSES = 5
# The most positions, and conditions, that are searched for a law at once.
SAMPLE, MOST_CONDITIONS = 3_000, 500
# How often positions that contradict a law are added to the sample, and how many.
ROUNDS, ADDED = 6, 300
# A law of more conditions may take no more than this share of the bits that it explains: else it
# is a coincidence, such as can be found in any results.
FEW_CONDITIONS, MOST_BITS = 3, 0.6
# Numbers with which a feature is compared: the smallest ones, and the largest.
FEW, MANY, LAST = 12, 30, 4
# Up to this many different values, ranges are conditions too.
MOST_RANGED = 12
# Larger numbers do not fit into an array.
LARGEST = 2**53


class Finder:
    """The search for the law of one table."""

    def __init__(self, game: Game[Any], states: list[Any], results: Longs) -> None:
        """Take a game, its positions, and their results as indexes into RESULTS."""
        self.np = load_numpy()
        self.game, self.states, self.results = game, states, results
        self.features = features_of(game, states)
        self._columns: dict[int, Any] = {}

    def law(self) -> Law | None:
        """Find a law of few clauses that is true of all positions; None if none is found."""
        present = [RESULTS[index] for index in self.np.unique(self.results)]
        if len(present) == 1:
            return Law(self.game, (), present[0], len(self.states))
        sample = self._sample()
        for _ in range(ROUNDS):
            parts = self._parts(sample, present)
            if parts is None:
                return None
            otherwise = _rest(parts, present)
            wrong = self.np.flatnonzero(self._predicted(parts, otherwise) != self.results)
            if not len(wrong):
                return self._made(parts, otherwise)
            sample = self.np.union1d(sample, wrong[:: max(1, len(wrong) // ADDED)])
        return None

    def _sample(self) -> Longs:
        """Choose positions, as many of each result; all, if there are not too many."""
        np, size = self.np, len(self.states)
        if size <= SAMPLE:
            everything: Longs = np.arange(size)
            return everything
        shuffled = np.random.default_rng(0).permutation(size)
        some = [shuffled[self.results[shuffled] == result] for result in range(3)]
        chosen: Longs = np.sort(np.concatenate([part[: SAMPLE // 2] for part in some]))
        return chosen

    def _conditions(self, sample: Longs) -> tuple[list[Condition], Flags]:
        """List the conditions that differ in some positions, the simplest first, and their rows."""
        np = self.np
        found: list[tuple[float, int, Condition, Any]] = []
        for feature in self.features:
            values = [feature.of(self.states[index]) for index in sample.tolist()]
            column = _column(np, values)
            for condition in candidates(feature, values):
                row = _row(np, condition, column)
                found.append((condition.cost, len(found), condition, row))
        found.sort(key=lambda entry: entry[:2])
        distinct: dict[bytes, tuple[Condition, Any]] = {}
        for _, _, condition, row in found:
            if row.any() and not row.all():
                distinct.setdefault(np.packbits(row).tobytes(), (condition, row))
            if len(distinct) == MOST_CONDITIONS:
                break
        rows = [row for _, row in distinct.values()]
        holds = np.stack(rows) if rows else np.zeros((0, len(sample)), bool)
        return [condition for condition, _ in distinct.values()], holds

    def _predicted(self, parts: tuple[Part, ...], otherwise: Result) -> Longs:
        """Return the results that some parts give to all positions."""
        np = self.np
        given: Longs = np.full(len(self.states), RESULTS.index(otherwise))
        for part in reversed(parts):
            for clause in part.clauses:
                holds = np.ones(len(self.states), bool)
                for condition in clause:
                    holds &= self._everywhere(condition)
                given[holds] = RESULTS.index(part.result)
        return given

    def _everywhere(self, condition: Condition) -> Flags:
        """Return where a condition holds, among all positions."""
        column = self._columns.get(id(condition.feature))
        if column is None:
            values = [condition.feature.of(state) for state in self.states]
            column = self._columns[id(condition.feature)] = _column(self.np, values)
        return _row(self.np, condition, column)

    def _parts(self, sample: Longs, present: list[Result]) -> tuple[Part, ...] | None:
        """Find simple parts that are true of a sample: all results but one have one."""
        conditions, holds = self._conditions(sample)
        if not conditions:
            return None
        search = Covering(holds, self.np.array([condition.cost for condition in conditions]))
        results = self.results[sample]
        room = MOST_CLAUSES - len(present) + 2
        covers: dict[Result, tuple[Pair, ...]] = {}
        for result in present:
            cover = search.cover(results == RESULTS.index(result), room)
            if cover is not None:
                covers[result] = cover
        ways = [
            way
            for way in permutations(covers, len(present) - 1)
            if sum(len(covers[result]) for result in way) <= MOST_CLAUSES
        ]
        if not ways:
            return None
        way = min(ways, key=lambda w: (round(sum(search.cost(covers[r]) for r in w), 3), _order(w)))
        return tuple(
            Part(result, _sorted(_clause_of(conditions, pair) for pair in covers[result]))
            for result in way
        )

    def _made(self, parts: tuple[Part, ...], otherwise: Result) -> Law | None:
        """Make a law of parts that are true of all positions; None if it is too long."""
        law = Law(self.game, parts, otherwise, len(self.states))
        every_size = proved_for(law, self.states)
        if every_size:
            return replace(law, every_size=every_size)
        plain = (Part(part.result, _sorted(map(self._plain, part.clauses))) for part in parts)
        law = replace(law, parts=tuple(plain))
        conditions = sum(len(clause) for part in law.parts for clause in part.clauses)
        bits = 2 * law.cost + conditions * log2(max(2, len(self.features)) / 2)
        coincidence = conditions > FEW_CONDITIONS and bits > MOST_BITS * self._entropy()
        return None if coincidence else law

    def _plain(self, clause: Clause) -> Clause:
        """Name the value, where two conditions on a feature leave only one."""
        first, last = clause[0], clause[-1]
        if first is last or first.feature != last.feature:
            return clause
        holds = self._everywhere(first) & self._everywhere(last)
        numbers = set(self._columns[id(first.feature)][holds].tolist())
        return (Condition(first.feature, "is", tuple(numbers)),) if len(numbers) == 1 else clause

    def _entropy(self) -> float:
        """Return how much there is to know about the results of all positions, in bits."""
        counts = self.np.bincount(self.results, minlength=3)
        return -sum(float(n) * log2(n / counts.sum()) for n in counts if n)


def _clause_of(conditions: list[Condition], pair: Pair) -> Clause:
    """Return the conditions of a clause: what was played comes last."""
    clause = [conditions[index] for index in dict.fromkeys(pair)]
    clause.sort(key=lambda c: (c.feature.kind in ("move", "turn"), c.test != "remainder"))
    return tightened(tuple(clause))


def _sorted(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Group clauses about the same things, by their numbers."""
    listed = list(clauses)
    shapes = [tuple((c.feature.name, c.test) for c in clause) for clause in listed]
    first = {shape: shapes.index(shape) for shape in shapes}

    def key(index: int) -> Any:
        numbers = [c.numbers for c in reversed(listed[index])]
        return first[shapes[index]], [[(type(n).__name__, n) for n in part] for part in numbers]

    return tuple(listed[index] for index in sorted(range(len(listed)), key=key))


def _rest(parts: tuple[Part, ...], present: list[Result]) -> Result:
    """Return the result that no part has."""
    return next(result for result in present if result not in {part.result for part in parts})


def _order(way: tuple[Result, ...]) -> list[int]:
    """Return a sort key: among equal laws, the one about lost positions is the most useful."""
    return [RESULTS.index(result) for result in way]


def _row(np: Any, condition: Condition, column: Any) -> Flags:
    """Return where a condition holds in a column."""
    holds = condition.holds(column) if column.dtype != object else None
    if holds is None:
        holds = [condition.accepts(value) for value in column.tolist()]
    row: Flags = np.asarray(holds, bool)
    return row


def _column(np: Any, values: list[Any]) -> Any:
    """Return values as an array: of numbers if they all are, and not too large."""
    if all(isinstance(value, int) and abs(value) < LARGEST for value in values):
        return np.array(values, np.int64)
    column = np.empty(len(values), object)
    column[:] = values
    return column


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
