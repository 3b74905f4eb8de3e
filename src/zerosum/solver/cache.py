"""Solved tables on disk, as NumPy's .npz files: data only, never code."""

from __future__ import annotations

import hashlib
import json
import os
import time
from array import array
from contextlib import suppress
from typing import Any

from zerosum.protocol import Game, S
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver.solution import SolvedTable
from zerosum.solver.table import Table, without_gc
from zerosum.states import tuples

LARGEST = 1 << 30
UNFINISHED = 3600.0
FORMAT = 3
# What is saved of a table and its values, with the type of each array.
ARRAYS = {
    "offsets": "int64",
    "targets": "int32",
    "ends": "int8",
    "turned": "uint8",
    "worth": "int8",
    "plies": "int32",
}


class Cache:
    """The file of one variant's solution; a failure to read or write it costs only time."""

    def __init__(self, game: Game[S], folder: str) -> None:
        """Name the file of a variant, and the key that it must contain."""
        name = entry_of(game).name
        about = [FORMAT, name, repr(game), fingerprint(game)]
        self.key = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
        self.folder = folder
        self.path = os.path.join(folder, f"{name}-{self.key[:16]}.npz")

    def load(self, game: Game[S]) -> SolvedTable[S] | None:
        """Read a solution; None if it is missing, damaged, or of another variant."""
        import numpy as np

        try:
            with open(self.path, "rb") as file, np.load(file, allow_pickle=False) as parts:
                if str(parts["key"]) != self.key:
                    return None
                arrays = [parts[name].astype(kind) for name, kind in ARRAYS.items()]
                with without_gc():
                    kind: Any = type(game.initial())
                    states = json.loads(parts["states"].tobytes())
                    index = {kind(*tuples(state)): number for number, state in enumerate(states)}
        except Exception:  # there is no end to what a damaged file may raise
            return None
        offsets, targets, ends, turned, worth, plies = arrays
        edges = offsets[-1] if len(offsets) else 0
        if len({len(states), len(index), len(ends), len(worth), len(plies), len(offsets) - 1}) > 1:
            return None
        if len(targets) != edges or len(turned) not in (0, edges):
            return None
        if edges and targets.max() >= len(states):
            return None
        table = Table(
            index,
            array("q", offsets.tobytes()),
            array("i", targets.tobytes()),
            array("b", ends.tobytes()),
            bytearray(turned.tobytes()),
        )
        return SolvedTable(table, worth, plies)

    def save(self, solved: SolvedTable[S]) -> None:
        """Write a solution, whole or not at all."""
        import numpy as np

        table = solved.table
        columns: tuple[Any, ...] = (table.offsets, table.targets, table.ends, table.turned)
        values = [np.frombuffer(c, k) for c, k in zip(columns, ARRAYS.values(), strict=False)]
        arrays: Any = dict(zip(ARRAYS, (*values, solved.worth, solved.plies), strict=True))
        temporary = f"{self.path}.{os.getpid()}"
        # An interpreter may refuse to write very long numbers, with a ValueError.
        with suppress(OSError, ValueError):
            states = json.dumps(list(table.states()), separators=(",", ":")).encode()
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            try:
                with open(temporary, "wb") as file:
                    key, text = np.array(self.key), np.frombuffer(states, np.uint8)
                    np.savez(file, key=key, states=text, **arrays)
                os.replace(temporary, self.path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
            prune(self.folder)


def prune(folder: str) -> None:
    """Delete the oldest solutions when the cache has grown too large."""
    for entry in os.scandir(folder):
        # Files of earlier versions, and of writers that were stopped, are of no use any more.
        unfinished = ".npz." in entry.name and entry.stat().st_mtime < time.time() - UNFINISHED
        if unfinished or ".solution" in entry.name:
            os.unlink(entry.path)
    newest_first = sorted(
        (entry for entry in os.scandir(folder) if entry.name.endswith(".npz")),
        key=lambda entry: entry.stat().st_mtime,
        reverse=True,
    )
    total = 0
    for entry in newest_first:
        total += entry.stat().st_size
        if total > LARGEST:
            os.unlink(entry.path)
