"""A step in a process of its own, which a thread or a worker of a cluster starts and keeps."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from errno import ENOMEM
from math import inf
from typing import Any

import msgspec
from msgspec import Struct

from zerosum import sandbox
from zerosum.errors import GameError, RulesTooSlow, TooLarge, ZerosumError
from zerosum.limits import CALL_SECONDS
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import entry_of, find
from zerosum.registry.fingerprint import fingerprint
from zerosum.registry.loading import broken_by, call_in_progress
from zerosum.sandbox import Answerer, limit_memory
from zerosum.solver.spread import rounds
from zerosum.solver.spread.files import PartState, PartStep
from zerosum.solver.spread.walk import walk
from zerosum.solver.table import calling_rules
from zerosum.text import counted
from zerosum.wording.words import variant_title
from zerosum.worker import Worker, WorkerError, WorkerLate, stuck_in

TARGET = "zerosum.solver.spread.process:prepare"
# What a process says: the rules are asked now; they are not; and, before an answer, that it is one.
ASKED, UNASKED, DONE = b"asked", b"unasked", b"done "
# How often a step is begun before its process is said to die of it.
TRIES = 3
KINDS = (RulesTooSlow, GameError, TooLarge, ZerosumError)
MEMORY = (
    "A part of {game} needs more than the {memory:,} MB that a worker may use. Allow more with "
    "--memory; or delete {folder} and try --parts {parts}."
)
NO_MEMORY = (
    "A part of {game} needs more memory than there is. Delete {folder} and try --parts {parts}."
)


class Setting(Struct, frozen=True):
    """The game that a process solves, and the megabytes that it may use, if they are limited."""

    name: str
    title: str
    options: dict[str, Any]
    fingerprint: str
    first: list[Any]
    memory: int | None

    @classmethod
    def of(cls, game: Game[Any], memory: int | None) -> Setting:
        """Describe a game, so that another process can load it."""
        entry, title = entry_of(game), variant_title(game)
        about = option_values(game), fingerprint(game), _listed(game)
        return cls(entry.file or entry.name, title, *about, memory)

    def game(self) -> Game[Any]:
        """Load the game; refuse rules that are not the same here."""
        game = find(self.name).variant(**self.options)
        if (fingerprint(game), _listed(game)) != (self.fingerprint, self.first):
            raise GameError(f"The rules of {self.title} are not the same on all workers.")
        return game


class Failure(Struct, frozen=True, tag="failure"):
    """Why a step failed: the class of the error, and its sentence."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: ZerosumError) -> Failure:
        """Describe an error by a class that takes only a sentence."""
        return cls(next(kind.__name__ for kind in KINDS if isinstance(error, kind)), str(error))

    @property
    def error(self) -> ZerosumError:
        """The error again."""
        return next(kind for kind in KINDS if kind.__name__ == self.kind)(self.message)


_here = threading.local()
_running: set[Worker] = set()
_stopped = threading.Event()


def do_step(setting: bytes, question: bytes) -> bytes:
    """Do a step of one part in the process of this thread; return its part, or a failure."""
    for tries in range(1, TRIES + 1):
        try:
            return _asked(setting, question)
        except WorkerError as error:
            process: Worker = _here.process
            where = process.where() if isinstance(error, WorkerLate) else ""
            _end()
            words = process.last_words  # all of them, now that it has ended
            if isinstance(error, WorkerLate):
                slow = f"{where or 'The rules'} did not answer within {CALL_SECONDS:g} seconds."
                return msgspec.json.encode(Failure.of(RulesTooSlow(slow)))
            if tries == TRIES or _stopped.is_set():
                reason = "; it may have run out of memory."
                if words:  # a trace, if something in C has failed
                    call, last = stuck_in(words.encode()), words.rpartition("\n")[2]
                    reason = f", in {call}." if call else f": {last}"
                failed = f"A process ended {counted(tries, 'time')} in the same step{reason}"
                return msgspec.json.encode(Failure.of(ZerosumError(failed)))
    raise AssertionError


