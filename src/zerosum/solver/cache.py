"""Solved tables on disk, as NumPy's .npz files, and what was found in them: data, never code."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from tempfile import mkstemp
from typing import Any, BinaryIO, NamedTuple

from zerosum.errors import TooLarge, TooSlow
from zerosum.limits import Limits
from zerosum.protocol import Game, S
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint, parts_fingerprint
from zerosum.solver.retrograde import SolvedTable, solved_table
from zerosum.solver.table import StateGraph, room, too_large, too_slow, without_gc
from zerosum.states import tuples

# A table is not tried again within a limit that it has exceeded, unless that was shorter than this:
# then the machine may have been busy.
REMEMBERED = 5.0
LARGEST = 1 << 30
MOST_FILES = 10_000
LARGEST_KEPT = 1 << 22
ENDINGS = (".npz", ".json")
# What a file takes on a disk, however little is in it.
SMALLEST = 1 << 12
UNFINISHED = 3600.0
FORMAT = 4
# What is saved of a table and its values, with the type of each array.
ARRAYS = {
    "states": "uint8",
    "offsets": "int64",
    "targets": "int32",
    "ends": "int8",
    "turned": "uint8",
    "worth": "int8",
    "plies": "int32",
}
REFUSAL = "refusal"
# In a folder shared with others, a link leads anywhere, and a pipe keeps its reader waiting.
CAREFULLY = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


class Refusal(NamedTuple):
    """The positions that a variant exceeds, and the seconds that were not enough for its table."""

    more_than: int = 0
    seconds: float = 0.0


class Cache:
    """The file of one variant's solution; a failure to read or write it costs only time."""

    def __init__(self, game: Game[S], folder: str) -> None:
        """Name the file of a variant, and the key that it must contain."""
        name = entry_of(game).name
        about = [FORMAT, name, repr(game), fingerprint(game)]
        self.key = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
        self.folder, self._game = folder, game
        self.path = os.path.join(folder, f"{name}-{self.key[:16]}.npz")

    def table(self, limits: Limits) -> SolvedTable[Any]:
        """Return the table of the variant: read, or else made and kept; or why there is none."""
        game, seconds = self._game, limits.seconds
        most = room(game.initial(), limits.positions)
        solved = self.load()
        if solved is not None:
            if most < len(solved.graph):
                raise too_large(game, most, limits.positions)
            return solved
        more_than, not_enough = self.refusal()
        if most <= more_than:
            raise too_large(game, most, limits.positions)
        if not_enough and seconds is not None and seconds <= not_enough:
            raise too_slow(game, not_enough, remembered=True)
        try:
            solved = solved_table(game, limits)
        except TooSlow:
            if seconds is not None and seconds >= REMEMBERED:
                self.refuse(seconds=seconds)
            raise
        except TooLarge as error:
            if error.limit is not None:
                self.refuse(most)
            raise
        self.save(solved)
        return solved

    def load(self) -> SolvedTable[Any] | None:
        """Read a solution; None if it is missing, damaged, or of another variant."""
        import numpy as np

        try:
            with _open(self.path) as file, np.load(file, allow_pickle=False) as parts:
                arrays = {name: parts[name].astype(kind) for name, kind in ARRAYS.items()}
                if str(parts["digest"]) != self._digest(arrays):
                    return None
                with without_gc():
                    kind: Any = type(self._game.initial())
                    states = json.loads(arrays.pop("states").tobytes())
                    index = {kind(*tuples(state)): number for number, state in enumerate(states)}
        except Exception:  # there is no end to what a damaged file may raise
            return None
        offsets, targets, ends, turned, worth, plies = arrays.values()
        table = StateGraph(
            index,
            array("q", offsets.tobytes()),
            array("i", targets.tobytes()),
            array("b", ends.tobytes()),
            bytearray(turned.tobytes()),
        )
        return SolvedTable(table, worth, plies)

    def refusal(self) -> Refusal:
        """Return why the variant has no table, as far as that is known."""
        return Refusal(*(self.kept(REFUSAL) or ()))

    def refuse(self, more_than: int = 0, seconds: float = 0.0) -> None:
        """Remember why the variant has no table, until it is solved."""
        known = self.refusal()
        self.keep(REFUSAL, (max(more_than, known.more_than), max(seconds, known.seconds)))

    def save(self, solved: SolvedTable[S]) -> None:
        """Write a solution, whole or not at all."""
        import numpy as np

        table = solved.graph
        # An interpreter may refuse to write very long numbers, with a ValueError.
        with suppress(OSError, ValueError):
            states = json.dumps(list(table.states()), separators=(",", ":")).encode()
            columns: tuple[Any, ...] = (
                states,
                table.offsets,
                table.targets,
                table.ends,
                table.turned,
            )
            values = (*columns, solved.worth, solved.plies)
            arrays: Any = {
                name: np.frombuffer(value, kind)
                for (name, kind), value in zip(ARRAYS.items(), values, strict=True)
            }
            self._write(arrays)

    def kept(self, kind: str) -> Any:
        """Read what was found in the table before, such as its law; None if nothing is known."""
        try:
            with _open(self._beside(kind)) as file:
                sealed, _, found = file.read(LARGEST_KEPT).partition(b"\n")
            return json.loads(found) if sealed == self._seal(kind, found) else None
        except Exception:  # as in load
            return None

    def keep(self, kind: str, found: Any) -> None:
        """Keep what was found in the table, whole or not at all."""
        with suppress(OSError, ValueError):  # as in save
            text = json.dumps(found, separators=(",", ":")).encode()
            sealed = self._seal(kind, text) + b"\n" + text
            if len(sealed) <= LARGEST_KEPT:
                self._replace(self._beside(kind), lambda file: file.write(sealed))

    def once(self, kind: str, compute: Callable[[], Any]) -> Any:
        """Return what is kept, or else compute it and keep it."""
        found = self.kept(kind)
        if found is None:
            found = compute()
            self.keep(kind, found)
        return found

    def _beside(self, kind: str) -> str:
        """Return the path of what is kept beside the table."""
        return f"{self.path.removesuffix('.npz')}.{kind}.json"

    def _seal(self, kind: str, found: bytes) -> bytes:
        """Return a digest of what was found, and of all that it depends on."""
        about = f"{self.key} {kind} {parts_fingerprint(self._game)} {_program()} "
        return hashlib.sha256(about.encode() + found).hexdigest().encode()

    def _write(self, arrays: dict[str, Any]) -> None:
        """Write some arrays with their digest, whole or not at all."""
        import numpy as np

        digest = np.array(self._digest(arrays))
        self._replace(self.path, lambda file: np.savez(file, digest=digest, **arrays))

    def _replace(self, path: str, write: Callable[[BinaryIO], object]) -> None:
        """Write a file beside its place, and move it there."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        number, temporary = mkstemp(prefix=f"{os.path.basename(path)}.", dir=self.folder)
        try:
            with open(number, "wb") as file:
                write(file)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        prune(self.folder)

    def _digest(self, arrays: dict[str, Any]) -> str:
        """Return a digest of the variant and of everything in its file."""
        digest = hashlib.sha256(self.key.encode())
        for name, values in arrays.items():
            digest.update(f" {name} {values.size} ".encode())
            digest.update(values)
        return digest.hexdigest()


@cache
def _program() -> str:
    """Return a digest of what Zerosum's own files are: their names, sizes and times."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(os.path.dirname(os.path.dirname(__file__))):
        folders.sort()
        for name in sorted(name for name in names if name.endswith(".py")):
            status = os.stat(os.path.join(folder, name))
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns} ".encode())
    return digest.hexdigest()


