"""The server's limits: every one is finite and can be changed."""

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


def _limit(default: float, text: str, most: int = MOST) -> Any:
    """Define a field with a description and the largest value that makes sense."""
    return field(default=default, metadata={"help": text, "most": most})


@dataclass(frozen=True)
class ServerLimits:
    """All limits. A class of thirty behind one address can play with the defaults.

    >>> ServerLimits(body_bytes=100).body_bytes
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
    # Common proxies close a stream that is silent for 50 to 60 seconds.
    beat_seconds: float = _limit(
        15.0, "Seconds between two heartbeats on an event stream (up to 45).", most=45
    )

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
    rules_seconds: float = _limit(2.0, "Seconds a game's own rules may take for one answer.")
    load_seconds: float = _limit(10.0, "Seconds a user's own game may take to load.")
    late_seconds: float = _limit(
        60.0, "Seconds for which a variant is refused after two answers in a row took too long."
    )
    late_variants: int = _limit(1_000, "Variants that are remembered because they took too long.")
    solver_megabytes: int = _limit(
        1024, "Megabytes of memory for one solver process beyond what it needs to start (Linux)."
    )
    solver_positions: int = _limit(
        COACH.positions, "Positions the solver may visit for one answer."
    )
    solver_waiting: int = _limit(
        64, "Questions waiting for the solver: for bots, for players, for pages, for rules."
    )
    solver_each: int = _limit(
        32,
        "Questions from one person waiting for the solver: for bots, players, pages, rules.",
    )

    matches_per_client: int = _limit(
        20_000, "Matches with a link that were created from one address."
    )
    moves_per_client: int = _limit(
        1_000_000, "Moves in the matches from one address; after that it cannot create another."
    )
    matches_total: int = _limit(
        500_000, "Matches in the database, those in the history too; after that none is created."
    )

    waiting_days: float = _limit(1.0, "Days after which a match that nobody joined is deleted.")
    unfinished_days: float = _limit(30.0, "Days after which an abandoned match is deleted.")
    finished_days: float = _limit(
        90.0,
        "Days after which the link and seats of a finished match are deleted; "
        "its record stays in the history.",
    )

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> ServerLimits:
        """Read limits from the environment, such as ZEROSUM_LIMIT_BODY_BYTES=4096.

        >>> ServerLimits.read({"ZEROSUM_LIMIT_GAMES_PER_MINUTE": "5"}).games_per_minute
        5
        >>> ServerLimits.read({"ZEROSUM_LIMIT_BODY": "5"})
        Traceback (most recent call last):
        ...
        zerosum.web.limits.LimitError: ZEROSUM_LIMIT_BODY is not a limit; did you mean \
ZEROSUM_LIMIT_BODY_BYTES?
        """
        known = {variable(limit): limit for limit in fields(cls)}
        given: dict[str, Any] = {}
        for name, text in environment.items():
            if name in known:
                given[known[name].name] = _parse(known[name], text)
            elif name.startswith(PREFIX):
                offer = did_you_mean(name, known) or "docs/deploy.md lists all limits."
                raise LimitError(f"{name[:80]} is not a limit; {offer}")
        return cls(**given)


def _parse(limit: Field[Any], text: str) -> float:
    """Read the value of a limit."""
    kind: Any = type(limit.default)
    most = limit.metadata["most"]
    with suppress(ValueError):
        value: float = kind(text)
        if 0 < value <= most:  # false for infinity and NaN
            return value
    raise LimitError(
        f"{variable(limit)} must be a {'whole ' * (kind is int)}number above 0 and up to {most:,}, "
        f"not '{text[:40]}'; the default is {limit.default:n}."
    )


def variable(limit: Field[Any]) -> str:
    """Return the environment variable of a limit."""
    return PREFIX + limit.name.upper()
