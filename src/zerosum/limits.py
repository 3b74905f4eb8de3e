"""How much is too much: the limits of solving, searching and checking, and their profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import NamedTuple, TypeVar

T = TypeVar("T", int, float)


class Limits(NamedTuple):
    """What one piece of work may take.

    `positions` is the most that a table may have; `seconds` is for rules that are slow, and None
    is as long as it takes; `nodes` is the most new positions of a search; `memory` is what a
    process of its own may use, in mebibytes.

    >>> COMMAND.within(Limits(positions=1_000)).positions, COMMAND.within(PERSON).seconds
    (1000, 1.0)
    """

    positions: int = 2_000_000
    seconds: float | None = None
    nodes: int = 1_000_000
    memory: int | None = None

    def within(self, other: Limits) -> Limits:
        """Return the smaller limit of each kind."""
        return Limits(
            min(self.positions, other.positions),
            _least(self.seconds, other.seconds),
            min(self.nodes, other.nodes),
            _least(self.memory, other.memory),
        )

    def in_seconds(self, seconds: float | None) -> Limits:
        """Return the same limits with another time."""
        return self._replace(seconds=seconds)

    def share(self, part: float) -> Limits:
        """Return a part of the time and of the nodes."""
        seconds = None if self.seconds is None else part * self.seconds
        return self._replace(seconds=seconds, nodes=int(part * self.nodes))

    def deadline(self) -> float:
        """Return when the time is up, if it begins now."""
        return inf if self.seconds is None else monotonic() + self.seconds


def _least(one: T | None, other: T | None) -> T | None:
    """Return the smaller of two limits, either of which may be missing."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


# Seconds that a command keeps its user waiting for a table, and where a search can answer too; and
# a player who wants the perfect level, which needs the whole table.
PATIENCE, SHORT_PATIENCE, PLAYER_PATIENCE = 20.0, 5.0, 10.0
# Seconds for the audit of one game, and for the review of one that is too large for a table: all
# tables of what can follow its positions and all searches, then one more such table.
AUDIT_SECONDS, REVIEW_SECONDS, LAST_TABLE_SECONDS = 300.0, 10.0, 0.1
# Seconds for one call of somebody else's rules, to look for a fault of theirs before we call one
# ours, and to try other variants for a law.
CALL_SECONDS, FAULT_SECONDS, LAW_SECONDS = 5.0, 2.0, 2.0
# As much as fits into memory, for as long as it takes.
NONE = Limits()
# A command shows that it works.
COMMAND = Limits(seconds=PATIENCE)
# One game of many, each in a process of its own.
BATCH = Limits(seconds=10.0, memory=2_048)
# A person waits for a move or a hint: a table of what can follow a position, or a search.
PERSON = Limits(positions=100_000, seconds=1.0, nodes=20_000)
# For the coach of a game being played, a table of all of it.
COACH = Limits(positions=400_000, seconds=1.2)
# Easy, medium and hard play by exact values where at most this many positions can follow: a table
# of them takes a fraction of a second. The time is for slow rules and busy machines.
LEVELS_KNOW = Limits(positions=10_000, seconds=1.0)

# Positions that are solved in a fraction of a second.
QUICK_POSITIONS = 20_000
# Positions in which a law is looked for; on a map, of a theory and of one with long numbers; among
# which puzzles are found; of a table that only tells the chances of moves apart.
LAW_POSITIONS = 200_000
MAP_POSITIONS, LONG_MAP_POSITIONS = 8_000, 300
PUZZLE_POSITIONS = 3_000
CHANCE_POSITIONS = 5_000
# An audit: positions in which the rules are checked, and what a search of a game without a table
# may visit, which is a few seconds' work.
CHECKED_POSITIONS = 10_000
AUDIT_NODES = 250_000

Progress = Callable[[int], None]
_progress: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """While this is entered, tell a function the number of positions visited, now and then.

    >>> import zerosum
    >>> with reporting(print):
    ...     solution = zerosum.solve(zerosum.game("digit-battle", lives=14))
    16384
    """
    token = _progress.set(progress)
    try:
        yield
    finally:
        _progress.reset(token)


def progress() -> Progress | None:
    """Return the function that is to be told how many positions were visited, if there is one."""
    return _progress.get()
