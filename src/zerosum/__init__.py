"""Two-player number games, each written once as plain rules.

>>> import zerosum
>>> game = zerosum.game("even-steven", start=21, subtract_two=True)
>>> state = game.initial()
>>> game.moves(state)
(1, 3)
>>> state = game.play(state, 1)
>>> game.outcome(state) is None
True
"""

from typing import TYPE_CHECKING

# `game` and `games` are rooms and functions alike. A room loaded later would take the function's
# name on this package, so both rooms are loaded first, and the functions bound over them.
import zerosum.game
import zerosum.games  # noqa: F401
from zerosum.game import (
    GameError,
    IllegalMove,
    MoveError,
    OptionError,
    Outcome,
    UnknownGame,
    UnreadableMove,
    ZerosumError,
)
from zerosum.registry import game, games

if TYPE_CHECKING:
    from zerosum.match import Match as Match

__version__ = "0.1.0"

__all__ = [
    "GameError",
    "IllegalMove",
    "Match",
    "MoveError",
    "OptionError",
    "Outcome",
    "UnknownGame",
    "UnreadableMove",
    "ZerosumError",
    "game",
    "games",
]


def __getattr__(name: str) -> object:
    """Load the match only for those who use it."""
    if name == "Match":
        from zerosum.match import Match

        return Match
    raise AttributeError(f"module 'zerosum' has no attribute {name!r}")
