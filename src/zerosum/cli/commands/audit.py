"""`zerosum audit`: what is true of a game as a whole."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir, variant_words
from zerosum.cli.console import StatusLine
from zerosum.cli.files import write_file
from zerosum.cli.solving import (
    MORE_POSITIONS,
    MORE_TIME,
    counting,
    limit_option,
    patience,
    solution_of,
)
from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.limits import BATCH, PATIENCE, Limits
from zerosum.protocol import Game
from zerosum.solver import solve, solve_table
from zerosum.wording.words import title_of
from zerosum.worker import alarm

if TYPE_CHECKING:
    from zerosum.lab.audit.document import Audit, AuditRow

# The most seconds allowed, since timers count little further; the default for one game.
MOST_SECONDS, WHOLE = 1_000_000, 300.0
JOURNAL = ".journal"
FORMATS = (".csv", ".json")
# What comes after each step of an audit.
STEPS = (
    "comparing the levels",
    "looking for a law",
    "looking for rules that never apply",
    "writing",
)


class AuditCommand(flags.GameCommand):
    """A command with one GAME and its options, or with many games and folders of games."""

    def defaults(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Find the game, if there is only one: many are loaded in processes of their own."""
        if self._names_many(ctx, args):
            return flags.Command.defaults(self, ctx, args)
        return super().defaults(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the variant of the one game, or with the names of many."""
        if flags.META not in ctx.meta:
            return flags.Command.invoke(self, ctx)
        if len(ctx.params["game"]) > 1:
            raise click.UsageError("Options of a game cannot be used with several games.", ctx)
        if ctx.params["out"]:
            raise click.UsageError("Options of a game cannot be used with --out.", ctx)
        return super().invoke(ctx)

    def _names_many(self, ctx: click.Context, args: list[str]) -> bool:
        """Return whether arguments that are not read yet ask for the audits of many games."""
        try:
            typed, _, _ = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError:  # such as an option of a game
            return False
        from zerosum.lab.audit.batch.game_files import is_folder_of_games

        named = typed.get("game")
        names = named if isinstance(named, tuple) else ()
        return "out" in typed or len(names) > 1 or any(map(is_folder_of_games, names))


@flags.game_command(cls=AuditCommand)
@click.argument(
    "game", metavar="GAME...", nargs=-1, required=True, shell_complete=flags.complete_game
)
@limit_option
@click.option("--html", metavar="FILE", help="Write the report as a page with pictures.")
@flags.json_option
@click.option(
    "--out", metavar="FILE", help="Audit many games, with a row for each (.csv or .json)."
)
@click.option(
    "--jobs", type=flags.Whole(1), metavar="N", help="Games at a time (default: one per core)."
)
@click.option(
    "--seconds",
    type=flags.Seconds(),
    help="Time for each game (default: 300; with --out, 10 of processor time).",
)
@click.option("--fresh", is_flag=True, help="Audit all games again, even those already done.")
@click.option("--cluster", metavar="ADDRESS", help="Audit the games on this Dask cluster.")
@flags.common
def audit(
    settings: Settings,
    game: Game[Any] | tuple[str, ...],
    limit: int,
    html: str | None,
    as_json: bool,
    seconds: float | None,
    **many: Any,
) -> None:
    """Audit GAME: how large it is, who wins, whether it is fair, whether skill matters, its faults.

    Every figure is exact up to rounding; --json has all digits. The exit code is 1 if
    the rules are broken (an error among the faults), or if the game could not be solved; a warning
    does not count.

    Several games, or a folder of games, are audited with --out: each in a process of its own, with
    a row for each. Stopped with Ctrl-C, the same command continues.
    """
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        bounds = f"must be more than 0 and at most {MOST_SECONDS:,}"
        raise flags.bad_value(click.get_current_context(), "seconds", bounds)
    if isinstance(game, Game):
        for name, value in many.items():
            if value:
                raise click.UsageError(f"--{name} is for many games, and needs --out.")
        _audit_one(settings, game, limit, html, as_json, seconds)
    elif html is not None or as_json:
        raise click.UsageError("--html and --json are for one game; --out is for many.")
    else:
        limits = BATCH._replace(positions=limit, seconds=seconds or BATCH.seconds)
        _audit_many(settings, game, limits, **many)


def _audit_one(
    settings: Settings,
    game: Game[Any],
    limit: int,
    html: str | None,
    as_json: bool,
    seconds: float | None,
) -> None:
    """Audit one game, and print the report."""
    from zerosum.documents import to_json
    from zerosum.lab.audit.report import audit_page, audit_report

    _, own = click.get_current_context().meta[flags.META]
    arguments = variant_words(game, own)
    found = _audited(settings, game, limit, seconds)
    if html is not None:
        solver, known = solve_table if found.size else solve, found.best_play is not None
        solution = solution_of(settings, game, limit, solver) if known else None
        _write_page(html, audit_page(found, arguments, game, solution))
    if as_json:
        settings.out.line(to_json(found))
    elif html != "-":
        with settings.paged() as out:
            out.show(audit_report(found, arguments))
            if any(part.limit for part in found.left_out):
                out.paragraph(MORE_POSITIONS, "aside")
            if found.lacks("time"):
                out.paragraph(MORE_TIME, "aside")
    if found.best_play is None:
        click.get_current_context().exit(1)


def _audited(settings: Settings, game: Game[Any], limit: int, whole: float | None) -> Audit:
    """Return an audit, perhaps a kept one."""
    from zerosum.lab.audit.auditing import audit_steps, keep_audit, kept_audit, stopped_audit

    kept = kept_audit(game, limit, cache_dir())
    if kept is not None:
        return kept
    found: Audit | None = None
    seconds = patience(PATIENCE)
    whole = whole or (None if seconds is None else WHOLE)
    with counting(settings) as progress:
        progress.show("checking the rules …")
        steps = iter(STEPS)  # an environment begins with one more, without a table
        try:
            with alarm(whole, _OutOfTime()):
                for found in audit_steps(game, Limits(limit, seconds), cache=cache_dir()):
                    progress.show(f"{next(steps) if found.size else 'searching'} …")
        except _OutOfTime:
            late = TooSlow(f"The audit of {title_of(game)}", whole or 0)
            if found is None:
                raise TooLarge(f"{late} --seconds N allows more.") from late
            return stopped_audit(found, str(late))
    assert found is not None  # noqa: S101 (there is at least one step)
    keep_audit(game, found, cache_dir())
    return found


class _OutOfTime(BaseException):
    """The time for an audit is up; nothing that looks for faults catches it."""


def _write_page(path: str, text: str) -> None:
    """Write a page; only an older page of an audit is replaced."""
    from zerosum.pictures.pages import generator

    with suppress(OSError, ValueError), open(path, "r+", encoding="utf-8") as file:
        if generator("zerosum audit") in file.read(1000):
            file.seek(0)
            file.truncate()
            file.write(text)
            return
    write_file(path, text)


def _audit_many(
    settings: Settings,
    names: tuple[str, ...],
    limits: Limits,
    out: str | None,
    jobs: int | None,
    fresh: bool,
    cluster: str | None,
) -> None:
    """Audit games, each in a process of its own, here or on a cluster; write a row for each."""
    from zerosum.lab.audit.batch import runner
    from zerosum.lab.audit.batch.game_files import jobs_for
    from zerosum.lab.journal import open_journal

    if jobs and cluster:
        raise click.UsageError("--jobs is for this machine; a cluster has workers of its own.")
    if os.name == "nt":
        raise ZerosumError(
            "Auditing many games needs Linux or macOS: Windows cannot limit a process."
        )
    if out is None or not out.lower().endswith(FORMATS):
        raise click.UsageError("Name a file for the results: --out results.csv, or .json.")
    journal_file = out + JOURNAL
    if os.path.exists(out) and not os.path.exists(journal_file):
        raise ZerosumError(f"{out} already exists; not overwritten.")
    found = jobs_for(names, limits)
    progress = _Progress(settings, len(found))
    with open_journal(journal_file, fresh, "audit") as journal:
        try:
            local = runner.local(jobs or os.cpu_count() or 1)
            with local if cluster is None else runner.cluster(cluster) as workers:
                rows = runner.run_batch(found, workers, journal, progress)
        except (KeyboardInterrupt, ZerosumError):
            progress.line.clear()
            if progress.done:
                settings.err.line(
                    f"Saved: {progress.done:,} of {len(found):,} games are audited. "
                    "To continue, run the same command again."
                )
            raise
        progress.line.clear()
        runner.write_results(out, rows, limits)
    counts = Counter(row.status for row in rows).most_common()
    listed = ", ".join(f"{count:,} {status}" for status, count in counts)
    settings.out.line(f"{len(rows):,} game{'s' * (len(rows) != 1)}: {listed}.")
    settings.out.line(f"The results are in {out}.")


class _Progress:
    """Shows how many games are done, and how long the rest may take."""

    def __init__(self, settings: Settings, total: int) -> None:
        """Take the number of games."""
        self.done = 0
        self.line = StatusLine(settings.err)
        self._total = total
        self._began: tuple[float, int] | None = None

    def __call__(self, rows: Sequence[AuditRow]) -> None:
        """Show the number of rows."""
        self.done = len(rows)
        solved = sum(row.status == "solved" for row in rows)
        self.line.show(f"{self.done:,} of {self._total:,}, {solved:,} solved{self._left()}")

    def _left(self) -> str:
        """Estimate the time that is left, from the games of this run."""
        now = monotonic()
        began, before = self._began = self._began or (now, self.done)
        if self.done == before:
            return ""
        left = (now - began) / (self.done - before) * (self._total - self.done)
        minutes, seconds = divmod(round(left), 60)
        return f", about {f'{minutes} min' if minutes else f'{seconds} s'} left"
