"""The server's limits: every one is finite and can be changed."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.text import did_you_mean

PREFIX = "ZEROSUM_LIMIT_"
MOST = 1_000_000_000
MINUTE = 60.0
REMEMBERED = 50_000


class LimitError(ZerosumError):
    """A limit with a value that is not allowed."""


def _limit(default: float, text: str) -> Any:
    """Define a field with a description."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Limits:
    """All limits. A class of thirty behind one address can play with the defaults.

    >>> Limits(body_bytes=100).body_bytes
    100
    """

    body_bytes: int = _limit(16_384, "Bytes in a request's body.")
    head_bytes: int = _limit(16_384, "Bytes in a request's first line and headers together.")
    header_lines: int = _limit(64, "Headers in a request.")
    path_letters: int = _limit(512, "Characters in a path, without the query.")
    number_digits: int = _limit(40, "Digits in a number sent by a browser.")
    events_per_match: int = _limit(
        4_000, "Moves in one match, including those taken back; after that it can only be ended."
    )
    numbers_listed: int = _limit(50, "Numbers in a list sent by a browser.")

    header_seconds: float = _limit(10.0, "Seconds to send a request's first line and headers.")
    body_seconds: float = _limit(10.0, "Seconds to send a request's body.")
    send_seconds: float = _limit(
        20.0, "Seconds for a client to read an answer before it is dropped."
    )
    idle_seconds: float = _limit(30.0, "Seconds a connection may stay idle between requests.")
    beat_seconds: float = _limit(15.0, "Seconds between two heartbeats on an event stream.")

    connections_per_client: int = _limit(
        400, "Connections from one address (not counted behind a proxy, which has one address)."
    )
    connections_total: int = _limit(8_000, "Connections in total.")
    streams_per_client: int = _limit(120, "Open event streams from one address.")
    streams_total: int = _limit(6_000, "Open event streams in total.")
    spectators_per_match: int = _limit(50, "Spectators of one match.")

    requests_per_minute: int = _limit(6_000, "Requests from one address.")
    games_per_minute: int = _limit(120, "New matches from one address.")
    moves_per_minute: int = _limit(1_200, "Moves and other actions from one address.")
    analyses_per_minute: int = _limit(600, "Questions to the solver from one address.")

    solver_seconds: float = _limit(10.0, "Seconds the solver may take for one answer.")
    solver_positions: int = _limit(400_000, "Positions the solver may visit for one answer.")
    solver_waiting: int = _limit(
        64, "Questions waiting for the solver: for bots, for players, for pages."
    )
    solver_each: int = _limit(
        32,
        "Questions from one address waiting for the solver: for players, for pages.",
    )

    waiting_days: float = _limit(1.0, "Days after which a match that nobody joined is deleted.")
    unfinished_days: float = _limit(30.0, "Days after which an abandoned match is deleted.")
    finished_days: float = _limit(
        90.0,
        "Days after which the link and seats of a finished match are deleted; "
        "its record stays in the history.",
    )

    def __post_init__(self) -> None:
        """Refuse values that are not numbers or not limits."""
        for limit in fields(self):
            value = getattr(self, limit.name)
            whole = isinstance(limit.default, int)
            kinds = (int,) if whole else (int, float)
            if isinstance(value, bool) or not isinstance(value, kinds):
                raise LimitError(f"{variable(limit)} must be a {'whole ' * whole}number.")
            if not 0 < value <= MOST:  # false for infinity and NaN
                least = "from 1" if whole else "more than 0 and"
                raise LimitError(f"{variable(limit)} must be {least} up to {MOST:,}.")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Limits:
        """Read limits from the environment, such as ZEROSUM_LIMIT_BODY_BYTES=4096.

        >>> Limits.read({"ZEROSUM_LIMIT_GAMES_PER_MINUTE": "5"}).games_per_minute
        5
        >>> Limits.read({"ZEROSUM_LIMIT_BODY": "5"})
        Traceback (most recent call last):
        ...
        zerosum.web.http.limits.LimitError: ZEROSUM_LIMIT_BODY is not a limit; did you mean \
ZEROSUM_LIMIT_BODY_BYTES?
        """
        known = {variable(limit): limit for limit in fields(cls)}
        given: dict[str, float] = {}
        for name, text in environment.items():
            if not name.startswith(PREFIX):
                continue
            if name not in known:
                offer = did_you_mean(name, known) or "docs/deploy.md lists all limits."
                raise LimitError(f"{name[:80]} is not a limit; {offer}")
            limit = known[name]
            try:
                given[limit.name] = int(text) if isinstance(limit.default, int) else float(text)
            except ValueError:
                kind = "whole number" if isinstance(limit.default, int) else "number"
                raise LimitError(
                    f"{name}: '{text[:40]}' is not a {kind}; the default is {shown(limit.default)}."
                ) from None
        return cls(**given)  # type: ignore[arg-type]


