"""Measure players for the command: with journals, progress, and again where it stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from zerosum.bulk.table import Table
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.solving import more
from zerosum.lab.journal import Journal, open_journal
from zerosum.lab.measure.measurement import Measurement
from zerosum.lab.measure.measuring import measure_player
from zerosum.lab.measure.players import PlayerFailed, digest
from zerosum.lab.measure.programs import USUAL_LIMITS, ProgramPlayer, function_player, split_command
from zerosum.limits import PATIENCE, Limits
from zerosum.options import option_values
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.wording.words import title_of

FOLDER = "measure"
# Seconds between two reports of progress.
PAUSE = 0.1


class Request(NamedTuple):
    """What to measure, and how."""

    players: Sequence[str]
    programs: Sequence[str]
    samples: int
    budget: int | None
    seed: int
    timeout: float | None
    limit: int
    journal: str | None
    fresh: bool


class Measuring:
    """Measures every player in every game; what was answered is saved until all is done."""

    def __init__(self, settings: Settings, request: Request, arguments: Sequence[str]) -> None:
        """Take what to measure, and the arguments of the command."""
        self._settings, self._request, self._arguments = settings, request, arguments
        self._failures: list[PlayerFailed] = []
        self._opened: set[str] = set()
        self._finished: set[str] = set()  # journals that are no longer needed

    def run(self, games: Sequence[Game[Any]]) -> list[Measurement]:
        """Measure all players; one that fails does not keep the others from being measured."""
        try:
            return [found for game in games for found in self._measure_all(self._table(game))]
        except KeyboardInterrupt:
            if self._opened:
                words = [word for word in self._arguments if word != "--fresh"]
                # No database is involved.
                command = self._settings._replace(typed_db=None).command_line("measure", *words)
                self._settings.err.line(f"Saved. Resume with: {command}")
            raise

    def finish(self) -> None:
        """Remove journals that are no longer needed; fail if a player has failed."""
        for path in self._finished:
            with suppress(OSError):
                os.unlink(path)
        if self._failures:
            *others, last = self._failures
            for failure in others:
                self._settings.err.line(f"Error: {failure}")
            if any(map(os.path.exists, self._opened)):
                saved = "The answers so far are saved. Use --fresh to ask again."
                self._settings.err.aside(saved)
            raise last

    def _measure_all(self, table: Table[Any]) -> Iterator[Measurement]:
        """Measure all players in a game, programs last."""
        request, actions = self._request, table.actions
        limits, timeout = USUAL_LIMITS, request.timeout
        if timeout is not None:
            limits = limits._replace(answer=timeout, first=timeout)
        for name in dict.fromkeys(request.players):
            if name in LEVELS:
                yield measure_player(table, name, budget=request.budget, seed=request.seed)
            else:
                player = function_player(table.game, name, actions, limits, request.seed)
                yield from self._measure(table, player)
        for command in dict.fromkeys(request.programs):
            words, seed = split_command(command), request.seed
            player = ProgramPlayer(table.game, words, actions, limits, command, seed=seed)
            yield from self._measure(table, player)

    def _table(self, game: Game[Any]) -> Table[Any]:
        """Make the table of a game."""
        with more(PATIENCE) as seconds:
            return Table(game, Limits(self._request.limit, seconds))

    def _measure(self, table: Table[Any], player: ProgramPlayer) -> list[Measurement]:
        """Measure a player in a game; one that fails has no measurement."""
        request, progress = self._request, AnswerCounter(self._settings, table.game, player)
        try:
            with player, self._journal(table.game, player) as journal:
                found = measure_player(
                    table,
                    player,
                    samples=request.samples,
                    budget=request.budget,
                    seed=request.seed,
                    journal=journal,
                    progress=progress.show,
                )
        except PlayerFailed as failure:
            self._failures.append(failure)
            return []
        finally:
            progress.line.clear()
        return [found]

    @contextmanager
    def _journal(self, game: Game[Any], player: ProgramPlayer) -> Iterator[Journal | None]:
        """Open the journal for the answers of a player, if it can be written."""
        named = self._request.journal is not None
        path = self._request.journal if named else _temporary_journal(game, player)
        if path is None:
            yield None
            return
        first = path not in self._opened
        self._opened.add(path)
        with open_journal(path, first and self._request.fresh) as journal:
            if first and len(journal):
                whose = "" if named else " of a command that did not finish"
                used = f"using saved answers{whose}; --fresh asks again."
                self._settings.err.aside(f"{player.name}, {title_of(game)}: {used}")
            yield journal
        if not named:
            self._finished.add(path)


def _temporary_journal(game: Game[Any], player: ProgramPlayer) -> str | None:
    """Return the path of a journal in the user's cache, if that can be written."""
    folder = os.path.join(cache_dir(), FOLDER)
    with suppress(OSError):
        os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK):
        return None
    name = digest(player.identity, entry_of(game), option_values(game))
    return os.path.join(folder, f"{name}.journal")


class AnswerCounter:
    """Shows how many positions were asked about, now and then."""

    def __init__(self, settings: Settings, game: Game[Any], player: ProgramPlayer) -> None:
        """Take who is measured in which game."""
        self.line = StatusLine(settings.err)
        self._what, self._shown = f"{player.name}, {title_of(game)}", 0.0

    def show(self, done: int, total: int) -> None:
        """Show the number of answers, unless that was done a moment ago."""
        now = time.monotonic()
        if now >= self._shown + PAUSE:
            self._shown = now if done else 0.0  # the first answer is shown at once
            what = f"{done:,} of {total:,} positions" if done else "waiting for the first answer"
            self.line.show(f"{self._what}: {what}")
