"""Solve a game for a command, or find out what is known about it: with the cache and progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.flags import number
from zerosum.errors import TooLarge, TooSlow
from zerosum.limits import COMMAND, PATIENCE, Limits, reporting
from zerosum.protocol import Game
from zerosum.solver import solve
from zerosum.solver.solution import Solution

MORE_POSITIONS = "--positions N allows more, at the cost of time and memory."
MORE_TIME = "Add --positions N to remove the time limit."
limit_option = number(
    "--positions", "Largest table to build, in positions.", COMMAND.positions, 1, name="limit"
)


def solution_of(
    settings: Settings,
    game: Game[Any],
    limit: int = COMMAND.positions,
    solver: Callable[..., Solution[Any]] = solve,
) -> Solution[Any]:
    """Solve a variant, by its theory or by a table within the limits of a command."""
    with counting(settings), more(PATIENCE) as seconds:
        return solver(game, Limits(limit, seconds), cache=cache_dir())


@contextmanager
def more(most: float) -> Iterator[float | None]:
    """Give the seconds for a table; if it is refused, say how to allow more."""
    try:
        yield patience(most)
    except TooLarge as error:
        if "limit" not in click.get_current_context().params:
            raise
        if isinstance(error, TooSlow):
            raise TooLarge(f"{error} {MORE_TIME}") from error
        if error.limit is None:
            raise
        raise TooLarge(f"{error} {MORE_POSITIONS}", error.limit) from error


def patience(seconds: float) -> float | None:
    """Return how long a table may take: with --positions, there is no limit."""
    source = click.get_current_context().get_parameter_source("limit")
    return seconds if source in (None, ParameterSource.DEFAULT) else None


@contextmanager
def counting(settings: Settings) -> Iterator[StatusLine]:
    """Show how many positions were visited, on a terminal only."""
    with StatusLine(settings.err) as line, reporting(lambda n: line.show(f"{n:,} positions …")):
        yield line
