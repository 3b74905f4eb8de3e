"""What the server does by itself: moves of programs, clocks, expiry, and a sign of life."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.web.limits import Limits
from zerosum.web.table import Table
from zerosum.web.tables import Tables

log = logging.getLogger("zerosum.web")

SWEEP_SECONDS = 1.0
BEAT_SECONDS = 2.0
# A process that comes back to itself so much later was asleep, and its clocks stood still.
ASLEEP_SECONDS = 4.0
EXPIRE_SECONDS = 3600.0
RETRY_SECONDS = 3.0
MOST_AT_ONCE = 200
DAY = 86_400.0


class Attendant:
    """Looks after tables: at once where it knows of them, by sweeping where another has died."""

    def __init__(self, tables: Tables, limits: Limits) -> None:
        """Take the tables to look after."""
        self.tables = tables
        self.limits = limits
        self._seen = self._beaten = tables.now()
        self._waking = asyncio.Lock()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Begin to look after the tables."""
        self.tables.on_due = self.remind
        self.tables.awake, self.tables.alive = self.awake, self.alive
        self._later(self._again(SWEEP_SECONDS, self.sweep))
        self._later(self._again(BEAT_SECONDS, self.beat))
        self._later(self._again(EXPIRE_SECONDS, self.expire))

    async def stop(self) -> None:
        """Leave everything as it is; whoever starts next goes on with it."""
        self.tables.on_due = lambda table: None
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def remind(self, table: Table) -> None:
        """Come back to a table when something is due there."""
        before = self._timers.pop(table.id, None)
        if before is not None:
            before.cancel()
        if table.due is not None:
            # A little late rather than a little early: early would find nothing to do.
            wait = max(0.0, table.due - self.tables.now()) + 0.02
            loop = asyncio.get_running_loop()
            self._timers[table.id] = loop.call_later(wait, self._attend, table.id)

    def _attend(self, id: str) -> None:  # noqa: A002
        """Look after a table, unless somebody is at it."""
        self._timers.pop(id, None)
        if id not in self._busy:
            self._busy.add(id)
            self._later(self._one(id))

    async def _one(self, id: str) -> None:  # noqa: A002
        """Look after one table; where that fails, again a little later."""
        try:
            await self.tables.attend(id)
        except ZerosumError as error:
            log.warning("a match could not be looked after: %s", error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            log.exception("a match could not be looked after")
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._busy.discard(id)

    async def sweep(self) -> None:
        """Find what is overdue: its server was stopped before it came to it."""
        await self.awake()
        late = self.tables.now() - SWEEP_SECONDS
        for id_ in await self.tables.keeping.read(lambda store: store.due(late, MOST_AT_ONCE)):
            self._attend(id_)

    async def begin(self) -> None:
        """Take over from whoever served before: clocks stood still while nobody did."""
        now = self._seen = self._beaten = self.tables.now()
        await self.tables.keeping.alone(lambda store: store.beat(now, 0.0))

    async def awake(self) -> None:
        """Notice that this process was asleep, before anybody loses on time for that."""
        async with self._waking:
            now, before = self.tables.now(), self._seen
            self._seen = now
            if now - before > ASLEEP_SECONDS:
                await self.tables.keeping.alone(lambda store: store.beat(now, ASLEEP_SECONDS))
                # Another process may have put the clocks on already: all is read again.
                self.tables.memory.noticed("", 0)

    async def beat(self) -> None:
        """Give a sign of life while there is anything to be in time for."""
        if await self.tables.keeping.read(lambda store: store.due(math.inf, 1)):
            await self.alive()

    async def alive(self) -> None:
        """Give a sign of life, unless there was one a moment ago.

        It comes before anything is kept that becomes due: else a quiet time before that would be
        taken for an absence by whoever starts next.
        """
        await self.awake()
        now = self.tables.now()
        if now - self._beaten >= BEAT_SECONDS / 2:
            self._beaten = now
            await self.tables.keeping.alone(lambda store: store.beat(now, math.inf))

    async def expire(self) -> None:
        """Let go of matches that nobody goes on with."""
        now, limits = self.tables.now(), self.limits
        ages = (limits.waiting_days, limits.unfinished_days, limits.finished_days)
        waiting, unfinished, finished = (days * DAY for days in ages)
        while await self.tables.keeping.alone(
            lambda store: store.expire(now, waiting, unfinished, finished, MOST_AT_ONCE)
        ):
            # What is gone from the store is forgotten here too.
            self.tables.memory.forget_unwatched()
            await asyncio.sleep(0)

    async def _again(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something now and again, whatever comes in between."""
        while True:
            try:
                await work()
            except ZerosumError as error:
                log.warning("%s", error)
            except Exception:  # without this work, programs and clocks would stand still for ever
                log.exception("the server could not look after its matches")
            await asyncio.sleep(seconds)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
