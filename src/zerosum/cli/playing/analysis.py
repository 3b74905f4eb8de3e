"""The solver's view of the game being played: values for the coach, moves for the computer."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zerosum.cli.config import Settings
from zerosum.cli.solution import solution_of
from zerosum.coach.advice import Coach
from zerosum.errors import TooLarge, ZerosumError
from zerosum.match import Match
from zerosum.players import levels
from zerosum.players.autoplay import is_endless
from zerosum.protocol import Game, Move
from zerosum.solver.solution import Solution
from zerosum.wording.words import title_of

# A few seconds' work: nobody waits longer for an opponent.
WHILE_PLAYING = 400_000


class Analysis:
    """Solves the game of a match once, when it is first needed."""

    def __init__(self, settings: Settings, game: Game[Any]) -> None:
        """Take the game that may have to be solved."""
        self.settings = settings
        self.game = game
        self._found: Solution[Any] | ZerosumError | None = None

    @property
    def solution(self) -> Solution[Any]:
        """The solved game; what failed once fails again at once."""
        if self._found is None:
            try:
                self._found = solution_of(self.settings, self.game, WHILE_PLAYING)
            except ZerosumError as error:
                self._found = error
                if isinstance(error, TooLarge) and error.limit is not None:
                    reason = "has too many positions to solve during a game."
                    self._found = TooLarge(f"{title_of(self.game)} {reason}")
        if isinstance(self._found, ZerosumError):
            raise self._found
        return self._found

    @cached_property
    def coach(self) -> Coach[Any]:
        """The coach of this game."""
        return Coach(self.solution)

    def prepare(self, match: Match[Any]) -> None:
        """Solve now what a bot will need, so that it fails before the game."""
        for bot in filter(None, match.bots):
            levels.check_level(bot)
        if any(map(levels.needs_solution, match.bots)):
            _ = self.solution

    def move(self, match: Match[Any], level: str) -> Move:
        """Choose the move of the bot whose turn it is, the same for the same seed."""
        solution = self.solution if levels.needs_solution(level) else None
        return levels.choose_move(match.game, level, match.state, levels.seed_at(match), solution)

    def endless(self, match: Match[Any]) -> bool:
        """Return whether two bots would play on forever."""
        return None not in match.bots and is_endless(match)

    def accepts_draw(self, match: Match[Any], level: str) -> bool:
        """Return whether the bot that is not to move accepts a draw: not if it is winning."""
        solution = self.solution if levels.needs_solution(level) else None
        return levels.accepts_draw(level, match.state, solution)
