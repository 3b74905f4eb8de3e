"""The pool of solver processes: outside the event loop, and within limits."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from zerosum.web.analysis.questions import KIND_OF, Kind
from zerosum.web.analysis.queue import URGENT, Busy, Job, Queue
from zerosum.web.analysis.solutions import TooHard, file_at
from zerosum.web.analysis.solver_main import LONGEST
from zerosum.web.http.log import Bug
from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused
from zerosum.worker import environment

log = logging.getLogger("zerosum.web")

# A question without an answer after this many times the time for one is refused.
PATIENCE = 4.0
TRIES = 2
RULES: tuple[Kind, ...] = ("rules", "replay")
# The kinds of each process: the first is reserved for what a match or a player waits for, so that
# pages never hold it up; one is for rules alone; and the last, which starts when the others are
# busy, for what a match waits for, so that no coach holds it up.
PROCESSES: tuple[tuple[Kind, ...], ...] = (URGENT, (*URGENT, "page"), RULES, ("match",))
REPLACED = "A solver process is being replaced"
STOPPING = "The server is stopping; try again in a moment."
# Seconds until a process that failed is started again, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# Seconds for a process to start, and to end once it is killed.
STARTING, ENDING = 60.0, 2.0
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from zerosum.web.analysis.solver_main import main; main()"
)


class Gone(Exception):
    """The process ended before it answered, or could not be started."""


class Process:
    """A place for one process, which is replaced when it dies, and the kinds it answers."""

    def __init__(self, setting: bytes, kinds: tuple[Kind, ...]) -> None:
        """Take the first message for every process, and kinds of questions."""
        self.kinds = kinds
        # Whether it is being replaced, whether it will take a question next, and what it does for
        # the pool: nothing while it is idle.
        self.failing = self.free = False
        self.task: asyncio.Task[None] | None = None
        self._setting = setting
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start a process if there is none, and wait until it is ready; if it fails, end it."""
        if self._process is not None:
            if self._process.returncode is not None:
                raise Gone("it ended while it was idle")
            return
        starting = asyncio.create_task(
            asyncio.create_subprocess_exec(
                # -P: a file beside which the server was started, such as re.py, is not ours.
                *(sys.executable, "-P", "-c", BEGIN, json.dumps(sys.path)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST,
                env=environment(),
                start_new_session=True,  # so that Ctrl-C in a terminal reaches the server only
            )
        )
        try:
            try:
                await asyncio.shield(starting)
            finally:
                # If this is cancelled half-way, there is a process all the same, for `end` to end.
                self._process = await starting
            async with asyncio.timeout(STARTING):
                await self.ask(self._setting)
        except OSError as error:  # TimeoutError is one, too
            raise Gone(str(error) or f"it was not ready after {STARTING:g} seconds") from error

    async def ask(self, question: bytes) -> bytes:
        """Send a question and wait for the answer, a line each; one at a time."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise Gone("there is no process")
        try:
            process.stdin.write(question + b"\n")
            await process.stdin.drain()
            answer = await process.stdout.readline()
        # A closed pipe is a RuntimeError in uvloop, and too long a line is a ValueError.
        except (OSError, RuntimeError, ValueError) as error:
            raise Gone(str(error)) from error
        if not answer.endswith(b"\n"):
            raise Gone("it ended without an answer")
        return answer

    async def end(self) -> None:
        """Kill the process and those that it started; they hold nothing that could be lost."""
        process = self._process
        if process is None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        # Somebody else may hold the other ends of the pipes.
        process._transport.close()  # type: ignore[attr-defined]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                await process.wait()
        self._process = None


def read_answer(answer: bytes) -> Any:
    """Return what a process answered, or raise its error.

    >>> read_answer(b'{"error":{"code":"too_hard","message":"It takes too long."}}')
    Traceback (most recent call last):
    ...
    zerosum.web.refusals.Refused: It takes too long.
    """
    try:
        document = msgspec.json.decode(answer)
    except msgspec.DecodeError as error:  # thousands of digits can be written, but not read
        raise Refused("broken_game", "This game uses numbers that are too long.") from error
    if "error" in document:
        refused = Refused(**document["error"])
        raise Bug(refused.message) if refused.code == "error" else refused
    return document["answer"]


class Pool:
    """A few processes with one question each at a time, and a queue of waiting questions.

    Each process is started when it is first needed. `files` maps the names of the users' own
    games to their paths.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        cache: str | None = None,
        files: Mapping[str, str] | None = None,
        process: Callable[[bytes, tuple[Kind, ...]], Process] = Process,
    ) -> None:
        """Take the limits; no process is started yet."""
        self._limits = limits or Limits()
        # A process that starts later must find the same rules.
        own = {name: file_at(path) for name, path in (files or {}).items()}
        setting = msgspec.json.encode([own, cache, self._limits])
        self._processes = [process(setting, kinds) for kinds in PROCESSES]
        self._queue = Queue(self._limits)
        self._stopped = False

    def problems(self) -> list[str]:
        """Say what is wrong with the processes, if anything is."""
        return [f"{REPLACED}." for process in self._processes if process.failing]

    async def stop(self) -> None:
        """Stop the processes for good; questions still waiting fail."""
        self._stopped = True
        for job in self._queue.jobs:
            job.fail(Busy(STOPPING))
        self._queue.waiting.clear()
        tasks = [process.task for process in self._processes if process.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in self._processes))

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        """Answer a question, one of `zerosum.web.analysis.questions.QUESTIONS`, with its arguments.

        `asker` is the client; without one it is the server itself, which is not limited. Raises
        Busy if too many questions are waiting, TooHard if the answer takes too much time, memory
        or too many positions, the question's own refusals, and Bug.
        """
        if self._stopped:
            raise Busy(STOPPING)
        question = msgspec.json.encode([what, arguments], order="sorted")
        # A question already asked costs nothing more, so it is not counted again.
        job = next((job for job in self._queue.jobs if job.question == question), None)
        if job is None:
            job = Job(KIND_OF[what], asker, question, asyncio.get_running_loop().create_future())
            self._queue.add(job)
            self._wake()
        job.askers.append(asker)
        try:
            async with asyncio.timeout(PATIENCE * self._limits.solver_seconds):
                answer = await asyncio.shield(job.answer)
        except TimeoutError:
            busy = "The server is too busy to answer; try again in a moment."
            raise Busy(busy) from None
        finally:
            job.askers.remove(asker)
            if not job.askers and job in self._queue.waiting:
                self._queue.waiting.remove(job)
        return read_answer(answer)  # each asker has a document of its own

    def _wake(self) -> None:
        """Let an idle process look at the queue for every question there; the reserved one first.

        As many start as there are questions for them, and no more.
        """
        free = [process for process in self._processes if process.free or process.task is None]
        for job in self._queue.waiting:
            process = next((process for process in free if job.kind in process.kinds), None)
            if process is not None:
                free.remove(process)
                process.free = True
                if process.task is None:
                    process.task = asyncio.create_task(self._serve(process))

    async def _serve(self, process: Process) -> None:
        """Answer with one process while questions wait; replace it if it dies or anything fails."""
        pause = 0.0
        while True:
            try:
                await process.start()
                process.failing, pause = False, 0.0
                job = self._queue.take(process.kinds)
                process.free = False
                if job is None:
                    process.task = None
                    return
                await self._answer(process, job)
            except Exception as error:
                process.failing, process.free = True, False
                # Anything but its death is a bug.
                bug = None if isinstance(error, Gone) else error
                log.error("%s: %s.", REPLACED, error, exc_info=bug)
                self._wake()  # others may take what waits for this one
                await process.end()
                await asyncio.sleep(pause)
                pause = min(2 * pause or FIRST_PAUSE, LONGEST_PAUSE)

    async def _answer(self, process: Process, job: Job) -> None:
        """Have one question answered, or fail it; one that meets a death is asked once more."""
        question = b"[%b,%b]" % (msgspec.json.encode(job.asker), job.question)
        again, seconds = False, self._limits.solver_seconds
        late = f"No answer was found in {seconds:g} seconds."
        if job.kind in RULES:
            # A whole match is replayed in one answer.
            seconds = self._limits.rules_seconds if job.kind == "rules" else seconds
            late = f"The rules of this game take more than {seconds:g} seconds for one answer."
        try:
            async with asyncio.timeout(seconds):
                job.answer.set_result(await process.ask(question))
        except TimeoutError:
            await process.end()
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
            self._wake()
