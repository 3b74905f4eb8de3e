"""What one solver process has in memory: the games it may load, and what it knows of them."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import Puzzle
from zerosum.errors import GameError, MissingExtra, UnknownGame
from zerosum.players.levels import ONWARD_POSITIONS, ONWARD_SECONDS
from zerosum.protocol import Game
from zerosum.registry import Entry, find, is_path
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver.knowledge import Knowledge
from zerosum.solver.search import Budget
from zerosum.solver.solution import Solution
from zerosum.text import brief
from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused

T = TypeVar("T")
# Positions of all games together. Each takes about 300 to 700 bytes, and up to twice that while
# its table is built: even then, everything fits into a process's memory.
MOST_POSITIONS = 600_000
# What a game counts for at least: it may have none, but a map and other texts.
LEAST_POSITIONS = MOST_POSITIONS // 32
# The share of the time for one answer that a table of the whole game may take, once; after which
# rules that do not return are interrupted; and which is spent before an answer is reported.
WHOLE, INTERRUPTED, REPORTED = 0.6, 0.7, 0.9
# What a table from a position onward may have and take, and a search: a player is waiting.
COACH_POSITIONS, COACH_SECONDS = 50_000, 1.0
# Tables from a position onward that one answer may try in vain.
MOST_TABLES = 8
COACH_BUDGET = Budget(5_000, 0.25)


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
class Known:
    """What is known of a variant, for the coach and for the bots, and what was made of it."""

    asker: str  # for whom it counts: the first who asked
    coach: Coach[Any]
    bots: Knowledge[Any]
    made: dict[Callable[..., Any], Any] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Knowledge[Any], ...]:
        """All that is known, once."""
        coach = self.coach.knowledge
        return (coach,) if coach is self.bots else (coach, self.bots)

    @property
    def size(self) -> int:
        """The number of positions that it counts for."""
        return max(sum(part.size for part in self.parts), LEAST_POSITIONS)


@dataclass
class Solutions:
    """Games by name, with their coaches; `asker` is whoever asks now."""

    files: dict[str, File] = field(default_factory=dict)
    cache: str | None = None
    limits: Limits = field(default_factory=Limits)
    asker: str = ""
    puzzles: dict[str, list[Puzzle[Any]]] = field(default_factory=dict)
    _checked: set[str] = field(default_factory=set)
    _known: dict[Game[Any], Known] = field(default_factory=dict)  # the least recently used first

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
        """Return the coach of a variant, or raise TooHard if its rules cannot be asked."""
        return self._of(game).coach

    def bots(self, game: Game[Any], level: str) -> Knowledge[Any]:
        """Return what a level plays a variant by: for all but perfect, what is found quickly."""
        known = self._of(game)
        return known.coach.knowledge if level == "perfect" else known.bots

    def _of(self, game: Game[Any]) -> Known:
        """Return what is known of a variant; whether it has a table is found out once."""
        known = self._known.pop(game, None) or self._new(game)
        self._known[game] = known
        self._make_room(game)
        knowledge, seconds, start = known.coach.knowledge, self.limits.solver_seconds, monotonic()
        try:
            with _alarm(seconds * INTERRUPTED):
                solution = knowledge.solution
        except MissingExtra as error:
            raise TooHard(str(error)) from error
        if solution is not None:
            known.bots = knowledge
        # A review makes several tables, and all of them must fit into the time that is left.
        left = max(0.0, seconds * REPORTED - (monotonic() - start))
        knowledge.onward_seconds = min(COACH_SECONDS, left / MOST_TABLES)
        return known

    def _new(self, game: Game[Any]) -> Known:
        """Return the knowledge of a variant, within the limits, before anything is known."""
        most, seconds = self.limits.solver_positions, self.limits.solver_seconds
        knowledge = Knowledge(
            game,
            most,
            onward_limit=min(most, COACH_POSITIONS),
            cache=self.cache,
            seconds=seconds * WHOLE,
            budget=COACH_BUDGET,
        )
        # Bots of a game that has a table use that; else no table of the whole game is to be tried.
        quick = Knowledge(
            game,
            limit=1,
            onward_limit=min(most, ONWARD_POSITIONS),
            onward_seconds=min(ONWARD_SECONDS, seconds * WHOLE),
        )
        return Known(self.asker, Coach(knowledge), quick)

    def _make_room(self, now: Game[Any]) -> None:
        """While there are too many positions, drop the oldest game of whoever has most.

        The one asked for now stays; if it alone has too many, it forgets what can be found again.
        """
        sizes = Counter[str]()
        for known in self._known.values():
            sizes[known.asker] += known.size
        while len(self._known) > 1 and sizes.total() > MOST_POSITIONS:
            others = [game for game in self._known if game != now]
            oldest = max(others, key=lambda game: sizes[self._known[game].asker])
            dropped = self._known.pop(oldest)
            sizes[dropped.asker] -= dropped.size
        if sizes.total() > MOST_POSITIONS:
            for part in self._known[now].parts:
                part.forget()

    def made(self, game: Game[Any], make: Callable[[Solution[Any]], T]) -> T:
        """Return what a function makes of a variant's solution, which it does once."""
        known = self._of(game)
        if make not in known.made:
            known.made[make] = make(known.coach.solution)
        made: T = known.made[make]
        return made

    def clear(self) -> None:
        """Drop everything that can be rebuilt, when memory runs out."""
        self.puzzles.clear()
        self._known.clear()


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
