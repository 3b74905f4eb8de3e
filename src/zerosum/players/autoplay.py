"""Play whole matches between programs, and stop games that repeat themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.match import Match
from zerosum.options import check_whole
from zerosum.players.levels import Bot
from zerosum.protocol import S

REPEATS = 200
PLIES = 2_000


@dataclass(frozen=True)
class Endless:
    """When to end a game as a draw by endless play: after many repetitions, or many moves.

    The limits stop fewer than one in 100 million of the games between levels that would end. They
    are this high for Digit Battle: the perfect level, moving first, alternates between 0 and 1,
    where 8 of 9 replies are wrong, until the opponent slips. A limit of 20 repetitions would give
    the hard level a draw in 17% of its games.
    """

    limit_repeats: int = REPEATS
    limit_plies: int = PLIES

    def __post_init__(self) -> None:
        """Check the limits."""
        check_whole("limit_repeats", self.limit_repeats, least=2)
        check_whole("limit_plies", self.limit_plies, least=1)

    def over(self, match: Match[Any]) -> bool:
        """Return whether the game being played should be ended with `match.endless()`."""
        played = match.round
        if played.end is not None:
            return False
        repeats = played.states.count(match.state)
        return repeats >= self.limit_repeats or match.ply >= self.limit_plies


def autoplay(match: Match[S], bots: tuple[Bot, Bot], endless: Endless | None = None) -> Match[S]:
    """Play a match to its end; `bots` are in the order of `match.players`.

    A bot is anything with a method `move(state)`.

    >>> import random, zerosum
    >>> from zerosum import LevelBot
    >>> game = zerosum.game("even-steven")
    >>> perfect = LevelBot("perfect", game, random.Random(2))
    >>> bots = LevelBot("random", game, random.Random(1)), perfect
    >>> played = autoplay(Match.new(game, ("Ada", "Bob"), games=3), bots)
    >>> played.over, played.score, [len(game.moves) for game in played.rounds]
    (True, (1, 2), [8, 10, 8])
    """
    rule = Endless() if endless is None else endless
    while not match.over:
        if match.round.end is not None:
            match = match.next_game()
        elif rule.over(match):
            match = match.endless()
        else:
            match = match.play(bots[match.mover].move(match.state))
    return match
