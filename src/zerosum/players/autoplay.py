"""Play whole matches between programs, and stop games that repeat themselves."""

from __future__ import annotations

from typing import Any

from zerosum.match import Match
from zerosum.players.levels import Bot
from zerosum.protocol import S

# The limits stop fewer than one in 100 million of the games between levels that would end. They are
# this high for Digit Battle: the perfect level, moving first, alternates between 0 and 1, where 8
# of 9 replies are wrong, until the opponent slips. A limit of 20 repetitions would give the hard
# level a draw in 17% of its games.
ENDLESS_REPEATS, ENDLESS_PLIES = 200, 2_000


def is_endless(match: Match[Any]) -> bool:
    """Return whether the game being played repeats itself, to be ended with `match.endless()`."""
    if match.round.end is not None:
        return False
    return match.round.states.count(match.state) >= ENDLESS_REPEATS or match.ply >= ENDLESS_PLIES


def autoplay(match: Match[S], bots: tuple[Bot, Bot]) -> Match[S]:
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
    while not match.over:
        if match.round.end is not None:
            match = match.next_game()
        elif is_endless(match):
            match = match.endless()
        else:
            match = match.play(bots[match.mover].move(match.state))
    return match
