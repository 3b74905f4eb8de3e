"""Where everything known about a position stands in an observation: as numbers, ones or planes."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.lab.envs.columns import Column

# An observation that spreads its numbers has no more places than this.
MOST_PLACES = 4_096
# Up to here, float32 has every integer.
EXACT = 2**24


# The places of an observation that are not 0, and what they have.
Filled = tuple[NDArray[np.int32], NDArray[Any]]


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
