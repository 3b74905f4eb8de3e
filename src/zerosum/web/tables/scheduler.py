"""What the server does by itself: bot moves, clocks, expiry, heartbeats."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.web.http.limits import Limits
from zerosum.web.tables.service import Tables
from zerosum.web.tables.table import Table

log = logging.getLogger("zerosum.web")

SWEEP_SECONDS = 1.0
BEAT_SECONDS = 2.0
# A process that wakes this late was suspended, and its clocks did not run.
ASLEEP_SECONDS = 4.0
EXPIRE_SECONDS = 3600.0
RETRY_SECONDS = 3.0
MOST_AT_ONCE = 200
DAY = 86_400.0


class Scheduler:
    """Attends to tables when they are due, and sweeps up after servers that died."""

    def __init__(self, tables: Tables, limits: Limits) -> None:
        """Take the tables to attend to."""
        self.tables = tables
        self.limits = limits
        self._seen = self._beaten = tables.now()
        self._waking = asyncio.Lock()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Start attending."""
        self.tables.on_due = self.remind
        self.tables.awake, self.tables.alive = self.awake, self.alive
        self._later(self._again(SWEEP_SECONDS, self.sweep))
        self._later(self._again(BEAT_SECONDS, self.beat))
        self._later(self._again(EXPIRE_SECONDS, self.expire))

    async def stop(self) -> None:
        """Stop; the next server to start continues."""
        self.tables.on_due = lambda table: None
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def remind(self, table: Table) -> None:
        """Schedule a table for when it is due."""
        before = self._timers.pop(table.id, None)
        if before is not None:
            before.cancel()
        if table.due is not None:
            # Slightly late rather than early: early would find nothing to do.
            wait = max(0.0, table.due - self.tables.now()) + 0.02
            loop = asyncio.get_running_loop()
            self._timers[table.id] = loop.call_later(wait, self._attend, table.id)

    def _attend(self, id: str) -> None:  # noqa: A002
        """Attend to a table, unless that is under way."""
        self._timers.pop(id, None)
        if id not in self._busy:
            self._busy.add(id)
            self._later(self._one(id))

    async def _one(self, id: str) -> None:  # noqa: A002
        """Attend to one table; after a failure, wait before it can be retried."""
        try:
            await self.tables.attend(id)
        except ZerosumError as error:
            log.warning("a match could not be updated: %s", error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            log.exception("a match could not be updated")
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._busy.discard(id)

    async def sweep(self) -> None:
        """Find tables that are overdue because their server stopped."""
        await self.awake()
        late = self.tables.now() - SWEEP_SECONDS
        for id_ in await self.tables.keeping.read(lambda store: store.due(late, MOST_AT_ONCE)):
            self._attend(id_)

    async def begin(self) -> None:
        """Take over from the previous server: clocks did not run in between."""
        now = self._seen = self._beaten = self.tables.now()
        await self.tables.keeping.alone(lambda store: store.beat(now, 0.0))

    async def awake(self) -> None:
        """Detect that this process was suspended, before anyone loses on time for it."""
        async with self._waking:
            now, before = self.tables.now(), self._seen
            self._seen = now
            if now - before > ASLEEP_SECONDS:
                await self.tables.keeping.alone(lambda store: store.beat(now, ASLEEP_SECONDS))
                # Another process may have extended the clocks already: reread everything.
                self.tables.memory.noticed("", 0)

    async def beat(self) -> None:
        """Record a heartbeat while anything is due."""
        if await self.tables.keeping.read(lambda store: store.due(math.inf, 1)):
            await self.alive()

    async def alive(self) -> None:
        """Record a heartbeat, unless there was one a moment ago.

        It precedes any write that makes something due: otherwise the next server to start would
        take a quiet period for an absence.
        """
        await self.awake()
        now = self.tables.now()
        if now - self._beaten >= BEAT_SECONDS / 2:
            self._beaten = now
            await self.tables.keeping.alone(lambda store: store.beat(now, math.inf))

    async def expire(self) -> None:
        """Delete abandoned matches."""
        now, limits = self.tables.now(), self.limits
        ages = (limits.waiting_days, limits.unfinished_days, limits.finished_days)
        waiting, unfinished, finished = (days * DAY for days in ages)
        while await self.tables.keeping.alone(
            lambda store: store.expire(now, waiting, unfinished, finished, MOST_AT_ONCE)
        ):
            # Forget here what was deleted there.
            self.tables.memory.forget_unwatched()
            await asyncio.sleep(0)

    async def _again(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Repeat some work for ever, whatever fails."""
        while True:
            try:
                await work()
            except ZerosumError as error:
                log.warning("%s", error)
            except Exception:  # without this work, bots and clocks would stop for good
                log.exception("the server could not update its matches")
            await asyncio.sleep(seconds)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        """Run some work in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
