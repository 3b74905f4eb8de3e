"""An environment's attributes as plain values, and back with their exact types."""

import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from zerosum.lab.adapters.attributes_read import own_classes

Plain = Any  # an integer, a short string, None, or tuples of them
LONGEST_TEXT = 40
# How many boards and dictionary keys are remembered: they recur.
BOARDS = 50_000
# The first item of a tuple that names a value's type, if it is unusual.
MARK = "~"
UNSET: Plain = (f"{MARK}unset",)
NATURAL = frozenset({int, type(None)})


class Unencodable(Exception):
    """A value that no state can hold, such as a random generator."""


class Codec:
    """Turns values into plain ones and back; only an unusual type is named.

    Two values have the same plain form only if types and values agree.

    >>> codec = Codec((0, 0))
    >>> codec.encode((3, None)), codec.encode([3, 4]), codec.decode((3, None))
    ((3, None), ('~', (3, 4)), (3, None))
    """

    def __init__(self, usual: Any, own: str = "") -> None:
        """Take a value of the usual type, and the module whose objects may be taken apart."""
        self.own = vars(sys.modules.get(own, object))
        self.kind = type(usual)
        self.usual = tuple[Plain, ...]()
        self._keys = lru_cache(BOARDS)(self._list)
        with suppress(Unencodable, RecursionError):
            plain = self.marked(usual)
            marked = _is_marked(plain) and not isinstance(usual, str)
            self.usual = plain[:-1] if marked else ()

    def encode(self, value: Any) -> Plain:
        """Write a value so that its type can be told, given the usual one."""
        kind = type(value)
        if value is None or (kind is int and not self.usual):
            return value
        if kind is self.kind and kind in SCALARS:
            return SCALARS[kind](value)
        if kind is dict and self.kind is dict and tuple(value) == self.usual[1]:
            return self._list(value.values())
        plain = self.marked(value)
        if not self.usual:
            return plain
        if type(plain) is tuple and plain[:-1] == self.usual:
            return plain[-1]
        return MARK, plain

    def decode(self, plain: Plain) -> Any:
        """Make a new value from its plain form."""
        if not self.usual or plain is None:
            return self.unmarked(plain)
        if type(plain) is int and self.kind in SCALARS:
            return self.kind(plain)
        if type(plain) is tuple and plain[:1] == (MARK,):
            return self.unmarked(plain[1])
        return self.unmarked((*self.usual, plain))

    def marked(self, value: Any) -> Plain:
        """Write a value; all but integers, strings, None and lists begin with their type."""
        kind = type(value)
        if kind in NATURAL:
            return value
        if kind in WRITERS:
            return WRITERS[kind](self, value)
        if kind in SCALARS:
            return MARK + kind.__name__, SCALARS[kind](value)
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufU":
            return _array(kind is np.ndarray, value.dtype, value.shape, value.tobytes())
        return self._object(value, kind)

    def _list(self, value: Collection[Any]) -> Plain:
        """Write the items of a list, or of something like one."""
        if NATURAL.issuperset(map(type, value)):
            return tuple(value)
        if set(map(type, value)) == {bool}:
            return f"{MARK}bools", tuple(map(int, value))
        return tuple(map(self.marked, value))

    def _dict(self, value: dict[Any, Any]) -> Plain:
        """Write a dictionary: its keys, then their values."""
        keys = self._keys(tuple(value))
        return MARK + type(value).__name__, keys, self._list(value.values())

    def _set(self, value: set[Any]) -> Plain:
        """Write a set in an order of its own."""
        items = [self.marked(part) for part in value]
        try:
            items.sort()
        except TypeError:
            items.sort(key=repr)
        return MARK + type(value).__name__, tuple(items)

    def _object(self, value: Any, kind: type[Any]) -> Plain:
        """Write a member of an enumeration, or an object of the environment's own classes."""
        name = kind.__name__
        if self.own.get(name) is not kind or len(name) > LONGEST_TEXT:
            raise Unencodable
        if isinstance(value, Enum):
            return f"{MARK}enum", name, value.name
        if not hasattr(value, "__dict__") or isinstance(value, (*SCALARS, *WRITERS)):
            raise Unencodable
        return f"{MARK}object", name, self.marked(vars(value))

    def unmarked(self, plain: Plain) -> Any:
        """Read what `marked` wrote."""
        if type(plain) is not tuple:
            return plain
        if NATURAL.issuperset(map(type, plain)):
            return list(plain)
        if not _is_marked(plain):
            return [self.unmarked(part) for part in plain]
        name, *about = plain
        if name == f"{MARK}str":
            return "".join(about[0])
        *about, held = map(self.unmarked, about)
        if name == f"{MARK}enum":
            return self.own[about[0]][held]
        if name == f"{MARK}object":
            made = object.__new__(self.own[about[0]])
            vars(made).update(held)
            return made
        return READERS[name[1:]](held, *about)


