"""The waiting questions: whose turn it is, by what each asker has used lately."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from zerosum.web.analysis.budget import Budget, Busy
from zerosum.web.analysis.questions import KIND_OF, Kind

# After this many seconds, half of what was used is forgotten.
HALF_LIFE = 30.0
# Whoever has used more seconds than this has one urgent question answered at a time, so that a
# process is left for the others.
MUCH = 20.0
# An asker who has used less is forgotten.
LITTLE = 1e-6
URGENT: tuple[Kind, ...] = ("match", "player")
URGENCY: dict[Kind, int] = {kind: rank for rank, kind in enumerate(dict.fromkeys(KIND_OF.values()))}


@dataclass(eq=False)
class Job:
    """A question, and everyone who waits for its answer; the first asker pays for it."""

    kind: Kind
    what: str
    asker: str
    question: bytes
    answer: asyncio.Future[bytes]
    askers: list[str] = field(default_factory=list)
    started: float = 0.0
    expiry: asyncio.TimerHandle | None = None

    def finish(self, answer: bytes) -> None:
        """Deliver the answer, if anyone still waits."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Say why there is no answer; no effect if there is one."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # nobody may be waiting any more


class Queue:
    """The jobs that wait and those being answered; the server itself, '', is never limited."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the budget, and a monotonic clock."""
        self._budget = budget
        self._clock = clock
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        self._used: dict[str, float] = {}  # seconds, as of then
        self._then = clock()

    def add(self, job: Job) -> None:
        """Let a job wait; if the queue is full, raise Busy, or refuse one that is behind it."""
        own = sum(
            other.kind == job.kind and other.asker == job.asker
            for other in (*self.waiting, *self.running)  # even if nobody wants the answer now
        )
        if job.asker and own >= self._budget.each:
            raise Busy(f"Too many requests: {own} of yours are waiting. Try again in a moment.")
        line = [other for other in self.waiting if other.kind == job.kind]
        self.waiting.append(job)
        if len(line) >= self._budget.waiting:
            last = self._ranked((*line, job))[-1]
            self.waiting.remove(last)
            busy = Busy("Too many others are waiting for an answer; try again in a moment.")
            if last is job:
                raise busy
            last.fail(busy)

    def take(self, kinds: Collection[Kind]) -> Job | None:
        """Start the next job of some kinds, if one may be started."""
        urgent = {job.asker for job in self.running if job.kind in URGENT}
        for job in self._ranked(self.waiting):
            again = job.kind in URGENT and job.asker in urgent and self.used(job.asker) > MUCH
            if job.kind in kinds and not again:
                self.waiting.remove(job)
                self.running.append(job)
                job.started = self._clock()
                return job
        return None

    def end(self, job: Job) -> None:
        """End a job that was started, and charge its first asker."""
        self.running.remove(job)
        if job.asker:
            self._used[job.asker] = self.used(job.asker) + self._clock() - job.started

    def drop(self, job: Job) -> None:
        """Drop a job that waits, if it still does."""
        with suppress(ValueError):
            self.waiting.remove(job)

    def used(self, asker: str) -> float:
        """Return the seconds that an asker has used lately; a small rest is forgotten."""
        now = self._clock()
        left = math.exp2((self._then - now) / HALF_LIFE)
        self._used = {name: used * left for name, used in self._used.items() if used > LITTLE}
        self._then = now
        return self._used.get(asker, 0.0)

    def _ranked(self, jobs: Collection[Job]) -> list[Job]:
        """Sort jobs by kind, then by the least that those who wait have used, then by arrival."""

        def rank(job: Job) -> tuple[int, float]:
            used = (self._used.get(asker, 0.0) for asker in job.askers or [job.asker])
            return URGENCY[job.kind], min(used)

        return sorted(jobs, key=rank)
