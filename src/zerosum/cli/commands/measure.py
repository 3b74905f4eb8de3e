"""`zerosum measure`: how well a player plays."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import click

from zerosum.bulk.table import Table
from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir, variant_words
from zerosum.cli.console import Findings, StatusLine
from zerosum.cli.solving import limit_option, more
from zerosum.lab.journal import Journal, open_journal
from zerosum.lab.measure.measurement import Measurement, Measurements
from zerosum.lab.measure.measurement_report import (
    measurement_report,
    measurement_svg,
    measurements_report,
)
from zerosum.lab.measure.measuring import measure_player
from zerosum.lab.measure.players import (
    SAMPLES,
    PlayerFailed,
    UnknownPlayer,
    check_player,
    digest,
    names_class,
)
from zerosum.lab.measure.programs import (
    USUAL_LIMITS,
    ProgramLimits,
    ProgramPlayer,
    function_player,
    split_command,
)
from zerosum.limits import PATIENCE, Limits
from zerosum.options import option_values
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, entry_of, find, games, is_path
from zerosum.reports import Report
from zerosum.text import closest
from zerosum.wording.words import title_of

PLAYERS = "a level, a function such as ./mine.py:choose, or a program with --exec"
# Seconds between two reports of progress.
PAUSE = 0.1


class MeasureCommand(flags.GameCommand):
    """A command with players and games, told apart by what they are."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the players and the variants in place of their names."""
        words, programs = ctx.params["game"], ctx.params["programs"]
        try:
            players, named = _sorted(words)
            for command in programs:
                split_command(command)
            for word in () if players or programs else words[:1]:
                check_player(word)
        except UnknownPlayer as error:
            raise click.UsageError(str(error), ctx) from error
        if not players and not programs:
            raise click.UsageError(f"Name a player: {PLAYERS}.", ctx)
        ctx.params["players"] = players
        if flags.META not in ctx.meta:
            ctx.params["game"] = [find(name).variant() for name in named or BUILT_IN]
        return super().invoke(ctx)

    def game_among(self, ctx: click.Context, args: list[str]) -> str | None:
        """Find the only game among arguments that are not read yet."""
        words, known = self.plain_words(args), games()
        # Without a player, a path may be meant as one.
        paths = any(map(is_player, words)) or any(arg.startswith("--exec") for arg in args)
        found = [
            word
            for word in words
            if word in known or (paths and is_path(word) and not is_player(word))
        ]
        return found[0] if len(found) == 1 else None


def is_player(word: str) -> bool:
    """Return whether a word names a player: a level, or a function in a file."""
    return word in LEVELS or (":" in word and not names_class(word))


def _sorted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tell players and games apart; a word that is neither may be meant as a level."""
    players = [word for word in words if is_player(word)]
    named = [word for word in words if word not in players]
    known = (*games(), *LEVELS)
    meant = [word for word in named if not is_path(word) and closest(word, known) in LEVELS]
    for word in (*players, *meant):
        check_player(word)
    return players, named


def complete_word(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a level or a game, or a file once a path is begun."""
    levels = [level for level in LEVELS if level.startswith(incomplete)]
    return [*levels, *flags.complete_game(ctx, param, incomplete)]


