"""Positions as columns of 64-bit words: packed, put in order, found again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zerosum.errors import BrokenGame
from zerosum.protocol import Game
from zerosum.states import fault_at, tuples

# A row for each word of a key, a column for each position.
Keys = NDArray[np.uint64]
Numbers = NDArray[Any]
WORD = 8
# What marks an integer of more than 64 bits, in hexadecimal.
LONG = 1
# Odd numbers whose bits look random, for multiplication.
FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
SHIFT = np.uint64(32)

_write = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(
    tuple[tuple[Any, ...], int], ext_hook=lambda code, data: int(bytes(data), 16)
).decode


def pack(game: Game[Any], states: Sequence[Any]) -> Keys:
    """Write states as MessagePack, a column each: equal keys are equal states, and only these."""
    try:
        written = _written(states)
    except OverflowError:
        written = _written(map(_any_length, states))
    except TypeError as error:
        faults = filter(None, (fault_at(game, state) for state in states))
        raise BrokenGame(game, next(faults, str(error))) from error
    rows = np.array(written, np.bytes_)
    width = -(-rows.itemsize // WORD)
    words = np.zeros((len(states), width), "<u8")
    words.view(f"S{WORD * width}")[:, 0] = rows
    keys: Keys = np.ascontiguousarray(words.T).astype(np.uint64, copy=False)
    keys[0] ^= _folded(keys)
    return keys


def _written(states: Iterable[Any]) -> list[bytes]:
    """Write states; the 1 at the end lets zeros fill the rest of a column, and be dropped again."""
    return list(map(_write, zip(states, repeat(1), strict=False)))


def _any_length(value: Any) -> Any:
    """Replace the integers in a state that do not fit into 64 bits."""
    if isinstance(value, tuple):
        return tuple(map(_any_length, value))
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return msgspec.msgpack.Ext(LONG, hex(value).encode())
    return value


def unpack(game: Game[Any], keys: Keys) -> list[Any]:
    """Read states from their keys."""
    make = partial(tuple.__new__, type(game.initial()))
    words = np.array(keys, "<u8")
    words[0] ^= _folded(words)
    rows = np.ascontiguousarray(words.T).view(f"S{WORD * len(words)}")[:, 0]
    states = [state for state, _ in map(_read, rows.tolist())]
    try:
        hash(tuple(states))
    except TypeError:  # what is a tuple in a state was read as a list, which has no hash
        states = list(map(tuples, states))
    return list(map(make, states))


def part_of(keys: Keys, parts: int) -> Numbers:
    """Return the part to which each key belongs."""
    number: Numbers = ((_mixed(keys[0]) >> SHIFT) % np.uint64(parts)).astype(np.uint16)
    return number


def _folded(keys: Any) -> Any:
    """Fold all words but the first, which then hardly ever agrees in two keys."""
    folded = np.zeros(keys.shape[1], np.uint64)
    for number, word in enumerate(keys[1:], 1):
        folded ^= _mixed(word * np.uint64(2 * number + 1))
    return folded


def _mixed(words: Any) -> Any:
    """Let every bit of a word depend on all of them; 0 stays 0."""
    words = words * FACTORS[0]
    words ^= words >> SHIFT
    return words * FACTORS[1]


def joined(several: Sequence[Any]) -> Keys:
    """Put keys side by side; a shorter one ends in zeros."""
    several = [*several, np.zeros((1, 0), np.uint64)]
    width = max(len(keys) for keys in several)
    return np.concatenate([_widened(keys, width) for keys in several], axis=1)


def _widened(keys: Any, width: int) -> Any:
    """Add rows of zeros."""
    missing = width - len(keys)
    return keys if not missing else np.pad(keys, ((0, missing), (0, 0)))


def sorting(keys: Keys) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the order of keys, and which of them, in that order, are not the one before again."""
    order = np.argsort(keys[0])
    new = _changes(keys[:1, order])
    differ = _changes(keys[:, order]) if len(keys) > 1 else new
    if (new != differ).any():  # two keys have the same first word
        order = np.lexsort(keys[::-1])
        differ = _changes(keys[:, order])
    return order, differ


def _changes(keys: Any) -> NDArray[np.bool_]:
    """Return which keys differ from the one before."""
    changes = np.ones(keys.shape[1], np.bool_)
    changes[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return changes


def find(known: Any, wanted: Keys) -> Numbers:
    """Return the place of each wanted key among sorted ones, and -1 for those that are missing."""
    width = max(len(known), len(wanted))
    known, wanted = _widened(known, width), _widened(wanted, width)
    place = np.searchsorted(known[0], wanted[0])
    found = np.full(len(place), -1)
    left = np.arange(len(place))
    while len(left):
        left = left[place[left] < known.shape[1]]
        left = left[known[0, place[left]] == wanted[0, left]]
        equal = (known[:, place[left]] == wanted[:, left]).all(axis=0)
        found[left[equal]] = place[left[equal]]
        left = left[~equal]
        place[left] += 1
    return found
