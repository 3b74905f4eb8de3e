"""The programs that the operator of a server has named: opponents in processes, within limits."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Any

from zerosum.errors import UnreadableMove
from zerosum.match import Match
from zerosum.players.asked import FaultKind, PlayerFailed, PlayerFault, check_chances
from zerosum.players.engines import SERVED, TRIES
from zerosum.players.levels import sample, seed_at
from zerosum.players.programs import GamePlace, ProgramLimits, ProgramPlayer, split_command
from zerosum.protocol import Game
from zerosum.text import brief
from zerosum.web.analysis.questions import Kind
from zerosum.web.analysis.queue import Job, Queue
from zerosum.web.analysis.referee import MoveResult, Referee
from zerosum.web.analysis.solver_main import NICENESS
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.worker import python

log = logging.getLogger("zerosum.web")

# A program may take this many times as long to start as for a move.
STARTING = 3.0
# What people are told; the log says more.
FAULTS: dict[FaultKind, str] = {
    "late": "did not answer in time",
    "crash": "stopped unexpectedly",
    "illegal": "gave no legal move",
    "unreadable": "gave no legal move",
    "cut-off": "gave no legal move",
    "refused": "gave no legal move",
}
KINDS: tuple[Kind, ...] = ("match",)
FAILED, MISSING = "is not working right now", "is not offered by this server any more"


class EngineAway(Refused):
    """A program without a move; it is asked again later. The message follows its name."""

    def __init__(self, message: str) -> None:
        """Take what happened, to follow the program's name."""
        super().__init__("unavailable", message)


class Engines:
    """The programs by their names, a few processes of them, and a queue of who waits for one.

    A process plays one variant, for one match after the other. One that fails is killed and
    replaced when somebody next waits for it.
    """

    def __init__(self, commands: Mapping[str, str], limits: ServerLimits, referee: Referee) -> None:
        """Take the command lines by name; nothing is started yet."""
        self.names = tuple(commands)
        self._words = {name: split_command(command) for name, command in commands.items()}
        self._limits, self._referee = limits, referee
        self._queue = Queue(limits)
        # The least recently used first.
        self._idle: dict[ProgramPlayer, tuple[str, Game[Any]]] = {}
        self._asked: set[ProgramPlayer] = set()
        # A process may end with the thread that has started it, so these last.
        self._threads = ThreadPoolExecutor(limits.engine_processes, "engine")

    async def play(self, match: Match[Any], asker: str) -> MoveResult:
        """Return the move of the program to move, or raise EngineAway or Busy.

        It is told once why an answer was not taken.
        """
        name = str(match.bots[match.mover]).removeprefix(SERVED)
        if name not in self._words:
            raise EngineAway(MISSING)
        position = await self._referee.asked_about(match, asker)
        fault: PlayerFault | None = None
        for _ in range(TRIES):
            try:
                said = await self._ask(name, match, position, asker, fault)
                return await self._legal(match, said, asker)
            except PlayerFault as error:
                log.warning("engine %s: %s%s", name, error, error.last_words)
                fault = error
                if error.kind == "late":
                    break
            except PlayerFailed as error:
                log.warning("engine %s: %s", name, error)
                raise EngineAway(FAILED) from error
        for player in [player for player in self._idle if self._idle[player] == (name, match.game)]:
            self._end(player)  # a fresh one may do better
        raise EngineAway(FAULTS[fault.kind if fault else "crash"])

    async def stop(self) -> None:
        """Kill all processes; questions still waiting fail."""
        for player in self._asked:
            player.kill()  # its thread is waiting for it, and ends it
        for player in self._idle:
            await asyncio.to_thread(player.end)
        self._idle.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _legal(self, match: Match[Any], said: Any, asker: str) -> MoveResult:
        """Return what the move of an answer leads to, drawn if it has chances."""
        try:
            if isinstance(said, dict):
                said = sample(check_chances(said), Random(seed_at(match)))  # noqa: S311
            if type(said) not in (int, str):
                raise UnreadableMove(f"{brief(said, 60)} is not a move.")
            return await self._referee.play(match, str(said), asker)
        except UnreadableMove as error:
            raise PlayerFault("unreadable", str(error)) from error
        except Refused as error:
            if error.code not in ("illegal_move", "unreadable_move"):
                raise
            kind: FaultKind = "illegal" if error.code == "illegal_move" else "unreadable"
            raise PlayerFault(kind, f"The answer is {brief(said, 60)}. {error.message}") from error

    async def _ask(
        self,
        name: str,
        match: Match[Any],
        position: str,
        asker: str,
        refused: PlayerFault | None,
    ) -> Any:
        """Ask one process of a program, in turn with all who wait for one."""
        about, played = json.loads(position), (*match.round.moves,)
        seconds = self._limits.engine_seconds
        place = GamePlace(match.number, match.games, about["player"], played, seconds)
        async with self._turn(asker):
            player = self._process(name, match.game)
            self._asked.add(player)
            ask, kept = partial(player.ask, about, match.number, place, refused), True
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
            except PlayerFault:  # it is there, or starts again when it is asked
                raise
            except BaseException:
                kept = False
                raise
            finally:
                self._asked.discard(player)
                if kept:
                    self._idle[player] = name, match.game
                else:
                    player.kill()

    def _process(self, name: str, game: Game[Any]) -> ProgramPlayer:
        """Return a process that plays a variant; if it is a new one, another may have to end."""
        about = name, game
        found = [player for player, known in self._idle.items() if known == about]
        if found:
            del self._idle[found[-1]]
            return found[-1]
        if len(self._idle) + len(self._asked) >= self._limits.engine_processes and self._idle:
            self._end(next(iter(self._idle)))
        limits, seconds = self._limits, self._limits.engine_seconds
        words = python(
            "zerosum.sandbox:become", self._words[name], limits.solver_megabytes, NICENESS
        )
        return ProgramPlayer(
            game,
            words,
            limits=ProgramLimits(seconds, seconds, STARTING * seconds),
            name=name,
            about=name,
            title=texts_of(game).title,
        )

    def _end(self, player: ProgramPlayer) -> None:
        """End an idle process, meanwhile."""
        del self._idle[player]
        self._threads.submit(player.end)

    @asynccontextmanager
    async def _turn(self, asker: str) -> AsyncIterator[None]:
        """Wait for a process: whoever has used least is next; if too many wait, raise Busy."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        job = Job("match", asker, b"", future, [asker])
        self._queue.add(job)
        self._wake()
        try:
            await future
            yield
        finally:
            if job in self._queue.waiting:
                self._queue.waiting.remove(job)
            elif job in self._queue.running:
                self._queue.end(job)
            self._wake()

    def _wake(self) -> None:
        """Let those who are next ask, while there are processes for them."""
        queue = self._queue
        while len(queue.running) < self._limits.engine_processes:
            job = queue.take(KINDS)
            if job is None:
                return
            if job.answer.done():
                queue.end(job)  # nobody waits for it any more
            else:
                job.answer.set_result(b"")
