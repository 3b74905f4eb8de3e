"""Matches between programs, games that repeat themselves, and tournaments of levels."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import log
from random import Random
from typing import Any, NamedTuple

from zerosum.errors import OptionError, UnknownLevel
from zerosum.match import Match
from zerosum.players.levels import SEARCHING, Bot, Level, LevelBot, check_level
from zerosum.protocol import Move, S
from zerosum.solver.solution import Solution

# The limits stop fewer than one in 100 million of the games between levels that would end. They are
# this high for Digit Battle: the perfect level, moving first, alternates between 0 and 1, where 8
# of 9 replies are wrong, until the opponent slips. A limit of 20 repetitions would give the hard
# level a draw in 17% of its games.
ENDLESS_REPEATS, ENDLESS_PLIES = 200, 2_000
# A person has earned the draw by then. Two people end such games themselves.
REPEATS, NOTICED_REPEATS = 10, 5
# An interval misses the true score in at most 5 of 100 tournaments, half of them on either side.
DOUBT = log(2 / 0.05)
# Levels that search are slow: their game counts as endless after this many moves, or when a
# position occurs for the tenth time.
LONGEST_GAME = 400
# Halvings that find an interval's end as exactly as floats allow.
HALVINGS = 50


def is_endless(match: Match[Any]) -> bool:
    """Return whether a game with a program in it repeats itself; `match.endless()` ends it then."""
    programs = sum(bot is not None for bot in match.bots)
    if match.round.end is not None or not programs:
        return False
    if programs == 2:
        return _is_endless_between_programs(match)
    return repeats(match) >= REPEATS


def repetition(match: Match[Any]) -> str:
    """Say that the position repeats itself, to a person playing a program.

    It is '' if there is nothing to say, a warning before the end, and the reason after it.

    >>> import zerosum
    >>> match = Match.new(zerosum.game("number-navigator", start=10), bots=(None, "easy"))
    >>> for _ in range(4):
    ...     for move in (3, 3, 4, 4):  # 10, 5, 10: each halves, and adds 5
    ...         match = match.play(move)
    >>> repetition(match)
    'This position has come up 5 times; the tenth time ends the game as a draw.'
    """
    count, end = repeats(match), match.round.end
    if (match.bots[0] is None) == (match.bots[1] is None) or count < NOTICED_REPEATS:
        return ""
    came = f"This position has come up {count} times"
    if end is None:
        return f"{came}; the tenth time ends the game as a draw."
    return f"{came}, so the game is a draw." if end.by == "endless" else ""


def repeats(match: Match[Any]) -> int:
    """Count how often the current position came up in this game."""
    return match.round.states.count(match.state)


def _is_endless_between_programs(
    match: Match[Any], most: int | None = None, plies: int | None = None
) -> bool:
    """Return whether two programs go in circles, or play for too long."""
    return repeats(match) >= (most or ENDLESS_REPEATS) or match.ply >= (plies or ENDLESS_PLIES)


def autoplay(
    match: Match[S],
    bots: tuple[Bot, Bot],
    *,
    repeats: int | None = None,
    plies: int | None = None,
) -> Match[S]:
    """Play a match to its end; `bots` are in the order of `match.players`.

    A bot is anything with a method `move(state)`. A game is endless when a position comes up for
    the 200th time, or after 2,000 plies, unless other limits are given.

    >>> import random, zerosum
    >>> from zerosum import LevelBot
    >>> game = zerosum.game("even-steven")
    >>> perfect = LevelBot("perfect", game, random.Random(2))
    >>> bots = LevelBot("random", game, random.Random(1)), perfect
    >>> played = autoplay(Match.new(game, ("Ada", "Bob"), games=3), bots)
    >>> played.over, played.score, [len(game.moves) for game in played.rounds]
    (True, (1, 2), [8, 10, 8])
    """
    return play_out(match, lambda now: bots[now.mover].move(now.state), repeats, plies)


def play_out(
    match: Match[S],
    choose: Callable[[Match[S]], Move],
    repeats: int | None = None,
    plies: int | None = None,
) -> Match[S]:
    """Play a match to its end; `choose` makes the moves of both players. See `autoplay`."""
    while not match.over:
        if match.round.end is not None:
            match = match.next_game()
        elif _is_endless_between_programs(match, repeats, plies):
            match = match.endless()
        else:
            match = match.play(choose(match))
    return match


class Estimate(NamedTuple):
    """A level's expected score against another, with its 95% confidence interval."""

    score: float
    low: float
    high: float
    games: int


def interval(score: float, games: float, looks: int = 1) -> tuple[float, float]:
    """Return an interval for the expected score of a game, from the mean of some games.

    The ends are Chernoff's bound, which holds for any number of games, with draws, and where the
    games of the two seats have different chances. It also holds if games are played only until it
    is narrow enough, provided that it is looked at no more often than `looks` says.

    >>> [round(end, 3) for end in interval(0.75, 20)]
    [0.451, 0.939]
    """
    doubt = DOUBT + log(looks)
    return _low(score, games, doubt), 1.0 - _low(1.0 - score, games, doubt)


