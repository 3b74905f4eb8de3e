"""What one solver process has in memory: the games it may load, and recent solutions."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import Puzzle
from zerosum.errors import GameError, MissingExtra, TooLarge, UnknownGame
from zerosum.protocol import Game
from zerosum.registry import Entry, find, is_path
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import solve
from zerosum.solver.solution import Solution
from zerosum.text import brief
from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused

T = TypeVar("T")
# Positions of all solutions together. Each takes about 300 to 700 bytes, and up to twice that
# while its table is built: even then, everything fits into a process's memory.
MOST_POSITIONS = 600_000
# What a solution counts for at least: it may have none, but a map and other texts.
LEAST_POSITIONS = MOST_POSITIONS // 32
# The share of the time for solving; the rest is for reporting that it was not enough.
SOLVING = 0.7
# Seconds until a failed solve is retried: the machine may just have been busy.
AGAIN = 300.0


class TooHard(Refused):
    """An answer that would take too much time, memory or too many positions."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("too_hard", message)


class File(NamedTuple):
    """A user's own game: its path, and its fingerprint when the server started."""

    path: str
    source: str


def file_at(path: str) -> File:
    """Take the fingerprint of a user's own game."""
    return File(path, fingerprint(find(path).variant()))


@dataclass
class Solved:
    """A coach with its solution, or the reason there is none, and what was made of it."""

    asker: str  # for whom it counts: the first who asked
    coach: Coach[Any] | None
    size: int = LEAST_POSITIONS
    reason: str = ""
    until: float = float("inf")
    made: dict[Callable[..., Any], Any] = field(default_factory=dict)


@dataclass
class Solutions:
    """Games by name, with their coaches; `asker` is whoever asks now."""

    files: dict[str, File] = field(default_factory=dict)
    cache: str | None = None
    limits: Limits = field(default_factory=Limits)
    asker: str = ""
    puzzles: dict[str, list[Puzzle[Any]]] = field(default_factory=dict)
    _checked: set[str] = field(default_factory=set)
    _solved: dict[Game[Any], Solved] = field(default_factory=dict)  # the least recently used first

    def entry(self, name: str) -> Entry:
        """Find a game by name, never by path: anyone can ask."""
        if name in self.files:
            path, source = self.files[name]
            entry = find(path)
            if name not in self._checked and fingerprint(entry.variant()) != source:
                raise GameError(f"The file of {name} has changed; restart the server.")
            self._checked.add(name)  # once loaded, it stays loaded
            return entry
        if is_path(name):
            raise UnknownGame(f"There is no game '{brief(name)}'.")
        return find(name)

    def game(self, name: str, options: dict[str, Any]) -> Game[Any]:
        """Make a variant."""
        return self.entry(name).variant(**options)

    def coach(self, game: Game[Any]) -> Coach[Any]:
        """Return the coach of a variant, or raise TooHard with the reason."""
        solved = self._solved.pop(game, None)
        if solved is None or solved.until < time.monotonic():
            solved = self._solve(game)
        self._solved[game] = solved
        self._make_room(game)
        if solved.coach is None:
            raise TooHard(solved.reason)
        return solved.coach

    def _solve(self, game: Game[Any]) -> Solved:
        """Solve a variant within the limits."""
        try:
            with _alarm(self.limits.solver_seconds * SOLVING):
                solution = solve(game, self.limits.solver_positions, cache=self.cache)
        except (TooLarge, MissingExtra) as error:
            return Solved(self.asker, None, reason=str(error))
        except (TooHard, MemoryError) as error:
            memory = "Solving this game needs more memory than is available."
            reason = memory if isinstance(error, MemoryError) else str(error)
            return Solved(self.asker, None, reason=reason, until=time.monotonic() + AGAIN)
        size = 0 if solution.solved is None else len(solution.solved.graph)
        return Solved(self.asker, Coach(solution), max(size, LEAST_POSITIONS))

    def _make_room(self, now: Game[Any]) -> None:
        """While there are too many positions, drop the oldest solution of whoever has most.

        The one asked for now stays.
        """
        sizes = Counter[str]()
        for solved in self._solved.values():
            sizes[solved.asker] += solved.size
        while len(self._solved) > 1 and sizes.total() > MOST_POSITIONS:
            others = [game for game in self._solved if game != now]
            oldest = max(others, key=lambda game: sizes[self._solved[game].asker])
            dropped = self._solved.pop(oldest)
            sizes[dropped.asker] -= dropped.size

    def made(self, game: Game[Any], make: Callable[[Solution[Any]], T]) -> T:
        """Return what a function makes of a variant's solution, which it does once."""
        coach = self.coach(game)
        known = self._solved[game].made
        if make not in known:
            known[make] = make(coach.solution)
        made: T = known[make]
        return made

    def clear(self) -> None:
        """Drop everything that can be rebuilt, when memory runs out."""
        self.puzzles.clear()
        self._solved.clear()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt what takes too long, where possible; elsewhere the process is killed."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooHard(f"Solving this game takes more than {seconds:g} seconds.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_solutions = Solutions()


def solutions() -> Solutions:
    """Return the solutions of this process."""
    return _solutions


def install(new: Solutions) -> None:
    """Set the solutions of this process."""
    global _solutions
    _solutions = new
