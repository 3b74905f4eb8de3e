"""The columns of a vector: what can be at each place of a game's states, as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

# The largest number that is told from larger ones; a Box needs bounds, and a float has no more.
LARGEST = 2**1022
# Where more texts than this are found, they are not names of something: each letter has a column.
MOST_TEXTS = 32
# The numbers of the seats.
NUMBERS = {0: 1, 1: 2}


class Column(NamedTuple):
    """One number of the vector: its name and bounds; for a category, what 0, 1, 2, … mean."""

    name: str
    low: int
    high: int
    meaning: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """What can be at one place of a state, and so which columns it has.

    All items of a tuple have the same columns, for as many items as the longest tuple has. A place
    where texts are `spelled` has the columns of a tuple of their letters.
    """

    bounds: tuple[int, int] | None = None
    none: bool = False
    lengths: tuple[int, int] | None = None
    item: Place | None = None
    texts: tuple[str, ...] = ()
    spelled: bool = False

    @classmethod
    def of(cls, values: Sequence[Any], complete: bool) -> Place:
        """Take what states have here; numbers have bounds only if the states are complete."""
        numbers = [value for value in values if isinstance(value, int)]
        texts = {value for value in values if isinstance(value, str)}
        tuples: list[Sequence[Any]] = [value for value in values if isinstance(value, tuple)]
        spelled = len(texts) > MOST_TEXTS and not tuples and max(map(len, texts)) > 1
        parts = list(texts) if spelled else tuples
        items = list(chain.from_iterable(parts))
        least, most = (min(numbers), max(numbers)) if numbers and complete else (-LARGEST, LARGEST)
        return cls(
            (clipped(least), clipped(most)) if numbers else None,
            None in values,
            (min(map(len, parts)), max(map(len, parts))) if parts else None,
            cls.of(items, complete) if items else None,
            () if spelled else tuple(sorted(texts)),
            spelled,
        )

    @cached_property
    def kinds(self) -> dict[Any, int]:
        """What is told apart here: a number, None, a tuple, or a text; numbered from 1."""
        kinds = {int: self.bounds, None: self.none, tuple: self.lengths}
        found = (*(kind for kind, possible in kinds.items() if possible), *self.texts)
        return {kind: number for number, kind in enumerate(found, start=1)}

    def columns(self, name: str = "", optional: bool = False) -> Iterator[Column]:
        """Yield the columns of this place; where a tuple is shorter they are `optional`, and 0."""
        optional = optional or len(self.kinds) > 1
        if self.bounds:
            low, high = self.bounds
            yield _bounded(name, *((min(low, 0), max(high, 0)) if optional else (low, high)))
        if len(self.kinds) > 1:
            label = f"kind({name})" if self.bounds else name
            yield Column(label, 0, len(self.kinds), ("nothing", *map(_described, self.kinds)))
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
        if self.spelled and isinstance(value, tuple):
            raise LookupError
        if self.spelled and isinstance(value, str):
            value = tuple(value)
        is_tuple, is_number = isinstance(value, tuple), isinstance(value, int)
        kind = self.kinds[tuple if is_tuple else int if is_number else value]
        if self.bounds:
            number = clipped(value) if is_number else 0
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


@dataclass(frozen=True)
class Seat:
    """The player to move: a category, counted from 1, so that no vector has zeros alone."""

    def columns(self, name: str) -> Iterator[Column]:
        """Yield the one column."""
        yield Column(name, 1, 2, ("nothing", "seat 0", "seat 1"))

    def encode(self, value: Any, vector: list[int]) -> None:
        """Append the number of a seat; raise LookupError for anything else."""
        vector.append(NUMBERS[value])


def clipped(number: int) -> int:
    """Return a number, or the nearest that a vector can have."""
    return number if -LARGEST <= number <= LARGEST else LARGEST if number > 0 else -LARGEST


def _bounded(name: str, low: int, high: int) -> Column:
    """Return the column of a number; the bounds of a Box must differ."""
    return Column(name, low, high if float(low) < float(high) else low + max(1, abs(low)))


def _described(kind: Any) -> str:
    """Describe a kind: a text is quoted."""
    return {int: "number", None: "None", tuple: "tuple"}.get(kind, repr(kind))
