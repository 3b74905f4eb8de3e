"""What one solver process has in memory: the games it may load, and recent solutions."""

from __future__ import annotations

import json
import signal
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import Puzzle
from zerosum.errors import GameError, MissingExtra, TooLarge, UnknownGame
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import Entry, entry_of, find, games, is_path
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import solve
from zerosum.text import brief
from zerosum.web.analysis.budget import Budget, TooHard

T = TypeVar("T")
MOST_SOLUTIONS = 32
# Positions of all solutions together. Each takes about 300 to 700 bytes, and up to twice that
# while its table is built: even then, everything fits into a Budget's memory.
MOST_POSITIONS = 600_000
MOST_TEXTS = 8
# The share of the time for solving; the rest is for reporting that it was not enough.
SOLVING = 0.7
# Seconds until a failed solve is retried: the machine may just have been busy.
AGAIN = 300.0


class File(NamedTuple):
    """A user's own game: its path, and its fingerprint when the server started."""

    path: str
    source: str


class Kept(NamedTuple):
    """A coach with its solution, or the reason there is none; and its size."""

    coach: Coach[Any] | None
    size: int
    reason: str = ""
    until: float = float("inf")


class Solutions:
    """Games by name, with their coaches."""

    def __init__(
        self,
        files: Mapping[str, File] | None = None,
        cache: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Take the users' own games, the cache folder, and the budget."""
        self.files = dict(files or {})
        self.cache = cache
        self.budget = budget or Budget()
        self.puzzles: dict[str, list[Puzzle[Any]]] = {}
        self._checked: set[str] = set()
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._texts: OrderedDict[Any, Any] = OrderedDict()

    def names(self) -> list[str]:
        """List the games: built in or installed, then the users' own."""
        return list(dict.fromkeys((*games(), *self.files)))

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
        key = key_of(game)
        kept = self._kept.get(key)
        if kept is None or kept.until < time.monotonic():
            kept = self._kept[key] = self._solved(game)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and (
            len(self._kept) > MOST_SOLUTIONS
            or sum(held.size for held in self._kept.values()) > MOST_POSITIONS
        ):
            self._kept.popitem(last=False)
        if kept.coach is None:
            raise TooHard(kept.reason)
        return kept.coach

    def _solved(self, game: Game[Any]) -> Kept:
        """Solve a variant within the budget."""
        try:
            with _alarm(self.budget.seconds * SOLVING):
                solution = solve(game, self.budget.positions, cache=self.cache)
        except (TooLarge, MissingExtra) as error:
            return Kept(None, 0, str(error))
        except TooHard as error:
            return Kept(None, 0, str(error), time.monotonic() + AGAIN)
        except MemoryError:
            reason = "Solving this game needs more memory than is available."
            return Kept(None, 0, reason, time.monotonic() + AGAIN)
        size = 0 if solution.solved is None else len(solution.solved.table)
        return Kept(Coach(solution), size)

    def text(self, key: Any, make: Callable[[], T]) -> T:
        """Return a text from the cache of the last few, or make it."""
        if key not in self._texts:
            self._texts[key] = make()
        self._texts.move_to_end(key)
        while len(self._texts) > MOST_TEXTS:
            self._texts.popitem(last=False)
        found: T = self._texts[key]
        return found

    def forget(self) -> None:
        """Drop everything that can be rebuilt, when memory runs out."""
        self.puzzles.clear()
        self._kept.clear()
        self._texts.clear()


def key_of(game: Game[Any]) -> str:
    """Return a key that is the same for equal variants."""
    return f"{entry_of(game).name} {json.dumps(option_values(game), sort_keys=True)}"


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


_here = Solutions()


def here() -> Solutions:
    """Return the shelf of this process."""
    return _here


def settle(shelf: Solutions) -> None:
    """Set the shelf of this process."""
    global _here
    _here = shelf
