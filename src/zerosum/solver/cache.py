"""Solved tables on disk, and what was found in them: data, never code."""

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
from io import BytesIO
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, BinaryIO

from zerosum.errors import TooLarge, TooSlow
from zerosum.limits import Limits
from zerosum.protocol import Game, S
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint, parts_fingerprint
from zerosum.solver.table import (
    SolvedTable,
    StateGraph,
    room,
    solved_table,
    too_large,
    too_slow,
    without_gc,
)
from zerosum.states import tuples

if TYPE_CHECKING:
    from zerosum.solver.spread.folder import MappedTable

# A table is not tried again within a limit that it has exceeded, unless that was shorter than this:
# then the machine may have been busy.
REMEMBERED = 5.0
LARGEST = 1 << 30
MOST_FILES = 10_000
LARGEST_KEPT = 1 << 22
# The last two were written by earlier versions.
ENDINGS = (".cache", ".npz", ".json")
# What a file takes on a disk, however little is in it.
SMALLEST = 1 << 12
UNFINISHED = 3600.0
FORMAT = 5
# What is kept of a variant, besides findings such as its law.
TABLE, REFUSAL = "table", "refusal"
# In a shared folder, a link leads anywhere, and a pipe keeps its reader waiting.
CAREFULLY = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


class Cache:
    """The files of one variant; a failure to read or write them costs only time."""

    def __init__(self, game: Game[S], folder: str) -> None:
        """Name the files of a variant, and the key that they contain."""
        name = entry_of(game).name
        about = [FORMAT, name, repr(game), fingerprint(game)]
        written = json.dumps(about, sort_keys=True)
        self.key = hashlib.sha256(written.encode()).hexdigest()
        self.folder = folder
        self._game = game
        self._name = f"{name}-{self.key[:16]}"

    @property
    def parts(self) -> str:
        """The folder of a table that was made in parts, on many cores or machines."""
        return os.path.join(self.folder, f"{self._name}.parts")

    def mapped(self) -> MappedTable[Any] | None:
        """Open the table that was made in parts, if there is one."""
        if not os.path.isdir(self.parts):
            return None
        from zerosum.solver.spread.folder import open_folder

        return open_folder(self._game, self.parts, self.key)

    def table(self, limits: Limits) -> SolvedTable[Any] | MappedTable[Any]:
        """Return the table of the variant: read, or else made and kept; or why there is none."""
        if (mapped := self.mapped()) is not None:
            return mapped
        game, seconds = self._game, limits.seconds
        most = room(game.initial(), limits.positions)
        solved = self.load()
        if solved is not None:
            if most < len(solved.graph):
                raise too_large(game, most, limits.positions)
            return solved
        # The positions that it exceeds, and the seconds that were not enough.
        more_than, not_enough = self.kept(REFUSAL) or (0, 0.0)
        if most <= more_than:
            raise too_large(game, most, limits.positions)
        if not_enough and seconds is not None and seconds <= not_enough:
            raise too_slow(game, not_enough, remembered=True)
        try:
            solved = solved_table(game, limits)
        except TooSlow:
            if seconds is not None and seconds >= REMEMBERED:
                self.keep(REFUSAL, (more_than, seconds))
            raise
        except TooLarge as error:
            if error.limit is not None:
                self.keep(REFUSAL, (most, not_enough))
            raise
        self.save(solved)
        return solved

    def load(self) -> SolvedTable[Any] | None:
        """Read a solution; None if it is missing, damaged, or of another variant."""
        import numpy as np

        written = self._read(TABLE)
        if written is None:
            return None
        with np.load(BytesIO(written), allow_pickle=False) as parts, without_gc():
            kind: Any = type(self._game.initial())
            states = json.loads(parts["states"].tobytes())
            index = {kind(*tuples(state)): number for number, state in enumerate(states)}
            graph = StateGraph(
                index,
                array("q", parts["offsets"].tobytes()),
                array("i", parts["targets"].tobytes()),
                array("b", parts["ends"].tobytes()),
                bytearray(parts["turned"].tobytes()),
            )
            return SolvedTable(graph, parts["worth"], parts["plies"])

    def save(self, solved: SolvedTable[S]) -> None:
        """Write a solution."""
        import numpy as np

        graph, written = solved.graph, BytesIO()
        with suppress(ValueError):  # an interpreter may refuse to write very long numbers
            states = json.dumps(list(graph.index), separators=(",", ":")).encode()
            np.savez(
                written,
                states=np.frombuffer(states, np.uint8),
                offsets=np.frombuffer(graph.offsets, np.int64),
                targets=np.frombuffer(graph.targets, np.int32),
                ends=np.frombuffer(graph.ends, np.int8),
                turned=np.frombuffer(graph.turned, np.uint8),
                worth=solved.worth,
                plies=solved.plies,
            )
            self._write(TABLE, written.getvalue())

    def kept(self, kind: str) -> Any:
        """Read what was found in the table before, such as its law; or None."""
        found = self._read(kind)
        return None if found is None else json.loads(found)

    def keep(self, kind: str, found: Any) -> None:
        """Keep what was found in the table."""
        with suppress(ValueError):  # as in save
            text = json.dumps(found, separators=(",", ":")).encode()
            if len(text) <= LARGEST_KEPT:
                self._write(kind, text)

    def once(self, kind: str, compute: Callable[[], Any]) -> Any:
        """Return what is kept, or else compute it and keep it."""
        found = self.kept(kind)
        if found is None:
            found = compute()
            self.keep(kind, found)
        return found

    def path(self, kind: str) -> str:
        """Return the path of what is kept."""
        return os.path.join(self.folder, f"{self._name}.{kind}.cache")

    def _seal(self, kind: str, written: bytes) -> bytes:
        """Return a digest of what is kept, and of all that it depends on."""
        about = f"{self.key} {kind} "
        if kind != TABLE:
            about += f"{parts_fingerprint(self._game)} {_program()} "
        digest = hashlib.sha256(about.encode())
        digest.update(written)
        return digest.hexdigest().encode() + b"\n"

    def _read(self, kind: str) -> bytes | None:
        """Read a file, if it is as it was written."""
        try:
            with open_own(self.path(kind)) as file:
                seal, written = file.readline(), file.read()
            return written if seal == self._seal(kind, written) else None
        except OSError:
            return None

    def _write(self, kind: str, written: bytes) -> None:
        """Write a file beside its place and move it there: whole, or not at all."""
        path = self.path(kind)
        with suppress(OSError):
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            number, temporary = mkstemp(prefix=f"{os.path.basename(path)}.", dir=self.folder)
            try:
                with open(number, "wb") as file:
                    file.writelines((self._seal(kind, written), written))
                os.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
            prune(self.folder)


@cache
def _program() -> str:
    """Return a digest of Zerosum's own files: their names, sizes and times."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(os.path.dirname(os.path.dirname(__file__))):
        folders.sort()
        for name in sorted(name for name in names if name.endswith(".py")):
            status = os.stat(os.path.join(folder, name))
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns} ".encode())
    return digest.hexdigest()


def open_own(path: str) -> BinaryIO:
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
        # Files of writers that were stopped are of no further use.
        old = _status(entry).st_mtime < time.time() - UNFINISHED
        if old and ".cache." in entry.name:
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
    """Return the size and age of a file or link, without following it."""
    return entry.stat(follow_symlinks=False)
