"""The pool of solver processes: outside the event loop, and within limits."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import msgspec

from zerosum.registry import find
from zerosum.text import brief
from zerosum.web.analysis.questions import KIND_OF, Kind, games_of, subjects_of
from zerosum.web.analysis.queue import URGENT, Busy, Job, Queue, address_of
from zerosum.web.analysis.solutions import RESTART, File, TooHard
from zerosum.web.analysis.solver_main import LONGEST
from zerosum.web.http.log import Bug
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.wording.words import title_of
from zerosum.worker import Worker, WorkerError, WorkerLate

log = logging.getLogger("zerosum.web")

# A question still unanswered after this many times its time limit is refused.
PATIENCE = 4.0
TRIES = 2
RULES: tuple[Kind, ...] = ("rules", "replay", "load")
# The kinds of each process: the first is reserved for what a match or a player waits for, so that
# pages never hold it up; one is for rules alone; and the last, which starts when the others are
# busy, for what a match waits for, so that neither a coach nor another game's rules hold it up.
PROCESSES: tuple[tuple[Kind, ...], ...] = (URGENT, (*URGENT, "page"), RULES, ("match", *RULES))
REPLACED = "A solver process is being replaced"
FAILED = b'{"error"'
SOLVER_ENDED = "The solver stopped unexpectedly."
RULES_ENDED = "The rules of {} ended the process that they ran in."
SOLVER_LATE = "No answer about {} was found in {}."
RULES_LATE = "The rules of {} take more than {}."
STOPPING = "The server is stopping; try again in a moment."
# Seconds until a process that failed is started again, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 2.0
# Seconds for a process to start, and to end once it no longer answers.
STARTING, ENDING = 60.0, 0.5
# The exit code of a process that the system or a person killed.
KILLED = -9
TARGET = "zerosum.web.analysis.solver_main:prepare"


class Gone(Exception):
    """The process ended before it answered, or could not be started; it may have been killed."""

    killed = False


class Process:
    """A place for one process, which is replaced when it dies, and the kinds it answers."""

    target = TARGET
    folder: str | None = None  # where it runs, if not here

    def __init__(self, setting: bytes, kinds: tuple[Kind, ...]) -> None:
        """Take the first message for every process, and kinds of questions."""
        self.kinds = kinds
        self.failing = False  # whether it is being replaced
        self.loaded: set[str] = set()  # users' own games
        self.task: asyncio.Task[None] | None = None  # unless it is idle
        self._setting = setting
        self._worker: Worker | None = None

    async def start(self) -> None:
        """Start a process if there is none, and wait until it is ready; if it fails, end it."""
        if self._worker is not None:
            if self._worker.has_ended():
                raise Gone("it ended while it was idle")
            return
        try:
            # On Linux it ends with the thread that starts it, which is that of the event loop.
            self._worker = Worker(self.target, self._setting, self.folder, longest=LONGEST)
            await asyncio.to_thread(self._worker.wait_until_ready, STARTING)
        except (OSError, WorkerError) as error:
            words = self._worker.last_words if self._worker else ""
            raise Gone(f"{error} {words}".strip().rstrip(".")) from error

    async def ask(self, question: bytes, seconds: float) -> bytes:
        """Send a question and wait for the answer, a line each; one at a time."""
        if self._worker is None:
            raise Gone("there is no process")
        try:
            return await asyncio.to_thread(self._worker.ask, question, seconds)
        except WorkerLate:
            raise TimeoutError from None
        except WorkerError as error:
            gone = Gone(str(error).rstrip("."))
            ending = await asyncio.to_thread(self._worker.end, ENDING)
            gone.killed = ending.by_itself and ending.code == KILLED
            raise gone from error

    async def where(self) -> str:
        """Return in which call of a user's rules the process does not answer, or has crashed."""
        return "" if self._worker is None else await asyncio.to_thread(self._worker.where)

    async def end(self) -> None:
        """Kill the process and those that it started; they hold nothing that could be lost."""
        self.loaded.clear()
        if self._worker is not None:
            self._worker.kill()  # its thread may be waiting for it
            await asyncio.to_thread(self._worker.end)
            self._worker = None


