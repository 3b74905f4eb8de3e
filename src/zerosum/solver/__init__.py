"""Solve a game exactly: by its theory, or by a table of all its positions, perhaps cached."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from zerosum.errors import MissingExtra, TooLarge
from zerosum.protocol import Game, S
from zerosum.registry.environments import EnvironmentGame
from zerosum.solver.solution import Solution, SolvedTable, from_table, from_theory
from zerosum.solver.table import LIMIT, Progress, build_table
from zerosum.solver.theory import ask_theory, theory_of
from zerosum.states import largest

# This many positions are solved in a fraction of a second.
QUICK_LIMIT = 20_000


def solve(
    game: Game[S],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution[S]:
    """Solve a variant exactly: by its theory where it has one, else by a table of its positions.

    `limit` is the most positions a table may have; `cache` is a folder for solved tables.

    >>> import zerosum
    >>> solution = solve(zerosum.game("dual-digits"))
    >>> solution.value(solution.game.initial())
    Value(result='loss', plies=10)
    """
    theory = theory_of(game)
    if theory is None:
        return solve_table(game, limit, progress, cache)
    first = game.initial()
    value = ask_theory(theory, "value", first)
    # Where a theory does not know the number of plies, a table does, if it is small.
    if value and value.result != "draw" and value.plies is None and largest(first) < QUICK_LIMIT:
        with suppress(TooLarge, MissingExtra):
            return solve_table(game, min(limit, QUICK_LIMIT), progress, cache)
    return from_theory(game, theory)


def solve_table(
    game: Game[S],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution[S]:
    """Solve a variant by a table of its positions, whether or not it has a theory."""
    load_numpy()
    from zerosum.solver.cache import Cache
    from zerosum.solver.retrograde import analyse

    file = Cache(game, cache) if cache else None
    solved = file.load(game) if file else None
    if solved is None or len(solved.table) > limit:
        table = build_table(game, limit, progress)
        if isinstance(game, EnvironmentGame):
            game.confirm(table.after(game))
        solved = SolvedTable(table, *analyse(table))
        if file:
            file.save(solved)
    return from_table(game, solved)


def table_of(solution: Solution[S]) -> SolvedTable[S]:
    """Return the table of a solution; for a game solved by its theory, make one."""
    solved = solution.solved or solve_table(solution.game).solved
    assert solved is not None  # noqa: S101 (solve_table makes it)
    return solved


def load_numpy() -> Any:
    """Import NumPy, or raise before any work is done."""
    try:
        import numpy
    except ModuleNotFoundError as error:
        raise MissingExtra("Solving this game", "solve") from error
    return numpy
