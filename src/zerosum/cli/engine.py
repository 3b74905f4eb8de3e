"""The solver at the table: it gives the coach its values, and the computer its moves."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zerosum.cli.config import Settings
from zerosum.cli.solving import solved
from zerosum.coach.advice import Coach
from zerosum.errors import TooLarge, ZerosumError
from zerosum.match import Match
from zerosum.players.autoplay import Endless
from zerosum.players.levels import (
    accepts_draw,
    check_level,
    choose_move,
    needs_solution,
    seed_at,
)
from zerosum.protocol import Game, Move
from zerosum.solver.solution import Solution
from zerosum.wording import title_of

# A few seconds' work: nobody waits longer for an opponent.
WHILE_PLAYING = 400_000


class Engine:
    """Solves the game of a match once, when it is first needed."""

    def __init__(self, settings: Settings, game: Game[Any]) -> None:
        """Take the game that may have to be solved."""
        self.settings = settings
        self.game = game
        self._failed: ZerosumError | None = None

    @property
    def solution(self) -> Solution[Any]:
        """The solved game; what failed once fails again at once."""
        if self._failed is not None:
            raise self._failed
        try:
            return self._solved
        except ZerosumError as error:
            self._failed = error
            raise

    @cached_property
    def _solved(self) -> Solution[Any]:
        try:
            return solved(self.settings, self.game, WHILE_PLAYING)
        except TooLarge as error:
            raise TooLarge(
                f"{title_of(self.game)} has too many positions to solve during a game."
            ) from error

    @cached_property
    def coach(self) -> Coach[Any]:
        """The coach of this game."""
        return Coach(self.solution)

    def prepare(self, match: Match[Any]) -> None:
        """Solve now what a bot will need, so that it fails before the game."""
        for bot in filter(None, match.bots):
            check_level(bot)
        if any(map(needs_solution, match.bots)):
            _ = self.solution

    def move(self, match: Match[Any], level: str) -> Move:
        """Choose the move of the bot whose turn it is, the same for the same seed."""
        return choose_move(match.game, level, match.state, seed_at(match), self._known(level))

    def endless(self, match: Match[Any]) -> bool:
        """Whether two bots would play on forever."""
        return None not in match.bots and Endless().over(match)

    def agrees(self, match: Match[Any], level: str) -> bool:
        """Whether the bot that is not to move accepts a draw: not if it is winning."""
        try:
            return accepts_draw(level, match.state, self._known(level))
        except ZerosumError:
            return True  # a bot that knows nothing is content

    def _known(self, level: str) -> Solution[Any] | None:
        """Return the solution, for a level that needs it."""
        return self.solution if needs_solution(level) else None
