"""A solved table as flat arrays: in memory, or in a file that is read without NumPy."""

from __future__ import annotations

import json
import mmap
import os
from array import array
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

from zerosum.game import Game, Value, ZerosumError
from zerosum.solve.solution import Solution, unknown_state

MAGIC = b"zerosum solution\n"
VERSION = 1
# Each part of the file: its name, and the type of its numbers.
PARTS = (
    ("states", "q"),
    ("offsets", "q"),
    ("targets", "i"),
    ("moves", "q"),
    ("winners", "b"),
    ("plies", "i"),
)


class BadCache(ZerosumError):
    """A file that is no whole solution; it is made anew."""


class Arrays(NamedTuple):
    """A solved table: states in rising order, `width` numbers each, and what is known of them.

    `winners` is the seat that wins under best play, or -1; `plies` is -1 for a draw.
    """

    width: int
    states: Any
    offsets: Any
    targets: Any
    moves: Any
    winners: Any
    plies: Any

    def __len__(self) -> int:
        """How many states there are."""
        return len(self.winners)

    def find(self, row: tuple[int, ...]) -> int:
        """Find a state by halving; -1 where it is not."""
        width, states = self.width, self.states
        low, high = 0, len(self.winners)
        while low < high:
            middle = (low + high) // 2
            found = tuple(states[middle * width : (middle + 1) * width])
            if found < row:
                low = middle + 1
            elif found == row:
                return middle
            else:
                high = middle
        return -1


def flat(state: Any) -> tuple[int, ...]:
    """Write a state as a row of integers, whatever tuples are in it."""
    row: list[int] = []
    for value in state:
        row += flat(value) if isinstance(value, tuple) else (value,)
    return tuple(row)


class TableSolution(Solution):
    """A solution that has the whole table: for pictures, levels and puzzles."""

    def __init__(self, game: Game[Any], arrays: Arrays) -> None:
        """Take the arrays of this very variant."""
        super().__init__(game, self._look_up)
        self.arrays = arrays
        self._kind = type(game.initial())

    def place(self, state: Any) -> int:
        """Find the place of a state in the arrays."""
        if type(state) is not self._kind:
            raise unknown_state(self.game, state)
        try:
            place = self.arrays.find(flat(state))
        except TypeError:
            place = -1
        if place < 0:
            raise unknown_state(self.game, state)
        return place

    def _look_up(self, state: Any) -> Value:
        """Give the value of a state."""
        place = self.place(state)
        winner, plies = self.arrays.winners[place], self.arrays.plies[place]
        if winner < 0:
            return Value("draw", None)
        return Value("win" if winner == state.player else "loss", plies)


def save(arrays: Arrays, path: str, key: str) -> None:
    """Write a solution to a file, whole or not at all."""
    parts = [memoryview(getattr(arrays, name)).cast("B") for name, _ in PARTS]
    check = crc32(f"{VERSION} {key} {arrays.width} {[part.nbytes for part in parts]}".encode())
    for part in parts:
        check = crc32(part, check)
    about = {"version": VERSION, "key": key, "width": arrays.width, "check": check}
    about["sizes"] = [part.nbytes for part in parts]
    head = json.dumps(about).encode()
    # The numbers behind the head begin where eight bytes fit.
    head = MAGIC + head + b" " * (-(len(MAGIC) + len(head) + 1) % 8) + b"\n"
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "wb") as file:
            file.write(head)
            for part in parts:
                file.write(part)
                file.write(bytes(-part.nbytes % 8))
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def load(path: str, key: str) -> Arrays:
    """Read a solution from a file, or refuse the file if anything about it is not right."""
    with open(path, "rb") as file:
        first = file.read(len(MAGIC))
        head = file.readline(100_000)
        try:
            about = json.loads(head)
            sizes = [int(size) for size in about["sizes"]]
            sound = first == MAGIC and about["version"] == VERSION and about["key"] == key
            width = int(about["width"])
        except (ValueError, KeyError, TypeError) as error:
            raise BadCache(f"{path} is no solution.") from error
        at = len(MAGIC) + len(head)
        whole = at + sum(size + -size % 8 for size in sizes)
        if not sound or len(sizes) != len(PARTS) or os.fstat(file.fileno()).st_size != whole:
            raise BadCache(f"{path} is not the solution that was looked for, or is cut short.")
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    views, check = [], crc32(f"{VERSION} {key} {width} {sizes}".encode())
    for (_, kind), size in zip(PARTS, sizes, strict=True):
        part = data[at : at + size]
        check = crc32(part, check)
        views.append(part.cast(kind))  # type: ignore[call-overload]
        at += size + -size % 8
    if check != about["check"]:
        raise BadCache(f"{path} is damaged.")
    return Arrays(width, *views)


def shape(state: Any) -> tuple[Any, ...]:
    """Give the form of a state, without its numbers."""
    return tuple(shape(v) if isinstance(v, tuple) else None for v in state)


def columns(states: list[Any]) -> array[int] | None:
    """Write states into one array, if they all have one form and fit; else None."""
    if not states:
        return None
    simple = not any(isinstance(value, tuple) for value in states[0])
    if not simple and len({shape(state) for state in states}) > 1:
        return None
    rows: array[int] = array("q")
    try:
        for state in states:
            rows.extend(state if simple else flat(state))
    except (OverflowError, TypeError):
        return None
    return rows
