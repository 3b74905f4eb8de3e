"""The pool of solver processes: outside the event loop, and within a budget."""

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
from zerosum.web.analysis.budget import Budget, Busy, TooHard, from_document
from zerosum.web.analysis.process import Gone, Process

__all__ = ["Budget", "Busy", "Pool", "TooHard"]

# What a match waits for comes first, then what a player waits for, then what someone only wants
# to look at. Each kind has its own queue.
TABLE, PLAYER, LOOKING = range(3)
KINDS = {
    **dict.fromkeys(("bot_move", "agrees"), TABLE),
    **dict.fromkeys(("advice", "answer", "prepare"), PLAYER),
}
# A question that waited this many times the time for an answer is refused.
PATIENCE = 3.0
TRIES = 2


@dataclass(order=True)
class Job:
    """One question, and everyone who waits for its answer."""

    # Its kind; how many of that kind the asker had before it; and its number in order of arrival.
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
        """Deliver the answer, if anyone still waits."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: ZerosumError) -> None:
        """Say why there is no answer."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # nobody may be waiting any more


class Pool:
    """A few processes with one question each at a time, and a queue of waiting questions.

    With two or more, one is reserved for what a match or a player waits for; `free` says that it
    is idle. `files` maps the names of the users' own games to their paths.
    """

    def __init__(
        self,
        count: int,
        budget: Budget | None = None,
        cache: str | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Take the number of processes and their budget; none is started yet."""
        self.budget = budget or Budget()
        # A process that starts later must find the same rules.
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
        """The ids of the running processes."""
        return [process.pid for process in self._processes if process.pid is not None]

    async def start(self) -> None:
        """Start the processes in the background."""
        self._open = True
        if not self._serving:
            self._news = asyncio.Event()  # for the running loop
            self.free = False
            several = len(self._processes) > 1
            self._serving = [
                asyncio.create_task(self._serve(process, several and number == 0))
                for number, process in enumerate(self._processes)
            ]

    async def stop(self) -> None:
        """Stop the processes; questions still waiting fail."""
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
        """Answer a question, one of `zerosum.web.analysis.questions.QUESTIONS`, with its arguments.

        `asker` is the client; without one it is the server itself, which is not limited. Raises
        Busy if too many questions are waiting, TooHard if the answer takes too much time, memory
        or too many positions, and the question's own errors, such as UnknownGame.
        """
        if not self._open:
            raise _stopping()
        await self.start()
        question = json.dumps([what, arguments], sort_keys=True).encode()
        # A question already asked costs nothing more, so it is not counted again.
        job = self._jobs.get(question) or self._job(question, KINDS.get(what, LOOKING), asker)
        job.askers += 1
        try:
            # Each caller gets its own copy of the document.
            document = json.loads(await asyncio.shield(job.answer))
        finally:
            job.askers -= 1
            if not job.askers:
                self._forget(job)
        if "error" in document:
            raise from_document(document["error"])
        return document["answer"]

    def _job(self, question: bytes, kind: int, asker: str) -> Job:
        """Queue a new question, if there is room."""
        before = self._before(kind, asker) if asker else 0
        if asker and before >= self.budget.each:
            raise Busy(f"Too many requests: {before} of yours are waiting. Try again in a moment.")
        loop = asyncio.get_running_loop()
        # Everyone's first question comes before anyone's second.
        rank = (kind, before, next(self._number))
        job = Job(rank, asker, question, loop.create_future(), loop.time())
        self._make_room(job)
        self._jobs[question] = job
        insort(self._waiting, job)
        self._news.set()
        return job

    def _before(self, kind: int, asker: str) -> int:
        """Count an asker's questions, waiting or being answered, even if nobody wants them now."""
        return sum(
            job.kind == kind and job.asker == asker for job in (*self._waiting, *self._running)
        )

    def _make_room(self, job: Job) -> None:
        """Refuse the last question of a full queue: the new one, or one behind it."""
        line = [waiting for waiting in self._waiting if waiting.kind == job.kind]
        if len(line) < self.budget.waiting:
            return
        busy = Busy("Too many others are waiting for an answer; try again in a moment.")
        if line[-1] < job:
            raise busy
        self._waiting.remove(line[-1])
        line[-1].fail(busy)

    def _forget(self, job: Job) -> None:
        """Drop a question that nobody waits for any more."""
        if self._jobs.get(job.question) is job:
            del self._jobs[job.question]
        with suppress(ValueError):
            self._waiting.remove(job)

    def _first(self, kept: bool) -> Job | None:
        """Return the first waiting question that this process may take."""
        for job in self._waiting:
            # Leave to the reserved process what it can do at once: it does nothing else.
            if not kept if job.kind == LOOKING else kept or not self.free:
                return job
        return None

    async def _next(self, kept: bool) -> Job:
        """Wait for the next question that has not waited too long."""
        while True:
            while (job := self._first(kept)) is None:
                self.free = self.free or kept
                self._news.clear()
                await self._news.wait()
            self._waiting.remove(job)
            if kept:
                self.free = False
                self._news.set()  # the other processes may take the rest
            waited = asyncio.get_running_loop().time() - job.since
            if waited <= PATIENCE * self.budget.seconds:
                return job
            job.fail(Busy("The server is too busy to answer; try again in a moment."))

    async def _serve(self, process: Process, kept: bool) -> None:
        """Answer questions with one process, which is restarted when it dies."""
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
                    job.fail(_stopping())  # no effect if it was answered
        finally:
            await process.end()

    async def _answer(self, job: Job, process: Process) -> None:
        """Have one question answered, or fail it."""
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
                # It may have been killed from outside, so try once more.
                await process.end()
        job.fail(TooHard("The solver stopped unexpectedly."))


def _stopping() -> Busy:
    """Return the error for a server that is stopping."""
    return Busy("The server is stopping; try again in a moment.")
