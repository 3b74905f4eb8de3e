"""What the programs at a table know: the coach, and the computer players."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.cli.settings import Settings
from zerosum.errors import ZerosumError
from zerosum.match import Match
from zerosum.protocol import Move

if TYPE_CHECKING:
    from zerosum.coach.advice import Coach
    from zerosum.solver.solution import Solution

# Nobody wants to wait for a coach longer than for an opponent: this is a few seconds.
WHILE_PLAYING = 400_000


class Minds:
    """Solves the game once, when somebody first needs it."""

    def __init__(self, settings: Settings, match: Match[Any]) -> None:
        """Take the match whose game is to be understood."""
        self.settings = settings
        self.game = match.game
        self._failed: ZerosumError | None = None

    @property
    def solution(self) -> Solution[Any]:
        """The truth about the game; where it cannot be had, that is said at once again."""
        if self._failed is not None:
            raise self._failed
        try:
            return self._solved
        except ZerosumError as error:
            self._failed = error
            raise

    @cached_property
    def _solved(self) -> Solution[Any]:
        """Solve the game."""
        from zerosum.cli.solving import solved
        from zerosum.errors import TooLarge
        from zerosum.wording import title_of

        try:
            return solved(self.settings, self.game, WHILE_PLAYING)
        except TooLarge as error:
            raise TooLarge(
                f"{title_of(self.game)} has too many positions to solve during a game."
            ) from error

    @cached_property
    def coach(self) -> Coach[Any]:
        """Somebody who explains it."""
        from zerosum.coach.advice import Coach

        return Coach(self.solution)

    def prepare(self, match: Match[Any]) -> None:
        """Solve now what a program at the table will need, so that it fails before the game."""
        from zerosum.players.levels import check_level
        from zerosum.players.seated import needs_solution

        for bot in match.bots:
            if bot is not None:
                check_level(bot)
        if any(needs_solution(bot) for bot in match.bots):
            _ = self.solution

    def move(self, match: Match[Any]) -> Move:
        """Let the program whose turn it is choose: the same in every play of the same seed."""
        from zerosum.players.seated import chosen, needs_solution, place_in

        level = match.bots[match.mover]
        assert level is not None  # noqa: S101 (who calls this has looked)
        solution = self.solution if needs_solution(level) else None
        return chosen(match.game, level, match.state, place_in(match), solution)

    def endless(self, match: Match[Any]) -> bool:
        """Tell whether programs among themselves should stop here."""
        from zerosum.players.endless import Endless

        return None not in match.bots and Endless().over(match)

    def agrees(self, match: Match[Any]) -> bool:
        """Tell whether the program that is not to move takes a draw: not if it is winning."""
        from zerosum.players.seated import agrees, needs_solution

        level = match.bots[1 - match.mover]
        assert level is not None  # noqa: S101 (who calls this has looked)
        return agrees(level, match.state, self.solution if needs_solution(level) else None)
