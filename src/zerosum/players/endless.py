"""The rule by which programs stop a game that goes round in circles."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.game import check_whole
from zerosum.match import Match

REPEATS = 20
PLIES = 2_000


@dataclass(frozen=True)
class Endless:
    """When to end a game as a draw by endless play: a repetition too many, or too many moves.

    The computed strengths know no such rule. How often it cuts a game short that would have
    ended was worked out exactly for all pairs of levels (the tests repeat the worst). Only two
    games can repeat a position, and in Number Navigator the rule never matters (less than once
    in a billion games). In Digit Battle fewer than one game in 100 million goes on for more than
    500 moves, and between levels below perfect fewer than one in 1,000 has a position 20 times.
    But the perfect level holds a draw until the other slips: playing first, it goes to and fro
    between 0 and 1, where 8 of 9 replies are wrong, and a level comes through 19 of these with
    the chance (1 - slip * 8/9) ** 19: 17% for hard, 0.8% for medium, 0.001% for easy; playing
    second it is 12 to 16% for hard. These are draws here, and wins of the perfect level in the
    computed strengths. With `limit_repeats=200` they are fewer than one in 100 million.

    >>> Endless()
    Endless(limit_repeats=20, limit_plies=2000)
    """

    limit_repeats: int = REPEATS
    limit_plies: int = PLIES

    def __post_init__(self) -> None:
        """Check the limits."""
        check_whole("limit_repeats", self.limit_repeats, least=2)
        check_whole("limit_plies", self.limit_plies, least=1)

    def over(self, match: Match) -> bool:
        """Tell whether the game being played should be ended with `match.endless()`."""
        played = match.round
        if played.end is not None:
            return False
        repeats = played.states.count(match.state)
        return repeats >= self.limit_repeats or match.ply >= self.limit_plies
