"""Levels of play, from random to perfect: how each moves, and accepts a draw."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from time import monotonic
from typing import Any, Generic, Literal, Protocol, get_args

from zerosum.errors import MatchError, Unknown, UnknownLevel
from zerosum.limits import LEVELS_KNOW, NONE, Limits
from zerosum.match import Match, outcome_of
from zerosum.players.searching import EFFORTS, favourite, searched
from zerosum.protocol import Game, Move, S
from zerosum.solver.solution import Solution
from zerosum.solver.table import calling_rules, is_symmetric
from zerosum.solver.values import regrets_of, worth
from zerosum.text import brief, did_you_mean

Level = Literal["random", "easy", "medium", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)
# Those that can play a position whose value is unknown.
SEARCHING = LEVELS[:-1]
# How often a level slips and moves at random. The tests check that this makes every level stronger
# than those before it, in every game.
SLIPS = {"random": 1.0, "easy": 0.5, "medium": 0.25, "hard": 0.1, "perfect": 0.0}
# The most moves searched for traps: replies are listed, and a number may have many divisors.
MOST_TRAPS = 32
# A bot that does not know who wins declines a draw if it expects more than this.
CONFIDENT = 0.6


def check_level(level: str) -> str:
    """Return a level, or suggest the one that was probably meant.

    >>> check_level("hrad")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnknownLevel: There is no level 'hrad'; did you mean hard? The \
levels are random, easy, medium, hard, perfect.
    """
    if level in LEVELS:
        return level
    offer = did_you_mean(str(level), LEVELS)
    listed = f"{f'{offer} The' if offer else 'the'} levels are {', '.join(LEVELS)}."
    raise UnknownLevel(f"There is no level '{brief(level)}'; {listed}")


class Bot(Protocol):
    """A program that plays: anything with a method `move(state)`."""

    def move(self, state: Any, /) -> Move:
        """Choose a legal move."""


def policy(solution: Solution[S], level: str, state: S) -> dict[Move, float]:
    """Return the exact chance of every move that a level may choose, in order.

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
    """Return the same chance for every legal move."""
    moves = game.moves(state)
    if not moves:
        raise MatchError("The game is over.")
    return dict.fromkeys(moves, 1.0 / len(moves))


def perfect(solution: Solution[S], state: S) -> Move:
    """Return the move that keeps the result and wins soonest, or else sets the best trap.

    If good play does not win, that is the move after which the largest share of replies is wrong;
    among equals the longest defence, then the first. In a draw where no reply is wrong, it is the
    move that scores most against medium, if that is known. Positions equal by symmetry are played
    equally: the exact strengths know only one.
    """
    game = solution.game
    if not is_symmetric(game):
        return _first_perfect(solution, state)
    same = game.canonical(state)
    wanted = _step(game, same, _first_perfect(solution, same))
    return next(move for move in game.moves(state) if _step(game, state, move) == wanted)


def _step(game: Game[S], state: S, move: Move) -> tuple[S, bool]:
    """Return the effect of a move, the same in all equal positions."""
    after = game.play(state, move)
    return game.canonical(after), after.player == state.player


def _first_perfect(solution: Solution[S], state: S) -> Move:
    """Return the perfect move, the first of equals."""
    values = solution.moves(state)
    if not values:
        raise MatchError("The game is over.")
    moves = sorted(values, key=lambda move: worth(values[move]), reverse=True)
    result = values[moves[0]].result
    if result == "win":
        return moves[0]
    keeping = [move for move in moves if values[move].result == result]
    chosen = hardest(solution, state, keeping)
    if result == "draw" and len(keeping) > 1 and not trap(solution, state, chosen):
        from zerosum.players.level_policies import patient_move

        patient = patient_move(solution, state)
        return chosen if patient is None else patient
    return chosen


def hardest(solution: Solution[S], state: S, moves: Sequence[Move]) -> Move:
    """Return the first move after which the largest share of replies would be wrong."""
    return max(moves[:MOST_TRAPS], key=lambda move: trap(solution, state, move))


def trap(solution: Solution[S], state: S, move: Move) -> float:
    """Return the share of the replies to a move that are wrong."""
    after = solution.game.play(state, move)
    if after.player == state.player:
        return 0.0
    regrets = regrets_of(solution.moves(after))
    return sum(regret > 0 for regret in regrets.values()) / len(regrets) if regrets else 0.0