def _open(path: str) -> BinaryIO:
    """Open a file that only this user can have written; a symbolic link is not followed."""
    number = os.open(path, os.O_RDONLY | CAREFULLY)
    about = os.fstat(number)
    others = hasattr(os, "geteuid") and (about.st_uid != os.geteuid() or about.st_mode & 0o022)
    if others or not stat.S_ISREG(about.st_mode):
        os.close(number)
        raise PermissionError(f"{path} is not a file that only this user can write.")
    return os.fdopen(number, "rb")


def prune(folder: str) -> None:
    """Delete the oldest files when the cache has grown too large."""
    for entry in os.scandir(folder):
        # Files of earlier versions, and of writers that were stopped, are of no further use.
        old = _status(entry).st_mtime < time.time() - UNFINISHED
        if (old and any(f"{end}." in entry.name for end in ENDINGS)) or ".solution" in entry.name:
            os.unlink(entry.path)
    newest_first = sorted(
        (entry for entry in os.scandir(folder) if entry.name.endswith(ENDINGS)),
        key=lambda entry: _status(entry).st_mtime,
        reverse=True,
    )
    total = 0
    for number, entry in enumerate(newest_first):
        total += max(_status(entry).st_size, SMALLEST)
        if total > LARGEST or number >= MOST_FILES:
            os.unlink(entry.path)


def _status(entry: os.DirEntry[str]) -> os.stat_result:
    """Return the size and age of a file or link, not of what the link leads to."""
    return entry.stat(follow_symlinks=False)