def result_of(answer: bytes) -> Any:
    """Return what a process answered, or raise its error.

    >>> result_of(b'{"error":{"code":"too_hard","message":"It takes too long."}}')
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


def within(seconds: float) -> str:
    """Write a limit of time.

    >>> within(1.0), within(0.5)
    ('1 second', '0.5 seconds')
    """
    return f"{seconds:g} second{'s' * (seconds != 1)}"


def placed(sentence: str, call: str, question: bytes) -> str:
    """Add to a sentence in which call it happened, and at which position.

    >>> placed("It took too long.", "Nim.moves at State(sticks=3) (nim.py, line 7)", b'["a",{}]')
    'It took too long, in Nim.moves at State(sticks=3) (nim.py, line 7).'
    >>> placed("It ended.", "moves (nim.py, line 7)", b'["a",{"state":[3,0]}]')
    'It ended, in moves (nim.py, line 7), asked about [3,0].'
    """
    state = msgspec.json.decode(question)[1].get("state")
    known = f", in {call}" if call else ""
    if state is not None and " at " not in call:
        known += f", asked about {brief(msgspec.json.encode(state).decode(), 80)}"
    return f"{sentence[:-1]}{known}."


class Pool:
    """A few processes with one question each at a time, and a queue of waiting questions.

    Each process is started when it is first needed, and loads a game of a user's own when it is
    first asked about it. `files` has these games by their names.
    """

    def __init__(
        self,
        limits: ServerLimits | None = None,
        cache: str | None = None,
        process: Callable[[bytes, tuple[Kind, ...]], Process] = Process,
    ) -> None:
        """Take the limits; no process is started yet."""
        self._limits = limits or ServerLimits()
        self.files: dict[str, File] = {}
        setting = msgspec.json.encode([cache, self._limits])
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

        `asker` is somebody at an address (see `asker_of`); without one it is the server itself,
        which is not limited. Raises Busy if too many questions are waiting, TooHard if the answer
        takes too much time, memory or too many positions, the question's own refusals, and Bug.
        """
        if self._stopped:
            raise Busy(STOPPING)
        subjects = subjects_of(what, arguments)
        if refusal := self._queue.refusal(subjects):
            raise TooHard(refusal)
        question = msgspec.json.encode([what, arguments], order="sorted")
        # A question already asked costs nothing more, so it is not counted again.
        job = next((job for job in self._queue.jobs if job.question == question), None)
        if job is None:
            future = asyncio.get_running_loop().create_future()
            games = tuple(name for name in games_of(arguments) if name in self.files)
            job = Job(KIND_OF[what], asker, question, future, games=games, subjects=subjects)
            self._queue.add(job)
        job.askers.append(asker)
        self._wake()  # a job that was held back may be somebody else's too now
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
        try:
            return result_of(answer)  # each asker has a document of its own
        except Refused as refused:
            broken = refused.code == "broken_game" and not refused.message.endswith(RESTART)
            if broken and len(job.games) == 1:
                refused.message = self._blame(job, refused.message)
            raise

    def _wake(self) -> None:
        """Give every idle process a question, the reserved one first."""
        for process in self._processes:
            if process.task is None and (job := self._queue.take(process.kinds)) is not None:
                process.task = asyncio.create_task(self._serve(process, job))

    async def _serve(self, process: Process, job: Job | None) -> None:
        """Answer with one process while questions wait; replace it if it dies or anything fails."""
        pause = 0.0
        while True:
            try:
                await process.start()
                process.failing, pause = False, 0.0
                job = job or self._queue.take(process.kinds)
                self._wake()
                if job is None:
                    process.task = None
                    return
                asked, job = job, None
                await self._answer(process, asked)
            except Exception as error:
                process.failing = True
                # Anything but its death is a bug.
                bug = None if isinstance(error, Gone) else error
                log.error("%s: %s.", REPLACED, error, exc_info=bug)
                if job is not None:  # others may take what waits for this one
                    self._queue.end(job, again=True)
                    job = None
                self._wake()
                await process.end()
                await sleep(pause)
                pause = min(2 * pause or FIRST_PAUSE, LONGEST_PAUSE)

    async def _answer(self, process: Process, job: Job) -> None:
        """Have one question answered, or fail it; one that meets a death is asked once more."""
        again = False
        job.tries += 1
        try:
            job.answer.set_result(await self._asked(process, job))
        except TooHard as late:
            await process.end()
            self._refuse(job, late.message)
        except Gone as gone:
            tries = 1 if job.kind == "load" and not gone.killed else TRIES
            again = job.tries < tries and bool(job.askers)
            if not again and gone.killed:
                # By the system or a person, so the question may be answered next time.
                job.fail(Busy("The solver was stopped; try again in a moment."))
            elif not again:
                own = len(job.games) == 1
                ended = RULES_ENDED if own or job.kind in RULES else SOLVER_ENDED
                sentence = ended.format(self._title(job))
                sentence = placed(sentence, await process.where(), job.question)
                self._refuse(job, self._blame(job, sentence) if own else sentence)
            if not job.games:
                raise
            # A user's rules can do this whenever somebody asks: the server is as well as before.
            if gone.killed or len(job.games) > 1:
                log.warning("%s: %s.", REPLACED, gone)
            await process.end()
        except Exception as error:
            job.fail(error)
            raise
        finally:
            self._queue.end(job, again)

    async def _asked(self, process: Process, job: Job) -> bytes:
        """Ask a process that has loaded the games of a question, or loads them first."""
        # Whoever has many names at one address has no more memory for it.
        asker = msgspec.json.encode(address_of(job.asker) or job.asker)
        limits = self._limits
        seconds = {"rules": limits.rules_seconds, "load": limits.load_seconds}

        async def ask(question: bytes, kind: Kind) -> bytes:
            allowed = seconds.get(kind, limits.solver_seconds)
            try:
                return await process.ask(b"[%b,%b]" % (asker, question), allowed)
            except TimeoutError:
                late = RULES_LATE if kind in RULES else SOLVER_LATE
                sentence = late.format(self._title(job), within(allowed))
                call = await process.where()
                theirs = len(job.games) == 1 and (call or kind in RULES)
                sentence = placed(sentence, call, job.question)
                raise TooHard(self._blame(job, sentence) if theirs else sentence) from None

        for name in job.games:
            if name in process.loaded:
                continue
            load = msgspec.json.encode(["load", {"name": name, **self.files[name]._asdict()}])
            loaded = await ask(load, "load")
            if not loaded.startswith(FAILED):
                process.loaded.add(name)
            elif len(job.games) == 1:  # a game that fails does not end the puzzles of all others
                return loaded
        answer = await ask(job.question, job.kind)
        self._queue.note_in_time(job.subjects[0])
        return answer

    def _refuse(self, job: Job, sentence: str) -> None:
        """Fail a job for what took too long or ended its process, and perhaps others with it."""
        job.fail(TooHard(sentence))
        self._queue.note_late(job.subjects[0], sentence)

    def _title(self, job: Job) -> str:
        """Return the title of the game that a job is about."""
        names = games_of(msgspec.json.decode(job.question)[1])
        if len(names) != 1:
            return "this game"
        (name,) = names
        return self.files[name].title if name in self.files else title_of(find(name).variant())

    def _blame(self, job: Job, sentence: str) -> str:
        """Say what the author of a game's rules should do, in the log too."""
        (name,) = job.games
        file = PurePath(self.files[name].path).name
        sentence = f"{sentence} Its author should run 'zerosum check {file}'."
        log.warning("%s failed: %s", name, sentence)
        return sentence
