"""How often a client may do things, and how many of them at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused

MINUTE = 60.0
REMEMBERED = 50_000


class Rates:
    """How often a client may do things; a minute's worth may be used at once.

    >>> rates = Rates(ServerLimits(games_per_minute=2), clock=lambda: 0.0)
    >>> [rates.allow("192.0.2.1", "games") for _ in range(3)]
    [0.0, 0.0, 30.0]
    """

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = time.monotonic) -> None:
        """Count by a monotonic clock."""
        kinds = ("requests", "games", "moves", "analyses")
        self._most = {kind: getattr(limits, f"{kind}_per_minute") for kind in kinds}
        self._clock = clock
        # What is left, and when it was counted; the longest idle in front.
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def charge(self, client: str, kind: str, cost: float = 1.0) -> None:
        """Count a use by a client, or refuse it if there were too many."""
        wait = self.allow(client, kind, cost)
        if wait:
            seconds = int(wait) + 1
            unit = "second" if seconds == 1 else "seconds"
            text = f"Too many requests. Try again in {seconds} {unit}; nothing was changed."
            raise Refused("too_many", text, retry=seconds)

    def allow(self, client: str, kind: str, cost: float = 1.0) -> float:
        """Count a use by a client, a costly one as several; return 0.0, or the seconds to wait."""
        most = self._most[kind]
        cost = min(cost, most)
        now = self._clock()
        key = (client, kind)
        buckets = self.buckets
        left, at = buckets.get(key, (most, now))
        left = min(most, left + (now - at) * most / MINUTE)
        buckets[key] = (left if left < cost else left - cost, now)
        buckets.move_to_end(key)
        while True:  # forget what was idle for a minute, and the oldest when there are too many
            oldest = next(iter(buckets))
            if now - buckets[oldest][1] < MINUTE and len(buckets) <= REMEMBERED:
                break
            del buckets[oldest]
        return 0.0 if left >= cost else (cost - left) * MINUTE / most


class Slots:
    """Slots to take and give back, counted by holder and in total.

    >>> slots = Slots(each=1, total=2)
    >>> [slots.take("a"), slots.take("a"), slots.take("b"), slots.take("c")]
    [True, False, True, False]
    """

    def __init__(self, each: int, total: int) -> None:
        """Allow `each` slots per holder and `total` in all."""
        self.each = each
        self.total = total
        self.taken = 0
        self._by: dict[str, int] = {}

    def take(self, holder: str) -> bool:
        """Take a slot, if there is one."""
        has = self._by.get(holder, 0)
        if self.full or has >= self.each:
            return False
        self._by[holder] = has + 1
        self.taken += 1
        return True

    def give_back(self, holder: str) -> None:
        """Give a slot back."""
        has = self._by.pop(holder) - 1
        if has:
            self._by[holder] = has
        self.taken -= 1

    @property
    def full(self) -> bool:
        """Whether all slots are taken."""
        return self.taken >= self.total
