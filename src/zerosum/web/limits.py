"""What the server gives to one client at most: every number is finite, and can be changed."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError

PREFIX = "ZEROSUM_LIMIT_"
MOST = 1_000_000_000
MINUTE = 60.0
REMEMBERED = 50_000


class LimitError(ZerosumError):
    """A limit has a value that it cannot have."""


def _limit(default: float, text: str) -> Any:
    """Make a field that says what it limits."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Limits:
    """All limits. A class of thirty behind one address can play with the defaults.

    >>> Limits(body_bytes=100).body_bytes
    100
    """

    body_bytes: int = _limit(16_384, "The size of a request's body.")
    head_bytes: int = _limit(16_384, "The size of a request's line and headers together.")
    header_lines: int = _limit(64, "Headers in a request.")
    path_letters: int = _limit(512, "The length of a path, without the query.")
    number_digits: int = _limit(40, "Digits of a number that a browser sends.")
    events_per_match: int = _limit(
        4_000, "Moves of one match, moves taken back included; then it can only be ended."
    )
    numbers_listed: int = _limit(50, "Numbers in a list that a browser sends.")

    header_seconds: float = _limit(10.0, "The time to send a request's line and headers.")
    body_seconds: float = _limit(10.0, "The time to send a request's body.")
    send_seconds: float = _limit(
        20.0, "The time to take what was sent; then the client is dropped."
    )
    idle_seconds: float = _limit(30.0, "How long a connection may wait for its next request.")
    beat_seconds: float = _limit(15.0, "The pause between two signs of life on a stream of news.")

    connections_per_client: int = _limit(
        400, "Connections of one address (not counted behind a proxy: there is only one address)."
    )
    connections_total: int = _limit(8_000, "Connections of everybody.")
    streams_per_client: int = _limit(120, "Open streams of news for one address.")
    streams_total: int = _limit(6_000, "Open streams of news for everybody.")
    spectators_per_match: int = _limit(50, "Streams of one match for people who only watch.")

    requests_per_minute: int = _limit(6_000, "Requests of one address.")
    games_per_minute: int = _limit(120, "New matches of one address.")
    moves_per_minute: int = _limit(1_200, "Moves and other actions of one address.")
    analyses_per_minute: int = _limit(600, "Questions to the solver of one address.")

    solver_seconds: float = _limit(10.0, "The time for one answer of the solver.")
    solver_positions: int = _limit(400_000, "Positions that the solver looks at for one answer.")
    solver_waiting: int = _limit(
        64, "Questions that may wait for the solver: for programs, for players, and for pages."
    )
    solver_each: int = _limit(
        32, "Questions of one address that wait for the solver: for players, and for pages."
    )

    waiting_days: float = _limit(1.0, "After this, a match that nobody has joined is deleted.")
    unfinished_days: float = _limit(
        30.0, "After this, a match that nobody goes on with is deleted."
    )
    finished_days: float = _limit(
        90.0,
        "After this, the address and seats of a match that is over are forgotten; "
        "its record stays in the history.",
    )

    def __post_init__(self) -> None:
        """Refuse what is no number, or would be no limit."""
        for limit in fields(self):
            value = getattr(self, limit.name)
            whole = isinstance(limit.default, int)
            kinds = (int,) if whole else (int, float)
            if isinstance(value, bool) or not isinstance(value, kinds):
                raise LimitError(f"{variable(limit)}: it must be a {'whole ' * whole}number.")
            if not 0 < value <= MOST:  # false for what is infinite, or no number at all
                least = "from 1" if whole else "more than 0,"
                raise LimitError(f"{variable(limit)}: it must be {least} up to {MOST:,}.")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Limits:
        """Take the limits that the environment changes: ZEROSUM_LIMIT_BODY_BYTES=4096.

        >>> Limits.read({"ZEROSUM_LIMIT_GAMES_PER_MINUTE": "5"}).games_per_minute
        5
        >>> Limits.read({"ZEROSUM_LIMIT_BODY": "5"})
        Traceback (most recent call last):
        ...
        zerosum.web.limits.LimitError: ZEROSUM_LIMIT_BODY: there is no such limit; did you mean \
ZEROSUM_LIMIT_BODY_BYTES?
        """
        known = {variable(limit): limit for limit in fields(cls)}
        given: dict[str, float] = {}
        for name, text in environment.items():
            if not name.startswith(PREFIX):
                continue
            if name not in known:
                raise LimitError(
                    f"{name[:80]}: there is no such limit{_nearest(name, list(known))}"
                )
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
    """Name the variable of the environment that changes a limit."""
    return PREFIX + limit.name.upper()


def shown(value: Any) -> str:
    """Write a number as the documents do, so that it can be copied into the environment."""
    return str(int(value)) if value == int(value) else str(value)


def limits_table() -> str:
    """Write all limits as a table for docs/deploy.md."""
    rows = [
        f"| `{variable(limit)}` | {shown(limit.default)} | {limit.metadata['help']} |"
        for limit in fields(Limits)
    ]
    return "\n".join(["| variable | default | what it limits |", "|---|---|---|", *rows])


def _nearest(name: str, known: list[str]) -> str:
    """Offer the limit that was probably meant."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else "."


class _Bucket(NamedTuple):
    """What a client has left of one kind, and when that was counted."""

    left: float
    at: float


class Rates:
    """How often a client may do things; each may use up a minute's worth at once.

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
        """Count by a clock that only goes forward."""
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
        """Count one thing that a client does: 0.0, or the seconds to wait before it may."""
        most = self._most[kind]
        now = self._clock()
        key = (client, kind)
        bucket = self._buckets.pop(key, None)
        left = float(most)
        if bucket is not None:
            left = min(left, bucket.left + (now - bucket.at) * most / MINUTE)
        wait = 0.0 if left >= 1 else (1 - left) * MINUTE / most
        # Put back at the end: those that were quiet longest stand in front.
        self._buckets[key] = _Bucket(left if wait else left - 1, now)
        self._forget(now)
        return wait

    def _forget(self, now: float) -> None:
        """Drop what is full again after a quiet minute, and the oldest when there are too many."""
        while self._buckets:
            key = next(iter(self._buckets))
            quiet = now - self._buckets[key].at >= MINUTE
            if not quiet and len(self._buckets) <= self._remembered:
                return
            del self._buckets[key]


class Places:
    """Places that are taken and given back, counted by holder and in total.

    >>> places = Places(each=1, total=2)
    >>> [places.take("a"), places.take("a"), places.take("b"), places.take("c")]
    [True, False, True, False]
    """

    def __init__(self, each: int, total: int) -> None:
        """Give so many to each, and so many to all together."""
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
        """Give a place back that was taken."""
        has = self._by.pop(holder) - 1
        if has:
            self._by[holder] = has
        self.taken -= 1

    @property
    def full(self) -> bool:
        """Whether everybody together has all the places."""
        return self.taken >= self.total
