"""Play whole matches between programs, and end games that repeat themselves."""

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
# A person has earned the draw the tenth time. Two people end such a game themselves.
REPEATS, NOTICED_REPEATS = 10, 5


def is_endless(match: Match[Any]) -> bool:
    """Return whether a game with a program in it repeats itself; `match.endless()` ends it then."""
    programs = sum(bot is not None for bot in match.bots)
    if match.round.end is not None or not programs:
        return False
    return _is_endless_between_programs(match) if programs == 2 else repeats(match) >= REPEATS


def repetition(match: Match[Any]) -> str:
    """Say that the position repeats itself, in a game between a person and a program.

    It is an empty text where there is nothing to say, a warning before the game ends, and the
    reason when it has ended.

    >>> import zerosum
    >>> match = Match.new(zerosum.game("number-navigator", start=10), bots=(None, "easy"))
    >>> for _ in range(4):
    ...     for move in (3, 3, 4, 4):  # 10, 5, 10: each halves, and adds 5
    ...         match = match.play(move)
    >>> repetition(match)
    'This position has come up 5 times; the tenth time ends the game as a draw.'
    """
    count, end = repeats(match), match.round.end
    if (match.bots[0] is None) == (match.bots[1] is None) or count < NOTICED_REPEATS:
        return ""
    came = f"This position has come up {count} times"
    if end is None:
        return f"{came}; the tenth time ends the game as a draw."
    return f"{came}, so the game is a draw." if end.by == "endless" else ""


def repeats(match: Match[Any]) -> int:
    """Count how often the current position has come up in the game being played."""
    return match.round.states.count(match.state)


def _is_endless_between_programs(
    match: Match[Any], most: int | None = None, plies: int | None = None
) -> bool:
    """Return whether two programs go round in circles, or play for too long."""
    return repeats(match) >= (most or ENDLESS_REPEATS) or match.ply >= (plies or ENDLESS_PLIES)


def autoplay(
    match: Match[S],
    bots: tuple[Bot, Bot],
    *,
    repeats: int | None = None,
    plies: int | None = None,
) -> Match[S]:
    """Play a match to its end; `bots` are in the order of `match.players`.

    A bot is anything with a method `move(state)`. A game is endless when a position comes up for
    the 200th time, or after 2,000 plies, unless other limits are given.

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
        elif _is_endless_between_programs(match, repeats, plies):
            match = match.endless()
        else:
            match = match.play(bots[match.mover].move(match.state))
    return match
