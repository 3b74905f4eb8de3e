"""Levels of play, from random to perfect: how each chooses among the moves of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Protocol

from zerosum.errors import MatchError, UnknownLevel
from zerosum.protocol import Game, Move, S
from zerosum.solver.solution import RANK, Solution, worth
from zerosum.solver.table import is_symmetric
from zerosum.text import brief, nearest

LEVELS = ("random", "easy", "medium", "hard", "perfect")
# How often a level slips, and moves at random instead of well. The tests hold these numbers to
# it that every level is stronger than those before it, in every game.
SLIPS = {"random": 1.0, "easy": 0.5, "medium": 0.25, "hard": 0.1}
# So many moves are searched for traps. The replies to each have to be listed, and a number of
# many digits can have thousands of divisors.
MOST_TRAPS = 32


def check_level(level: str) -> str:
    """Give a level back, or offer the one that was probably meant.

    >>> check_level("hrad")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnknownLevel: There is no level 'hrad'; did you mean hard?
    """
    if level in LEVELS:
        return level
    offer = nearest(str(level), LEVELS) or f"the levels are {', '.join(LEVELS)}."
    raise UnknownLevel(f"There is no level '{brief(level)}'; {offer}")


class Bot(Protocol):
    """A player that is a program: anything with a `move` that chooses one in a state."""

    def move(self, state: Any, /) -> Move:
        """Choose a legal move."""


def policy(solution: Solution[S], level: str, state: S) -> dict[Move, float]:
    """Give the exact chance of every move that a level may choose, in the order of the moves.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("dual-digits"))
    >>> state = solution.game.play(solution.game.initial(), 1)
    >>> solution.best(state), solution.game.moves(state)
    ((4,), (2, 3, 4))
    >>> policy(solution, "perfect", state), policy(solution, "random", state)[4]
    ({4: 1.0}, 0.3333333333333333)
    """
    if check_level(level) == "random":
        return uniform(solution.game, state)
    if level == "perfect":
        return {perfect(solution, state): 1.0}
    slip = SLIPS[level]
    chances = {move: slip * chance for move, chance in uniform(solution.game, state).items()}
    best = solution.best(state)
    for move in best:
        chances[move] += (1.0 - slip) / len(best)
    return chances


def uniform(game: Game[S], state: S) -> dict[Move, float]:
    """Give every legal move the same chance."""
    moves = game.moves(state)
    if not moves:
        raise MatchError("The game is over.")
    return dict.fromkeys(moves, 1.0 / len(moves))


def perfect(solution: Solution[S], state: S) -> Move:
    """Give the move that keeps the result and wins soonest, or else sets the best trap.

    Where nothing is to be won against good play, that is the move after which the largest share
    of the opponent's replies would be wrong; of equal ones the longest defence, then the first.
    Positions that are equal by symmetry are played equally: the exact strengths know only one.
    """
    game = solution.game
    if not is_symmetric(game):
        return _first_perfect(solution, state)
    same = game.canonical(state)
    wanted = _step(game, same, _first_perfect(solution, same))
    return next(move for move in game.moves(state) if _step(game, state, move) == wanted)


def _step(game: Game[S], state: S, move: Move) -> tuple[S, bool]:
    """Tell what a move does, whatever equal position it is made in."""
    after = game.play(state, move)
    return game.canonical(after), after.player == state.player


def _first_perfect(solution: Solution[S], state: S) -> Move:
    """Choose the perfect move, the first of those that are equal."""
    values = solution.moves(state)
    if not values:
        raise MatchError("The game is over.")
    moves = sorted(values, key=lambda move: worth(values[move]), reverse=True)
    result = values[moves[0]].result
    if result == "win":
        return moves[0]
    return hardest(solution, state, [move for move in moves if values[move].result == result])


def hardest(solution: Solution[S], state: S, moves: Sequence[Move]) -> Move:
    """Choose the move after which the largest share of replies would be wrong; else the first."""
    return max(moves[:MOST_TRAPS], key=lambda move: trap(solution, state, move))


def trap(solution: Solution[S], state: S, move: Move) -> float:
    """Give the share of the opponent's replies to a move that would worsen their result."""
    after = solution.game.play(state, move)
    if after.player == state.player:
        return 0.0
    ranks = [RANK[value.result] for value in solution.moves(after).values()]
    top = max(ranks, default=0)
    return sum(rank < top for rank in ranks) / len(ranks) if ranks else 0.0


def sample(chances: dict[Move, float], rng: Random) -> Move:
    """Draw a move by its chance, with one number from `rng` however many moves there are."""
    point, total = rng.random(), 0.0
    for move, chance in chances.items():
        total += chance
        if point < total:
            return move
    return next(reversed(chances))  # where the sum of the chances falls short of 1


@dataclass
class LevelBot(Generic[S]):
    """A program that plays one variant at one level; it solves the game when it first has to.

    >>> import random, zerosum
    >>> bot = LevelBot("perfect", zerosum.game("even-steven", start=16), random.Random(1))
    >>> bot.move(bot.game.initial())
    1
    """

    level: str
    game: Game[S]
    rng: Random
    solution: Solution[S] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the level."""
        check_level(self.level)

    def move(self, state: S) -> Move:
        """Choose a move; the same state of `rng` gives the same move anywhere."""
        if self.level == "random":
            return sample(uniform(self.game, state), self.rng)
        if self.solution is None:
            from zerosum.solver import solve

            self.solution = solve(self.game)
        return sample(policy(self.solution, self.level, state), self.rng)
