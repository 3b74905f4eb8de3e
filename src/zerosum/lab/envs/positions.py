"""What every environment tells about a position: its exact value, and its moves' regret."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from zerosum.errors import MatchError, OptionError, TooLarge
from zerosum.limits import NONE
from zerosum.protocol import Game, Move
from zerosum.solver import solve
from zerosum.solver.solution import RANK, Solution
from zerosum.text import brief

# A game that is not over after this many plies is cut off: some could go on forever.
MAX_PLIES = 1_000
# Up to here, all positions of a game are visited without being asked for: about a second's work.
MOST_POSITIONS = 100_000
LIMITS = NONE


class ExactValues:
    """The exact values of a game, in numbers; one that cannot be solved raises TooLarge.

    >>> import zerosum
    >>> game = zerosum.game("even-steven", start=6)
    >>> exact = ExactValues(game)
    >>> exact.value(game.initial()), exact.plies(game.initial()), exact.regret(game.initial(), 2)
    (1, 5, 2)
    """

    def __init__(self, game: Game[Any]) -> None:
        """Solve a game; equal variants are solved once."""
        check_solvable(game, "values=True", "values=False")
        self.game = game
        self._solution = solution_of(game)

    def __reduce__(self) -> tuple[type[ExactValues], tuple[Game[Any]]]:
        """Copy and pickle without the table, which may be large."""
        return ExactValues, (self.game,)

    def value(self, state: Any) -> int:
        """Return 1 for a win of the player to move under best play, 0 for a draw, else -1."""
        return RANK[self._solution.value(state).result] - 1

    def plies(self, state: Any) -> int:
        """Return the moves to the end under best play; -1 for a draw, and where it is unknown."""
        plies = self._solution.value(state).plies
        return -1 if plies is None else plies

    def regret(self, state: Any, move: Move) -> int:
        """Return what a move throws away: 2 for a win turned into a loss, 1 to or from a draw."""
        best, made = self._solution.value(state), self._solution.move_value(state, move)
        return RANK[best.result] - RANK[made.result]


@lru_cache(maxsize=8)
def solution_of(game: Game[Any]) -> Solution[Any]:
    """Solve a game; equal variants share the solution."""
    return solve(game, LIMITS)


def check_solvable(game: Game[Any], wish: str, instead: str) -> None:
    """Solve a game; for one that is too large, say which wish cannot be granted, and what can."""
    try:
        solution_of(game)
    except TooLarge as error:
        message = f"{error} {wish} needs its exact values. Without them, use {instead}."
        raise TooLarge(message, error.limit) from None


def check_start(game: Game[Any]) -> None:
    """Refuse a game in which nothing can be played."""
    if game.outcome(game.initial()) is not None:
        raise MatchError("The game is over at its start; there is nothing to play.")


def check_render_mode(mode: object) -> None:
    """Refuse a render mode other than 'ansi' and None."""
    if mode not in (None, "ansi"):
        raise OptionError("render_mode", f"must be 'ansi' or None, not {brief(mode)}.")
