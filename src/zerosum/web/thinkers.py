"""The processes that think for the server: outside its event loop, and within a budget."""

from __future__ import annotations

import asyncio
import json
from bisect import insort
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count as counter
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.registry import find
from zerosum.registry.fingerprint import fingerprint
from zerosum.web.budget import Budget, Busy, TooHard, from_document
from zerosum.web.process import Gone, Process

__all__ = ["Budget", "Busy", "Thinkers", "TooHard"]

# What a game at the table waits for comes before what one player waits for, and that before what
# somebody only wants to look at. Each kind has a line of its own.
TABLE, PLAYER, LOOKING = range(3)
KINDS = {
    **dict.fromkeys(("bot_move", "agrees"), TABLE),
    **dict.fromkeys(("advice", "answer", "prepare"), PLAYER),
}
# Whoever has waited so many times as long as an answer may take is told to come back later.
PATIENCE = 3.0
TRIES = 2


@dataclass(order=True)
class Job:
    """One question, and all those who wait for its answer."""

    # Its kind; how many of that kind the asker had before; and a number in the order of asking.
    rank: tuple[int, int, int]
    asker: str = field(compare=False)
    question: bytes = field(compare=False)
    answer: asyncio.Future[bytes] = field(compare=False)
    since: float = field(compare=False)
    askers: int = field(compare=False, default=0)

    @property
    def kind(self) -> int:
        """What the answer is for."""
        return self.rank[0]

    def tell(self, answer: bytes) -> None:
        """Give the answer to whoever still waits."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: ZerosumError) -> None:
        """Say why there is no answer."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # it may be that nobody waits any more


class Thinkers:
    """A few processes, each with one question at a time, and a line of those that wait.

    Where there are two or more, one is kept for what a game or a player waits for. `free` says
    that it has nothing to do just now. `files` names the users' own games by their paths.
    """

    def __init__(
        self,
        count: int,
        budget: Budget | None = None,
        cache: str | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Say how many processes there are to be, and what they may cost; none is started yet."""
        self.budget = budget or Budget()
        # A process that starts later must find the same rules as this one has.
        own = {
            name: (path, fingerprint(find(path).variant())) for name, path in (files or {}).items()
        }
        setting = json.dumps({"budget": self.budget, "cache": cache, "files": own}).encode()
        self._processes = [Process(setting) for _ in range(count)]
        self._jobs: dict[bytes, Job] = {}
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self.free = False
        self._news = asyncio.Event()
        self._number = counter()
        self._serving: list[asyncio.Task[None]] = []
        self._open = True

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that are there now."""
        return [process.pid for process in self._processes if process.pid is not None]

    async def start(self) -> None:
        """Let the processes start, in the background."""
        self._open = True
        if not self._serving:
            self._news = asyncio.Event()  # of the loop that runs now
            self.free = False
            several = len(self._processes) > 1
            self._serving = [
                asyncio.create_task(self._serve(process, several and number == 0))
                for number, process in enumerate(self._processes)
            ]

    async def stop(self) -> None:
        """End the processes; whoever still waits is told so."""
        self._open = False
        serving, self._serving = self._serving, []
        for job in list(self._jobs.values()):
            job.fail(_stopping())
        self._jobs.clear()
        self._waiting.clear()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        """Have a question answered: one of `zerosum.web.minds.QUESTIONS`, with its arguments.

        `asker` is the client for whom it is; without one it is for the server itself, which may
        ask as much as it has to. Busy: too many questions wait already. TooHard: it takes too much
        time, positions or memory. Other errors are those of the question itself, such as
        UnknownGame.
        """
        if not self._open:
            raise _stopping()
        await self.start()
        question = json.dumps([what, arguments], sort_keys=True).encode()
        # What somebody has asked already costs nothing more: whoever asks it too is not counted.
        job = self._jobs.get(question) or self._job(question, KINDS.get(what, LOOKING), asker)
        job.askers += 1
        try:
            # Each gets a document of its own, and may do with it what it wants.
            document = json.loads(await asyncio.shield(job.answer))
        finally:
            job.askers -= 1
            if not job.askers:
                self._forget(job)
        if "error" in document:
            raise from_document(document["error"])
        return document["answer"]

    def _job(self, question: bytes, kind: int, asker: str) -> Job:
        """Put a new question into its line, if there is room."""
        before = self._before(kind, asker) if asker else 0
        if asker and before >= self.budget.each:
            raise Busy(f"Too many requests: {before} of yours are waiting. Try again in a moment.")
        loop = asyncio.get_running_loop()
        # Everybody's first question comes before anybody's second one.
        rank = (kind, before, next(self._number))
        job = Job(rank, asker, question, loop.create_future(), loop.time())
        self._make_room(job)
        self._jobs[question] = job
        insort(self._waiting, job)
        self._news.set()
        return job

    def _before(self, kind: int, asker: str) -> int:
        """Count what an asker has waiting or being answered, whether anybody still wants it."""
        return sum(
            job.kind == kind and job.asker == asker for job in (*self._waiting, *self._running)
        )

    def _make_room(self, job: Job) -> None:
        """Refuse the last of a line that is full: the new question, or one that comes after it."""
        line = [waiting for waiting in self._waiting if waiting.kind == job.kind]
        if len(line) < self.budget.waiting:
            return
        busy = Busy("Too many others are waiting for answers; try again in a moment.")
        if line[-1] < job:
            raise busy
        self._waiting.remove(line[-1])
        line[-1].fail(busy)

    def _forget(self, job: Job) -> None:
        """Let a question go that nobody wants to have answered any more."""
        if self._jobs.get(job.question) is job:
            del self._jobs[job.question]
        with suppress(ValueError):
            self._waiting.remove(job)

    def _first(self, kept: bool) -> Job | None:
        """Give the first question in the line that this process may take."""
        for job in self._waiting:
            # What the kept one can do at once is left to it: it can do nothing else.
            if not kept if job.kind == LOOKING else kept or not self.free:
                return job
        return None

    async def _next(self, kept: bool) -> Job:
        """Wait for the next question that is still worth answering."""
        while True:
            while (job := self._first(kept)) is None:
                self.free = self.free or kept
                self._news.clear()
                await self._news.wait()
            self._waiting.remove(job)
            if kept:
                self.free = False
                self._news.set()  # what else waits is for the others now
            waited = asyncio.get_running_loop().time() - job.since
            if waited <= PATIENCE * self.budget.seconds:
                return job
            job.fail(Busy("The server is too busy to answer; try again in a moment."))

    async def _serve(self, process: Process, kept: bool) -> None:
        """Answer one question after another with one process; it is begun again when it is lost."""
        try:
            while True:
                with suppress(Gone):
                    await process.begin()
                job = await self._next(kept)
                self._running.append(job)
                try:
                    await self._answer(job, process)
                finally:
                    self._running.remove(job)
                    job.fail(_stopping())  # which nobody hears if there was an answer
        finally:
            await process.end()

    async def _answer(self, job: Job, process: Process) -> None:
        """Have one question answered, or say why it cannot be."""
        for _ in range(TRIES):
            try:
                await process.begin()
                async with asyncio.timeout(self.budget.seconds):
                    answer = await process.ask(job.question)
                job.tell(answer)
                return
            except TimeoutError:
                await process.end()
                job.fail(TooHard(f"No answer was found in {self.budget.seconds:g} seconds."))
                return
            except Gone:
                # It may have been ended from outside before; so the question gets another try.
                await process.end()
        job.fail(TooHard("The solver stopped unexpectedly."))


def _stopping() -> Busy:
    """Say that nothing can be answered any more."""
    return Busy("The server is stopping; try again in a moment.")
