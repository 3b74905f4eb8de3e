"""Solve a game for a command: from the cache, with progress, up to a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.flags import Whole
from zerosum.errors import TooLarge
from zerosum.protocol import Game
from zerosum.solver import solve
from zerosum.solver.solution import Solution
from zerosum.solver.table import LIMIT, Progress
from zerosum.wording.words import spoken

MORE_POSITIONS = "--positions N allows more, at the cost of time and memory."
limit_option = click.option(
    "--positions",
    "limit",
    type=Whole(least=1),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="Largest table to build, in positions.",
)


def solution_of(
    settings: Settings,
    game: Game[Any],
    limit: int = LIMIT,
    solver: Callable[..., Solution[Any]] = solve,
    cache: bool = True,
) -> Solution[Any]:
    """Solve a variant, by its theory or by a table; without `cache`, nothing is stored."""
    with shown_progress(settings) as progress:
        try:
            return solver(game, limit, progress, cache_dir() if cache else None)
        except TooLarge as error:
            if error.limit is None or "limit" not in click.get_current_context().params:
                raise
            raise TooLarge(f"{error} {MORE_POSITIONS}", error.limit) from error


@contextmanager
def shown_progress(settings: Settings) -> Iterator[Progress]:
    """Show how far a long solve is, on a terminal only."""
    status_line = StatusLine(settings.err)
    try:
        yield lambda count: status_line.show(f"{count:,} positions …")
    finally:
        status_line.clear()


def start_value(solution: Solution[Any]) -> str:
    """Describe in a sentence what the start of a variant is worth."""
    value = solution.value(solution.game.initial())
    player = "" if value.result == "draw" else " for the player who moves first"
    return f"The start is a {spoken(value)}{player}."
