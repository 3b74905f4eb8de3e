"""One scale for every mind: a player's place between random and perfect, in words."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, sqrt
from typing import Annotated

from msgspec import Struct

from zerosum.documents import described
from zerosum.players.levels import LEVELS, SLIPS, Level
from zerosum.players.slips import Decision, slip_rate
from zerosum.text import counted, does, inside

# A wider interval says too little.
WIDEST = 0.75
# The ends of an interval of 95%, in standard deviations from its middle.
DEVIATIONS = 1.96
# The number of decisions needed is rounded up to a multiple of this.
ROUND = 5
# Closer to a level than this part of the way to the next one is like it.
CLOSE = 1 / 3
# Rates below this are shown as one in a number of decisions.
RARE = 0.4
MEANT = "A decision is a position in which some move throws a result away"


class Strength(Struct, frozen=True):
    """How a player decides: a place between random and perfect, once it can be told."""

    games: Annotated[int, described("games that were judged")]
    right: Annotated[int, described("decisions in which the result was kept")]
    decisions: Annotated[int, described("positions in which some move throws a result away")]
    rate: Annotated[float | None, described("how often a move is as if at random; null if unknown")]
    low: Annotated[float, described("the lower end of the 95% interval for the rate")]
    high: Annotated[float, described("its upper end")]
    like: Annotated[
        list[Level],
        described("the level, or the two that it is between; empty if too few decisions"),
    ]
    slips: Annotated[
        tuple[int, int] | None, described("the rate as a simple fraction; null if 0 or unknown")
    ]
    needed: Annotated[
        int | None, described("about how many such decisions place a player; null if there is none")
    ]


def strength_of(decisions: Sequence[Decision], games: int) -> Strength:
    """Place a player on the scale, if there are enough decisions.

    >>> made = [Decision(True, 1, 3)] * 20 + [Decision(False, 1, 3)] * 4
    >>> strength_of(made, 4).like, strength_of(made[:4], 1).like
    (['medium'], [])
    """
    right = sum(decision.right for decision in decisions)
    every = len(decisions)
    found = slip_rate(decisions)
    if found is None:
        return Strength(games, right, every, None, 0.0, 1.0, [], None, None)
    width = _width(decisions)
    like = levels_near(found.rate) if width <= WIDEST else []
    needed = ROUND * ceil(every * (width / WIDEST) ** 2 / ROUND)
    return Strength(games, right, every, *found, like, _simple(found.rate), needed)


def _width(decisions: Sequence[Decision]) -> float:
    """Return about how wide the interval for a rate of 1/2 would be.

    Whether a place is shown depends on the positions alone: if it depended on how wide the
    interval is, the lucky ones would be shown first, and their intervals would be wrong.
    """
    known = sum(4 * decision.harm / (2 - decision.harm) for decision in decisions)
    return 2 * DEVIATIONS / sqrt(known)


def levels_near(rate: float) -> list[Level]:
    """Return the level close to a rate, or the two around it.

    >>> levels_near(0.26), levels_near(0.4)
    (['medium'], ['easy', 'medium'])
    """
    for worse, better in pairwise(LEVELS):
        if rate >= SLIPS[better]:
            way = (rate - SLIPS[better]) / (SLIPS[worse] - SLIPS[better])
            if way < CLOSE:
                return [better]
            return [worse] if way > 1 - CLOSE else [worse, better]
    raise AssertionError(rate)


def _simple(rate: float) -> tuple[int, int] | None:
    """Return a rate as a fraction that can be imagined."""
    if not rate:
        return None
    if rate < RARE:
        return 1, round(1 / rate)
    return Fraction(rate).limit_denominator(4).as_integer_ratio()


def along(rate: float) -> float:
    """Return where a rate is on the scale, from 0 at random to 1 at perfect.

    The levels are equally far apart, so that each has room for its name.

    >>> along(1.0), along(0.75), along(0.25), along(0.0)
    (0.0, 0.125, 0.5, 1.0)
    """
    part = 1 / (len(LEVELS) - 1)
    at, worse, better = next(
        (at, SLIPS[worse], SLIPS[better])
        for at, (worse, better) in enumerate(pairwise(LEVELS))
        if rate >= SLIPS[better]
    )
    return part * (at + (worse - rate) / (worse - better))


def place(strength: Strength) -> str:
    """Say where a player stands, in a few words.

    >>> place(strength_of([], 0)), place(strength_of([Decision(True, 1, 3)] * 30, 6))
    ('too few yet', 'like perfect')
    """
    if not strength.like:
        return "too few yet"
    return among(strength.like)


def among(levels: Sequence[Level]) -> str:
    """Say which level, or which two, a player is close to."""
    return f"{'between' if len(levels) > 1 else 'like'} {' and '.join(levels)}"


def above(strength: Strength) -> Level | None:
    """Return the level just above a player, or the highest; None if unknown.

    >>> above(strength_of([Decision(True, 1, 3)] * 20 + [Decision(False, 1, 3)] * 4, 4))
    'hard'
    """
    if len(strength.like) != 1:
        return strength.like[-1] if strength.like else None
    return LEVELS[min(LEVELS.index(strength.like[0]) + 1, len(LEVELS) - 1)]


def placed(strength: Strength, name: str = "You", game: str = "") -> str:
    """Say where a player stands in a game, or in all together.

    >>> placed(strength_of([Decision(True, 1, 2)] * 3, 1))
    'Too few decisions yet to say how you play: 3 of about 25.'
    >>> placed(strength_of([Decision(True, 1, 3)] * 30, 6), "Ada")
    'Ada plays like perfect; 30 decisions so far.'
    """
    plays = f"plays {game}".strip()
    if not strength.like:
        who = does(inside(name), plays)
        of = f"of about {strength.needed}" if strength.needed else "so far"
        return f"Too few decisions yet to say how {who}: {strength.decisions} {of}."
    so_far = counted(strength.decisions, "decision")
    return f"{does(name, plays)} {place(strength)}; {so_far} so far."


def explained(strength: Strength) -> str:
    """Say what a decision is, and how often you slip.

    >>> made = [Decision(True, 1, 3)] * 20 + [Decision(False, 1, 3)] * 4
    >>> explained(strength_of(made, 4))
    'A decision is a position in which some move throws a result away; in about 1 of 4 you move \
as if at random.'
    """
    if not strength.like:
        return f"{MEANT}. Those with the coach's help do not count."
    if strength.slips is None:
        return f"{MEANT}; you have kept every result so far."
    often = "" if strength.slips == (1, 1) else "in about {} of {} ".format(*strength.slips)
    return f"{MEANT}; {often}you move as if at random."
