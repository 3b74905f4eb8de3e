"""The server's limits: every one is finite, and some can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.limits import COACH
from zerosum.text import did_you_mean

PREFIX = "ZEROSUM_LIMIT_"
MOST = 1_000_000_000


class LimitError(ZerosumError):
    """A limit with a value that is not allowed."""


def _limit(default: float, text: str) -> Any:
    """Define a limit that an operator may change."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class ServerLimits:
    """All limits. A class of thirty behind one address can play with the defaults.

    Those with a description can be changed by an operator; the others suit every server.
    """

    requests_per_minute: int = _limit(6_000, "Requests from one address.")
    games_per_minute: int = _limit(120, "New matches from one address.")
    moves_per_minute: int = _limit(1_200, "Moves and other actions from one address.")
    analyses_per_minute: int = _limit(600, "Questions to the solver from one address.")

    connections_per_client: int = _limit(
        400, "Connections from one address (not counted behind a proxy, which has one address)."
    )
    connections_total: int = _limit(8_000, "Connections in total.")

    solver_seconds: float = _limit(10.0, "Seconds the solver may take for one answer.")
    solver_positions: int = _limit(
        COACH.positions, "Positions the solver may visit for one answer."
    )
    solver_megabytes: int = _limit(
        1024, "Megabytes of memory for one solver process beyond what it needs to start (Linux)."
    )
    rules_seconds: float = _limit(
        2.0,
        "Seconds a game's own rules may take for one answer; to load them, five times as many.",
    )

    engine_seconds: float = _limit(10.0, "Seconds a program of `--engine` may take for a move.")
    engine_processes: int = _limit(
        2, "Processes of such programs, each with the memory of a solver process."
    )

    matches_total: int = _limit(
        500_000, "Matches in the database, those in the history too; after that none is created."
    )
    unfinished_days: float = _limit(30.0, "Days after which an abandoned match is deleted.")
    finished_days: float = _limit(
        90.0,
        "Days after which the link and seats of a finished match are deleted; "
        "its record stays in the history.",
    )

    # What a request may be.
    body_bytes: int = 16_384
    head_bytes: int = 16_384  # its first line and headers together
    number_digits: int = 40
    numbers_listed: int = 50
    events_per_match: int = 4_000  # with those taken back; after that it can only be ended

    # How long a client may take.
    header_seconds: float = 10.0
    body_seconds: float = 10.0
    send_seconds: float = 20.0  # to read an answer
    idle_seconds: float = 30.0
    # Common proxies close a stream that is silent for 50 to 60 seconds.
    beat_seconds: float = 15.0

    streams_per_client: int = 120
    streams_total: int = 6_000
    spectators_per_match: int = 50

    # A variant is refused for a while after two answers in a row took too long.
    late_seconds: float = 60.0
    late_variants: int = 1_000
    # Questions waiting for the solver, by what waits for them; and those of one person.
    solver_waiting: int = 64
    solver_each: int = 32

    # What one address may store.
    matches_per_client: int = 20_000
    moves_per_client: int = 1_000_000
    waiting_days: float = 1.0  # until a match that nobody joined is deleted
    people_per_client: int = 100  # people with a name, forgotten if they stay away
    people_total: int = 20_000
    waiting_per_client: int = 100  # matches that nobody joined, if another is a challenge

    @property
    def load_seconds(self) -> float:
        """Seconds that a user's own game may take to load."""
        return 5 * self.rules_seconds

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> ServerLimits:
        """Read limits from the environment, such as ZEROSUM_LIMIT_GAMES_PER_MINUTE=5.

        >>> ServerLimits.read({"ZEROSUM_LIMIT_GAMES_PER_MINUTE": "5"}).games_per_minute
        5
        """
        known = settable()
        given: dict[str, Any] = {}
        for name, text in environment.items():
            if name in known:
                given[known[name].name] = _parse(name, known[name], text)
            elif name.startswith(PREFIX):
                offer = did_you_mean(name, known) or "docs/deploy.md lists all limits."
                raise LimitError(f"{name[:80]} is not a limit; {offer}")
        return cls(**given)


def _parse(name: str, limit: Field[Any], text: str) -> float:
    """Read the value of a limit."""
    kind: Any = type(limit.default)
    with suppress(ValueError):
        value: float = kind(text)
        if 0 < value <= MOST:  # false for infinity and NaN
            return value
    raise LimitError(
        f"{name} must be a {'whole ' * (kind is int)}number above 0 and up to {MOST:,}, "
        f"not '{text[:40]}'; the default is {limit.default:n}."
    )


def settable() -> dict[str, Field[Any]]:
    """Return the limits that an operator may change, by their environment variables."""
    return {PREFIX + limit.name.upper(): limit for limit in fields(ServerLimits) if limit.metadata}
