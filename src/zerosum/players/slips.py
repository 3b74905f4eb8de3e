"""How often a player slips, judged by decisions: the likeliest rate, and how sure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import erfc, sqrt
from typing import Any, NamedTuple

from zerosum.match import Event, Match
from zerosum.protocol import Move, Value
from zerosum.solver.solution import Solution
from zerosum.solver.values import regrets_of

# The interval misses the true rate in at most 5 of 100 careers, half of them on either side.
DOUBT = 0.025
# With more decisions, the number of errors is nearly normal.
MOST_EXACT = 200
# The digits of a rate that are not noise.
DIGITS = 4


class Decision(NamedTuple):
    """A position in which some move throws a result away: was it done right?"""

    right: bool
    good: int  # moves that keep the result
    legal: int

    @property
    def harm(self) -> float:
        """The chance that a slip, any legal move, throws the result away."""
        return 1.0 - self.good / self.legal


# What the two players of a game decided.
BothDecided = tuple[list[Decision], list[Decision]]


def decisions_of(
    solution: Solution[Any],
    first: int,
    games: int,
    events: Iterable[Event],
    helped: Collection[tuple[int, int]] = (),
) -> list[BothDecided]:
    """Return what each player decided in every finished game of a match.

    If several moves were made at one point of a game, only the first counts: the others were made
    by somebody who had seen what follows. None counts where somebody was `helped`: each such place
    is a game and a ply, both counted from 0.

    >>> import zerosum
    >>> solved = zerosum.solve(zerosum.game("even-steven", start=6))
    >>> journal = [Event("move", 2), Event("undo"), Event("move", 1), Event("resignation")]
    >>> decisions_of(solved, 0, 1, journal)
    [([Decision(right=False, good=1, legal=2)], [])]
    """
    match = Match.new(solution.game, first=first, games=games)
    made: list[BothDecided] = [([], []) for _ in range(games)]
    known = set(helped)
    for event in events:
        if event.kind == "move":
            begun = match.begun()
            state = begun.state
            place = (begun.number - 1, begun.ply)
            if place not in known and event.move is not None and solution.game.lists_all(state):
                made[place[0]][begun.mover].extend(decision(solution.moves(state), event.move))
            known.add(place)
        match = match.apply(event)
    return made[: match.ended]


def decision(values: Mapping[Move, Value], move: Move) -> list[Decision]:
    """Return the decision that a move was, by all moves' values; or none."""
    regrets = regrets_of(values)
    good = sum(not regret for regret in regrets.values())
    return [Decision(not regrets[move], good, len(regrets))] if good < len(regrets) else []


class SlipRate(NamedTuple):
    """The likeliest rate at which a player slips, and its interval of 95%."""

    rate: float
    low: float
    high: float


def slip_rate(decisions: Iterable[Decision]) -> SlipRate | None:
    """Estimate how often a player moves at random; None without a decision.

    Such a player is wrong in a decision with chance s · harm. The interval holds every rate with
    which neither as many nor as few errors would be a surprise (as Clopper and Pearson's).

    >>> slip_rate([Decision(True, 1, 2)] * 7 + [Decision(False, 1, 2)])
    SlipRate(rate=0.25, low=0.006..., high=1.0)
    """
    made = sorted(decisions)
    if not made:
        return None
    harms = [decision.harm for decision in made]
    errors = sum(not decision.right for decision in made)
    kept = Counter(decision.harm for decision in made if decision.right)

    def rising(rate: float) -> bool:
        return errors > rate * sum(
            count * harm / (1.0 - rate * harm) for harm, count in kept.items()
        )

    rate = last_rate(rising)
    low = last_rate(lambda rate: _at_most(errors - 1, harms, rate) > 1.0 - DOUBT)
    high = last_rate(lambda rate: _at_most(errors, harms, rate) > DOUBT)
    return SlipRate(rate, min(low, rate), max(high, rate))


def last_rate(holds: Callable[[float], bool], digits: int = DIGITS) -> float:
    """Return the highest rate up to which something holds.

    >>> last_rate(lambda rate: rate * rate < 0.5, digits=6)
    0.707107
    """
    low, high = 0.0, 1.0
    if holds(high):
        return high
    for _ in range(4 * digits):  # each halves what is left
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return round((low + high) / 2, digits)


def _at_most(errors: int, harms: Sequence[float], rate: float) -> float:
    """Return the chance that a player with this rate errs at most this often."""
    if errors < 0:
        return 0.0
    if len(harms) > MOST_EXACT:
        mean = rate * sum(harms)
        spread = sqrt(sum(rate * harm * (1.0 - rate * harm) for harm in harms))
        if spread:
            return erfc((mean - errors - 0.5) / (spread * sqrt(2.0))) / 2
        return 1.0
    chances = [1.0] + [0.0] * errors
    for harm in harms:
        wrong = rate * harm
        right = 1.0 - wrong
        chances[1:] = [
            right * same + wrong * fewer for same, fewer in zip(chances[1:], chances, strict=False)
        ]
        chances[0] *= right
    return sum(chances)
