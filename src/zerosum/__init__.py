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

# `game`, `games` and `solve` are rooms and functions alike. A room loaded later would take the
# function's name on this package, so the rooms are loaded first, and the functions bound over them.
import zerosum.game
import zerosum.games
import zerosum.solve  # noqa: F401
from zerosum.game import (
    GameError,
    IllegalMove,
    MoveError,
    OptionError,
    Outcome,
    UnknownGame,
    UnreadableMove,
    Value,
    ZerosumError,
)
from zerosum.registry import game, games

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from zerosum.game import Game
    from zerosum.match import Match as Match
    from zerosum.solve.solution import Solution

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
    "Value",
    "ZerosumError",
    "game",
    "games",
    "solve",
]


def solve(
    game: "Game[Any]",
    limit: int | None = None,
    progress: "Callable[[int], None] | None" = None,
    cache: str | None = None,
) -> "Solution":
    """Solve a variant exactly: see zerosum.solve.solver.

    >>> solution = solve(game("dual-digits"))
    >>> solution.value(solution.game.initial())
    Value(result='loss', plies=10)
    """
    from zerosum.solve.solver import solve as solve_now
    from zerosum.solve.table import LIMIT

    return solve_now(game, LIMIT if limit is None else limit, progress, cache)


def __getattr__(name: str) -> object:
    """Load the match only for those who use it."""
    if name == "Match":
        from zerosum.match import Match

        return Match
    raise AttributeError(f"module 'zerosum' has no attribute {name!r}")
