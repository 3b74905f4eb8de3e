"""Solve a game for a command, as far as possible: with the cache and progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.flags import number
from zerosum.errors import GameError, TooLarge, TooSlow, ZerosumError
from zerosum.limits import COMMAND, MOST_PARTS, PARTS, PATIENCE, VAST, Limits, reporting
from zerosum.protocol import Game
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.text import counted

if TYPE_CHECKING:
    from zerosum.solver.spread.driver import Stage

MORE_POSITIONS = "--positions N allows more, at the cost of time and memory."
# What is done with a table in parts once all positions are known.
STAGES = {
    "graph": "sorting moves",
    "decide": "deciding who wins",
    "draws": "telling draws apart",
    "count": "telling draws apart",
    "ended": "telling draws apart",
    "write": "writing the table",
}
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


def parts_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a table that is made in parts, on many cores or machines."""
    options = (
        number("--workers", "Make a table of any size, with this many processes.", least=1),
        click.option(
            "--cluster", metavar="ADDRESS", help="Make a table of any size on this Dask cluster."
        ),
        number("--memory", "Megabytes that a worker may use (default: no limit).", least=64),
        number("--parts", "Split such a table into this many parts.", PARTS, 1, MOST_PARTS),
    )
    for option in reversed(options):
        command = option(command)
    return command


def solved_in_parts(
    settings: Settings,
    game: Game[Any],
    limit: int,
    workers: int | None,
    cluster: str | None,
    memory: int | None,
    parts: int,
) -> Solution[Any]:
    """Solve a variant by a table of any size, which is made in parts and kept in the cache."""
    if os.name == "nt":
        raise ZerosumError("A table in parts needs Linux or macOS.")
    from zerosum import cluster as clusters
    from zerosum.solver.spread.driver import Stage, solve_in_parts
    from zerosum.solver.spread.process import local

    if workers and cluster:
        raise click.UsageError("--workers is for this machine; a cluster has workers of its own.")
    most = VAST.positions if patience(0.0) is not None else limit
    limits, last = Limits(most, memory=memory), list[Stage]()

    def tell(stage: Stage) -> None:
        last[:] = [stage]
        line.show(stage_text(stage))

    pool = clusters.cluster(cluster) if cluster else local(workers or 1)
    try:
        with StatusLine(settings.err) as line, pool as executor:
            solve_in_parts(game, executor, cache_dir(), limits, parts, tell)
    except (KeyboardInterrupt, ZerosumError) as error:
        # The same command would fail again if the rules are broken or a limit is too low.
        if last and not isinstance(error, GameError | TooLarge):
            found = counted(last[0].saved, "position")
            settings.err.line(f"Saved: {found} so far. To continue, run the same command again.")
        raise
    return solve_table(game, cache=cache_dir())


def stage_text(stage: Stage) -> str:
    """Say how far a table in parts is."""
    positions = counted(stage.positions, "position")
    if stage.phase != "walk":
        return f"{positions}, {STAGES[stage.phase]}, {stage.megabytes:,} MB a worker …"
    rate = int(stage.found / stage.seconds) if stage.seconds else 0
    return f"{positions}, {rate:,} a second, {stage.megabytes:,} MB a worker …"
