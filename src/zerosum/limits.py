"""How much is too much: the limits of solving, searching and checking, and their profiles."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import NamedTuple, Self, TypeVar

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

    def within(self, other: Self) -> Self:
        """Return the smaller limit of each kind."""
        return self._replace(
            positions=min(self.positions, other.positions),
            seconds=_least(self.seconds, other.seconds),
            nodes=min(self.nodes, other.nodes),
            memory=_least(self.memory, other.memory),
        )

    def in_seconds(self, seconds: float | None) -> Self:
        """Return the same limits with another time."""
        return self._replace(seconds=seconds)

    def share(self, part: float) -> Self:
        """Return a part of the time and of the nodes."""
        seconds = None if self.seconds is None else part * self.seconds
        return self._replace(seconds=seconds, nodes=int(part * self.nodes))

    def deadline(self) -> float:
        """Return when the time is up, if it begins now."""
        return inf if self.seconds is None else monotonic() + self.seconds


def _least(one: T | None, other: T | None) -> T | None:
    """Return the smaller of two limits, either of which may be missing."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


# Seconds that a command keeps its user waiting for a table; where a search can answer too; and
# where only the whole table can.
PATIENCE, SHORT_PATIENCE, PLAYER_PATIENCE = 20.0, 5.0, 10.0
# Seconds for the audit of one game.
AUDIT_SECONDS = 300.0
# Seconds for the tables and searches of a review without a table, and for one more table.
REVIEW_SECONDS, LAST_TABLE_SECONDS = 10.0, 0.1
# Seconds for a bot's move, and for its search, whatever was done before.
MOVE_SECONDS, LEAST_MOVE_SECONDS = 1.4, 0.2
# Seconds for one call of somebody else's rules.
CALL_SECONDS = 5.0
# Rules that take these seconds for fewer than these positions stay slow.
SLOW_SECONDS, SLOW_POSITIONS = 5.0, 1_000
# With slow rules, seconds to look up moves after a search, or a word among moves.
LAST_LOOK_SECONDS, WORD_SECONDS = 0.5, 0.5
# Seconds to look for somebody else's fault before we call it ours.
FAULT_SECONDS = 2.0
# Seconds to try other variants for a law.
LAW_SECONDS = 2.0
# Seconds to see whether moves have the same order in every process.
ORDER_SECONDS = 20.0
# Seconds in which an environment shows its rules: random games, more of them, illegal moves.
TRIAL_SECONDS, CONFIRM_SECONDS, PROBE_SECONDS = 0.3, 0.1, 0.2
# Seconds to wait for a database, and for a cluster.
STORE_SECONDS, CLUSTER_SECONDS = 10.0, 10
# The parts of a table that is made on many cores or machines: at least one for each.
PARTS, MOST_PARTS = 16, 1_024
# How often a player may be asked about a position, and how many questions may be open at once.
MOST_SAMPLES, MOST_JOBS = 10_000, 1_024
# As much as fits into memory, for as long as it takes.
NONE = Limits()
# What takes a fraction of a second.
QUICK = Limits(positions=20_000)
# As much as fits onto a disk.
VAST = Limits(positions=1 << 50)
# A command shows that it works.
COMMAND = Limits(seconds=PATIENCE)
# An audit checks the rules of a game in its first positions.
CHECKED = Limits(positions=10_000)
# One game of many, each in a process of its own.
BATCH = Limits(seconds=10.0, memory=2_048)
# A game by an unknown author, and its seconds on the clock: an assistant's tool may take a minute.
AUTHOR, AUTHOR_SECONDS = BATCH.in_seconds(20.0), 45.0
# Some games of an arena, whose players may think for long.
ARENA = Limits(seconds=86_400.0)
# A person waits for a move or a hint: a table of what can follow a position, or a search.
PERSON = Limits(positions=100_000, seconds=1.0, nodes=20_000)
# For the coach of a game being played, a table of all of it.
COACH = Limits(positions=400_000, seconds=1.2)
# A search, if a table of what can follow is too large: a coach's, and the default.
COACH_SEARCH, SEARCH = PERSON.in_seconds(0.7), PERSON.in_seconds(2.0)
# Easy, medium and hard play by exact values where at most this many positions can follow: a table
# of them takes a fraction of a second. The time is for slow rules and busy machines.
LEVELS_KNOW = Limits(positions=10_000, seconds=1.0)

# Calls of the rules, and seconds, for a sample that tells whether a game is too large.
SAMPLE_CALLS, SAMPLE_SECONDS = 1_500_000, 10.0
# Positions in which a law is looked for, and with which it is tried in larger variants: laws of
# larger tables are hardly accidents.
LAW_POSITIONS, TRIED_LAW_POSITIONS = 200_000, 20_000
# Positions that the conformance kit checks, and in which it only follows a canonical().
CHECKED_STATES, SYMMETRIC_STATES = 1_000, 5_000
# Positions on a map, by a theory; and with long numbers.
MAP_POSITIONS, LONG_MAP_POSITIONS = 8_000, 300
# Positions among which puzzles are found.
PUZZLE_POSITIONS = 3_000
# Positions of a theory that a lesson looks at.
LESSON_POSITIONS = 1_000
# Chances that only tell moves apart take a second: positions, moves, and positions of a cycle.
CHANCE_POSITIONS, CHANCE_MOVES, CHANCE_CYCLE = 5_000, 75_000, 600
# Positions of a cycle whose matrix fits into memory.
CYCLE_POSITIONS = 3_000
# An audit: positions in which the rules are checked once a fault is known; those of an environment
# that are asked about again.
FAULTY_POSITIONS, ASKED_POSITIONS = 20_000, 2_000
# An audit: what a search may visit, and moves times plies that are measured: some seconds.
AUDIT_NODES, MEASURE_STEPS = 250_000, 1 << 28
# Starts that one command judges, and combinations of other options for each.
MOST_STARTS, MOST_COMBINATIONS = 100_000, 16

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