@flags.game_command(cls=MeasureCommand)
@click.argument("game", metavar="PLAYER... [GAME]...", nargs=-1, shell_complete=complete_word)
@click.option(
    "--exec",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="Measure a program that answers JSON lines; can be repeated.",
)
@flags.number(
    "--samples", "Ask N times about each position if a player may draw its moves.", SAMPLES, 1
)
@flags.number("--budget", "Ask about a sample of at most N positions (default: all).", least=1)
@flags.number("--seed", "Random seed, for the sample, functions and programs.", 0)
@click.option(
    "--timeout",
    type=flags.seconds(0.001, 86_400),
    help="Time limit for an answer (default: 10; for the first, 60).",
)
@limit_option
@click.option("--journal", metavar="FILE", help="Save the answers in this file and keep it.")
@click.option("--fresh", is_flag=True, help="Ignore saved answers and ask again.")
@flags.svg_option
@flags.printed
def measure(
    settings: Settings,
    players: Sequence[str],
    game: Game[Any] | Sequence[Game[Any]],
    programs: Sequence[str],
    timeout: float | None,
    seed: int,
    limit: int,
    journal: str | None,
    fresh: bool,
    **how: Any,
) -> Findings:
    """Measure how well PLAYER plays GAME: the share of good moves over all positions in which
    a move can go wrong, the score against every level, and where it errs first.

    PLAYER is a level; or a Python function such as ./mine.py:choose, called with a game and a
    state, which returns a move, or a dict of moves and their chances; or, with --exec, a program
    that answers each JSON line with one of its own. Several are shown side by side. Without GAME,
    all five games are measured. In a file, a name with a capital is a game: ./mine.py:LastStick.

    A player that answers with a move may have drawn it. It is asked several times about each
    position, and the figures are estimates, unless it declares that it is deterministic. With
    chances, they are exact. With --budget, only a sample of the positions may be asked about.

    After Ctrl-C, run the same command to continue. The exit code is 1 if a player could not be
    asked to the end; wrong answers count against it, but are not an error.
    """
    ctx = click.get_current_context()
    variants = [game] if isinstance(game, Game) else game
    limits = USUAL_LIMITS if timeout is None else ProgramLimits(timeout, timeout)
    answers = SavedAnswers(settings, journal, fresh)
    measured, failures = [], []
    try:
        for variant in variants:
            with more(PATIENCE) as seconds:
                table = Table(variant, Limits(limit, seconds))
            for player in _players(table, players, programs, limits, seed):
                try:
                    measured.append(_measured(settings, table, player, answers, seed=seed, **how))
                except PlayerFailed as failure:  # the others are still measured
                    failures.append(f"Error: {failure}")
    except KeyboardInterrupt:
        if answers.opened:
            again = "run the same command again" + " without --fresh" * fresh
            settings.err.line(f"Saved. To continue, {again}.")
        raise
    if failures and answers.has_unfinished():
        failures.append("The answers so far are saved. Use --fresh to ask again.")

    def look(moves: str) -> str:
        words = variant_words(variants[0], ctx.meta.get(flags.META, (None, ()))[1])
        return settings.command_line("solve", *words, *(["--moves", moves] if moves else []))

    report = measurements_report(measured) if measured else Report("", [])
    if len(measured) == 1:
        report = measurement_report(measured[0], look)
    single = len(variants) == len({*players}) + len({*programs}) == 1 and measured
    document = measured[0] if single else Measurements(measurements=tuple(measured))
    picture = partial(measurement_svg, *measured) if measured else None
    code = 1 if failures else 0
    return Findings(document, report, picture, failures, code, after=answers.remove_finished)


def _players(
    table: Table[Any],
    names: Sequence[str],
    programs: Sequence[str],
    limits: ProgramLimits,
    seed: int,
) -> Iterator[str | ProgramPlayer]:
    """Make the players of a game, programs last; a level is its name."""
    game, actions = table.game, table.actions
    for name in dict.fromkeys(names):
        yield name if name in LEVELS else function_player(game, name, actions, limits, seed)
    for line in dict.fromkeys(programs):
        yield ProgramPlayer(game, split_command(line), actions, limits, line, seed=seed)


def _measured(
    settings: Settings,
    table: Table[Any],
    player: str | ProgramPlayer,
    answers: SavedAnswers,
    **how: Any,
) -> Measurement:
    """Measure a player in a game, and show its progress."""
    if isinstance(player, str):
        return measure_player(table, player, **how)
    who, shown = f"{player.name}, {title_of(table.game)}", 0.0
    with (
        player,
        answers.journal(table.game, player) as journal,
        StatusLine(settings.err) as line,
    ):

        def progress(done: int, total: int) -> None:
            nonlocal shown
            now = time.monotonic()
            if now >= shown + PAUSE:
                shown = now if done else 0.0  # the first answer is shown at once
                asked = f"{done:,} of {total:,} positions"
                line.show(f"{who}: {asked if done else 'waiting for the first answer'}")

        return measure_player(table, player, journal=journal, progress=progress, **how)


class SavedAnswers:
    """The journals of the players: one that the user named, or else one for each in the cache."""

    def __init__(self, settings: Settings, named: str | None, fresh: bool) -> None:
        """Take the file that was named; a fresh one has no answers."""
        self._settings, self._named, self._fresh = settings, named, fresh
        self.opened: set[str] = set()
        self._finished: set[str] = set()

    @contextmanager
    def journal(self, game: Game[Any], player: ProgramPlayer) -> Iterator[Journal | None]:
        """Open the journal for the answers of a player, if it can be written."""
        path, err = self._named or _temporary_journal(game, player), self._settings.err
        if path is None:
            yield None
            return
        first = path not in self.opened
        self.opened.add(path)
        with open_journal(path, first and self._fresh) as journal:
            if first and len(journal):
                used = "using saved answers; --fresh asks again."
                err.aside(f"{player.name}, {title_of(game)}: {used}")
            yield journal
        if not self._named:
            self._finished.add(path)

    def has_unfinished(self) -> bool:
        """Return whether there are answers of a player that was not asked everything."""
        return any(map(os.path.exists, self.opened - self._finished))

    def remove_finished(self) -> None:
        """Remove the journals of players that were asked everything."""
        for path in self._finished:
            with suppress(OSError):
                os.unlink(path)


def _temporary_journal(game: Game[Any], player: ProgramPlayer) -> str | None:
    """Return the path of a journal in the user's cache, if that can be written."""
    folder = os.path.join(cache_dir(), "measure")
    with suppress(OSError):
        os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK):
        return None
    name = digest(player.identity, entry_of(game), option_values(game))
    return os.path.join(folder, f"{name}.journal")
