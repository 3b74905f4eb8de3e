"""Attributes of an environment as plain values, and back again with their exact types."""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from itertools import islice
from types import FunctionType
from typing import Any

import numpy as np

from zerosum.lab.adapters.reads import own_classes

Plain = Any  # an integer, a short string, None, or tuples of them
LONGEST_TEXT = 40
MOST_WRITTEN = 50_000
# The first item of a tuple that says which type a value has, if it is not the usual one.
MARK = "~"
UNSET: Plain = (f"{MARK}unset",)
NATURAL = frozenset({int, type(None)})
DICTS: dict[str, Any] = {kind.__name__: kind for kind in (dict, Counter, OrderedDict)}
SEQUENCES: dict[str, Any] = {kind.__name__: kind for kind in (tuple, set, frozenset)}


class Unencodable(Exception):
    """A value that no state can hold, such as a random generator."""


class Codec:
    """Turns values of one usual type into plain ones and back; all other types are marked.

    Two values have the same plain form only if they have the same type and are equal.

    >>> codec = Codec([0, 0])
    >>> codec.encode([3, None]), codec.encode((3, 4)), codec.decode((3, None))
    ((3, None), ('~', ('~tuple', 3, 4)), [3, None])
    """

    def __init__(self, usual: Any, own: str = "", ordered: bool = True, inner: bool = True) -> None:
        """Take a value of the usual type, and the module whose objects may be taken apart.

        If no rule reads the order of a list of integers, lists that differ only in order are equal;
        `inner` is about the lists inside it.
        """
        self.usual, self.own, self.classes = usual, own, dict[str, Any]()
        self.ordered, self.inner = ordered, inner
        self.item: Codec | None = None
        self.encode: Callable[[Any], Plain] = self._writer(type(usual))

    def decode(self, plain: Plain) -> Any:
        """Make a new value from its plain form."""
        if type(plain) is tuple and plain and plain[0] == MARK:
            return self.unmarked(plain[1])
        kind, usual = type(self.usual), self.usual
        if plain is None:
            return None
        if kind in (bool, float, set):
            return kind(plain)
        if kind in (list, tuple):
            return kind(self._items_back(plain))
        if kind is dict:
            return dict(zip(usual, self._items_back(plain), strict=True))
        if self._is_numeric(usual):
            plain = _numbers(plain) if usual.dtype.kind == "f" else plain
            numbers = np.array(plain, usual.dtype)
            return numbers.reshape(usual.shape) if kind is np.ndarray else kind(numbers[()])
        return plain

    def _writer(self, kind: type[Any]) -> Callable[[Any], Plain]:
        """Choose how values of the usual type are written."""
        if kind is bool:
            return self._scalar(bool, int)
        if kind is float:
            return self._scalar(float, _plain_float)
        if self._is_numeric(self.usual):
            if kind is np.ndarray:
                return self._array(self.usual.dtype, self.usual.shape)
            return self._scalar(kind, _plain_float if self.usual.dtype.kind == "f" else int)
        if kind in (list, tuple):
            return self._sequence(self.usual, kind)
        if kind is dict:
            return self._dict(self.usual)
        return self._set if kind is set else self._natural

    def _is_numeric(self, value: Any) -> bool:
        """Return whether a value is a number of NumPy, or an array of such that has a shape."""
        kind = type(value)
        known = isinstance(value, np.generic) or (kind is np.ndarray and value.shape != ())
        return known and value.dtype.kind in "biuf"

    def _natural(self, value: Any) -> Plain:
        """Write an integer, a string or None as it is, and mark everything else."""
        if type(value) in NATURAL:
            return value
        plain = self.marked(value)
        return plain if type(plain) is str else (MARK, plain)

    def _unusual(self, value: Any) -> Plain:
        """Write a value of another type than the usual one."""
        return None if value is None else (MARK, self.marked(value))

    def _scalar(self, kind: type[Any], write: Callable[[Any], Plain]) -> Callable[[Any], Plain]:
        """Write values of one scalar type without saying which."""
        return lambda value: write(value) if type(value) is kind else self._unusual(value)

    def _array(self, dtype: Any, shape: tuple[int, ...]) -> Callable[[Any], Plain]:
        """Write arrays of one type and shape as nested tuples."""
        writers: dict[str, Callable[[Any], Plain]] = {"b": int, "f": _plain_float}
        write = writers.get(dtype.kind)
        simple = write is None and len(shape) == 1
        # Boards come again and again, and their bytes tell them apart.
        known: dict[bytes, Plain] = {}

        def encode(value: Any) -> Plain:
            if type(value) is not np.ndarray or value.dtype != dtype or value.shape != shape:
                return self._unusual(value)
            if simple:
                return tuple(value.tolist())
            key = value.tobytes()
            plain = known.get(key)
            if plain is None:
                if len(known) >= MOST_WRITTEN:
                    known.clear()
                plain = known[key] = _nested(value.tolist(), write)
            return plain

        return encode

    def _sequence(self, usual: Any, kind: type[Any]) -> Callable[[Any], Plain]:
        """Write lists or tuples whose items have one usual type."""
        kinds = set(map(type, usual))
        if len(kinds) == 1 and not kinds <= {int, str, type(None)}:
            self.item = Codec(usual[0], self.own, self.inner)
            self.item.classes = self.classes

        def encode(value: Any) -> Plain:
            if type(value) is not kind:
                return self._unusual(value)
            if self.item is not None:
                return tuple([self.item.encode(part) for part in value])
            if NATURAL.issuperset(map(type, value)):
                sort = not self.ordered and kind is list and None not in value
                return tuple(sorted(value) if sort else value)
            return tuple([self._natural(part) for part in value])

        return encode

    def _items_back(self, plain: Plain) -> list[Any]:
        """Read the items of a sequence."""
        if self.item is not None:
            return [self.item.decode(part) for part in plain]
        return [self.unmarked(part[1]) if type(part) is tuple else part for part in plain]

    def _dict(self, usual: Any) -> Callable[[Any], Plain]:
        """Write dictionaries that have the usual keys by their values alone."""
        keys, write = tuple(usual), self._sequence(list(usual.values()), list)

        def encode(value: Any) -> Plain:
            if type(value) is dict and tuple(value) == keys and keys:
                return write(list(value.values()))
            return self._unusual(value)

        return encode

    def _set(self, value: Any) -> Plain:
        """Write sets of numbers in ascending order."""
        if type(value) is set and set(map(type, value)) <= {int}:
            return tuple(sorted(value))
        return self._unusual(value)

    def marked(self, value: Any) -> Plain:
        """Write any value so that its type can be told from its plain form."""
        kind = type(value)
        if kind in NATURAL:
            return value
        if kind is str:
            return _plain_text(value)
        if kind is list:
            return tuple([self.marked(part) for part in value])
        name = MARK + kind.__name__
        if kind in (bool, float):
            return name, int(value) if kind is bool else repr(value)
        if kind is tuple:
            return name, *[self.marked(part) for part in value]
        if kind in (set, frozenset):
            return name, *_ordered([self.marked(part) for part in value])
        if kind.__name__ in DICTS and kind is DICTS[kind.__name__]:
            return name, *[(self.marked(key), self.marked(part)) for key, part in value.items()]
        if kind is deque:
            return name, value.maxlen, *[self.marked(part) for part in value]
        if kind is range:
            return name, value.start, value.stop, value.step
        if isinstance(value, np.generic) and value.dtype.kind in "biufU":
            return f"{MARK}scalar", value.dtype.str, _numpy_item(value.item())
        if kind is np.ndarray and value.dtype.kind in "biufU":
            items = map(_numpy_item, value.ravel().tolist())
            return f"{MARK}array", value.dtype.str, value.shape, tuple(items)
        return self._object(value, kind)

    def _object(self, value: Any, kind: type[Any]) -> Plain:
        """Write a member of an enumeration, or an object of the environment's own classes."""
        name = kind.__name__
        if self.classes.setdefault(name, kind) is not kind:
            raise Unencodable
        if isinstance(value, Enum):
            return f"{MARK}enum", name, value.name
        if kind.__module__ != self.own or not hasattr(value, "__dict__") or len(name) > 30:
            raise Unencodable
        if isinstance(value, (list, dict, set, tuple, str, int, float)):
            raise Unencodable
        parts = [(_plain_text(key), self.marked(part)) for key, part in vars(value).items()]
        return f"{MARK}object", name, *parts

    def unmarked(self, plain: Plain) -> Any:
        """Read what `marked` wrote."""
        if type(plain) is not tuple:
            return plain
        if not plain or type(plain[0]) is not str or not plain[0].startswith(MARK):
            return [self.unmarked(part) for part in plain]
        name, rest = plain[0][1:], plain[1:]
        if name == "str":
            return "".join(rest)
        if name in ("bool", "float"):
            return bool(rest[0]) if name == "bool" else float(rest[0])
        if name in SEQUENCES:
            return SEQUENCES[name](self.unmarked(part) for part in rest)
        if name in DICTS:
            return DICTS[name]({self.unmarked(key): self.unmarked(part) for key, part in rest})
        if name == "deque":
            return deque((self.unmarked(part) for part in islice(rest, 1, None)), rest[0])
        if name == "range":
            return range(*rest)
        if name == "scalar":
            return np.array(_numpy_back(rest[1], rest[0]), rest[0])[()]
        if name == "array":
            items = [_numpy_back(part, rest[0]) for part in rest[2]]
            return np.array(items, rest[0]).reshape(rest[1])
        if name == "enum":
            return self.classes[rest[0]][rest[1]]
        made = object.__new__(self.classes[rest[0]])
        vars(made).update((self.unmarked(key), self.unmarked(part)) for key, part in rest[1:])
        return made


