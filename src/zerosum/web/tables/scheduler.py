"""What the server does by itself: bot moves, clocks, expiry, heartbeats."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.web.limits import Limits
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.clock import BEAT_SECONDS, Clock
from zerosum.web.tables.memory import Memory

log = logging.getLogger("zerosum.web")

SWEEP_SECONDS = 1.0
# What a quiet server may lose of its time by being killed; a disk may sleep in between.
QUIET_BEAT_SECONDS = 60.0
# The first matches expire an hour after a start, and never many at once.
EXPIRE_AFTER_SECONDS = 3600.0
EXPIRE_SECONDS = 60.0
RETRY_SECONDS = 3.0
MOST_RETRY_SECONDS = 60.0
MOST_AT_ONCE = 200
DAY = 86_400.0
Attend = Callable[[str], Awaitable[object]]


class Scheduler:
    """Attends to tables when they are due, and sweeps up after servers that died."""

    def __init__(self, clock: Clock, store: AsyncStore, memory: Memory, limits: Limits) -> None:
        """Take what is needed to find out which tables are due or expired."""
        self._clock = clock
        self._store = store
        self._memory = memory
        self._limits = limits
        self._attend: Attend | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._attending: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, int] = {}
        self._repeated: list[asyncio.Task[None]] = []

    def start(self, attend: Attend) -> None:
        """Start attending to tables with a function that takes their ids."""
        self._attend = attend
        repeated = [
            _repeat(SWEEP_SECONDS, self._clock.check),
            _repeat(SWEEP_SECONDS, self.sweep),
            _repeat(BEAT_SECONDS, self.beat),
            _repeat(EXPIRE_SECONDS, self.expire, EXPIRE_AFTER_SECONDS),
        ]
        self._repeated = [asyncio.create_task(work) for work in repeated]

    def problems(self) -> list[str]:
        """Say what is wrong with the scheduler, if anything is."""
        alive = self._repeated and not any(task.done() for task in self._repeated)
        return [] if alive else ["Bots and clocks have stopped."]

    async def stop(self) -> None:
        """Stop; the next server to start continues."""
        self._attend = None
        for id_ in list(self._timers):
            self.remind(id_, None)
        tasks = [*self._repeated, *self._attending.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def remind(self, id: str, due: float | None) -> None:  # noqa: A002
        """Set, move or cancel the timer of a table."""
        before = self._timers.pop(id, None)
        if before is not None:
            before.cancel()
        if due is not None and self._attend is not None:
            # Slightly late rather than early: early would find nothing to do.
            wait = max(0.0, due - self._clock.now()) + 0.02
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(wait, self._ring, id, due)

    def _ring(self, id: str, due: float) -> None:  # noqa: A002
        """Attend to a table whose timer has ended, unless time stood still meanwhile."""
        self._timers.pop(id, None)
        if due > self._clock.now():
            self.remind(id, due)
        else:
            self._begin_attending(id)

    def _begin_attending(self, id: str) -> None:  # noqa: A002
        """Attend to a table, unless that is under way."""
        if self._attend is not None and id not in self._attending:
            task = asyncio.create_task(self._attend_to(self._attend, id))
            task.add_done_callback(lambda _: self._attending.pop(id))
            self._attending[id] = task

    async def _attend_to(self, attend: Attend, id: str) -> None:  # noqa: A002
        """Attend to a table; after a failure, wait longer and longer before it can be retried."""
        try:
            await attend(id)
            self._failures.pop(id, None)
        except Exception as error:  # other tables are attended to all the same
            failures = self._failures[id] = self._failures.get(id, 0) + 1
            if failures == 1:
                known = isinstance(error, ZerosumError)
                level = logging.WARNING if known else logging.ERROR
                log.log(level, "a match could not be updated: %s", error, exc_info=not known)
            await asyncio.sleep(min(RETRY_SECONDS * 2 ** (failures - 1), MOST_RETRY_SECONDS))

    async def sweep(self) -> None:
        """Find tables that are overdue because their server stopped."""
        late = self._clock.now() - SWEEP_SECONDS
        # Those that fail must not take the places of the others.
        most = MOST_AT_ONCE + len(self._attending)
        for id_ in await self._store.read(lambda store: store.due(late, most)):
            self._begin_attending(id_)

    async def beat(self) -> None:
        """Record the time: often while anything is due or others may serve the same database."""
        quiet = self._clock.unrecorded < QUIET_BEAT_SECONDS and not self._store.shared
        if quiet and not await self._store.read(lambda store: store.due(math.inf, 1)):
            return
        await self._clock.beat()

    async def expire(self) -> None:
        """Delete some abandoned matches."""
        now, limits = self._clock.now(), self._limits
        ages = (limits.waiting_days, limits.unfinished_days, limits.finished_days)
        waiting, unfinished, finished = (days * DAY for days in ages)
        for id_ in await self._store.alone(
            lambda store: store.expire(now, waiting, unfinished, finished, MOST_AT_ONCE)
        ):
            self._memory.forget(id_)
            self._failures.pop(id_, None)


async def _repeat(
    seconds: float, work: Callable[[], Coroutine[Any, Any, None]], first: float = 0.0
) -> None:
    """Repeat some work for ever, whatever fails; the same failure is logged once."""
    logged = ""
    await asyncio.sleep(first)
    while True:
        try:
            await work()
            logged = ""
        except ZerosumError as error:
            if str(error) != logged:
                logged = str(error)
                log.warning("%s", error)
        except Exception:  # without this work, bots and clocks would stop for good
            log.exception("the server could not update its matches")
        await asyncio.sleep(seconds)
