"""Solve a game exactly: by its theory, or by a table of all its positions, perhaps cached."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from zerosum.errors import TooLarge, TooSlow
from zerosum.limits import NONE, Limits
from zerosum.protocol import Game, S, check_is_game
from zerosum.solver.solution import Solution, SolvedTable, from_table, from_theory
from zerosum.solver.table import build_table, room, too_large, too_slow
from zerosum.solver.theory import ask_theory, theory_of
from zerosum.states import largest

# This many positions are solved in a fraction of a second.
QUICK_LIMIT = 20_000
# A table is not tried again within a limit that it has exceeded, unless that was shorter than this:
# then the machine may have been busy.
REMEMBERED = 5.0


def solve(game: Game[S], limits: Limits = NONE, *, cache: str | None = None) -> Solution[S]:
    """Solve a variant exactly: by its theory where it has one, else by a table of its positions.

    `cache` is a folder for solved tables.

    >>> import zerosum
    >>> solution = solve(zerosum.game("dual-digits"))
    >>> solution.value(solution.game.initial())
    Value(result='loss', plies=10)
    """
    check_is_game(game)
    theory = theory_of(game)
    if theory is None:
        return solve_table(game, limits, cache=cache)
    first = game.initial()
    value = ask_theory(theory, "value", first)
    # Where a theory does not know the number of plies, a table does, if it is small.
    if value and value.result != "draw" and value.plies is None and largest(first) < QUICK_LIMIT:
        with suppress(TooLarge):
            return solve_table(game, limits.within(Limits(QUICK_LIMIT)), cache=cache)
    return from_theory(game, theory)


def solve_table(game: Game[S], limits: Limits = NONE, *, cache: str | None = None) -> Solution[S]:
    """Solve a variant by a table of its positions, whether or not it has a theory."""
    from zerosum.solver.cache import Cache

    if not cache:
        return from_table(game, solved_table(game, limits))
    file, seconds = Cache(game, cache), limits.seconds
    most = room(game.initial(), limits.positions)
    solved = file.load(game)
    if solved is None:
        more_than, not_enough = file.refusal()
        if most <= more_than:
            raise too_large(game, most, limits.positions)
        if not_enough and seconds is not None and seconds <= not_enough:
            raise too_slow(game, not_enough, remembered=True)
        try:
            solved = solved_table(game, limits)
        except TooSlow:
            if seconds is not None and seconds >= REMEMBERED:
                file.refuse(seconds=seconds)
            raise
        except TooLarge as error:
            if error.limit is not None:
                file.refuse(most)
            raise
        file.save(solved)
    elif most < len(solved.graph):
        raise too_large(game, most, limits.positions)
    solution = from_table(game, solved)
    solution.cache = file
    return solution


def solved_table(
    game: Game[S],
    limits: Limits = NONE,
    symmetry: bool = True,
    *,
    root: S | None = None,
    refused: Collection[S] = (),
) -> SolvedTable[S]:
    """Build the table of a variant and analyse it; without `symmetry`, every position by itself.

    The other arguments are those of `build_table`.
    """
    from zerosum.solver.retrograde import analyse

    graph = build_table(game, limits, symmetry, root=root, refused=refused)
    game.adapter.confirm(graph.after(game))
    return SolvedTable(graph, *analyse(graph))


def table_of(solution: Solution[S]) -> SolvedTable[S]:
    """Return the table of a solution; for a game solved by its theory, make one."""
    solved = solution.solved or solve_table(solution.game).solved
    assert solved is not None  # noqa: S101 (solve_table makes it)
    return solved


def load_numpy() -> Any:
    """Import NumPy where it is used: it takes a tenth of a second."""
    import numpy

    return numpy
