"""What one solver process has in memory: the games it may load, and what it knows about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import Puzzle
from zerosum.errors import GameError, UnknownGame
from zerosum.limits import PERSON, Limits
from zerosum.players.levels import soon_known
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry, find
from zerosum.registry.fingerprint import fingerprint
from zerosum.registry.loading import call_that_raised
from zerosum.sandbox import alarm
from zerosum.solver.solution import Solution
from zerosum.text import brief
from zerosum.web.answers import GameLesson
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.wording.words import title_of

# Positions of all games together. Each takes about 300 to 700 bytes, and up to twice that while
# its table is built: even then, everything fits into a process's memory.
MOST_POSITIONS = 600_000
# The least that a game counts for: it may have no positions, but a map and other strings.
LEAST_POSITIONS = MOST_POSITIONS // 32
# The share of the time for one answer that a table of the whole game may take, once; after which
# rules that do not return are interrupted; and which is spent before an answer is reported.
WHOLE, INTERRUPTED, REPORTED = 0.6, 0.7, 0.9
# What a table from a position onward may have and take, and a search: a player is waiting.
HERE = PERSON.within(Limits(50_000))
SEARCH = Limits(nodes=5_000, seconds=0.25)
# Tables from a position onward that one answer may try in vain.
MOST_TABLES = 8
RESTART = "restart the server."


class TooHard(Refused):
    """An answer that would take too much time, memory or too many positions."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__("too_hard", message)


class File(NamedTuple):
    """A user's own game: what finds it, its fingerprint when the server started, and its title.

    A game of an installed package is found by its name, and has no fingerprint.
    """

    path: str
    source: str
    title: str = "this game"


@dataclass
class Known:
    """What is known about a variant."""

    asker: str  # for whom it counts: the first who asked
    soon: Solution[Any]  # what all levels but perfect know
    coach: Coach[Any] | None = None

    @property
    def parts(self) -> tuple[Solution[Any], ...]:
        """All that is known, once."""
        coach = self.soon if self.coach is None else self.coach.solution
        return (coach,) if coach is self.soon else (coach, self.soon)

    @property
    def size(self) -> int:
        """The number of positions that it counts for."""
        return max(sum(part.size for part in self.parts), LEAST_POSITIONS)


@dataclass
class Solutions:
    """Games by name, with their coaches; `asker` is whoever asks now."""

    files: dict[str, File] = field(default_factory=dict)
    cache: str | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)
    asker: str = ""
    puzzles: dict[str, list[Puzzle[Any]]] = field(default_factory=dict)
    lessons: dict[Game[Any], GameLesson] = field(default_factory=dict)
    _checked: set[str] = field(default_factory=set)
    _known: dict[Game[Any], Known] = field(default_factory=dict)  # the least recently used first

    def entry(self, name: str) -> Entry:
        """Find a game by name, never by path: anyone can ask."""
        if name in self.files:
            path, source, _ = self.files[name]
            entry = find(path)
            checked = name in self._checked or not source
            if not checked and fingerprint(entry.variant()) != source:
                raise GameError(f"The file of {name} has changed; {RESTART}")
            self._checked.add(name)  # once loaded, it stays loaded
            return entry
        if name not in BUILT_IN:
            raise UnknownGame(f"There is no game '{brief(name)}'.")
        return find(name)

    def game(self, name: str, options: dict[str, Any]) -> Game[Any]:
        """Make a variant."""
        return self.entry(name).variant(**options)

    def coach(self, game: Game[Any]) -> Coach[Any]:
        """Return the coach of a variant, or raise TooHard if its rules cannot be asked."""
        known, seconds, start = self._of(game), self.limits.solver_seconds, monotonic()
        coach = known.coach
        if coach is None:
            solved = self._is_whole(known.soon)
            coach = known.coach = Coach(known.soon if solved else self._solution(game), typed=False)
        if not self._is_whole(coach.solution):
            # A review makes several tables, and all of them must fit into the time that is left.
            left = max(0.0, seconds * REPORTED - (monotonic() - start))
            coach.solution.here = self._here.within(Limits(seconds=left / MOST_TABLES))
        return coach

    def bots(self, game: Game[Any], level: str) -> Solution[Any]:
        """Return what a level plays a variant by: for all but perfect, what is found quickly."""
        if level == "perfect":
            return self.coach(game).solution
        soon = self._of(game).soon
        self._is_whole(soon)
        return soon

    def _of(self, game: Game[Any]) -> Known:
        """Return what is known about a variant, the same until there is no room for it."""
        known = self._known.pop(game, None)
        if known is None:
            known = Known(self.asker, soon_known(game, self._whole, cache=self.cache))
        self._known[game] = known
        self._make_room(game)
        return known

    @property
    def _whole(self) -> Limits:
        """What a table of a whole game may have and take."""
        return Limits(self.limits.solver_positions, self.limits.solver_seconds * WHOLE)

    @property
    def _here(self) -> Limits:
        """What a table from a position onward may have and take."""
        return HERE.within(Limits(self.limits.solver_positions))

    def _solution(self, game: Game[Any]) -> Solution[Any]:
        """Return what the coach knows about a variant, within the limits; nothing is known yet."""
        return Solution(game, self._whole, here=self._here, search=SEARCH, cache=self.cache)

    def _is_whole(self, solution: Solution[Any]) -> bool:
        """Find out once whether a variant has a solution, in the time that an answer may take."""
        seconds = self.limits.solver_seconds * INTERRUPTED
        title = title_of(solution.game)
        late = f"Solving {title} takes more than {seconds:g} seconds"
        try:
            with alarm(seconds, TooHard(f"{late}.")):
                return solution.is_whole
        except TooHard as error:
            call = call_that_raised(error)
            raise TooHard(f"{late}, in {call}." if call else f"{late}.") from error

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

    def clear(self) -> None:
        """Drop everything that can be rebuilt, when memory runs out."""
        self.puzzles.clear()
        self.lessons.clear()
        self._known.clear()


_solutions = Solutions()


def solutions() -> Solutions:
    """Return the solutions of this process."""
    return _solutions


def install(new: Solutions) -> None:
    """Set the solutions of this process."""
    global _solutions
    _solutions = new
