"""The waiting questions: whose turn it is, by what each asker has used lately."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from zerosum.web.analysis.questions import KINDS, Kind
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused

# After this many seconds, half of what was used is forgotten.
HALF_LIFE = 30.0
# Whoever has used more seconds than this has one urgent question answered at a time, so that a
# process is left for the others.
GREEDY_SECONDS = 20.0
# So has an address, if others were here lately, this many of those that take long: more than a
# share of the time for an answer. For short ones, such as a class asks, the others can wait.
LONG_TOGETHER, LONG_SHARE = 2, 1 / 2
# The share that each asker pays of what their address has used: somebody who invents many names
# gains little, and a class behind one address loses little.
SHARED = 1 / 2
# An asker who has used less is forgotten.
FORGOTTEN_SECONDS = 1e-6
# One late answer may be the machine's fault.
LATE_TIMES = 2
URGENT: tuple[Kind, ...] = ("match", "player")
URGENCY = list(KINDS)


class Busy(Refused):
    """Too many questions are waiting; the client may retry a little later."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("busy", message, retry=5)


@dataclass(eq=False)
class Job:
    """A question, and everyone who waits for its answer: each pays for all of it."""

    kind: Kind
    asker: str
    question: bytes
    answer: asyncio.Future[bytes]
    askers: list[str] = field(default_factory=list)
    games: tuple[str, ...] = ()  # which a process must have loaded
    subjects: tuple[bytes, ...] = ()  # refused for a while if the first takes too long
    started: float = 0.0
    tries: int = 0

    def fail(self, error: Exception) -> None:
        """Say why there is no answer; no effect if there is one."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # nobody may be waiting any more


def asker_of(address: str, person: str) -> str:
    """Return who asks: somebody at an address; without a person, anybody there who has no name."""
    return f"{address}/{person}"


def address_of(asker: str) -> str:
    """Return the address of an asker, if it is known.

    >>> address_of(asker_of("address", "person")), address_of("person")
    ('address', '')
    """
    return asker.rpartition("/")[0]


class Queue:
    """The jobs that wait and those being answered; the server itself, '', is never limited."""

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the limits, and a monotonic clock."""
        self._limits = limits
        self._clock = clock
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        # Seconds, as of then: of each asker and address, and of the longest answer of an address.
        self._used: dict[str, float] = {}
        self._longest: dict[str, float] = {}
        self._then = clock()
        # How many answers in a row took too long, until when more are refused, and the sentence.
        self._late: dict[bytes, tuple[int, float, str]] = {}

    @property
    def jobs(self) -> list[Job]:
        """All jobs that wait or are being answered."""
        return [*self.waiting, *self.running]

    def add(self, job: Job) -> None:
        """Let a job wait; if the queue is full, raise Busy, or refuse one that is behind it."""
        own = sum(
            other.kind == job.kind and other.asker == job.asker
            for other in self.jobs  # even if nobody wants the answer now
        )
        if job.asker and own >= self._limits.solver_each:
            raise Busy(f"Too many requests: {own} of yours are waiting. Try again in a moment.")
        line = [other for other in self.waiting if other.kind == job.kind]
        self.waiting.append(job)
        self._decay()
        if len(line) >= self._limits.solver_waiting:
            last = max((job, *reversed(line)), key=self._rank)
            self.waiting.remove(last)
            busy = Busy("The solver is busy with other players; try again in a moment.")
            if last is job:
                raise busy
            last.fail(busy)

    def take(self, kinds: Collection[Kind]) -> Job | None:
        """Start the next job of some kinds, if one may be started."""
        self._decay()
        urgent = [job.asker for job in self.running if job.kind in URGENT]
        greedy = {asker for asker in urgent if self._charged(asker) > GREEDY_SECONDS}
        crowded = {
            address
            for address, count in Counter(map(address_of, urgent)).items()
            if count >= LONG_TOGETHER
            and self._longest.get(address, 0.0) > LONG_SHARE * self._limits.solver_seconds
            and not {"", address}.issuperset(map(address_of, self._used))
        }
        ready = [
            job
            for job in self.waiting
            if job.kind in kinds
            and (
                job.kind not in URGENT
                or any(
                    asker not in greedy and address_of(asker) not in crowded
                    for asker in job.askers or [job.asker]
                )
            )
        ]
        job = min(ready, key=self._rank, default=None)
        if job is not None:
            self.waiting.remove(job)
            self.running.append(job)
            job.started = self._clock()
        return job

    def end(self, job: Job, again: bool = False) -> None:
        """End a job that was started, or let it wait again; charge all who wait for it."""
        self.running.remove(job)
        if again:
            self.waiting.append(job)  # what ends processes does not hold up the others
        askers, seconds = {job.asker, *job.askers}, self._clock() - job.started
        addresses = set(map(address_of, askers)) - {""}
        self._decay()
        for name in (askers | addresses) - {""}:
            self._used[name] = self._used.get(name, 0.0) + seconds
        for address in addresses:
            self._longest[address] = max(self._longest.get(address, 0.0), seconds)

    def note_late(self, subject: bytes, sentence: str) -> None:
        """Note that something took too long; after its time is over, once more is enough."""
        times, *_ = self._late.pop(subject, (0,))
        self._late[subject] = times + 1, self._clock() + self._limits.late_seconds, sentence
        if len(self._late) > self._limits.late_variants:
            del self._late[next(iter(self._late))]
        for job in list(self.waiting):
            if refusal := self.refusal(job.subjects):
                self.waiting.remove(job)
                job.fail(TooHard(refusal))

    def note_in_time(self, subject: bytes) -> None:
        """Note that something was answered in time."""
        self._late.pop(subject, None)

    def refusal(self, subjects: Iterable[bytes]) -> str:
        """Return the sentence with which any that took too long is refused, or nothing."""
        for subject in subjects:
            times, until, sentence = self._late.get(subject, (0, 0.0, ""))
            if times >= LATE_TIMES and until > self._clock():
                return sentence
        return ""

    def _decay(self) -> None:
        """Forget half of what was used after a while, and a small rest altogether."""
        now = self._clock()
        left = math.exp2((self._then - now) / HALF_LIFE)
        for seconds in (self._used, self._longest):
            for name, lately in list(seconds.items()):
                seconds[name] = lately * left
                if lately < FORGOTTEN_SECONDS:
                    del seconds[name]
        self._then = now

    def _charged(self, asker: str) -> float:
        """Return the seconds that an asker has used lately, and their share of the address's."""
        used = self._used.get
        return used(asker, 0.0) + SHARED * used(address_of(asker), 0.0)

    def _rank(self, job: Job) -> tuple[bool, int, float]:
        """Rank a job by its kind, then by the least that those who wait for it have used.

        What only the greedy wait for comes after all else.
        """
        used = min(map(self._charged, job.askers or [job.asker]))
        return used > GREEDY_SECONDS, URGENCY.index(job.kind), used
