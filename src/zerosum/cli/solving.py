"""Solves for the terminal: from the cache, with progress, and with a limit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from zerosum.cli.dirs import cache_dir
from zerosum.cli.flags import Whole
from zerosum.cli.settings import Settings
from zerosum.errors import TooLarge
from zerosum.protocol import Game
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.solver.table import LIMIT, Progress

limit_option = click.option(
    "--positions",
    "limit",
    type=Whole(least=1),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="The most positions that a table may have.",
)


def solved(
    settings: Settings, game: Game[Any], limit: int = LIMIT, cache: bool = True
) -> Solution[Any]:
    """Solve a variant by its law or by a table; one of many is not worth a place in the cache."""
    with _progress(settings) as progress, _explained():
        return solve(game, limit, progress, cache_dir() if cache else None)


def tabled(settings: Settings, game: Game[Any], limit: int = LIMIT) -> Solution[Any]:
    """Solve a variant by a table, even if it has a law."""
    with _progress(settings) as progress, _explained():
        return solve_table(game, limit, progress, cache_dir())


@contextmanager
def _progress(settings: Settings) -> Iterator[Progress | None]:
    """Show how far a long solve is, on standard error and on a terminal only."""
    look = settings.err
    if not look.decorated:
        yield None
        return
    shown = False

    def progress(count: int) -> None:
        nonlocal shown
        shown = True
        look.write(f"\r{count:,} positions … (Ctrl-C stops)")
        look.stream.flush()

    try:
        yield progress
    finally:
        if shown:
            look.write("\r\x1b[K")
            look.stream.flush()


@contextmanager
def _explained() -> Iterator[None]:
    """Name the flag that lets a larger table be made."""
    try:
        yield
    except TooLarge as error:
        raise TooLarge(f"{error} --positions N allows more; it takes time and memory.") from error
