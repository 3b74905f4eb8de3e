"""What can be in a position, and where it stands in an observation: as numbers, ones or planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# The largest number that is told from larger ones; a Box needs bounds, and a float has no more.
LARGEST = 2**1022
# More strings than this are not names of something: each letter has a column.
MOST_NAMES = 32
# An observation that spreads its numbers has no more places than this.
MOST_PLACES = 4_096
# Up to here, float32 has every integer.
EXACT = 2**24


# The places of an observation that are not 0, and what they have.
Filled = tuple[NDArray[np.int32], NDArray[Any]]


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


class BoardGrid(NamedTuple):
    """The board of a game: its size, the signs in its cells, and the fields that it lacks."""

    rows: int
    columns: int
    signs: tuple[str, ...]
    beside: tuple[str, ...]


class Layout:
    """The places of an observation, most of which are 0.

    With `one_hot`, a column has a place for each of its values, which is 1 where it has that
    value. Wide columns stay one number: those with more than 4,096 values, or half as many as
    long as all places together would be too many. On a grid, every sign has a plane, with 1 in
    its cells, and every other place is a plane that has one number in all its cells.
    """

    def __init__(self, columns: Sequence[Column], one_hot: bool, grid: BoardGrid | None) -> None:
        """Choose the columns that are spread, and place all."""
        signs = len(grid.signs) if grid else 0
        self.area = grid.rows * grid.columns if grid else 1
        values = [column.high - column.low + 1 for column in columns]
        most = MOST_PLACES // self.area - signs
        limit = most if one_hot else 0
        while limit > 0 and sum(n if n <= limit else 1 for n in values) > most:
            limit //= 2
        self._spread = [n <= limit for n in values]
        # Whether every column has a place for each of its values.
        self.is_spread = all(self._spread)
        self._low = [column.low for column in columns]
        sizes = [n if n <= limit else 1 for n in values]
        self._first = [signs + sum(sizes[:number]) for number in range(len(sizes))]
        planes = signs + sum(sizes)
        self.shape: tuple[int, ...] = (planes, grid.rows, grid.columns) if grid else (planes,)
        of_signs = [Column(f"board={sign!r}", 0, 1) for sign in (grid.signs if grid else ())]
        of_columns = map(_places, columns, self._spread)
        self.columns = (*of_signs, *chain.from_iterable(of_columns))
        exact = all(c.low >= -EXACT and c.high <= EXACT for c in self.columns)
        self.dtype: Any = np.float32 if exact else np.float64
        self.low = self._bounds([column.low for column in self.columns])
        self.high = self._bounds([column.high for column in self.columns])

    def _bounds(self, numbers: list[int]) -> NDArray[Any]:
        """Return a number of each plane for all its places."""
        array: NDArray[Any] = np.repeat(np.array(list(map(float, numbers)), self.dtype), self.area)
        return array.reshape(self.shape)

    def filled(self, numbers: Sequence[int], cells: Sequence[int] = ()) -> Filled:
        """Return the places that are not 0 and what they have, always as many.

        `numbers` has one for each column, and `cells` the number of the sign in each cell.
        """
        area = self.area
        places = [sign * area + cell for cell, sign in enumerate(cells)]
        values = [1.0] * len(places)
        for number, first, low, spread in zip(
            numbers, self._first, self._low, self._spread, strict=True
        ):
            place = first + number - low if spread else first
            places += range(place * area, (place + 1) * area)
            # An integer that is too long for NumPy is rounded.
            values += [1.0 if spread else float(number)] * area
        return np.array(places, np.int32), np.array(values, self.dtype)

    def spread(self, places: NDArray[np.int32], values: NDArray[Any]) -> NDArray[Any]:
        """Return an observation from what `filled` returns, or one for every row of that."""
        rows = places.shape[:-1]
        whole = np.zeros((*rows, self.low.size), self.dtype)
        first = np.arange(0, whole.size, self.low.size).reshape(*rows, 1)
        whole.reshape(-1)[places + first] = values
        return whole.reshape(*rows, *self.shape)


def _places(column: Column, spread: bool) -> Iterator[Column]:
    """Describe the places of a column."""
    if not spread:
        yield column
        return
    for value in range(column.low, column.high + 1):
        what = column.meaning[value] if column.meaning else value
        yield Column(f"{column.name}={what}", 0, 1)
