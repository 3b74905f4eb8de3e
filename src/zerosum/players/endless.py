"""The rule by which programs stop a game that goes round in circles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.match import Match
from zerosum.options import check_whole

REPEATS = 200
PLIES = 2_000


@dataclass(frozen=True)
class Endless:
    """When to end a game as a draw by endless play: a repetition too many, or too many moves.

    The computed strengths know no such limit. That it does not matter to them was worked out
    exactly, for all pairs of levels in all five games: of the games that would end, fewer than
    one in 100 million is stopped by it. It has to be this high for one pair: in Digit Battle
    the perfect level, moving first, goes to and fro between 0 and 1, where 8 of 9 replies are
    wrong, until the other slips. Stopped at the 20th repetition, the hard level would get away
    with a draw in 17% of its games.

    >>> Endless()
    Endless(limit_repeats=200, limit_plies=2000)
    """

    limit_repeats: int = REPEATS
    limit_plies: int = PLIES

    def __post_init__(self) -> None:
        """Check the limits."""
        check_whole("limit_repeats", self.limit_repeats, least=2)
        check_whole("limit_plies", self.limit_plies, least=1)

    def over(self, match: Match[Any]) -> bool:
        """Tell whether the game being played should be ended with `match.endless()`."""
        played = match.round
        if played.end is not None:
            return False
        repeats = played.states.count(match.state)
        return repeats >= self.limit_repeats or match.ply >= self.limit_plies
