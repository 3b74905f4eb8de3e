"""How much one client, and all clients together, may store."""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import time

from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused
from zerosum.web.tables.async_store import AsyncStore

log = logging.getLogger("zerosum.web")

RECOUNT_SECONDS = 60.0


def owner_of(secret: bytes, client: str) -> str:
    """Return what stands for a client in the database, which does not hold its address."""
    return hmac.new(secret, b"owner " + client.encode(), hashlib.sha256).hexdigest()[:32]


class Quota:
    """Refuses a new match before it is stored, if its owner or all have stored too much."""

    def __init__(self, store: AsyncStore, limits: Limits) -> None:
        """Take the store to count in, and the limits."""
        self._store = store
        self._limits = limits
        self._total = 0
        self._counted = -math.inf

    async def check(self, owner: str, moves: int = 0) -> None:
        """Count a new match with so many moves, or refuse it."""
        limits = self._limits
        if time.monotonic() - self._counted >= RECOUNT_SECONDS:
            # Counting all takes a while, so it is estimated in between.
            self._counted = time.monotonic()
            self._total = await self._store.read(lambda store: store.count())
            if self._total >= limits.matches_total:
                log.error("%d matches reach ZEROSUM_LIMIT_MATCHES_TOTAL", self._total)
        if self._total >= limits.matches_total:
            raise Refused(
                "full",
                "This server has no room for new matches. Nothing was changed, and matches that "
                "have begun can be continued.",
            )
        matches, events = await self._store.read(lambda store: store.stored(owner))
        if matches >= limits.matches_per_client or events + moves > limits.moves_per_client:
            raise Refused(
                "too_many",
                "Too many matches have been created from your address. Nothing was changed; "
                "abandoned matches are deleted after a while.",
            )
        self._total += 1
