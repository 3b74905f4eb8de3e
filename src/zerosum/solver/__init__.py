"""Solves a game exactly: by its theory, from the cache, or by a table of all its positions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from zerosum.errors import MissingExtra, TooLarge
from zerosum.protocol import Game, S
from zerosum.solver.solution import Solution, Solved, from_table, from_theory
from zerosum.solver.table import LIMIT, Progress, walk
from zerosum.solver.theory import theory_of
from zerosum.states import largest

# So many positions are solved in a fraction of a second.
QUICKLY = 20_000


def solve(
    game: Game[S],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution[S]:
    """Solve a variant exactly: by its theory where it has one, else by a table of its positions.

    `limit` is the most positions that a table may have; `cache` is a folder for solved tables.

    >>> import zerosum
    >>> solution = solve(zerosum.game("dual-digits"))
    >>> solution.value(solution.game.initial())
    Value(result='loss', plies=10)
    """
    theory = theory_of(game)
    if theory is None:
        return solve_table(game, limit, progress, cache)
    first = game.initial()
    value = theory.value(first)
    # A theory that does not know the lengths leaves them to a table, where that is quickly made.
    if value and value.result != "draw" and value.plies is None and largest(first) < QUICKLY:
        with suppress(TooLarge, MissingExtra):
            return solve_table(game, min(limit, QUICKLY), progress, cache)
    return from_theory(game, theory)


def solve_table(
    game: Game[S],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution[S]:
    """Solve a variant by a table, from the cache if it is there."""
    load_numpy()
    place = None
    if cache:
        from zerosum.solver.cache import Cache

        place = Cache(game, cache)
        found = place.load(game)
        if found is not None:
            return from_table(game, found)
    from zerosum.solver.retrograde import analyse

    table = walk(game, limit, progress)
    solved = Solved(table, *analyse(table))
    if place is not None:
        place.save(solved)
    return from_table(game, solved)


def table_of(solution: Solution[S]) -> Solved[S]:
    """Give the table of a solution; a game that was solved by its theory is walked for it."""
    solved = solution.solved or solve_table(solution.game).solved
    if solved is None:
        raise TooLarge("This needs a table of all positions.")
    return solved


def load_numpy() -> Any:
    """Load NumPy, or say what is missing before any work is done."""
    try:
        import numpy
    except ModuleNotFoundError as error:
        raise MissingExtra("A table needs NumPy: pip install 'zerosum[solve]'") from error
    return numpy
