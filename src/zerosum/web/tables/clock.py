"""The time of a database: the same for all its servers, whatever their own clocks show."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

from zerosum.web.tables.async_store import AsyncStore

# How often a running server records the time, and what it may lose of it by being killed.
BEAT_SECONDS = 2.0
# A process that is this late was suspended, and its players could not move.
ASLEEP_SECONDS = 4.0
# Another server's time that is ahead by more is a jump, not a rounding.
JUMP_SECONDS = 0.5


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
