"""What is known about a game being played: for the coach and for the computer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.solving import counting
from zerosum.coach.advice import Coach
from zerosum.errors import ZerosumError
from zerosum.limits import COACH, COACH_SEARCH, PERSON, PLAYER_PATIENCE
from zerosum.match import Match, is_engine
from zerosum.players import levels
from zerosum.protocol import Game, Move
from zerosum.solver.solution import Solution

if TYPE_CHECKING:
    from zerosum.players.engines import Engine

META = "zerosum.analysis"


class Analysis:
    """Finds out what is known about a match's game, when first needed."""

    def __init__(self, settings: Settings, game: Game[Any]) -> None:
        """Take the game that may have to be solved."""
        self.game = game
        self._settings = settings
        self._limits = COACH
        self._engines: dict[tuple[int, str | None], Engine[Any]] = {}

    @classmethod
    def of(cls, settings: Settings, game: Game[Any]) -> Analysis:
        """Return the analysis of a game, the same for a whole command."""
        meta = click.get_current_context().meta
        if META not in meta or meta[META].game != game:
            meta[META] = cls(settings, game)
        analysis: Analysis = meta[META]
        return analysis

    @cached_property
    def soon(self) -> Solution[Any]:
        """What all levels but perfect know."""
        return levels.soon_known(self.game, cache=cache_dir())

    @cached_property
    def solution(self) -> Solution[Any]:
        """What the coach and the perfect level know about the game."""
        if self.soon.is_whole:
            return self.soon
        limits, here = self._limits, PERSON.within(self._limits)
        return Solution(self.game, limits, here=here, search=COACH_SEARCH, cache=cache_dir())

    @property
    def is_whole(self) -> bool:
        """Whether the whole game is solved."""
        with counting(self._settings):
            return self.solution.is_whole

    def advise(self, ask: Callable[[Coach[Any]], list[str]]) -> list[str]:
        """Return what the coach answers."""
        with counting(self._settings) as line:
            line.show("thinking …")
            return ask(self._coach)

    @cached_property
    def _coach(self) -> Coach[Any]:
        """The coach; if it cannot work, that is found out now."""
        _ = self.solution.is_whole
        return Coach(self.solution)

    def levels(self) -> dict[str, str]:
        """Return the levels that can play the game from its start, each with how it plays."""
        try:
            offered = levels.LEVELS if self.is_whole else levels.SEARCHING
            known = self.soon.is_whole
        except ZerosumError:  # it is reported when a game begins
            return dict.fromkeys(levels.LEVELS, "")
        return {level: levels.describe_level(level, known) for level in offered}

    def prepare(self, match: Match[Any]) -> None:
        """Find out what the bots need to know: they fail before the game."""
        if "perfect" in match.bots and self._limits == COACH and not self.is_whole:
            self._limits = COACH.in_seconds(PLAYER_PATIENCE)  # no search can replace the table
            del self.solution
        for player, level in enumerate(match.bots):
            with counting(self._settings) as line:
                if is_engine(level):
                    line.show(f"starting {self._engine(match, player).short_name} …")
                    self._engine(match, player).start()
                elif level is not None:
                    levels.prepare(self._known_to(level), level, match.state)

    def move(self, match: Match[Any], level: str) -> Move:
        """Choose the move of the bot to move; a level's is the same for the same seed."""
        with counting(self._settings) as line:
            if is_engine(level):
                engine = self._engine(match, match.mover)
                line.show(f"{engine.short_name} is thinking …")
                return engine.move(match)
            return levels.choose_move(
                self._known_to(level), level, match.state, levels.seed_at(match)
            )

    def _engine(self, match: Match[Any], player: int) -> Engine[Any]:
        """Return the program that is a player of the match; it is ended with the command."""
        from zerosum.players.engines import Engine

        name = match.bots[player]
        if (player, name) not in self._engines:
            engine = Engine(self.game, name or "", match.seed or 0)
            self._engines[player, name] = engine
            click.get_current_context().call_on_close(engine.close)
        return self._engines[player, name]

    def accepts_draw(self, match: Match[Any], level: str) -> bool:
        """Return whether the bot that is not to move accepts a draw: not if it is winning."""
        with counting(self._settings):
            return levels.accepts_draw(self._known_to(level), level, match.state)

    def decisions(self, match: Match[Any], player: int) -> tuple[int, int]:
        """Count a player's right decisions in the game, and all of them, if values are known."""
        from zerosum.coach.review import review

        known, played = self._known_to(match.bots[1 - player] or ""), match.round
        try:
            if not known.is_whole:
                return 0, 0
            return review(known, played).decisions(played.player(player))
        except ZerosumError:  # nothing that a player could do about it
            return 0, 0

    def _known_to(self, level: str) -> Solution[Any]:
        """Return what a level knows."""
        return self.solution if level == "perfect" else self.soon
