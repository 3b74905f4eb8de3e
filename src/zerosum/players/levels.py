"""Levels of play, from random to perfect: how each chooses among the moves of a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from zerosum.game import Game, ZerosumError, brief
from zerosum.match import MatchError
from zerosum.solve.solution import RANK, Solution, worth

LEVELS = ("random", "easy", "medium", "hard", "perfect")
# How often a level slips, and moves at random instead of well. The tests hold these numbers to
# it that every level is stronger than those before it, in every game.
SLIPS = {"random": 1.0, "easy": 0.5, "medium": 0.25, "hard": 0.1}
# So many moves are searched for traps. The replies to each have to be listed, and a number of
# many digits can have thousands of divisors.
MOST_TRAPS = 32


class UnknownLevel(ZerosumError):
    """There is no level of that name."""


def check_level(level: str) -> str:
    """Give a level back, or offer the one that was probably meant.

    >>> check_level("hrad")
    Traceback (most recent call last):
    ...
    zerosum.players.levels.UnknownLevel: There is no level 'hrad'; did you mean hard?
    """
    if level in LEVELS:
        return level
    from difflib import get_close_matches

    close = get_close_matches(str(level).strip().lower(), LEVELS, n=1, cutoff=0.5)
    offer = f"did you mean {close[0]}?" if close else f"there are {', '.join(LEVELS)}."
    raise UnknownLevel(f"There is no level '{brief(level)}'; {offer}")


def policy(solution: Solution, level: str, state: Any) -> dict[int, float]:
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


def uniform(game: Game[Any], state: Any) -> dict[int, float]:
    """Give every legal move the same chance."""
    moves = game.moves(state)
    if not moves:
        raise MatchError("The game is over.")
    return dict.fromkeys(moves, 1.0 / len(moves))


def perfect(solution: Solution, state: Any) -> int:
    """Give the move that keeps the result and wins soonest, or else sets the best trap.

    Where nothing is to be won against good play, that is the move after which the largest share
    of the opponent's replies would be wrong; of equal ones the longest defence, then the first.
    """
    values = solution.moves(state)
    if not values:
        raise MatchError("The game is over.")
    # Sorting is stable, so that equal moves stay in their order.
    moves = sorted(values, key=lambda move: worth(values[move]), reverse=True)
    result = values[moves[0]].result
    if result == "win":
        return moves[0]
    keeping = [move for move in moves if values[move].result == result]
    return max(keeping[:MOST_TRAPS], key=lambda move: trap(solution, state, move))


def trap(solution: Solution, state: Any, move: int) -> float:
    """Give the share of the opponent's replies to a move that would worsen their result."""
    after = solution.game.play(state, move)
    if after.player == state.player:
        return 0.0
    ranks = [RANK[value.result] for value in solution.moves(after).values()]
    top = max(ranks, default=0)
    return sum(rank < top for rank in ranks) / len(ranks) if ranks else 0.0


def choose(solution: Solution, level: str, state: Any, rng: Random) -> int:
    """Choose a move as a level does; the same state of `rng` gives the same move anywhere."""
    return draw(policy(solution, level, state), rng)


def draw(chances: dict[int, float], rng: Random) -> int:
    """Draw a move by its chance, with one number from `rng` however many moves there are."""
    point, total, drawn = rng.random(), 0.0, 0
    for drawn, chance in chances.items():  # noqa: B007 (the last one stands if sums fall short)
        total += chance
        if point < total:
            break
    return drawn


@dataclass
class Bot:
    """A program that plays one variant at one level; it solves the game when it first has to.

    >>> import random, zerosum
    >>> bot = Bot("perfect", zerosum.game("even-steven", start=16), random.Random(1))
    >>> bot.name, bot.move(bot.game.initial())
    ('perfect', 1)
    """

    level: str
    game: Game[Any]
    rng: Random
    solution: Solution | None = field(default=None, repr=False)
    cache: str | None = None

    def __post_init__(self) -> None:
        """Check the level."""
        check_level(self.level)

    @property
    def name(self) -> str:
        """What the bot is called: its level."""
        return self.level

    def move(self, state: Any) -> int:
        """Choose a move."""
        if self.level == "random":
            return draw(uniform(self.game, state), self.rng)
        if self.solution is None:
            from zerosum.solve.solver import solve

            self.solution = solve(self.game, cache=self.cache)
        return choose(self.solution, self.level, state, self.rng)