def _plain_text(text: str) -> Plain:
    """Write a short string as it is, a long one in pieces."""
    if len(text) <= LONGEST_TEXT and not text.startswith(MARK) and text.isprintable():
        return text
    pieces = range(0, len(text), LONGEST_TEXT)
    return f"{MARK}str", *[text[start : start + LONGEST_TEXT] for start in pieces]


def _plain_float(number: Any) -> Plain:
    """Write a whole number as an integer, and any other by its digits."""
    number = float(number)
    if number.is_integer() and abs(number) < 2**53 and repr(number) != "-0.0":
        return int(number)
    return repr(number)


def _numpy_item(item: Any) -> Plain:
    """Write an item of an array."""
    if type(item) is str:
        return _plain_text(item)
    return _plain_float(item) if type(item) is float else int(item)


def _numpy_back(plain: Plain, dtype: str) -> Any:
    """Read an item of an array."""
    if type(plain) is tuple:
        return "".join(plain[1:])
    return float(plain) if type(plain) is str and "f" in dtype else plain


def _nested(items: Any, write: Callable[[Any], Plain] | None) -> Plain:
    """Turn nested lists into tuples."""
    if type(items) is list:
        return tuple([_nested(part, write) for part in items])
    return write(items) if write else items


def _numbers(plain: Plain) -> Any:
    """Read numbers that were written as integers or by their digits, in nested tuples."""
    if type(plain) is tuple:
        return [_numbers(part) for part in plain]
    return float(plain) if type(plain) is str else plain


def _ordered(items: Iterable[Plain]) -> list[Plain]:
    """Put the items of a set into an order of their own."""
    found = list(items)
    return sorted(found) if set(map(type, found)) == {int} else sorted(found, key=repr)


def shared_values(env: Any) -> dict[str, Plain]:
    """Write what an environment's module, its classes and their functions hold, by name."""
    found: dict[str, Plain] = {}
    own = own_classes(type(env))
    for owner in (*own, *(sys.modules.get(kind.__module__) for kind in own)):
        for name, value in vars(owner or object).items():
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                value = [function.__defaults__, function.__kwdefaults__, vars(function)]
            with suppress(Unencodable, RecursionError):
                found[name] = Codec(None, type(env).__module__).marked(value)
    return found


def changed_name(env: Any, before: dict[str, Plain]) -> str:
    """Name something that differs from what was shared before; or nothing."""
    now = shared_values(env)
    return next((name for name, plain in before.items() if now.get(name, plain) != plain), "")
