"""`zerosum measure`: how well a player plays."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import click

from zerosum.bulk.table import Table
from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir, variant_words
from zerosum.cli.console import Findings, StatusLine
from zerosum.cli.long_tasks import SavedWork
from zerosum.cli.players import (
    PlayersCommand,
    is_log,
    parts_of,
    players_and_games,
    samples_option,
    timeout_option,
)
from zerosum.cli.solving import counting, limit_option, more
from zerosum.cli.user_files import check_new, write_lines
from zerosum.lab.measure.comparing import measurements_of
from zerosum.lab.measure.comparison_report import measurement_svg, measurements_report
from zerosum.lab.measure.exports import row_line, rows_of, to_csv
from zerosum.lab.measure.far import FAR_COUNT
from zerosum.lab.measure.measuring import Measured, measured_answers, table_for
from zerosum.lab.models.answers import read_answers
from zerosum.lab.models.marking import (
    check_answers,
    marked,
    notes_on,
    read_questions,
    table_of_answers,
)
from zerosum.lab.models.suites import SuitePart
from zerosum.limits import MOST_JOBS, PATIENCE, Limits
from zerosum.options import option_values
from zerosum.players.asked import PlayerFailed, digest
from zerosum.players.engines import player_of
from zerosum.players.levels import LEVELS
from zerosum.players.programs import USUAL_LIMITS, ProgramLimits, ProgramPlayer
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.reports import Report
from zerosum.text import brief
from zerosum.wording.words import title_of

# Seconds between two reports of progress.
PAUSE = 0.1


class MeasureCommand(PlayersCommand):
    """A command that may ask the questions of a suite."""

    def variants(self, name: str) -> Sequence[Any]:
        """Return a game as it is named, or the parts of a suite."""
        return parts_of(name) or super().variants(name)


@flags.game_command(cls=MeasureCommand)
@players_and_games
@click.option("--questions", metavar="FILE", help="Check answers against these questions.")
@click.option("--rows", metavar="FILE", help="Write a JSON line for each answer to this file.")
@samples_option
@flags.number("--jobs", "Ask N questions at once: N processes of each player.", 1, 1, MOST_JOBS)
@flags.number("--budget", "Ask about a sample of at most N positions (default: all).", least=1)
@flags.number("--seed", "Random seed, for the sample, functions and programs.", 0)
@timeout_option
@limit_option
@click.option("--journal", metavar="FILE", help="Save the answers in this file, and keep it.")
@click.option("--fresh", is_flag=True, help="Ignore saved answers and ask again.")
@flags.svg_option
@flags.paper_options
@flags.printed
def measure(
    settings: Settings,
    players: Sequence[str],
    game: Game[Any] | Sequence[Game[Any] | SuitePart],
    answer_files: Sequence[str],
    questions: str | None,
    rows: str | None,
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
    state, which returns a move, or a dict of moves and their chances; or a program such as
    exec:./my-engine (or --exec), which answers each JSON line with one of its own. Several are
    compared, on the same decisions. Without GAME, all five games are measured. In a file, a name
    with a capital is a game: ./mine.py:LastStick.

    PLAYER may also be a log of Inspect's task zerosum/decisions, a file that ends with .eval.
    --answers reads the answers of a model to zerosum questions: JSON lines, each with an id and
    with a text or a move. Without GAME, the answers say which of the built-in games and examples
    they are about; a game in a file has to be named.

    A player that answers with a move may have drawn it. It is asked several times about each
    position, and the figures are estimates, unless it declares that it is deterministic. With
    chances, they are exact. With --budget, only a sample of the positions may be asked about.

    After Ctrl-C, run the same command to continue. The exit code is 1 if a player could not be
    asked to the end, or if all its answers were faulty; wrong answers are not an error.
    """
    ctx = click.get_current_context()
    if rows is not None:
        check_new(rows)
    variants = [game] if isinstance(game, Game) else list(game)
    names = [name for name in players if not is_log(name)]
    given = GivenAnswers(settings, [*filter(is_log, players), *answer_files], questions)
    named = bool(variants)
    parts = [variant for variant in variants if isinstance(variant, SuitePart)]
    if parts and how["budget"] is not None:
        raise click.UsageError("A suite has its own questions: it takes no --budget.")
    given.check(parts)
    variants = variants or [*given.games()]
    limits = USUAL_LIMITS if timeout is None else ProgramLimits(timeout, timeout)
    answers = SavedWork(settings, "measurement", journal, fresh)
    found: list[Measured] = []
    failures: list[str] = []
    try:
        for variant in variants:
            with counting(settings), more(PATIENCE) as seconds:
                table = given.table(variant, Limits(limit, seconds), how["budget"], seed)
            how["sample"] = variant.sample(table) if isinstance(variant, SuitePart) else None
            found += given.measured(table, named)
            for player in _players(table, names, limits, seed):
                try:
                    found.append(_measured(settings, table, player, answers, seed=seed, **how))
                except PlayerFailed as failure:  # the others are still measured
                    failures.append(f"Error: {failure}")
    except KeyboardInterrupt:
        answers.tell_how_to_continue()
        raise
    if failures and answers.has_unfinished():
        failures.append("The answers so far are saved. Use --fresh to ask again.")
    failures += [
        f"Error: every answer of {brief(each.player, 200)} to {each.title} was faulty."
        for each in (part.measurement for part in found)
        if each.all_faulty
    ]

    def look(moves: str) -> str:
        shown = found[0].answers.table.game
        known = ctx.meta.get(flags.META, (None, flags.flags_of(entry_of(shown))))
        words = variant_words(shown, known[1])
        line = ["--moves", moves] if moves else []
        return settings.command_line("solve", *words, *line)

    if rows is not None:
        lines = (rows_of(part.answers, part.measurement.player) for part in found)
        write_lines(rows, map(row_line, chain.from_iterable(lines)))
    together = measurements_of(found)
    asked = len({*names}) + len(given.files)
    single = len(variants) == asked == 1 and len(found) == 1
    return Findings(
        together.measurements[0] if single else together,
        measurements_report(together, look) if found else Report("", []),
        partial(measurement_svg, together) if found else None,
        failures,
        1 if failures else 0,
        answers.remove_finished,
        partial(to_csv, together.measurements) if found else None,
    )


