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

    How much this bears on the computed strengths, where nothing is ever stopped, was worked out
    exactly, for all pairs of levels in all five games; only Digit Battle is worth a word. The
    limit of plies never matters: of the games that would end, fewer than one in 100 million
    is still going on after 500 moves. Nor does the limit of repetitions, in fewer than one game
    in 1,000, except against the perfect level. It holds a draw until the other slips; playing
    first it goes to and fro between 0 and 1, where 8 of 9 replies are wrong. To come through 19
    of these takes (1 - slip * 8/9) ** 19: 17% for hard, 0.8% for medium, 0.001% for easy. So many
    games are called endless here that the perfect level would have won in the end. With
    `limit_repeats=200` it is fewer than one in 100 million.

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