def _asked(setting: bytes, question: bytes) -> bytes:
    """Ask the process of this thread, started if need be."""
    if getattr(_here, "setting", None) != setting:
        _end()
        _here.process, _here.setting = Worker(TARGET, setting), setting
        _running.add(_here.process)
        _here.process.wait_until_ready()
    _here.process.send(question)
    seconds = inf
    while not (answer := _here.process.receive(seconds)).startswith(DONE):
        seconds = CALL_SECONDS if answer == ASKED else inf
    return bytes(answer.removeprefix(DONE))


def _end() -> None:
    """End the process of this thread, if there is one."""
    process = _here.__dict__.get("process")
    _here.__dict__.clear()
    if process is not None:
        _running.discard(process)
        process.end()


@contextmanager
def local(workers: int) -> Iterator[Executor]:
    """Do steps on this machine: a thread for each worker, which has a process."""
    executor = ThreadPoolExecutor(workers)
    _stopped.clear()
    try:
        yield executor
    finally:
        _stopped.set()
        executor.shutdown(wait=False, cancel_futures=True)
        for process in tuple(_running):
            process.end()
        executor.shutdown()
        _running.clear()


# What follows runs in the process itself.


def prepare(setting: bytes) -> Answerer:
    """Return what does a step; the first loads the game, and can say what is wrong with it."""
    wanted = msgspec.json.decode(setting, type=Setting)
    sandbox.name_call = call_in_progress
    sandbox.refuse_to_exit()
    games: list[Game[Any]] = []

    def answers(question: bytes) -> Iterator[bytes]:
        job = msgspec.json.decode(question, type=PartStep)
        try:
            if not games:
                yield ASKED
                games.append(wanted.game())
                if wanted.memory is not None:
                    limit_memory(wanted.memory << 20)
            for found in _steps(games[0], job):
                yield (ASKED if found else UNASKED) if isinstance(found, bool) else _done(found)
        except (MemoryError, OSError, ZerosumError) as error:
            yield _done(_failure(error, wanted, job))
        except (SystemExit, KeyboardInterrupt) as error:  # only rules raise one here
            if not games:
                raise
            yield _done(Failure.of(broken_by(games[0], error)))

    return answers


def _failure(
    error: MemoryError | OSError | ZerosumError, wanted: Setting, job: PartStep
) -> Failure:
    """Say why a step failed, and what would help."""
    no_room = isinstance(error, OSError) and error.errno == ENOMEM  # to map a file
    if no_room or isinstance(error.__cause__ or error, MemoryError):
        about = {"memory": wanted.memory, "folder": os.path.dirname(job.folder)}
        sentence = NO_MEMORY if wanted.memory is None else MEMORY
        told = sentence.format(game=wanted.title, parts=2 * job.parts, **about)
        return Failure("TooLarge", told)
    if isinstance(error, ZerosumError):
        return Failure.of(error)
    said = error.strerror if isinstance(error, OSError) else None  # a short write says none
    reason = f"{said}." if said else f"{error}; is the disk full?"
    return Failure.of(ZerosumError(f"{job.folder} cannot be used: {reason}"))


def _steps(game: Game[Any], job: PartStep) -> Iterator[bool | PartState]:
    """Do a step; yield the part at the end."""
    yield False
    if job.phase == "walk":
        yield from walk(game, job)
    else:
        if job.phase == "graph" and job.number == 0:
            yield True
            with calling_rules(game):
                game.confirm(game.play)
            yield False
        yield getattr(rounds, job.phase)(job)


def _done(found: PartState | Failure) -> bytes:
    """Write the answer to a step, with the memory that was used so far."""
    if isinstance(found, PartState):
        with suppress(ImportError):
            from resource import RUSAGE_SELF, getrusage

            unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
            found.megabytes = getrusage(RUSAGE_SELF).ru_maxrss // unit
    return DONE + msgspec.json.encode(found)


def _listed(game: Game[Any]) -> list[Any]:
    """Return the start as it is in JSON, with the names of its fields."""
    first: Any = game.initial()
    listed: list[Any] = msgspec.json.decode(msgspec.json.encode([first._fields, tuple(first)]))
    return listed
