"""What gives exact values: a theory, or a table of the whole game or of what follows a position."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple

from zerosum.errors import NotSolved, TooLarge
from zerosum.limits import QUICK_POSITIONS, Limits
from zerosum.protocol import Game, S, Value
from zerosum.solver.retrograde import SolvedTable, solved_table
from zerosum.solver.table import unknown_state
from zerosum.solver.theory import Theory, ask_theory, theory_of
from zerosum.states import largest
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.solver.cache import Cache

# How the value of a position is known: by the game's theory, by a table of the whole game or of
# what can follow the position, or because a search proved who wins, but not how fast.
How = Literal["theory", "table", "onward", "search", "unknown"]


class Exact(NamedTuple, Generic[S]):
    """What gives the exact values of some positions: a theory, or a table."""

    how: How
    value: Callable[[S], Value]
    table: SolvedTable[S] | None = None

    @property
    def size(self) -> int:
        """The number of positions in the table, if there is one."""
        return 0 if self.table is None else len(self.table.graph)

    def has(self, same: S) -> bool:
        """Return whether a table has a position, or the one that stands for it."""
        return self.table is not None and same in self.table.graph.index


def solve_whole(game: Game[S], limits: Limits, folder: str | None) -> tuple[Exact[S], Cache | None]:
    """Solve a whole game; return where what is found in its table is kept, too."""
    theory = theory_of(game)
    if theory is None:
        table, cache = tabled(game, limits, folder)
        return by_table(game, table), cache
    first = game.initial()
    value: Value = ask_theory(theory, "value", first)
    # If a theory does not know the number of plies, a small table does.
    if value.result != "draw" and value.plies is None and largest(first) < QUICK_POSITIONS:
        with suppress(TooLarge):
            table, cache = tabled(game, limits.within(Limits(QUICK_POSITIONS)), folder)
            return by_table(game, table), cache
    return by_theory(theory), None


def tabled(
    game: Game[S], limits: Limits, folder: str | None
) -> tuple[SolvedTable[S], Cache | None]:
    """Make the table of a whole game, or read it from the cache."""
    if not folder:
        return solved_table(game, limits), None
    from zerosum.solver.cache import Cache

    cache = Cache(game, folder)
    return cache.table(limits), cache


def by_theory(theory: Theory[S]) -> Exact[S]:
    """Know a game by its theory."""

    def known(state: S) -> Value:
        value: Value | None = ask_theory(theory, "value", state)
        if value is None:
            raise NotSolved(f"{type(theory).__name__} does not cover {brief(state, 80)}.")
        return value

    return Exact("theory", known)


def by_table(game: Game[S], table: SolvedTable[S], root: S | None = None) -> Exact[S]:
    """Know the positions of a table: all, or those that can follow `root`."""
    index, canonical, value = table.graph.index, game.canonical, table.value

    def known(state: S) -> Value:
        try:
            number = index[canonical(state)]
        except (KeyError, TypeError):
            raise unknown_state(game, state, root) from None
        return value(number)

    return Exact("table" if root is None else "onward", known, table)
