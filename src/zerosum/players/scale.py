"""One scale for every mind: where a player stands between random and perfect, and in words."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated

from msgspec import Meta, Struct

from zerosum.players.levels import LEVELS, SLIPS, Level
from zerosum.players.slips import Decision, slip_rate
from zerosum.text import counted

# A wider interval tells too little.
WIDEST = 0.6
# Closer to a level than this part of the way to the next one is like it.
CLOSE = 1 / 3
# Below this rate, a slip is told as one of a number of decisions.
RARE = 0.4
MEANT = "A decision is a position in which some move throws a result away"


def _about(text: str) -> Meta:
    """Describe a field."""
    return Meta(description=text)


class Strength(Struct, frozen=True):
    """How a player decides: a place on the scale from random to perfect, once that can be told."""

    games: Annotated[int, _about("games that were judged")]
    right: Annotated[int, _about("decisions in which the result was kept")]
    decisions: Annotated[int, _about("positions in which some move throws a result away")]
    rate: Annotated[float | None, _about("how often a move is as if at random; null if unknown")]
    low: Annotated[float, _about("the lower end of the 95% interval for the rate")]
    high: Annotated[float, _about("its upper end")]
    like: Annotated[
        list[Level], _about("the level, or the two that it is between; empty if too few decisions")
    ]
    slips: Annotated[
        tuple[int, int] | None, _about("the rate as a simple fraction; null if 0 or unknown")
    ]


def strength_of(decisions: Sequence[Decision], games: int) -> Strength:
    """Place a player on the scale; only if the interval spans at most three fifths of it.

    So wide an interval leaves out at least one end of the scale, and all that is near it.

    >>> made = [Decision(True, 1, 3)] * 15 + [Decision(False, 1, 3)] * 3
    >>> strength_of(made, 4).like, strength_of(made[:4], 1).like
    (['medium'], [])
    """
    right = sum(decision.right for decision in decisions)
    every = len(decisions)
    found = slip_rate(decisions)
    if found is None:
        return Strength(games, right, every, None, 0.0, 1.0, [], None)
    like = _place(found.rate) if found.high - found.low <= WIDEST else []
    return Strength(games, right, every, *found, like, _simple(found.rate))


def _place(rate: float) -> list[Level]:
    """Return the level that is close to a rate, or the two that it is between."""
    for worse, better in pairwise(LEVELS):
        if rate >= SLIPS[better]:
            way = (rate - SLIPS[better]) / (SLIPS[worse] - SLIPS[better])
            return [better] if way < CLOSE else [worse] if way > 1 - CLOSE else [worse, better]
    raise AssertionError(rate)


def _simple(rate: float) -> tuple[int, int] | None:
    """Return a rate as a fraction that can be imagined."""
    if not rate:
        return None
    found = Fraction(1, round(1 / rate)) if rate < RARE else Fraction(rate).limit_denominator(4)
    return found.as_integer_ratio()


def placed(strength: Strength, name: str = "You") -> str:
    """Say where a player stands.

    >>> placed(strength_of([], 0)), placed(strength_of([Decision(True, 1, 3)] * 30, 6), "Ada")
    ('Too few decisions yet (0 so far).', 'Ada plays like perfect.')
    """
    if not strength.like:
        return f"Too few decisions yet ({strength.decisions} so far)."
    plays = "play" if name == "You" else "plays"
    where = " and ".join(strength.like)
    return f"{name} {plays} {'between' if len(strength.like) > 1 else 'like'} {where}."


def explained(strength: Strength, name: str = "You") -> str:
    """Say what that rests on, and what it is.

    >>> made = [Decision(True, 1, 3)] * 15 + [Decision(False, 1, 3)] * 3
    >>> explained(strength_of(made, 4))
    'From 18 decisions in 4 games. A decision is a position in which some move throws a result \
away; you slip in about 1 of 4.'
    """
    if not strength.like:
        return f"{MEANT}."
    came = f"From {counted(strength.decisions, 'decision')} in {counted(strength.games, 'game')}."
    who, slip = ("you", "slip") if name == "You" else (name, "slips")
    often = "in about {} of {}".format(*strength.slips) if strength.slips else "in none so far"
    return f"{came} {MEANT}; {who} {slip} {often}."
