"""Which starts and options are fair between equals, and which make up for a difference in level."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product
from math import prod
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from zerosum.bulk.chain import Chain
from zerosum.errors import GameError, OptionError, TooLarge, ZerosumError
from zerosum.lab.audit.document import EvenVariant, Proposal, Starts
from zerosum.limits import START_POSITIONS, Limits
from zerosum.options import Option, option_values, options_of
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS, Level, check_level
from zerosum.players.strength import Chances, chances_between
from zerosum.protocol import Game, Result
from zerosum.registry import entry_of
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution

# The most combinations of other options that are tried for each start.
MOST_COMBINATIONS = 16
# The starts that an audit compares, as `zerosum starts` does.
STARTS = range(1, 51)
# The most positions, of all variants together, that a search for fairer ones visits, and the most
# that it proposes.
MOST_TOGETHER, MOST_PROPOSED = 10_000, 3
# The levels between which a handicap is proposed.
WEAKER, STRONGER = "easy", "hard"

F = TypeVar("F", "Fairness", "Handicap")


class Fairness(NamedTuple):
    """How a variant ends between equals at each level.

    `bias` is how far the expected score of the first player is from ½, the mean over the levels.
    """

    game: Game[Any]
    chances: dict[Level, Chances]
    bias: float


class Handicap(NamedTuple):
    """How a variant ends between two levels, and which of them moves first.

    `score` is the expected score of the weaker level, and `bias` how far it is from ½.
    """

    game: Game[Any]
    weaker: Level
    stronger: Level
    first: Level
    chances: Chances
    score: float
    bias: float


def variants(
    game: Game[Any], starts: Iterable[int] = (), fixed: Collection[str] = ()
) -> Iterator[Game[Any]]:
    """Yield a game with every start, and with every combination of its other options, if few.

    Options that are on or off, and those with choices, are tried; `fixed` ones stay as they are.

    >>> import zerosum
    >>> [repr(variant) for variant in variants(zerosum.game("even-steven"), (1, 2), ["start"])]
    ['EvenSteven(start=15, subtract_two=False)', 'EvenSteven(start=15, subtract_two=True)']
    >>> len(list(variants(zerosum.game("even-steven"), (1, 2))))
    4
    """
    options = {option.name: option for option in options_of(game) if option.name not in fixed}
    values = {name: _values(option) for name, option in options.items() if name != "start"}
    if prod(map(len, filter(None, values.values()))) > MOST_COMBINATIONS:
        values = {}
    tried = {name: tuple(listed) for name, listed in values.items() if listed}
    if "start" in options and (listed := tuple(starts)):
        tried = {"start": listed, **tried}
    now = {option.name: getattr(game, option.name) for option in options_of(game)}
    for chosen in product(*tried.values()):
        try:
            yield entry_of(game).variant(**{**now, **dict(zip(tried, chosen, strict=True))})
        except OptionError:  # a variant that the game does not have
            continue


def _values(option: Option) -> tuple[Any, ...]:
    """List the values of an option that has few."""
    return (False, True) if option.kind == "flag" else option.choices


def fairness(solution: Solution[Any], chain: Chain | None = None) -> Fairness:
    """Return how a variant ends between equals, at each level; `chain` is made unless given.

    >>> import zerosum
    >>> found = fairness(zerosum.solve(zerosum.game("dual-digits", start=3)))
    >>> f"{found.chances['random'].first:.3f}", f"{found.bias:.3f}"
    ('0.333', '0.320')
    """
    pairs = chances_between(chain or chain_of(solution), [(level, level) for level in LEVELS])
    chances = {level: pairs[level, level] for level in LEVELS}
    bias = sum(abs(ends.score - 0.5) for ends in chances.values()) / len(LEVELS)
    return Fairness(solution.game, chances, bias)


def handicaps(
    solution: Solution[Any], weaker: str, stronger: str, chain: Chain | None = None
) -> tuple[Handicap, Handicap]:
    """Return how a variant ends between two levels, first with the weaker one moving first.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven", start=8))
    >>> [(way.first, f"{way.score:.3f}") for way in handicaps(solution, "easy", "hard")]
    [('easy', '0.434'), ('hard', '0.130')]
    """
    low, high = check_handicap(weaker, stronger)
    chances = chances_between(chain or chain_of(solution), [(low, high), (high, low)])
    begins, follows = chances[low, high], chances[high, low]
    return (
        _handicap(solution.game, (low, high), low, begins, begins.score),
        _handicap(solution.game, (low, high), high, follows, follows.other_score),
    )


def _handicap(
    game: Game[Any], levels: tuple[Level, Level], first: Level, chances: Chances, score: float
) -> Handicap:
    """Return a handicap, with its distance from an even game."""
    return Handicap(game, *levels, first, chances, score, abs(score - 0.5))


def check_handicap(weaker: str, stronger: str) -> tuple[Level, Level]:
    """Return two levels of which the first is the weaker one; refuse others.

    >>> check_handicap("hard", "easy")
    Traceback (most recent call last):
    ...
    zerosum.errors.ZerosumError: A handicap is between a weaker and a stronger level; hard is not \
