"""Long tasks, which the same command continues: saved work, and many games, each in a process."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.user_files import check_new
from zerosum.errors import ZerosumError
from zerosum.lab.audit.processes.game_files import AuditJob, is_folder_of_games
from zerosum.lab.journal import Journal, Kind, open_journal
from zerosum.text import counted

if TYPE_CHECKING:
    from zerosum.lab.audit.document import GameRow

R = TypeVar("R", bound="GameRow")
JOURNAL = ".journal"
AGAIN = "To continue, run the same command again"
games_argument = click.argument(
    "game", metavar="GAME...", nargs=-1, required=True, shell_complete=flags.complete_game
)


class OneOrMany(flags.GameCommand):
    """A command with one GAME and its options, or with many games and folders of games."""

    def game_among(self, ctx: click.Context, args: list[str]) -> str | None:
        """Find the game, if there is only one: many are loaded in processes of their own."""
        typed: dict[str, Any] = {}
        with suppress(click.UsageError):  # an option of a game is typed: there is one
            typed, _, _ = self.make_parser(ctx).parse_args(list(args))
        names = typed.get("game")
        many = self.are_many(typed, names if isinstance(names, tuple) else ())
        return None if many else super().game_among(ctx, args)

    def are_many(self, typed: dict[str, Any], names: Sequence[str]) -> bool:
        """Return whether the command is about many games."""
        return len(names) > 1 or any(map(is_folder_of_games, names))


def check_results(path: str) -> None:
    """Refuse a file that exists, unless a journal beside it says that this work was begun."""
    if not os.path.exists(path + JOURNAL):
        check_new(path)


def workers_for(jobs: int | None, cluster: str | None = None) -> AbstractContextManager[Executor]:
    """Return what runs jobs: processes of this machine, by default one per core, or a cluster."""
    if cluster is None:
        from zerosum.lab.audit.processes.many_games import local

        return local(jobs or os.cpu_count() or 1)
    if jobs:
        raise click.UsageError("--jobs is for this machine; a cluster has workers of its own.")
    from zerosum import cluster as clusters

    return clusters.cluster(cluster)


def run_many(
    settings: Settings,
    row: type[R],
    run: Callable[[AuditJob], R],
    jobs: Sequence[AuditJob],
    executor: AbstractContextManager[Executor],
    path: str,
    kind: Kind,
    fresh: bool,
) -> list[R]:
    """Run the jobs that are not done yet, and return the rows of all, in order.

    They are kept in a journal beside a file. If something stops, say how to continue.
    """
    from zerosum.lab.audit.processes.many_games import run_jobs

    done = 0

    def progress(rows: Sequence[R]) -> None:
        nonlocal done
        done = len(rows)
        solved = sum(row.status == "solved" for row in rows)
        line.show(f"{done:,} of {len(jobs):,}, {solved:,} solved")

    with open_journal(path + JOURNAL, fresh, kind) as journal:
        try:
            with StatusLine(settings.err) as line, executor as workers:
                return run_jobs(row, run, jobs, workers, journal, progress)
        except (KeyboardInterrupt, ZerosumError):
            if done:
                settings.err.line(f"Saved: {done:,} of {len(jobs):,} games are done. {AGAIN}.")
            raise


def outcomes(rows: Sequence[GameRow]) -> str:
    """Say what became of many games."""
    counts = Counter(row.status for row in rows).most_common()
    listed = ", ".join(f"{count:,} {status}" for status, count in counts)
    return f"{counted(len(rows), 'game')}: {listed}."


class SavedWork:
    """The journals of a command: the one named, which is kept; or some in the cache until done."""

    def __init__(self, settings: Settings, kind: Kind, named: str | None, fresh: bool) -> None:
        """Take the file that was named, if any; with `fresh`, what is saved is ignored."""
        self._settings, self._kind = settings, kind
        self._named, self._fresh = named, fresh
        self._opened: set[str] = set()
        self._finished: set[str] = set()

    @cached_property
    def folder(self) -> str:
        """The folder of the command in the cache; '' if it cannot be written."""
        folder = os.path.join(cache_dir(), self._kind)
        with suppress(OSError):
            os.makedirs(folder, exist_ok=True)
        return folder if os.access(folder, os.W_OK) else ""

    @contextmanager
    def journal(self, key: str, using: str) -> Iterator[Journal | None]:
        """Open a journal, if one can be written, and say if something in it is used."""
        path = self._named or (os.path.join(self.folder, f"{key}.journal") if self.folder else "")
        if not path:
            yield None
            return
        first = path not in self._opened
        self._opened.add(path)
        with open_journal(path, first and self._fresh, self._kind) as journal:
            if first and len(journal):
                self._settings.err.aside(using)
            yield journal
        if not self._named:
            self._finished.add(path)

    def tell_how_to_continue(self, answers: bool = False) -> None:
        """Say how to continue, if anything is saved; processes may have saved answers."""
        if answers or any(map(os.path.exists, self._opened)):
            without = " without --fresh" * self._fresh
            self._settings.err.line(f"Saved. {AGAIN}{without}.")

    def has_unfinished(self) -> bool:
        """Return whether something is saved of what was not finished."""
        return any(map(os.path.exists, self._opened - self._finished))

    def remove_finished(self) -> None:
        """Remove the journals of what was finished, which nobody has named."""
        for path in self._finished:
            with suppress(OSError):
                os.unlink(path)
