"""The time of a database, and what the server does by itself: bot moves, time-outs, expiry."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.web.limits import ServerLimits
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.open_tables import OpenTables

log = logging.getLogger("zerosum.web")

# How often a running server records the time, and what it may lose of it by being killed.
BEAT_SECONDS = 2.0
# A process that is this late was suspended, and its players could not move.
ASLEEP_SECONDS = 4.0
# Another server's time that is ahead by more is a jump, not a rounding.
JUMP_SECONDS = 0.5
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


class Clock:
    """For how many seconds a database has been served.

    Time stops while no server runs, and while the only one is suspended: nothing becomes due
    then. It never goes back and never jumps, even if a machine's clock is set.
    """

    def __init__(self, store: AsyncStore, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Take the store that holds the time, and a clock that cannot be set."""
        self._store = store
        self._monotonic = monotonic
        self._time, self._at = 0.0, monotonic()
        self._recorded = -math.inf
        self._asleep = False
        self._syncing = asyncio.Lock()
        # Counts jumps to another server's time: what was computed from `now` before is outdated.
        self.jumps = 0

    async def start(self) -> None:
        """Continue from where the previous server stopped."""
        await self._sync(0.0)

    def now(self) -> float:
        """Return the time in seconds; only differences mean something."""
        elapsed = self._monotonic() - self._at
        return self._time + (elapsed if elapsed <= ASLEEP_SECONDS else 0.0)

    @property
    def unrecorded(self) -> float:
        """How many seconds would be lost if this process were killed now."""
        return self.now() - self._recorded

    async def check(self) -> None:
        """Notice a suspension of this process, before anybody loses on time for it."""
        async with self._syncing:
            late = self._monotonic() - self._at > ASLEEP_SECONDS
            self._asleep = self._asleep or late
            self._set(self.now())
            if self._asleep:  # other servers may have been running
                await self._sync()
                self._asleep = False

    async def beat(self) -> None:
        """Record the time, unless that was done a moment ago.

        It precedes a write that makes something due: the next server continues from there.
        """
        await self.check()
        if self.unrecorded >= BEAT_SECONDS / 2:
            await self._sync()

    async def _sync(self, pause: float = ASLEEP_SECONDS) -> None:
        """Record the time, and adopt the time of servers that know more."""
        before = self._recorded = self.now()
        try:
            found = await self._store.alone(lambda store: store.beat(before, pause))
        except BaseException:
            self._recorded = -math.inf
            raise
        self.jumps += found - self.now() > JUMP_SECONDS
        self._set(max(found, self.now()))

    def _set(self, now: float) -> None:
        """Count from here."""
        self._time, self._at = now, self._monotonic()


@dataclass(eq=False)
class Scheduler:
    """Attends to tables when they are due, and sweeps up after servers that died."""

    clock: Clock
    store: AsyncStore
    memory: OpenTables
    limits: ServerLimits
    attend: Callable[[str], Awaitable[object]]  # to one table, by its id
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict, init=False)
    _attending: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _waiting: set[str] = field(default_factory=set, init=False)  # after a failure
    _failures: dict[str, int] = field(default_factory=dict, init=False)
    _repeated: list[asyncio.Task[None]] = field(default_factory=list, init=False)  # while it runs

    def start(self) -> None:
        """Start attending to tables."""
        repeated = [
            _repeat(SWEEP_SECONDS, self.clock.check),
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
        tasks, self._repeated = [*self._repeated, *self._attending.values()], []
        for id_ in list(self._timers):
            self.remind(id_, None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def remind(self, id: str, due: float | None) -> None:  # noqa: A002
        """Set, move or cancel the timer of a table."""
        before = self._timers.pop(id, None)
        if before is not None:
            before.cancel()
        if due is not None and self._repeated:
            # Slightly late rather than early: early would find nothing to do.
            wait = max(0.0, due - self.clock.now()) + 0.02
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(wait, self._ring, id, due)

    def changed(self, id: str) -> None:  # noqa: A002
        """End the wait after a failure: a changed table may not fail again."""
        self._failures.pop(id, None)
        if id in self._waiting:
            self._attending[id].cancel()

    def _ring(self, id: str, due: float) -> None:  # noqa: A002
        """Attend to a table whose timer has ended, unless time stood still meanwhile."""
        self._timers.pop(id, None)
        if due > self.clock.now():
            self.remind(id, due)
        else:
            self._begin_attending(id)

    def _begin_attending(self, id: str) -> None:  # noqa: A002
        """Attend to a table, unless that is under way."""
        if id not in self._attending:
            task = asyncio.create_task(self._attend_to(id))
            task.add_done_callback(lambda _: self._attending.pop(id))
            self._attending[id] = task

    async def _attend_to(self, id: str) -> None:  # noqa: A002
        """Attend to a table; after a failure, wait longer and longer before it can be retried.

        That others are busy is not a failure, and soon over.
        """
        try:
            await self.attend(id)
            self._failures.pop(id, None)
        except Exception as error:  # other tables are attended to all the same
            busy, before = getattr(error, "code", "") == "busy", self._failures.get(id, 0)
            failures = self._failures[id] = max(1, before) if busy else before + 1
            if not before:
                known = isinstance(error, ZerosumError)
                level = logging.WARNING if known else logging.ERROR
                log.log(level, "a match could not be updated: %s", error, exc_info=not known)
            self._waiting.add(id)
            try:
                await asyncio.sleep(min(RETRY_SECONDS * 2 ** (failures - 1), MOST_RETRY_SECONDS))
            finally:
                self._waiting.discard(id)

    async def sweep(self) -> None:
        """Find tables that are overdue because their server stopped."""
        late = self.clock.now() - SWEEP_SECONDS
        # Those that fail must not take the places of the others.
        most = MOST_AT_ONCE + len(self._attending)
        for id_ in await self.store.read(lambda store: store.due(late, most)):
            self._begin_attending(id_)

    async def beat(self) -> None:
        """Record the time: often while anything is due or others may serve the same database."""
        quiet = self.clock.unrecorded < QUIET_BEAT_SECONDS and not self.store.shared
        if quiet and not await self.store.read(lambda store: store.due(math.inf, 1)):
            return
        await self.clock.beat()

    async def expire(self) -> None:
        """Delete some abandoned matches, and forget people who have not come back."""
        now, limits = self.clock.now(), self.limits
        ages = (limits.waiting_days, limits.unfinished_days, limits.finished_days)
        waiting, unfinished, finished = (days * DAY for days in ages)
        for id_ in await self.store.alone(
            lambda store: store.expire(now, waiting, unfinished, finished, MOST_AT_ONCE)
        ):
            self.memory.forget(id_)
            self._failures.pop(id_, None)
        await self.store.alone(lambda store: store.people.expire(now - unfinished))


async def _repeat(
    seconds: float, work: Callable[[], Coroutine[Any, Any, None]], first: float = 0.0
) -> None:
    """Repeat some work forever, whatever fails; the same failure is logged once."""
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
