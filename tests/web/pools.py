"""Helpers for the tests of solver processes: pools that are stopped, fake processes, waiting."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.helpers import PATIENCE
from tests.solutions import tables
from zerosum.limits import Limits
from zerosum.players import levels
from zerosum.web.analysis import solutions as module
from zerosum.web.analysis.pool import Gone, Pool, Process, result_of
from zerosum.web.analysis.questions import Kind
from zerosum.web.analysis.solutions import File, Solutions, install, solutions
from zerosum.web.analysis.solver_main import answered
from zerosum.web.analysis.stand_ins import about
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused

START: dict[str, Any] = {"game": "even-steven", "options": {"start": 15}, "state": [15, 0]}
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@contextmanager
def solving(
    paths: dict[str, str], positions: int = 20_000, seconds: float = 60.0
) -> Iterator[Solutions]:
    """Let this process answer for some games of a user's own, within limits; search is brief."""
    files = {name: File(path, about(path).source) for name, path in paths.items()}
    before = solutions()
    install(
        Solutions(files, tables(), ServerLimits(solver_seconds=seconds, solver_positions=positions))
    )
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SEARCH", Limits(nodes=100))
            patch.setattr(module, "HERE", Limits(1_000, 1.0))
            patch.setattr(levels, "LEVELS_KNOW", Limits(100, 1.0))
            yield solutions()
    finally:
        install(before)


def ask_here(what: str, **arguments: Any) -> Any:
    """Ask as the pool does, within this process."""
    return result_of(answered(msgspec.json.encode(["192.0.2.1", [what, arguments]])))


def run(test: Coroutine[Any, Any, None], uvloop: bool = False) -> None:
    """Run a test that has to wait, with a limit."""
    factory = pytest.importorskip("uvloop").new_event_loop if uvloop else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(asyncio.wait_for(test, 3 * PATIENCE))


async def until(holds: Any) -> None:
    """Wait until a condition holds."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit, "it never happened"
        await asyncio.sleep(0.001)


@asynccontextmanager
async def serving(pool: Pool) -> AsyncIterator[Pool]:
    """Use a pool, and stop it."""
    try:
        yield pool
    finally:
        await pool.stop()
        assert pids(pool) == []


def pids(pool: Pool) -> list[int]:
    """Return the ids of the running processes."""
    return [process._worker.pid for process in pool._processes if process._worker is not None]


def alive(pid: int) -> bool:
    """Return whether a process is alive, and not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class FakeProcess(Process):
    """A process that a test plays: it answers, dies or fails when the test says so."""

    def __init__(self, setting: bytes, kinds: tuple[Kind, ...]) -> None:
        super().__init__(setting, kinds)
        self.starts = 0
        self.running = False
        self.dead = False
        self.failure: Exception | None = None
        self.asked: list[Any] = []
        self._answer: asyncio.Future[bytes] | None = None

    async def start(self) -> None:
        if self.dead:
            raise Gone("it ended while it was idle")
        if not self.running:
            self.starts += 1
            if self.failure is not None:
                raise self.failure
            self.running = True

    async def ask(self, question: bytes, seconds: float) -> bytes:
        assert self._answer is None, "one question at a time"
        self.asked.append(msgspec.json.decode(question))
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                return await self._answer
        finally:
            self._answer = None

    async def end(self) -> None:
        self.running = self.dead = False

    @property
    def busy(self) -> bool:
        """Whether it is being asked."""
        return self._answer is not None and not self._answer.done()

    def answer(self, answer: Any = True) -> None:
        """Answer the question."""
        assert self._answer is not None
        self._answer.set_result(msgspec.json.encode({"answer": answer}))

    async def reply(self, answer: Any = True) -> None:
        """Wait for a question, and answer it."""
        await until(lambda: self.busy)
        self.answer(answer)

    def refuse(self, code: str, message: str) -> None:
        """Answer the question with an error."""
        assert self._answer is not None
        self._answer.set_result(msgspec.json.encode(Refused(code, message).document()))

    def die(self, error: Exception | None = None) -> None:
        """Die, in the middle of a question if there is one; or let the question fail otherwise."""
        self.dead = error is None
        if self._answer is not None:
            self._answer.set_exception(error or Gone("it was killed"))


class Fakes:
    """A pool with fake processes; pages are answered by `general` alone."""

    def __init__(self, limits: ServerLimits | None = None) -> None:
        self.processes: list[FakeProcess] = []
        self.pool = Pool(limits, None, self._process)
        self.reserved, self.general, self.rules, self.matches = self.processes

    def _process(self, setting: bytes, kinds: tuple[Kind, ...]) -> FakeProcess:
        self.processes.append(FakeProcess(setting, kinds))
        return self.processes[-1]

    def ask(self, what: str, asker: str = "", number: int = 0) -> asyncio.Task[Any]:
        """Ask without waiting for the answer; questions with other numbers are different."""
        return asyncio.create_task(self.pool.ask(what, asker=asker, number=number))
