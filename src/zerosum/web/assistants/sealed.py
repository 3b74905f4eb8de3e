"""Games by unknown authors: files of one folder, whose rules run in sealed processes alone."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from contextlib import suppress
from hashlib import sha256
from typing import Any

from zerosum.errors import GameError, OptionError, UnknownGame, ZerosumError
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry, find_named
from zerosum.sandbox import Answerer, refuse_changes, refuse_outside
from zerosum.text import brief, did_you_mean
from zerosum.web.analysis import solver_main, stand_ins
from zerosum.web.analysis.pool import Pool, Process
from zerosum.web.analysis.questions import Kind
from zerosum.web.limits import ServerLimits

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}\.py")
# The most bytes of a file, and files in a folder.
LARGEST, MOST_FILES = 256 << 10, 500


def prepare(setting: bytes) -> Answerer:
    """Prepare a solver process, then let its rules do nothing but answer."""
    answer = solver_main.prepare(setting)
    refuse_changes()
    refuse_outside()
    return answer


class SealedProcess(Process):
    """A place for a process whose rules see their own folder, and nothing else of the machine."""

    target = "zerosum.web.assistants.sealed:prepare"


class GameFolder:
    """The built-in games, and the files of a folder if there is one, with a pool for their rules.

    A file is read again whenever it has changed: then the processes that loaded it are replaced.
    """

    def __init__(self, folder: str | None, cache: str | None = None) -> None:
        """Take the folder; the cache is only for processes that no file's rules run in."""
        self.folder = None if folder is None else os.path.realpath(folder)
        self._cache = cache if folder is None else None
        self.limits = ServerLimits.read(os.environ)
        self._loaded: dict[str, tuple[str, Entry]] = {}  # digests and entries, by path
        self._pool = self._new_pool()
        self.busy = asyncio.Lock()  # one piece of work on a file at a time

    def _new_pool(self) -> Pool:
        """Make a pool, whose processes start when they are needed."""

        def process(setting: bytes, kinds: tuple[Kind, ...]) -> Process:
            made = Process(setting, kinds) if self.folder is None else SealedProcess(setting, kinds)
            made.folder = self.folder
            return made

        return Pool(self.limits, self._cache, process)

    @property
    def pool(self) -> Pool:
        """The processes, none of which can start while the folder is gone."""
        if self.folder is not None and not os.path.isdir(self.folder):
            raise ZerosumError(
                f"The folder for games, {self.folder}, is gone. Create it again; your "
                "matches are saved elsewhere."
            )
        return self._pool

    async def stop(self) -> None:
        """Stop all processes."""
        await self._pool.stop()

    async def renew(self) -> None:
        """Replace all processes, and forget what they have loaded."""
        before, self._pool = self._pool, self._new_pool()
        self._loaded.clear()
        await before.stop()

    @property
    def files(self) -> list[str]:
        """List the files of games."""
        if self.folder is None:
            return []
        with suppress(OSError):
            return sorted(filter(NAME.fullmatch, os.listdir(self.folder)))[:MOST_FILES]
        return []

    def path(self, name: str) -> str:
        """Return the path of a file in the folder; refuse any other path."""
        if self.folder is None:
            raise UnknownGame("No folder for games was named, so files cannot be used.")
        if not NAME.fullmatch(name):
            said = f"'{brief(name)}' is not the name of a file in the folder for games"
            raise UnknownGame(f"{said}: letters, digits and _, such as my_game.py.")
        path = os.path.join(self.folder, name)
        if os.path.lexists(path) and os.path.realpath(path) != path:
            raise UnknownGame(f"{name} is a link to somewhere else, and is not followed.")
        return path

    def read(self, name: str) -> bytes:
        """Read a file."""
        try:
            with open(self.path(name), "rb") as file:
                content = file.read(LARGEST + 1)
        except FileNotFoundError as error:
            offer = did_you_mean(name, self.files) or "the tool 'games' lists them."
            raise UnknownGame(f"There is no file {name}; {offer}") from error
        except OSError as error:
            raise UnknownGame(f"{name} cannot be read: {error.strerror}.") from error
        if len(content) > LARGEST:
            raise UnknownGame(f"{name} has more than {LARGEST >> 10} KiB.")
        return content

    def write(self, name: str, source: str, replace: bool) -> bool:
        """Write a file, whole or not at all; return whether one was replaced."""
        path, content = self.path(name), source.encode("utf-8", "surrogatepass")
        there = os.path.lexists(path)
        if there and not replace:
            raise OptionError(
                "replace", f"{name} already exists; set replace to true to overwrite it."
            )
        if len(content) > LARGEST:
            told = f"the file would have more than {LARGEST >> 10} KiB; it was not written."
            raise OptionError("source", told)
        if not there and len(self.files) >= MOST_FILES:
            raise OptionError("file", f"the folder has {MOST_FILES} games, which is the most.")
        try:
            with tempfile.TemporaryDirectory(dir=self.folder, suffix=".tmp") as begun:
                whole = os.path.join(begun, name)
                with open(whole, "wb") as file:
                    file.write(content)
                os.replace(whole, path)
        except OSError as error:
            raise ZerosumError(f"{name} cannot be written: {error.strerror}.") from error
        return there

    async def entry(self, name: str) -> Entry:
        """Find a game: one that is built in, or a file, which a sealed process loads."""
        if not name.endswith(".py"):
            key = name.strip().lower().replace("_", "-").replace(" ", "-")
            if key in BUILT_IN:
                return find_named(key)
            listed = (*BUILT_IN, *self.files)
            offer = did_you_mean(key, listed) or f"the games are {', '.join(listed)}."
            raise UnknownGame(f"There is no game '{brief(name)}'; {offer}")
        path, digest = self.path(name), sha256(self.read(name)).hexdigest()
        if path in self._loaded and self._loaded[path][0] != digest:
            await self.renew()
        if path not in self._loaded:
            told = await self.pool.ask(stand_ins.about.__name__, name=path)
            entry, file = stand_ins.stand_in(told)
            if entry.name in BUILT_IN:
                raise GameError(f"{name}: {entry.name} is built in; rename the class.")
            if entry.name in self.pool.files:  # another file's, which processes may have loaded
                await self.renew()
            self.pool.files[entry.name] = file
            self._loaded[path] = digest, entry
        return self._loaded[path][1]

    async def ask(self, what: str, name: str, variant: Game[Any], **more: Any) -> Any:
        """Ask the processes about a variant of a game."""
        return await self.pool.ask(what, game=name, options=option_values(variant), **more)
