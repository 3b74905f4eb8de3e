"""An immutable sequence that shares its items with longer and shorter ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Trail(Sequence[T]):
    """An immutable sequence that is not copied when an item is added.

    Trails share one growing list; each sees the beginning of it up to its own length.

    >>> trail = Trail([1, 2])
    >>> longer = trail.add(3)
    >>> trail, longer, trail.add(4), longer.drop() == trail
    ((1, 2), (1, 2, 3), (1, 2, 4), True)
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        """Take the first items."""
        self._items = list(items)
        self._length = len(self._items)

    def add(self, item: T) -> Trail[T]:
        """Return the trail with another item at its end."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        # If another trail, perhaps in another thread, already continued from here, copy the items.
        if items[length] is not item:
            items = [*items[:length], item]
        return self._of(items, length + 1)

    def drop(self, forget: bool = False) -> Trail[T]:
        """Return the trail without its last item; `forget` it where no other trail is in use."""
        if forget:
            del self._items[self._length - 1 :]
        return self._of(self._items, self._length - 1)

    def until(self, length: int) -> Trail[T]:
        """Return the first items: shared, or copied where they are the smaller part of the list."""
        length = min(length, self._length)
        items = self._items if 2 * length >= len(self._items) else self._items[:length]
        return self._of(items, length)

    @staticmethod
    def _of(items: list[T], length: int) -> Trail[T]:
        trail: Trail[T] = Trail.__new__(Trail)
        trail._items, trail._length = items, length
        return trail

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[i] for i in range(*index.indices(self._length)))
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else index + self._length]

    def count(self, value: Any) -> int:
        """Count how often a value occurs."""
        return self._items[: self._length].count(value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Trail, tuple)):
            return len(self) == len(other) and all(
                mine is yours or mine == yours for mine, yours in zip(self, other, strict=True)
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
