"""The pool of solver processes: outside the event loop, and within a budget."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from zerosum.registry import find
from zerosum.registry.fingerprint import fingerprint
from zerosum.web.analysis.budget import Budget, Bug, Busy, TooHard, from_document
from zerosum.web.analysis.process import Gone, Process
from zerosum.web.analysis.questions import KIND_OF, Kind
from zerosum.web.analysis.queue import URGENT, Job, Queue

__all__ = ["Budget", "Busy", "Pool", "TooHard"]

log = logging.getLogger("zerosum.web")

# A question that waited this many times the time for an answer is refused.
PATIENCE = 3.0
TRIES = 2
# Seconds until a process that failed is started again, at first and at most.
SOON, LATER = 0.5, 30.0


@dataclass(eq=False)
class Lane:
    """A process, the kinds of questions that it answers, and the seconds for each."""

    process: Process
    kinds: tuple[Kind, ...]
    seconds: float
    late: str
    problem: str = ""
    task: asyncio.Task[None] | None = None
    # Where an idle lane waits for its next question.
    inbox: asyncio.Future[Job] | None = None


class Pool:
    """A few processes with one question each at a time, and a queue of waiting questions.

    With two or more, the first is reserved for what a match or a player waits for. A further one,
    which answers questions about rules, is started when it is first needed. `files` maps the
    names of the users' own games to their paths.
    """

    def __init__(
        self,
        count: int,
        budget: Budget | None = None,
        cache: str | None = None,
        files: Mapping[str, str] | None = None,
        process: Callable[[bytes], Process] = Process,
    ) -> None:
        """Take the number of processes and their budget; none is started yet."""
        self.budget = budget or Budget()
        # A process that starts later must find the same rules.
        own = {
            name: (path, fingerprint(find(path).variant())) for name, path in (files or {}).items()
        }
        setting = msgspec.json.encode({"budget": self.budget, "cache": cache, "files": own})
        seconds, short = self.budget.seconds, self.budget.rules_seconds
        late = f"No answer was found in {seconds:g} seconds."
        kinds: list[tuple[Kind, ...]] = [
            URGENT if count > 1 and not n else (*URGENT, "page") for n in range(count)
        ]
        self._lanes = [Lane(process(setting), some, seconds, late) for some in kinds]
        late = f"The rules of this game take more than {short:g} seconds for one answer."
        self._rules = Lane(process(setting), ("rules",), short, late)
        self._lanes.append(self._rules)
        self._queue = Queue(self.budget)
        self._jobs: dict[bytes, Job] = {}
        self._open = False

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        pids = [lane.process.pid for lane in self._lanes]
        return [pid for pid in pids if pid is not None]

    def problems(self) -> list[str]:
        """Say what is wrong with the processes, if anything is."""
        return [lane.problem for lane in self._lanes if lane.problem]

    async def start(self) -> None:
        """Start the processes in the background."""
        self._open = True
        for lane in self._lanes:
            if lane is not self._rules:
                self._begin(lane)

    def _begin(self, lane: Lane) -> None:
        """Start a lane if it does not run."""
        if lane.task is None:
            lane.task = asyncio.create_task(self._supervise(lane))

    async def stop(self) -> None:
        """Stop the processes; questions still waiting fail."""
        self._open = False
        for job in list(self._jobs.values()):
            job.fail(_stopping())
        tasks = [lane.task for lane in self._lanes if lane.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for lane in self._lanes:
            lane.task, lane.problem = None, ""
        self._jobs.clear()
        self._queue = Queue(self.budget)

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        """Answer a question, one of `zerosum.web.analysis.questions.QUESTIONS`, with its arguments.

        `asker` is the client; without one it is the server itself, which is not limited. Raises
        Busy if too many questions are waiting, TooHard if the answer takes too much time, memory
        or too many positions, the question's own errors, such as UnknownGame, and Bug.
        """
        if not self._open:
            raise _stopping()
        question = msgspec.json.encode([what, arguments], order="sorted")
        # A question already asked costs nothing more, so it is not counted again.
        job = self._jobs.get(question) or self._add(what, asker, question)
        job.askers.append(asker)
        try:
            # Each caller gets its own copy of the document.
            return msgspec.json.decode(await asyncio.shield(job.answer))["answer"]
        finally:
            job.askers.remove(asker)
            if not job.askers:
                self._forget(job)

    def _add(self, what: str, asker: str, question: bytes) -> Job:
        """Queue a new question, if there is room."""
        kind = KIND_OF[what]
        loop = asyncio.get_running_loop()
        job = Job(kind, what, asker, question, loop.create_future())
        self._queue.add(job)
        self._jobs[question] = job
        job.expiry = loop.call_later(PATIENCE * self.budget.seconds, self._expire, job)
        if kind == "rules":
            self._begin(self._rules)
        self._dispatch()
        return job

    def _expire(self, job: Job) -> None:
        """Refuse a question that has waited too long."""
        if job in self._queue.waiting:
            self._queue.drop(job)
            job.fail(Busy("The server is too busy to answer; try again in a moment."))

    def _forget(self, job: Job) -> None:
        """Drop a question that nobody waits for any more."""
        if self._jobs.get(job.question) is job:
            del self._jobs[job.question]
        if job.expiry is not None:
            job.expiry.cancel()
        self._queue.drop(job)

    def _dispatch(self) -> None:
        """Give waiting questions to idle processes, to the reserved one first."""
        for lane in self._lanes:
            if lane.inbox is not None and not lane.inbox.done():
                job = self._queue.take(lane.kinds)
                if job is not None:
                    lane.inbox.set_result(job)

    async def _supervise(self, lane: Lane) -> None:
        """Answer with one process for ever; replace it whenever it dies or anything else fails."""
        pause = 0.0
        try:
            while True:
                try:
                    await self._start(lane)
                    pause = 0.0
                    await self._answer(lane, await self._next(lane))
                except Exception as error:
                    self._lost(lane, error)
                    await lane.process.end()
                    await asyncio.sleep(pause)
                    pause = min(2 * pause or SOON, LATER)
        finally:
            await lane.process.end()

    async def _start(self, lane: Lane) -> None:
        """Start a process, if there is none."""
        await lane.process.start()
        lane.problem = ""

    async def _next(self, lane: Lane) -> Job:
        """Wait for the next question; raise Gone as soon as the process dies."""
        lane.inbox = asyncio.get_running_loop().create_future()
        self._dispatch()
        waiting = (lane.inbox, lane.process.exited)
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        inbox, lane.inbox = lane.inbox, None
        if not inbox.done():
            raise Gone("it ended while it was idle")
        return inbox.result()

    async def _answer(self, lane: Lane, job: Job) -> None:
        """Have one question answered, or fail it."""
        question = b"[%b,%b]" % (msgspec.json.encode(job.asker), job.question)
        try:
            for _ in range(TRIES):
                try:
                    await self._start(lane)
                    async with asyncio.timeout(lane.seconds):
                        answer = await lane.process.ask(question)
                    self._deliver(job, answer)
                    return
                except TimeoutError:
                    await lane.process.end()
                    job.fail(TooHard(lane.late))
                    return
                except Gone as error:
                    # It may have been killed from outside, so try once more.
                    self._lost(lane, error)
                    await lane.process.end()
            job.fail(TooHard("The solver stopped unexpectedly."))
        except Exception as error:
            job.fail(error)
            raise
        finally:
            self._queue.end(job)
            self._dispatch()

    def _deliver(self, job: Job, answer: bytes) -> None:
        """Pass on an answer or an error; a bug is logged, once for all who asked."""
        if not answer.startswith(b'{"error"'):
            job.finish(answer)
            return
        error = from_document(msgspec.json.decode(answer)["error"])
        if isinstance(error, Bug):
            log.error("The solver failed at %s:\n%s", job.what, error)
            error = Bug(f"The solver failed at {job.what}; its traceback is in the log.")
        job.fail(error)

    def _lost(self, lane: Lane, error: Exception) -> None:
        """Note that a process is being replaced, and log it; anything but its death is a bug."""
        lane.problem = f"A solver process is being replaced: {error}."
        log.error("%s", lane.problem, exc_info=None if isinstance(error, Gone) else error)


def _stopping() -> Busy:
    """Return the error for a server that is stopping."""
    return Busy("The server is stopping; try again in a moment.")
