"""Plays whole matches between programs."""

from __future__ import annotations

from zerosum.match import Match
from zerosum.players.endless import Endless
from zerosum.players.levels import Bot
from zerosum.protocol import S


def autoplay(match: Match[S], bots: tuple[Bot, Bot], endless: Endless | None = None) -> Match[S]:
    """Play a match to its end; `bots` are in the order of the players, as in `match.players`.

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
