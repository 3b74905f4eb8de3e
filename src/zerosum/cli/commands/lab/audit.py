"""`zerosum audit`: what is true of a game as a whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir, variant_words
from zerosum.cli.console import Findings
from zerosum.cli.long_tasks import (
    OneOrMany,
    check_results,
    games_argument,
    outcomes,
    run_many,
    workers_for,
)
from zerosum.cli.solving import (
    MORE_POSITIONS,
    MORE_TIME,
    counting,
    limit_option,
    patience,
    solution_of,
)
from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.lab.audit.auditing import audit_steps, stopped_audit
from zerosum.lab.audit.document import Audit, AuditRow
from zerosum.lab.audit.processes.game_files import jobs_for
from zerosum.lab.audit.report import audit_page, audit_report
from zerosum.limits import AUDIT_SECONDS, BATCH, PATIENCE, Limits
from zerosum.protocol import Game
from zerosum.reports import Report, Sentence
from zerosum.sandbox import alarm
from zerosum.solver import solve, solve_table
from zerosum.wording.words import title_of

FORMATS = (".csv", ".json")


class AuditCommand(OneOrMany):
    """A command with one GAME and its options, or with many games and folders."""

    def are_many(self, typed: dict[str, Any], names: Sequence[str]) -> bool:
        """Return whether the command is about many games: with --out, it always is."""
        return "out" in typed or super().are_many(typed, names)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the variant of the one game, or with the names of many."""
        if flags.META in ctx.meta:
            several = "several games" if len(ctx.params["game"]) > 1 else ""
            if wrong := several or "--out" * bool(ctx.params["out"]):
                raise click.UsageError(f"Options of a game cannot be used with {wrong}.", ctx)
        return super().invoke(ctx)


@flags.game_command(cls=AuditCommand)
@games_argument
@limit_option
@click.option("--html", "picture", metavar="FILE", help="Write the report as a page with pictures.")
@click.option(
    "--out", metavar="FILE", help="Audit many games, with a row for each (.csv or .json)."
)
@flags.number("--jobs", "Games at a time (default: one per core).", least=1)
@click.option(
    "--seconds",
    type=flags.seconds(0.001, 1_000_000),
    help="Time for each game (default: 300; with --out, 10 of processor time).",
)
@click.option("--fresh", is_flag=True, help="Audit all games again, even those already done.")
@click.option("--cluster", metavar="ADDRESS", help="Audit the games on this Dask cluster.")
@flags.all_option
@flags.printed
def audit(
    settings: Settings,
    game: Game[Any] | tuple[str, ...],
    limit: int,
    seconds: float | None,
    everything: bool,
    **many: Any,
) -> Findings | None:
    """Audit GAME: its size, who wins, whether it is fair, whether skill matters, and its faults.

    The verdict and who wins between equals fit a screen; --all prints the whole report.
    Every figure is exact up to rounding; --json has all digits. The exit code is 1 if
    the rules are broken (an error among the faults), or if the game could not be solved; a warning
    does not count.

    Several games, or a folder of games, are audited with --out: each in a process of its own, with
    a row for each. After Ctrl-C, the same command continues.
    """
    params = click.get_current_context().params
    if isinstance(game, Game):
        for name, value in many.items():
            if value:
                raise click.UsageError(f"--{name} is for many games, and needs --out.")
        return _audit_one(settings, game, limit, seconds, everything)
    if params["picture"] is not None or params["as_json"] or everything:
        raise click.UsageError("--html, --json and --all are for one game; --out is for many.")
    limits = BATCH._replace(positions=limit, seconds=seconds or BATCH.seconds)
    _audit_many(settings, game, limits, **many)
    return None


def _audit_one(
    settings: Settings, game: Game[Any], limit: int, seconds: float | None, everything: bool
) -> Findings:
    """Audit one game."""
    _, own = click.get_current_context().meta[flags.META]
    arguments = variant_words(game, own)
    found = _audited(settings, game, limit, seconds)
    solved = found.best_play is not None

    def page() -> str:
        solver = solve_table if found.size else solve
        solution = solution_of(settings, game, limit, solver) if solved else None
        return audit_page(found, arguments, game, solution)

    larger = any(part.limit for part in found.left_out)
    hints = {MORE_POSITIONS: larger, MORE_TIME: found.lacks("time")}
    notes = [hint for hint, helps in hints.items() if helps]
    if not solved:
        why = "the rules are broken" if found.verdict.broken else "the game was not solved"
        notes.append(f"The exit code is 1: {why}.")
    report = audit_report(found, arguments)
    shown = report if everything else _on_a_screen(found, report)
    return Findings(found, shown, page, notes, code=0 if solved else 1)


def _on_a_screen(found: Audit, report: Report) -> Report:
    """Leave out of an audit what does not fit a screen, and say so."""
    wanted = ("verdict", "fairness") if found.levels else ("verdict", "faults", "fairness")
    first, *kept = [section for section in report.sections if section.key in wanted]
    more = [part.title.lower() for part in report.sections if part.key not in wanted]
    shown = [first._replace(title=""), *kept]
    if more:
        hint = Sentence(f"Add --all for {', '.join(more)}.", "aside")
        shown[-1] = shown[-1]._replace(pieces=[*shown[-1].pieces, hint])
    return report._replace(sections=shown)


def _audited(settings: Settings, game: Game[Any], limit: int, whole: float | None) -> Audit:
    """Audit a game within a time limit."""
    found: Audit | None = None
    seconds = patience(PATIENCE)
    whole = whole or (None if seconds is None else AUDIT_SECONDS)
    with counting(settings) as line:
        line.show("auditing …")
        try:
            with alarm(whole, _AuditLate()):
                for found in audit_steps(game, Limits(limit, seconds), cache=cache_dir()):
                    line.show("analysing …" if found.size else "searching …")
        except _AuditLate:
            late = TooSlow(f"The audit of {title_of(game)}", whole or 0)
            if found is None:
                raise TooLarge(f"{late} --seconds N allows more.") from late
            return stopped_audit(found, str(late))
    assert found is not None  # noqa: S101 (there is at least one step)
    return found


class _AuditLate(BaseException):
    """The time for an audit is up; nothing that looks for faults catches it."""


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
    from zerosum.lab.audit.processes import many_games, one_game

    workers = workers_for(jobs, cluster)
    if os.name == "nt":
        raise ZerosumError(
            "Auditing many games needs Linux or macOS: Windows cannot limit a process."
        )
    if out is None or not out.lower().endswith(FORMATS):
        raise click.UsageError("Name a file for the results: --out results.csv, or .json.")
    check_results(out)
    found = jobs_for(names, limits)
    rows = run_many(
        settings, AuditRow, one_game.audit_in_process, found, workers, out, "audit", fresh
    )
    many_games.write_results(out, rows, limits)
    settings.out.line(outcomes(rows))
    settings.out.line(f"The results are in {out}.")