def _is_marked(plain: Plain) -> bool:
    """Return whether a plain value begins with its type."""
    return type(plain) is tuple and plain != () and type(plain[0]) is str and plain[0][:1] == MARK


def _plain_text(text: str) -> Plain:
    """Write a short string as it is, a long one in pieces."""
    if len(text) <= LONGEST_TEXT and not text.startswith(MARK) and text.isprintable():
        return text
    pieces = range(0, len(text), LONGEST_TEXT)
    return f"{MARK}str", tuple(text[start : start + LONGEST_TEXT] for start in pieces)


def _plain_float(number: float) -> Plain:
    """Write a whole number as an integer, and any other by its digits."""
    if number.is_integer() and abs(number) < 2**53 and repr(number) != "-0.0":
        return int(number)
    return repr(number)


def _item(item: Any) -> Plain:
    """Write an item of an array, or the lists of a part of it."""
    if type(item) is list:
        return tuple(item if NATURAL.issuperset(map(type, item)) else map(_item, item))
    if type(item) is str:
        return _plain_text(item)
    return _plain_float(item) if type(item) is float else int(item)


@lru_cache(BOARDS)
def _array(is_array: bool, dtype: Any, shape: tuple[int, ...], numbers: bytes) -> Plain:
    """Write an array or a number of NumPy, given by its bytes."""
    items = _item(np.ndarray(shape, dtype, numbers).tolist())
    return (
        (f"{MARK}array", dtype.str, shape, items)
        if is_array
        else (f"{MARK}scalar", dtype.str, items)
    )


SCALARS: dict[Any, Callable[[Any], Plain]] = {
    bool: int,
    float: _plain_float,
    range: lambda value: (value.start, value.stop, value.step),
}
WRITERS: dict[Any, Callable[[Codec, Any], Plain]] = {
    str: lambda codec, value: _plain_text(value),
    list: Codec._list,
    tuple: lambda codec, value: (f"{MARK}tuple", codec._list(value)),
    deque: lambda codec, value: (f"{MARK}deque", value.maxlen, codec._list(value)),
    **dict.fromkeys((dict, Counter, OrderedDict), Codec._dict),
    **dict.fromkeys((set, frozenset), Codec._set),
}
# What makes a value of each type from its items.
READERS: dict[str, Callable[..., Any]] = {
    **{kind.__name__: kind for kind in (bool, float, tuple, set, frozenset)},
    "deque": deque,
    "bools": lambda items: list(map(bool, items)),
    "range": lambda items: range(*items),
    "dict": lambda items, keys: dict(zip(keys, items, strict=True)),
    "Counter": lambda items, keys: Counter(dict(zip(keys, items, strict=True))),
    "OrderedDict": lambda items, keys: OrderedDict(zip(keys, items, strict=True)),
    "scalar": lambda item, dtype: np.array(item, dtype)[()],
    "array": lambda items, dtype, shape: np.array(items, dtype).reshape(shape),
}


def shared_values(env: Any) -> dict[str, Plain]:
    """Write what an environment's module, classes and functions hold, by name."""
    found: dict[str, Plain] = {}
    own = own_classes(type(env))
    codec = Codec(None, type(env).__module__)
    for owner in (*own, *(sys.modules.get(kind.__module__) for kind in own)):
        for name, value in vars(owner or object).items():
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                value = [function.__defaults__, function.__kwdefaults__, vars(function)]
            with suppress(Unencodable, RecursionError):
                found[name] = codec.marked(value)
    return found


def changed_name(env: Any, before: dict[str, Plain]) -> str:
    """Name something that is not as it was when shared; or nothing."""
    now = shared_values(env)
    return next((name for name, plain in before.items() if now.get(name, plain) != plain), "")
