"""Solved tables on the disk, as NumPy's own .npz files: data only, never code."""

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
from zerosum.solver.solution import Solved
from zerosum.solver.table import Table
from zerosum.states import tuples

LARGEST = 1 << 30
UNFINISHED = 3600.0
FORMAT = 2


class Cache:
    """The solutions of one variant in a folder; what cannot be read or written costs only time."""

    def __init__(self, game: Game[S], folder: str) -> None:
        """Name the file of a variant, and the key that must stand in it."""
        name = entry_of(game).name
        about = [FORMAT, name, repr(game), fingerprint(game)]
        self.key = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
        self.folder = folder
        self.path = os.path.join(folder, f"{name}-{self.key[:16]}.npz")

    def load(self, game: Game[S]) -> Solved[S] | None:
        """Read a solution; None where there is none, or anything about it is not right."""
        import numpy as np

        try:
            with open(self.path, "rb") as file, np.load(file, allow_pickle=False) as parts:
                if str(parts["key"]) != self.key:
                    return None
                states = json.loads(parts["states"].tobytes())
                arrays = {
                    name: parts[name]
                    for name in ("offsets", "targets", "ends", "players", "turned")
                }
                worth, plies = parts["worth"], parts["plies"]
            kind: Any = type(game.initial())
            index = {kind(*map(tuples, state)): place for place, state in enumerate(states)}
        except Exception:  # there is no end to what a damaged file may raise
            return None
        edges = arrays["offsets"][-1] if len(arrays["offsets"]) else 0
        sizes = {len(states), len(index), len(worth), len(plies), len(arrays["players"])}
        if len(sizes) > 1 or len(arrays["offsets"]) != len(states) + 1:
            return None
        if len(arrays["turned"]) not in (0, edges):
            return None
        if len(arrays["targets"]) != edges or (edges and arrays["targets"].max() >= len(states)):
            return None
        table = Table(
            index,
            array("q", arrays["offsets"].astype(np.int64).tobytes()),
            array("i", arrays["targets"].astype(np.int32).tobytes()),
            array("b", arrays["ends"].astype(np.int8).tobytes()),
            arrays["players"].astype(np.uint8).tobytes(),
            bytearray(arrays["turned"].astype(np.uint8).tobytes()),
        )
        return Solved(table, worth.astype(np.int8), plies.astype(np.int32))

    def save(self, solved: Solved[S]) -> None:
        """Write a solution, whole or not at all."""
        import numpy as np

        table = solved.table
        beside = f"{self.path}.{os.getpid()}"
        # An interpreter may refuse to write very long numbers, with a ValueError.
        with suppress(OSError, ValueError):
            states = json.dumps(list(table.states()), separators=(",", ":")).encode()
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            try:
                with open(beside, "wb") as file:
                    np.savez(
                        file,
                        key=np.array(self.key),
                        states=np.frombuffer(states, np.uint8),
                        offsets=np.frombuffer(table.offsets, np.int64),
                        targets=np.frombuffer(table.targets, np.int32),
                        ends=np.frombuffer(table.ends, np.int8),
                        players=np.frombuffer(table.players, np.uint8),
                        turned=np.frombuffer(table.turned, np.uint8),
                        worth=solved.worth,
                        plies=solved.plies,
                    )
                os.replace(beside, self.path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(beside)
                raise
            prune(self.folder)


def prune(folder: str) -> None:
    """Let the oldest solutions go when the cache has grown too large."""
    for entry in os.scandir(folder):
        # Files of earlier versions, and those whose writer was ended, are of no more use.
        unfinished = ".npz." in entry.name and entry.stat().st_mtime < time.time() - UNFINISHED
        if unfinished or ".solution" in entry.name:
            os.unlink(entry.path)
    kept = sorted(
        (entry for entry in os.scandir(folder) if entry.name.endswith(".npz")),
        key=lambda entry: entry.stat().st_mtime,
        reverse=True,
    )
    total = 0
    for entry in kept:
        total += entry.stat().st_size
        if total > LARGEST:
            os.unlink(entry.path)