def sample(chances: dict[Move, float], rng: Random) -> Move:
    """Draw a move by its chance, with one number from `rng`."""
    point, total = rng.random(), 0.0
    for move, chance in chances.items():
        total += chance
        if point < total:
            return move
    return next(reversed(chances))  # where the sum of the chances falls short of 1


@dataclass
class LevelBot(Generic[S]):
    """A program that plays a variant at a level: by exact values, or by searching.

    It finds out by itself what is known about the game, unless it is told.

    >>> import random, zerosum
    >>> bot = LevelBot("perfect", zerosum.game("even-steven", start=16), random.Random(1))
    >>> bot.move(bot.game.initial())
    1
    """

    level: str
    game: Game[S]
    rng: Random
    known: Solution[S] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the level."""
        check_level(self.level)

    @cached_property
    def solution(self) -> Solution[S]:
        """What is known about the game."""
        if self.known is not None:
            return self.known
        if self.level == "perfect":
            return Solution(self.game)
        return soon_known(self.game)

    def move(self, state: S) -> Move:
        """Choose a move; the same `rng` gives the same move anywhere."""
        began = monotonic()
        known = self.level == "random" or self.solution.is_exact(state)
        with calling_rules(self.game):  # some rules list moves even after the end
            if outcome_of(self.game, state) is not None:
                raise MatchError("The game is over.")
        if known:
            return sample(policy(self.solution, self.level, state), self.rng)
        if self.level == "perfect":
            raise _unproved(self.solution)
        spent = monotonic() - began
        return favourite(searched(self.game, self.level, state, self.rng, spent))[0]


def soon_known(game: Game[S], limits: Limits = NONE, *, cache: str | None = None) -> Solution[S]:
    """Return what all levels but perfect know about a game, to answer soon.

    Smaller limits make them know less.
    """
    return Solution(game, limits.within(LEVELS_KNOW), cache=cache)


def describe_level(level: str, known: bool) -> str:
    """Say how a level plays, in positions whose value is known or not.

    >>> describe_level("hard", known=True)
    'plays a best move 90% of the time, any move otherwise'
    >>> describe_level("easy", known=False)
    'looks one move ahead, and tries its moves in random games of up to 300 moves in all'
    """
    if check_level(level) == "random":
        return "plays any legal move"
    if level == "perfect":
        return "never gives a result away"
    if known:
        return f"plays a best move {1 - SLIPS[level]:.0%} of the time, any move otherwise"
    budget = f"random games of up to {EFFORTS[level].moves:,} moves in all"
    return f"looks {AHEAD[level]}, and tries its moves in {budget}"


AHEAD = {"easy": "one move ahead", "medium": "two moves ahead", "hard": "as far ahead as it can"}


def levels_at(solution: Solution[S], state: S) -> tuple[Level, ...]:
    """Return the levels that can play on from a position: perfect only if that is proved."""
    return LEVELS if solution.is_exact(state) else SEARCHING


def prepare(solution: Solution[S], level: str, state: S) -> None:
    """Find out what a level needs to know: it fails before the game, not during it."""
    if check_level(level) != "random" and level not in levels_at(solution, state):
        raise _unproved(solution)


def _unproved(solution: Solution[Any]) -> Unknown:
    """Return the error for perfect play of an unknown position."""
    return Unknown(f"Perfect play is unknown here. {solution.reason} The strongest level is hard.")


def seed_at(match: Match[Any]) -> str:
    """Return the seed for random choices at this point of a match.

    Every point has its own, so that a resumed match goes on alike.

    >>> import zerosum
    >>> seed_at(Match.new(zerosum.game("even-steven"), seed=7).play(1))
    '7 1 1 1'
    """
    return f"{match.seed} {match.number} {match.ply} {match.mover}"


def choose_move(solution: Solution[S], level: str, state: S, seed: str) -> Move:
    """Return the move that a level chooses; the same seed gives the same move."""
    return LevelBot(level, solution.game, Random(seed), solution).move(state)  # noqa: S311


def accepts_draw(solution: Solution[S], level: str, state: S) -> bool:
    """Return whether the program not to move accepts a draw: unless it is winning.

    If that is unknown, it declines if it expects to win. Its answer stays the same.
    """
    if check_level(level) == "random":
        return True
    began = monotonic()
    if solution.is_exact(state):
        return solution.value(state).result != "loss"
    if level not in EFFORTS:
        raise _unproved(solution)
    spent = monotonic() - began
    root = searched(solution.game, level, state, Random(0), spent)  # noqa: S311
    return root.expected(1 - state.player) <= CONFIDENT