def _players(
    table: Table[Any], names: Sequence[str], limits: ProgramLimits, seed: int
) -> Iterator[str | ProgramPlayer]:
    """Make the players of a game; a level is its name."""
    for name in dict.fromkeys(names):
        level = name in LEVELS
        yield name if level else player_of(table.game, name, table.actions, limits, seed)


def _measured(
    settings: Settings,
    table: Table[Any],
    player: str | ProgramPlayer,
    answers: SavedWork,
    **how: Any,
) -> Measured:
    """Measure a player in a game, and show its progress."""
    if isinstance(player, str):
        with StatusLine(settings.err) as line:
            line.show(f"measuring {player}, {title_of(table.game)} …")
            return measured_answers(table, player, **how)
    who, shown = f"{player.name}, {title_of(table.game)}", 0.0
    key = digest(player.identity, entry_of(table.game), option_values(table.game))
    with (
        player,
        answers.journal(key, f"{who}: using saved answers; --fresh asks again.") as journal,
        StatusLine(settings.err) as line,
    ):

        def progress(done: int, total: int) -> None:
            nonlocal shown
            now = time.monotonic()
            if now >= shown + PAUSE:
                shown = now if done else 0.0  # the first answer is shown at once
                asked = f"{done:,} of {total:,} questions"
                line.show(f"{who}: {asked if done else 'waiting for the first answer'}")

        return measured_answers(table, player, journal=journal, progress=progress, **how)


class GivenAnswers:
    """Answers that were given elsewhere: files of any harness, and logs of Inspect."""

    def __init__(self, settings: Settings, paths: Sequence[str], questions: str | None) -> None:
        """Read the files, check them against their questions, and say what is odd about them."""
        self.files = [read_answers(path) for path in dict.fromkeys(paths)]
        self._questions = None if questions is None else read_questions(questions)
        if self._questions is not None and not self.files:
            raise click.UsageError("--questions needs answers to check: --answers FILE, or a log.")
        self.games()  # a game in a file starts the command again: before anything is said
        for file in self.files:
            if questions is not None and self._questions is not None:
                check_answers(file, self._questions, questions)
            for note in notes_on(file):
                settings.err.line(note)

    def check(self, parts: Sequence[SuitePart]) -> None:
        """Refuse files without answers to all questions of a suite; prompts may differ."""
        if parts and self.files:
            asked = {question.id: question for part in parts for question in part.questions()}
            for file in self.files:
                check_answers(file, asked, "the suite", prompts=False)

    def table(
        self, variant: Game[Any] | SuitePart, limits: Limits, count: int | None, seed: int
    ) -> Table[Any]:
        """Return the table of a variant; too large a game needs a theory, or a table in parts."""
        if isinstance(variant, SuitePart):
            return variant.table
        if any(file.about(variant) for file in self.files):
            return table_of_answers(variant, self.files, limits)
        return table_for(variant, limits, count or FAR_COUNT, seed, cache_dir())

    def games(self) -> list[Game[Any]]:
        """Return the variants that the answers are about, each once."""
        return list(dict.fromkeys(variant.game for file in self.files for variant in file.variants))

    def measured(self, table: Table[Any], all_of_them: bool) -> Iterator[Measured]:
        """Measure the answers about a game, or refuse a file without any."""
        for file in self.files:
            if all_of_them or file.about(table.game):
                yield marked(table, file, self._questions)