def variable(limit: Field[Any]) -> str:
    """Return the environment variable of a limit."""
    return PREFIX + limit.name.upper()


def shown(value: Any) -> str:
    """Format a number so that it can be copied into the environment."""
    return str(int(value)) if value == int(value) else str(value)


def limits_table() -> str:
    """Return all limits as a table for docs/deploy.md."""
    rows = [
        f"| `{variable(limit)}` | {shown(limit.default)} | {limit.metadata['help']} |"
        for limit in fields(Limits)
    ]
    return "\n".join(["| variable | default | what it limits |", "|---|---|---|", *rows])


class _Bucket(NamedTuple):
    """What a client has left of one kind, and when it was counted."""

    left: float
    at: float


class Rates:
    """How often a client may do things; a minute's worth may be used at once.

    >>> rates = Rates(Limits(games_per_minute=2), clock=lambda: 0.0)
    >>> [rates.allow("192.0.2.1", "games") for _ in range(3)]
    [0.0, 0.0, 30.0]
    """

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        remembered: int = REMEMBERED,
    ) -> None:
        """Count by a monotonic clock."""
        self._most = {
            "requests": limits.requests_per_minute,
            "games": limits.games_per_minute,
            "moves": limits.moves_per_minute,
            "analyses": limits.analyses_per_minute,
        }
        self._clock = clock
        self._remembered = remembered
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def allow(self, client: str, kind: str) -> float:
        """Count one use by a client; return 0.0, or the seconds to wait."""
        most = self._most[kind]
        now = self._clock()
        key = (client, kind)
        bucket = self._buckets.pop(key, None)
        left = float(most)
        if bucket is not None:
            left = min(left, bucket.left + (now - bucket.at) * most / MINUTE)
        wait = 0.0 if left >= 1 else (1 - left) * MINUTE / most
        # Move to the end: the longest idle stay in front.
        self._buckets[key] = _Bucket(left if wait else left - 1, now)
        self._forget(now)
        return wait

    def _forget(self, now: float) -> None:
        """Drop buckets idle for a minute, and the oldest when there are too many."""
        while self._buckets:
            key = next(iter(self._buckets))
            quiet = now - self._buckets[key].at >= MINUTE
            if not quiet and len(self._buckets) <= self._remembered:
                return
            del self._buckets[key]


class Places:
    """Places to take and give back, counted by holder and in total.

    >>> places = Places(each=1, total=2)
    >>> [places.take("a"), places.take("a"), places.take("b"), places.take("c")]
    [True, False, True, False]
    """

    def __init__(self, each: int, total: int) -> None:
        """Allow `each` places per holder and `total` in all."""
        self.each = each
        self.total = total
        self.taken = 0
        self._by: dict[str, int] = {}

    def take(self, holder: str) -> bool:
        """Take a place, if there is one."""
        has = self._by.get(holder, 0)
        if self.taken >= self.total or has >= self.each:
            return False
        self._by[holder] = has + 1
        self.taken += 1
        return True

    def give_back(self, holder: str) -> None:
        """Give a place back."""
        has = self._by.pop(holder) - 1
        if has:
            self._by[holder] = has
        self.taken -= 1

    @property
    def full(self) -> bool:
        """Whether all places are taken."""
        return self.taken >= self.total
