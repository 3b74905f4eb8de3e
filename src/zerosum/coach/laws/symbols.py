"""A symbol for infinitely many numbers, on which rules are run as on an integer."""

from __future__ import annotations

from functools import total_ordering
from typing import Any

# What never equals a number. Whether anything else does, its own class may say.
UNEQUAL = (type(None), str, bytes, tuple, list, dict, set, frozenset)


class Undecided(BaseException):
    """The rules ask of a number what has no one answer; they must not catch it."""


@total_ordering
class Linear:
    """The numbers scale × t + offset for every whole t from `least` up, all at once.

    What is asked of it has an answer only if all of them agree.

    >>> number = Linear(4, 1, least=10)
    >>> number % 2, number > 30, (number - 1) // 2 == number
    (1, True, False)
    """

    __class__ = int  # type: ignore[assignment]  # what the rules may ask of an integer

    def __init__(self, scale: int, offset: int, least: int, asked: list[str] | None = None) -> None:
        """Take the numbers, and a list for questions without an answer."""
        self.scale, self.offset, self.least = scale, offset, least
        self.asked: list[str] = [] if asked is None else asked

    def _undecided(self, *_: Any, **__: Any) -> Any:
        """Refuse a question; that it was asked is remembered."""
        self.asked.append("undecided")
        raise Undecided

    def _made(self, scale: int, offset: int) -> Any:
        """Return other numbers with the same t; one number as it is."""
        return Linear(scale, offset, self.least, self.asked) if scale else offset

    def _parts(self, other: Any) -> tuple[int, int]:
        """Return the scale and the offset of a number."""
        if type(other) is Linear:
            return other.scale, other.offset
        return (0, int(other)) if type(other) in (int, bool) else self._undecided()

    def __add__(self, other: Any) -> Any:
        """Add a number."""
        scale, offset = self._parts(other)
        return self._made(self.scale + scale, self.offset + offset)

    def __pos__(self) -> Linear:
        """Keep the sign."""
        return self

    def __neg__(self) -> Any:
        """Change the sign."""
        return self._made(-self.scale, -self.offset)

    def __sub__(self, other: Any) -> Any:
        """Subtract a number."""
        scale, offset = self._parts(other)
        return self._made(self.scale - scale, self.offset - offset)

    def __rsub__(self, other: Any) -> Any:
        """Subtract from a number."""
        return -(self - other)

    def __mul__(self, other: Any) -> Any:
        """Multiply by a plain number."""
        scale, offset = self._parts(other)
        if scale:
            return self._undecided()
        return self._made(self.scale * offset, self.offset * offset)

    def __divmod__(self, other: Any) -> tuple[Any, int]:
        """Divide by a plain number, if the remainder is always the same."""
        scale, offset = self._parts(other)
        if scale or offset <= 0 or self.scale % offset:
            self._undecided()
        return self._made(self.scale // offset, self.offset // offset), self.offset % offset

    def __floordiv__(self, other: Any) -> Any:
        """Divide and round down."""
        return divmod(self, other)[0]

    def __mod__(self, other: Any) -> Any:
        """Return the remainder."""
        return divmod(self, other)[1]

    def __and__(self, mask: Any) -> Any:
        """Return the lowest binary digits."""
        if type(mask) is not int or mask <= 0 or mask & (mask + 1):
            self._undecided()
        return self % (mask + 1)

    def _sign(self, other: Any) -> int:
        """Return the sign of the difference to a number, if all agree."""
        scale, offset = self._parts(other)
        scale, offset = self.scale - scale, self.offset - offset
        first = scale * self.least + offset
        if scale * first < 0 or (scale and not first):
            self._undecided()  # it changes, or begins with 0
        return (first > 0) - (first < 0)

    def __lt__(self, other: Any) -> bool:
        """Compare with a number."""
        return self._sign(other) < 0

    def __eq__(self, other: object) -> bool:
        """Compare with a number; strings, tuples and the like never equal one."""
        return type(other) not in UNEQUAL and self._sign(other) == 0

    def __bool__(self) -> bool:
        """Return whether it is not 0."""
        return self._sign(0) != 0

    __radd__, __rmul__, __rand__ = __add__, __mul__, __and__
    __getattr__ = __hash__ = _undecided


# What an object needs to exist; anything else that an integer can do would need one number.
_NEEDED = {"__new__", "__getattribute__", "__setattr__", "__delattr__", "__ne__", "__doc__"}
for _name in set(dir(int)) - set(vars(Linear)) - _NEEDED:
    if _name.startswith("__") and not _name.endswith(("subclass__", "subclasshook__")):
        setattr(Linear, _name, Linear._undecided)
