"""The table of a large game: a folder of arrays, which are mapped and not loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from math import prod
from random import Random
from typing import Annotated, Any, Generic, Literal, NamedTuple

import msgspec
import numpy as np

from zerosum.documents import Document, described, loads, read
from zerosum.errors import ZerosumError
from zerosum.protocol import Game, S, Value
from zerosum.solver.cache import open_own
from zerosum.solver.spread.packing import find, pack, part_of, unpack
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, value_by

TABLE = "table.json"
WORTHS = (OPEN, LOST, WON, DRAWN)
KINDS = {"keys": ("<u8",), "worth": ("|i1",), "plies": ("<i2", "<i4")}


class TableDocument(Document, frozen=True, kw_only=True, tag="zerosum-table"):
    """The table of a large game, in the folder that has this document."""

    version: Literal[1] = 1
    game: Annotated[str, described("the game's name, such as even-steven")]
    options: Annotated[dict[str, Any], described("every option of the game, with its value")]
    key: Annotated[str, described("a digest of the rules and the options")]
    positions: Annotated[int, described("equal ones by symmetry counted once")]
    parts: Annotated[list[int], described("the positions of every part")]
    drawn_ends: Annotated[int, described("positions in which the game is over and drawn")]


class PartArrays(NamedTuple):
    """The arrays of a part, a column for each position."""

    keys: Any
    worth: Any
    plies: Any


class MappedTable(Generic[S]):
    """The values of all positions of a game, looked up on the disk."""

    def __init__(self, game: Game[S], folder: str, document: TableDocument) -> None:
        """Take a folder and its document; each part is opened when it is needed."""
        self._game, self._folder, self._document = game, folder, document
        self._part = cache(lambda part: _open_part(os.path.join(folder, f"part-{part}")))

    def __len__(self) -> int:
        """Count the positions."""
        return self._document.positions

    def at(self, state: S) -> Value:
        """Return the value of a position that stands for those equal to it; or raise KeyError."""
        try:
            key = pack(self._game, [state])
        except ZerosumError as error:
            raise KeyError(state) from error
        part = self._part(int(part_of(key, len(self._document.parts))[0]))
        place = int(find(part.keys, key)[0])
        if place < 0:
            start = self._game.canonical(self._game.initial())
            if state == start:
                raise _unreadable(self._folder, "it lacks the start of the game")
            self.at(start)
            raise KeyError(state)
        worth, plies = int(part.worth[place]), int(part.plies[place])
        if worth not in WORTHS:
            raise _unreadable(self._folder, f"no position is worth {worth}")
        if plies < -1:
            raise _unreadable(self._folder, f"no game ends in {plies} moves")
        return value_by(worth, plies)

    def drawn(self, most: int, seed: int) -> Iterator[S]:
        """Draw different positions, each as likely as any other."""
        rng, ends = Random(seed), np.cumsum(self._document.parts)  # noqa: S311
        for number in rng.sample(range(len(self)), min(most, len(self))):
            part = int(np.searchsorted(ends, number, "right"))
            keys = self._part(part).keys
            try:
                yield unpack(self._game, keys[:, [number - ends[part]]])[0]
            except (msgspec.MsgspecError, IndexError, TypeError, ValueError) as error:
                raise _unreadable(self._folder, "a key is not that of a position") from error


def open_folder(game: Game[S], folder: str, key: str) -> MappedTable[S] | None:
    """Open the table of a variant; None if it is missing, unfinished, damaged or of other rules."""
    try:
        with open_own(os.path.join(folder, TABLE)) as file:
            document = read(TableDocument, loads(file.read()))
        whole = document.parts and sum(document.parts) == document.positions > 0
        return MappedTable(game, folder, document) if whole and document.key == key else None
    except (OSError, ZerosumError):
        return None


def _open_part(folder: str) -> PartArrays:
    """Map the arrays of a part; refuse what is not one."""
    try:
        arrays = PartArrays(*[_mapped(folder, name) for name in KINDS])
        keys, worth, plies = (array.shape for array in arrays)
        if len(keys) != 2 or not worth == plies == keys[1:]:
            raise ValueError("its arrays have different lengths")
        return arrays
    except (OSError, ValueError) as error:
        raise _unreadable(os.path.dirname(folder), str(error)) from error


def _unreadable(folder: str, reason: str) -> ZerosumError:
    """Return the error for a table that is damaged."""
    return ZerosumError(
        f"The solved table in {folder} cannot be read: {reason.rstrip('.')}. Delete its folder, "
        "and solve the game again."
    )


def _mapped(folder: str, name: str) -> Any:
    """Map an array of numbers from a file that only this user can have written."""
    with open_own(os.path.join(folder, f"{name}.npy")) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"{name}.npy has another version")
        try:
            shape, fortran, kind = np.lib.format.read_array_header_1_0(file)
        except Exception as error:  # Python's parser raises many
            raise ValueError(f"{name}.npy has no header") from error
        if fortran or kind.str not in KINDS[name]:
            raise ValueError(f"{name}.npy has other numbers")
        if any(type(length) is not int or length >> 32 for length in shape) or (
            prod(shape) * kind.itemsize > os.fstat(file.fileno()).st_size
        ):
            raise ValueError(f"{name}.npy has an impossible shape")
        return np.memmap(file, kind, "r", file.tell(), shape)