weaker than easy.
    """
    order: tuple[str, ...] = LEVELS
    low, high = order.index(check_level(weaker)), order.index(check_level(stronger))
    if low >= high:
        raise ZerosumError(
            "A handicap is between a weaker and a stronger level; "
            f"{weaker} is not weaker than {stronger}."
        )
    return LEVELS[low], LEVELS[high]


def fairest_first(found: Iterable[F]) -> list[F]:
    """Sort by bias; what differs only by rounding stays in its order."""
    return sorted(found, key=lambda judged: round(judged.bias, 12))


def small_starts(game: Game[Any], seconds: float | None) -> Starts | None:
    """Find who wins from small starts, as far as that is quick."""
    options, left = option_values(game), _time_left(seconds)
    if type(options.get("start")) is not int:
        return None
    found: dict[Result, list[int]] = {"win": [], "loss": [], "draw": []}
    for start in STARTS:
        try:
            variant = entry_of(game).variant(**{**options, "start": start})
            solution = solve(variant, Limits(START_POSITIONS, left()))
            found[solution.value(variant.initial()).result].append(start)
        except OptionError:  # a start that the game does not have
            continue
        except (TooLarge, GameError):
            break
    every = sorted(start for starts in found.values() for start in starts)
    return Starts(every[0], every[-1], *map(tuple, found.values())) if every else None


def proposals(game: Game[Any], positions: int, seconds: float | None) -> dict[str, Any]:
    """Find the fairest variants, and a handicap; nothing if that takes long, or there is one."""
    start: Any = option_values(game).get("start")
    starts = STARTS if type(start) is int and start > 0 else range(0)
    games = list(variants(game, starts))
    # As a rule, positions grow at most with the square of the start.
    growth = sum(((other / start) ** 2 for other in starts), 0.0) / len(starts) if starts else 1.0
    if len(games) < 2 or len(games) * positions * growth > MOST_TOGETHER:
        return {}
    fair: list[Fairness] = []
    ways: list[Handicap] = []
    left = _time_left(seconds)
    try:
        for variant in games:
            solution = solve_table(variant, Limits(START_POSITIONS, left()))
            chain = chain_of(solution)
            fair.append(fairness(solution, chain))
            ways += handicaps(solution, WEAKER, STRONGER, chain)
    # The rules are broken in another variant; or a fairer one may be among those too large.
    except (GameError, TooLarge):
        return {}
    fairest, even = fairest_first(fair)[:MOST_PROPOSED], fairest_first(ways)[0]
    levels = (even.weaker, even.stronger, even.first)
    return {
        "proposals": tuple(Proposal(option_values(best.game), best.bias) for best in fairest),
        "handicap": EvenVariant(option_values(even.game), *levels, even.score, even.bias),
    }


def _time_left(seconds: float | None) -> Callable[[], float | None]:
    """Return a function that tells how much of some seconds is left."""
    began = monotonic()
    return lambda: None if seconds is None else max(0.0, began + seconds - monotonic())
