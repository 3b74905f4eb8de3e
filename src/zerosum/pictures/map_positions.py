"""The positions on a map: all those of a table, or those of a walk over the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.protocol import Value
from zerosum.solver.solution import Solution
from zerosum.solver.table import is_symmetric
from zerosum.states import LARGE, Leaf, largest, leaves, map_leaves, next_states, walk
from zerosum.text import plain_name, with_name

# The most numbers in a strip, along a side of a grid, and along the sides of one of several grids.
STRIP, GRID, SMALL_GRID = 200, 40, (30, 20)
# The most states of a walk: fewer where numbers are so large that a move takes time, and more where
# a table shows that there is an end.
MOST_STATES, MOST_LARGE_STATES, MOST_SOLVED = 8000, 300, 100_000
# The only axis of a map whose positions do not differ in their fields.
NAMELESS = "position"


class Positions(NamedTuple):
    """Positions: their states, the same by field, and their values by index.

    `whole` is false if a walk left something out, so that what is missing may be reachable.
    """

    states: Sequence[Any]
    columns: dict[str, Sequence[Leaf]]
    value: Callable[[int], Value]
    whole: bool
    note: str


def positions_of(solution: Solution[Any]) -> Positions:
    """Collect the positions of a solution: all those of a table, else those of a walk.

    Of positions that are equal by symmetry a table has only one; then a walk finds the others.
    """
    solved = solution.solved
    if solved is None:
        return _walked_near(solution)
    if not is_symmetric(solution.game):
        states = list(solved.graph.states())
        return Positions(states, _columns(states), solved.value, True, "")
    if len(solved.graph) <= MOST_SOLVED:
        found, whole = _walk(solution, [solution.game.initial()], MOST_SOLVED)
        if whole:
            return _known(found, True, "")
    return _walked_near(solution)


def _walked_near(solution: Solution[Any]) -> Positions:
    """Collect the positions that fit on a map by a walk.

    A theory covers numbers so large that no walk from the start would reach the small ones. So
    the walk begins at the start with every number reduced to what fits on a map, for either seat:
    these are the positions of the same game from a smaller start. If the solution knows none of
    them, the walk begins at the start itself.
    """
    first = solution.game.initial()
    begin = _reduced(first)
    if begin != first:
        both = [begin._replace(player=player) for player in (first.player, 1 - first.player)]
        found, _ = _walk(solution, both)
        if found:
            begins = ", ".join(
                with_name(plain_name(name), value)
                for (name, value), (_, less) in zip(leaves(first), leaves(begin), strict=True)
                if value != less
            )
            return _known(found, False, f"Start of the game: {begins}.")
    return _known(*_walk(solution, [first]), "")


def _known(found: list[tuple[Any, Value]], whole: bool, note: str) -> Positions:
    """Return what a walk has found as positions."""
    states = [state for state, _ in found]
    return Positions(states, _columns(states), lambda index: found[index][1], whole, note)


def _columns(states: Sequence[Any]) -> dict[str, Sequence[Leaf]]:
    """Return the fields of states, those of a tuple by index; None where a state lacks one."""
    names = states[0]._fields if states else ()
    fields = [(at, name) for at, name in enumerate(names) if name != "player"]
    columns: dict[str, Sequence[Leaf]] = {}
    flat = True
    for at, field in fields:
        parts = [state[at] for state in states]
        if not any(isinstance(part, tuple) for part in parts):
            columns[field] = parts
            continue
        flat = False
        rows = [dict(leaves(part, field)) for part in parts]
        for name in dict.fromkeys(name for row in rows for name in row):
            columns[name] = [row.get(name) for row in rows]
    players = [state.player for state in states]
    if flat or len(set(zip(players, *columns.values(), strict=True))) == len(states):
        return columns
    # The leaves do not tell None from an empty tuple; the states themselves do.
    rows_of = ([state[at] for at, _ in fields] for state in states)
    return {NAMELESS: [json.dumps(parts, separators=(",", ":")) for parts in rows_of]}


def _reduced(state: Any) -> Any:
    """Reduce every number of a state to what fits on a map."""
    many = sum(name != "player" for name, _ in leaves(state))
    # A little more than fits, so that positions at the edge are reached by moves from above.
    most = {1: STRIP, 2: GRID}.get(many, 12) * 5 // 4

    def reduced(_: str, leaf: Leaf) -> Leaf:
        return max(min(leaf, most), -most) if isinstance(leaf, int) else leaf

    return map_leaves(reduced, state)


def _walk(
    solution: Solution[Any], begin: list[Any], limit: int = MOST_STATES
) -> tuple[list[tuple[Any, Value]], bool]:
    """Walk breadth first; return what has a value, and whether that is all."""
    game, known, reached = solution.game, [], set(begin)

    def after(state: Any) -> list[Any]:
        try:
            known.append((state, solution.value(state)))
            following = [] if game.outcome(state) is not None else next_states(game, state)
        except ZerosumError:
            return []
        reached.update(following)
        return following

    if largest(begin[0]) > LARGE:
        limit = MOST_LARGE_STATES
    try:
        count = sum(1 for _ in walk(game, *begin, limit=limit, after=after))
    except Exception:  # a state that the rules do not foresee, because no game starts there
        return [], False
    return known, count == len(reached)
