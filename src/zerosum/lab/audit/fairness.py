"""Which starts and options are fair between equals, and which make up for a difference in level."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.errors import OptionError
from zerosum.options import Option, options_of
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strength import Chances, chances_between
from zerosum.protocol import Game
from zerosum.registry import entry_of

# The most combinations of other options that are tried for each start.
MOST_COMBINATIONS = 16


class Fairness(NamedTuple):
    """How a variant ends between equals at each level.

    `bias` is how far the expected score of the first player is from ½, the mean over the levels.
    """

    chances: dict[Level, Chances]
    bias: float


class Handicap(NamedTuple):
    """How a variant ends between two levels, and which of them moves first.

    `score` is the expected score of the weaker level, and `bias` how far it is from ½.
    """

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


def fairness(chain: Chain) -> Fairness:
    """Return how a variant ends between equals, at each level.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> found = fairness(chain_of(zerosum.solve(zerosum.game("dual-digits", start=3))))
    >>> f"{found.chances['random'].first:.3f}", f"{found.bias:.3f}"
    ('0.333', '0.320')
    """
    pairs = chances_between(chain, [(level, level) for level in LEVELS])
    chances = {level: pairs[level, level] for level in LEVELS}
    bias = sum(abs(ends.score - 0.5) for ends in chances.values()) / len(LEVELS)
    return Fairness(chances, bias)


def handicaps(chain: Chain, weaker: Level, stronger: Level) -> tuple[Handicap, Handicap]:
    """Return how a variant ends between two levels, first with the weaker one moving first.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> chain = chain_of(zerosum.solve(zerosum.game("even-steven", start=8)))
    >>> [(way.first, f"{way.score:.3f}") for way in handicaps(chain, "easy", "hard")]
    [('easy', '0.434'), ('hard', '0.130')]
    """
    chances = chances_between(chain, [(weaker, stronger), (stronger, weaker)])
    begins, follows = chances.values()
    score, other = begins.score, follows.other_score
    return (
        Handicap(weaker, begins, score, abs(score - 0.5)),
        Handicap(stronger, follows, other, abs(other - 0.5)),
    )
