"""The pool of solver processes: outside the event loop, and within limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from zerosum.web.analysis.answers import Busy, TooHard, read_answer
from zerosum.web.analysis.process import Gone, Process
from zerosum.web.analysis.questions import KIND_OF, Kind
from zerosum.web.analysis.queue import URGENT, Job, Queue
from zerosum.web.analysis.solutions import file_at
from zerosum.web.limits import Limits

log = logging.getLogger("zerosum.web")

# A question without an answer after this many times the time for one is refused.
PATIENCE = 4.0
TRIES = 2
STOPPING = "The server is stopping; try again in a moment."
# Seconds until a process that failed is started again, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


@dataclass(eq=False)
class Member:
    """A process of the pool, and the kinds of questions that it answers."""

    process: Process
    kinds: tuple[Kind, ...]
    problem: str = ""
    task: asyncio.Task[None] | None = None
    # Where an idle member waits for its next question.
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
        limits: Limits | None = None,
        cache: str | None = None,
        files: Mapping[str, str] | None = None,
        process: Callable[[bytes], Process] = Process,
    ) -> None:
        """Take the number of processes and their limits; none is started yet."""
        self._limits = limits or Limits()
        # A process that starts later must find the same rules.
        own = {name: file_at(path) for name, path in (files or {}).items()}
        setting = msgspec.json.encode([own, cache, self._limits])
        kinds: list[tuple[Kind, ...]] = [
            URGENT if count > 1 and not n else (*URGENT, "page") for n in range(count)
        ]
        self._members = [Member(process(setting), some) for some in kinds]
        self._rules = Member(process(setting), ("rules", "replay"))
        self._queue = Queue(self._limits)
        self._jobs: dict[bytes, Job] = {}
        self._open = False

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        pids = [member.process.pid for member in (*self._members, self._rules)]
        return [pid for pid in pids if pid is not None]

    def problems(self) -> list[str]:
        """Say what is wrong with the processes, if anything is."""
        return [member.problem for member in (*self._members, self._rules) if member.problem]

    async def start(self) -> None:
        """Start the processes in the background."""
        self._open = True
        for member in self._members:
            member.task = asyncio.create_task(self._supervise(member))

    async def stop(self) -> None:
        """Stop the processes for good; questions still waiting fail."""
        self._open = False
        for job in self._jobs.values():
            job.fail(Busy(STOPPING))
        tasks = [member.task for member in (*self._members, self._rules) if member.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        """Answer a question, one of `zerosum.web.analysis.questions.QUESTIONS`, with its arguments.

        `asker` is the client; without one it is the server itself, which is not limited. Raises
        Busy if too many questions are waiting, TooHard if the answer takes too much time, memory
        or too many positions, the question's own refusals, and Bug.
        """
        if not self._open:
            raise Busy(STOPPING)
        question = msgspec.json.encode([what, arguments], order="sorted")
        # A question already asked costs nothing more, so it is not counted again.
        job = self._jobs.get(question) or self._add(KIND_OF[what], asker, question)
        job.askers.append(asker)
        try:
            async with asyncio.timeout(PATIENCE * self._limits.solver_seconds):
                answer = await asyncio.shield(job.answer)
        except TimeoutError:
            busy = "The server is too busy to answer; try again in a moment."
            raise Busy(busy) from None
        finally:
            job.askers.remove(asker)
            if not job.askers:
                del self._jobs[question]
                with suppress(ValueError):  # it may not wait any more
                    self._queue.waiting.remove(job)
        return read_answer(answer)  # each asker has a document of its own

    def _add(self, kind: Kind, asker: str, question: bytes) -> Job:
        """Queue a new question, if there is room."""
        job = Job(kind, asker, question, asyncio.get_running_loop().create_future())
        self._queue.add(job)
        self._jobs[question] = job
        if kind in self._rules.kinds and self._rules.task is None:
            self._rules.task = asyncio.create_task(self._supervise(self._rules))
        self._dispatch()
        return job

    def _dispatch(self) -> None:
        """Give waiting questions to idle processes, to the reserved one first."""
        for member in (*self._members, self._rules):
            if member.inbox is not None and not member.inbox.done():
                job = self._queue.take(member.kinds)
                if job is not None:
                    member.inbox.set_result(job)

    async def _supervise(self, member: Member) -> None:
        """Answer with one process for ever; replace it whenever it dies or anything else fails."""
        pause = 0.0
        try:
            while True:
                try:
                    await member.process.start()
                    member.problem, pause = "", 0.0
                    await self._answer(member, await self._next(member))
                except Exception as error:
                    member.problem = f"A solver process is being replaced: {error}."
                    # Anything but its death is a bug.
                    bug = None if isinstance(error, Gone) else error
                    log.error("%s", member.problem, exc_info=bug)
                    await member.process.end()
                    await asyncio.sleep(pause)
                    pause = min(2 * pause or FIRST_PAUSE, LONGEST_PAUSE)
        finally:
            await member.process.end()

    async def _next(self, member: Member) -> Job:
        """Wait for the next question; raise Gone as soon as the process dies."""
        member.inbox = asyncio.get_running_loop().create_future()
        if not member.process.exited.done():
            self._dispatch()
        waiting = (member.inbox, member.process.exited)
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        inbox, member.inbox = member.inbox, None
        if not inbox.done():
            raise Gone("it ended while it was idle")
        return inbox.result()

    async def _answer(self, member: Member, job: Job) -> None:
        """Have one question answered, or fail it; one that meets a death is asked once more."""
        question = b"[%b,%b]" % (msgspec.json.encode(job.asker), job.question)
        again, seconds = False, self._limits.solver_seconds
        late = f"No answer was found in {seconds:g} seconds."
        if member is self._rules:
            # A whole match is replayed in one answer.
            seconds = self._limits.rules_seconds if job.kind == "rules" else seconds
            late = f"The rules of this game take more than {seconds:g} seconds for one answer."
        try:
            async with asyncio.timeout(seconds):
                job.answer.set_result(await member.process.ask(question))
        except TimeoutError:
            await member.process.end()
            job.fail(TooHard(late))
        except Gone:
            # It may have been killed from outside.
            again = job.tries < TRIES and bool(job.askers)
            if not again:
                job.fail(TooHard("The solver stopped unexpectedly."))
            raise
        except Exception as error:
            job.fail(error)
            raise
        finally:
            self._queue.end(job, again)
            self._dispatch()
