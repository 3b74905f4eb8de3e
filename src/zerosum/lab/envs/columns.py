"""The columns of a vector: what can be at each place of a game's states, as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

# The largest number that is told from larger ones; a Box needs bounds, and a float has no more.
LARGEST = 2**1022
# More strings than this are not names of something: each letter has a column.
MOST_NAMES = 32


class Column(NamedTuple):
    """One number of the vector: its name and bounds; for a category, what 0, 1, 2, … mean."""

    name: str
    low: int
    high: int
    meaning: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """What can be at one place of a state, and so which columns it has.

    All items of a tuple have the same columns, for as many items as the longest tuple has. Strings
    that are `spelled` have the columns of a tuple of their letters.
    """

    bounds: tuple[int, int] | None = None
    none: bool = False
    lengths: tuple[int, int] | None = None
    item: Content | None = None
    names: tuple[str, ...] = ()
    spelled: bool = False

    @classmethod
    def of(cls, values: Sequence[Any], complete: bool) -> Content:
        """Take what states have here; numbers have bounds only if the states are complete."""
        numbers = [value for value in values if isinstance(value, int)]
        names = {value for value in values if isinstance(value, str)}
        tuples: list[Sequence[Any]] = [value for value in values if isinstance(value, tuple)]
        spelled = len(names) > MOST_NAMES and not tuples and max(map(len, names)) > 1
        parts = list(names) if spelled else tuples
        items = list(chain.from_iterable(parts))
        least, most = -LARGEST, LARGEST
        if numbers and complete:
            least, most = min(numbers), max(numbers)
        return cls(
            (_clipped(least), _clipped(most)) if numbers else None,
            None in values,
            (min(map(len, parts)), max(map(len, parts))) if parts else None,
            cls.of(items, complete) if items else None,
            () if spelled else tuple(sorted(names)),
            spelled,
        )

    @cached_property
    def kinds(self) -> dict[Any, int]:
        """What is told apart here: a number, None, a tuple, or a string; numbered from 1."""
        kinds = {int: self.bounds, None: self.none, tuple: self.lengths}
        found = (*(kind for kind, possible in kinds.items() if possible), *self.names)
        return {kind: number for number, kind in enumerate(found, start=1)}

    def columns(self, name: str = "", optional: bool = False) -> Iterator[Column]:
        """Yield the columns; in a tuple that can be shorter they are `optional`, and may be 0."""
        least_kind = 0 if optional else 1
        optional = optional or len(self.kinds) > 1
        if self.bounds:
            low, high = self.bounds
            if optional:
                low, high = min(low, 0), max(high, 0)
            if float(low) == float(high):  # the bounds of a Box must differ
                high = low + max(1, abs(low))
            yield Column(name, low, high)
        if len(self.kinds) > 1:
            described = {int: "number", None: "None", tuple: "tuple"}
            meaning = ("nothing", *(described.get(kind, repr(kind)) for kind in self.kinds))
            named = f"kind({name})" if self.bounds else name
            yield Column(named, least_kind, len(self.kinds), meaning)
        if self.lengths:
            least, most = self.lengths
            if least < most:
                yield Column(f"len({name})", 0 if optional else least, most)
            if self.item:
                for index in range(most):
                    yield from self.item.columns(f"{name}[{index}]", optional or index >= least)

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return sum(1 for _ in self.columns())

    def encode(self, value: Any, vector: list[int]) -> None:
        """Append the numbers of what a state has here; raise LookupError if it was not foreseen."""
        if self.spelled and isinstance(value, str):
            value = tuple(value)
        is_tuple = isinstance(value, tuple)
        is_number = isinstance(value, int)
        kind = self.kinds[tuple if is_tuple else int if is_number else value]
        if self.bounds:
            number = _clipped(value) if is_number else 0
            if is_number and not self.bounds[0] <= number <= self.bounds[1]:
                raise LookupError
            vector.append(number)
        if len(self.kinds) > 1:
            vector.append(kind)
        if self.lengths:
            least, most = self.lengths
            items = value if is_tuple else ()
            if is_tuple and not least <= len(items) <= most:
                raise LookupError
            if least < most:
                vector.append(len(items))
            if self.item:
                for item in items:
                    self.item.encode(item, vector)
                vector += [0] * (self.item.width * (most - len(items)))


def _clipped(number: int) -> int:
    """Return a number, or the nearest that a vector can have."""
    return max(-LARGEST, min(number, LARGEST))