def _low(score: float, games: float, doubt: float) -> float:
    """Return the least expected score with which such a mean is not next to impossible."""
    low, high = 0.0, score
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if games * _distance(score, middle) > doubt:
            low = middle
        else:
            high = middle
    return low


def _distance(score: float, expected: float) -> float:
    """Return the relative entropy of two chances, the second in (0, 1)."""
    parts = ((score, expected), (1.0 - score, 1.0 - expected))
    return sum(part * log(part / other) for part, other in parts if part > 0.0 < other)


class Tally(NamedTuple):
    """How the games of one level moving first and another ended."""

    first: int = 0
    second: int = 0
    draw: int = 0
    endless: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @property
    def points(self) -> float:
        """What the first player scored: 1 for a win, ½ for any draw."""
        return self.first + (self.draw + self.endless) / 2


class Tournament:
    """Games between every two levels in turn; what was played counts at any time.

    The same seed gives the same games on every machine, unless a level runs out of time.

    >>> import zerosum
    >>> game = zerosum.game("docs/examples/noughts_and_crosses.py")
    >>> tournament = Tournament(zerosum.Solution(game, zerosum.Limits(100)), ("random", "easy"))
    >>> len(list(tournament.play(10)))
    10
    >>> tournament.estimate("easy", "random")
    Estimate(score=0.95, low=0.57..., high=0.99..., games=10)
    """

    def __init__(
        self,
        solution: Solution[Any],
        levels: Sequence[Level] = SEARCHING,
        seed: int = 0,
        perfect: Solution[Any] | None = None,
    ) -> None:
        """Take the levels, and what they know about a game, the perfect one perhaps more."""
        if len({check_level(level) for level in levels}) < max(2, len(levels)):
            raise OptionError("levels", "must be two or more different levels.")
        self.solution = solution
        self.levels = tuple(levels)
        self.seed = seed
        self._perfect = perfect or solution
        pairs = [(first, second) for first in levels for second in levels if first != second]
        self.tallies: dict[tuple[Level, Level], Tally] = dict.fromkeys(pairs, Tally())

    def play(self, games: int) -> Iterator[int]:
        """Play some games between every two levels, and yield the number played after each.

        Each of the two moves first in half of them.
        """
        pairs = list(combinations(self.levels, 2))
        for number in range(games):
            for count, (weaker, stronger) in enumerate(pairs, number * len(pairs) + 1):
                pair = (weaker, stronger) if number % 2 else (stronger, weaker)
                ended = self._play_one(pair, number)
                tally = self.tallies[pair]
                self.tallies[pair] = tally._replace(**{ended: getattr(tally, ended) + 1})
                yield count

    def total(self, games: int) -> int:
        """Return the number of games, given how many every two levels play."""
        return games * len(self.levels) * (len(self.levels) - 1) // 2

    def estimate(self, level: Level, other: Level) -> Estimate | None:
        """Return a level's score against another, moving first half the time, if any.

        The mean of each seat counts half, though one may have had a game more.
        """
        if (level, other) not in self.tallies:
            raise UnknownLevel(f"{level} and {other} do not play each other in this tournament.")
        first = self.tallies[level, other]
        second = self.tallies[other, level]
        seats = [(first.points, first.games), (second.games - second.points, second.games)]
        means = [points / games for points, games in seats if games]
        if not means:
            return None
        score = sum(means) / len(means)
        games = first.games + second.games
        if len(means) == 1:
            # Nothing is known about the other seat.
            low, high = interval(score, games)
            return Estimate(score, low / 2, (1 + high) / 2, games)
        # A game of the seat with fewer has the most weight: the bound holds if all had it.
        return Estimate(score, *interval(score, 2 * min(first.games, second.games)), games)

    def _play_one(self, pair: tuple[Level, Level], number: int) -> str:
        """Play a game, and return which count of the tally it adds to."""
        game, named = self.solution.game, " ".join(pair)
        known_to = [self._perfect if level == "perfect" else self.solution for level in pair]
        seeds = [f"{self.seed} {number} {named} {seat}" for seat in (0, 1)]
        first, second = (
            LevelBot(level, game, Random(seed), known)  # noqa: S311
            for level, known, seed in zip(pair, known_to, seeds, strict=True)
        )
        limits = {} if self.solution.is_whole else {"repeats": REPEATS, "plies": LONGEST_GAME}
        end = autoplay(Match.new(game), (first, second), **limits).round.end
        if end is None or end.by == "endless":
            return "endless"
        if end.winner is None:
            return "draw"
        return ("first", "second")[end.winner]
