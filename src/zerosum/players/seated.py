"""A program at the table: what it plays at one place of a match, and whether it takes a draw."""

from __future__ import annotations

from random import Random
from typing import Any

from zerosum.match import Match
from zerosum.players.levels import LevelBot
from zerosum.protocol import Game, Move
from zerosum.solver.solution import Solution


def needs_solution(level: str | None) -> bool:
    """Tell whether a player has to know the truth: a person and the random level need not."""
    return level not in (None, "random")


def place_in(match: Match[Any]) -> str:
    """Name the place where a match stands; all that happens by chance there is drawn from it.

    A place has a generator of its own, so that a match that was left goes on as it would have.

    >>> import zerosum
    >>> place_in(Match.new(zerosum.game("even-steven"), seed=7).play(1))
    '7 1 1 1'
    """
    return f"{match.seed} {match.number} {match.ply} {match.mover}"


def chosen(
    game: Game[Any], level: str, state: Any, place: str, solution: Solution[Any] | None
) -> Move:
    """Choose a move for a level, the same in every play of the same place."""
    return LevelBot(level, game, Random(place), solution).move(state)  # noqa: S311


def agrees(level: str, state: Any, solution: Solution[Any] | None) -> bool:
    """Tell whether the program that is not to move takes a draw: not if it is winning."""
    # One that knows nothing is content.
    return solution is None or level == "random" or solution.value(state).result != "loss"
