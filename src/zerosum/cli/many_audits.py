"""Audit many games for the command: into one file, with progress, and again where it stopped."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.config import Settings
from zerosum.cli.console import StatusLine
from zerosum.errors import ZerosumError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from zerosum.lab.audit.batch.isolation import Limits, Row

JOURNAL = ".journal"
FORMATS = (".csv", ".json")


def audit_many(
    settings: Settings,
    names: Sequence[str],
    out: str | None,
    limits: Limits,
    executor: AbstractContextManager[Executor],
    fresh: bool,
) -> None:
    """Audit games, each in a process of its own, and write a row for each."""
    from zerosum.journal import open_journal
    from zerosum.lab.audit.batch.game_files import jobs_for
    from zerosum.lab.audit.batch.runner import replace_file, run_batch

    if os.name == "nt":
        raise ZerosumError("Many games need Linux or macOS: Windows cannot limit a process.")
    if out is None or not out.lower().endswith(FORMATS):
        raise click.UsageError("Name a file for the results: --out results.csv, or .json.")
    journal_file = out + JOURNAL
    if os.path.exists(out) and not os.path.exists(journal_file):
        raise ZerosumError(f"{out} already exists; not overwritten.")
    jobs = jobs_for(names, limits)
    progress = _Progress(settings, len(jobs))
    with open_journal(journal_file, fresh, "audit") as journal:
        try:
            with executor as workers:
                rows = run_batch(jobs, workers, journal, progress)
        except (KeyboardInterrupt, ZerosumError):
            progress.line.clear()
            if progress.done:
                settings.err.line(
                    f"Saved: {progress.done:,} of {len(jobs):,} games are audited. "
                    "To continue, run the same command again."
                )
            raise
        progress.line.clear()
        replace_file(out, _written(out, rows, limits))
    counts = Counter(row["status"] for row in rows).most_common()
    listed = ", ".join(f"{count:,} {status}" for status, count in counts)
    settings.out.line(f"{len(rows):,} game{'s' * (len(rows) != 1)}: {listed}.")
    settings.out.line(f"The results are in {out}.")


def workers_for(jobs: int | None, address: str | None) -> AbstractContextManager[Executor]:
    """Return the workers of a cluster, or those of this machine: by default one for each core."""
    if address is not None:
        from zerosum.lab.audit.batch.cluster import cluster

        return cluster(address)
    from zerosum.lab.audit.batch.runner import local

    return local(jobs or os.cpu_count() or 1)


def _written(out: str, rows: Sequence[Row], limits: Limits) -> str:
    """Write the rows in the format that the name of the file asks for."""
    if out.lower().endswith(".csv"):
        from zerosum.lab.audit.batch.columns import to_csv

        return to_csv(rows)
    from zerosum.lab.audit.batch.runner import to_json

    return to_json(rows, limits)


class _Progress:
    """Shows how many games are done, and how long the rest may take."""

    def __init__(self, settings: Settings, total: int) -> None:
        """Take the number of games."""
        self.done = 0
        self.line = StatusLine(settings.err)
        self._total = total
        self._began: tuple[float, int] | None = None

    def __call__(self, rows: Sequence[Any]) -> None:
        """Show the number of rows."""
        self.done = len(rows)
        solved = sum(row["status"] == "solved" for row in rows)
        self.line.show(f"{self.done:,} of {self._total:,}, {solved:,} solved{self._left()}")

    def _left(self) -> str:
        """Estimate the time that is left, from the games of this run."""
        now = time.monotonic()
        began, before = self._began = self._began or (now, self.done)
        if self.done == before:
            return ""
        left = (now - began) / (self.done - before) * (self._total - self.done)
        minutes, seconds = divmod(round(left), 60)
        return f", about {f'{minutes} min' if minutes else f'{seconds} s'} left"
