"""The positions that a map is made of: from a table, or by a walk over the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.pictures.words import with_name
from zerosum.protocol import Game, Value
from zerosum.solver.solution import Solution
from zerosum.solver.table import is_symmetric
from zerosum.states import Leaf, largest, leaves
from zerosum.text import plain_name

Ranges = Mapping[str, tuple[int, int]]

# The most numbers of a strip, of the sides of a grid, and of those of one grid of several.
STRIP, GRID, SMALL_GRID = 200, 40, (30, 20)
# The most states of a walk; fewer where the numbers are so large that a move takes time, and more
# where a table shows that there is an end.
MOST_STATES, MOST_LARGE_STATES, LARGE, MOST_SOLVED = 8000, 300, 10**9, 100_000
# The one axis of a map whose positions are not told apart by their fields.
NAMELESS = "position"


class Positions(NamedTuple):
    """Positions: their states, the same by the fields of these, and their values by place.

    `whole` is false where a walk left something out, so that what is missing may be reachable.
    """

    states: Sequence[Any]
    columns: dict[str, Sequence[Leaf]]
    value: Callable[[int], Value]
    whole: bool
    note: str


def positions_of(solution: Solution[Any], ranges: Ranges) -> Positions:
    """Gather the positions of a solution: all those of a table, else those of a walk.

    A table has one of each family of positions that are equal by symmetry; then a walk finds the
    others too.
    """
    solved = solution.solved
    if solved is None:
        return _walked_near(solution, ranges)
    if not is_symmetric(solution.game):
        states = list(solved.table.states())
        return Positions(states, _columns(states), solved.value, True, "")
    if len(solved.table) <= MOST_SOLVED:
        found, whole = _walk(solution, [solution.game.initial()], {}, MOST_SOLVED)
        if whole:
            return _known(found, True, "")
    return _walked_near(solution, ranges)


def _walked_near(solution: Solution[Any], ranges: Ranges) -> Positions:
    """Gather the positions that a map can show by a walk.

    A law answers for numbers that no walk from the start would ever come down to. So its walk
    begins at the start with every number brought down to what a map can show, for either seat:
    these are the positions of the same game from a smaller start. Where that leads to no
    position that the solution knows, the walk begins at the start itself.
    """
    first = solution.game.initial()
    begin = _brought_down(first, ranges)
    note, whole = "", True
    found: list[tuple[Any, Value]] = []
    if begin != first or ranges:
        both = [begin._replace(player=first.player), begin._replace(player=1 - first.player)]
        found, whole = _walk(solution, both, ranges)
    if not found:
        found, whole = _walk(solution, [first], {})
    elif begin != first:
        begins = ", ".join(
            with_name(plain_name(name), value)
            for (name, value), (_, less) in zip(leaves(first), leaves(begin), strict=True)
            if value != less
        )
        note, whole = f"The game itself starts from {begins}.", False
    return _known(found, whole, note)


def _known(found: list[tuple[Any, Value]], whole: bool, note: str) -> Positions:
    """Bring what a walk has found into the form of positions."""
    states = [state for state, _ in found]
    return Positions(states, _columns(states), lambda place: found[place][1], whole, note)


def _columns(states: Sequence[Any]) -> dict[str, Sequence[Leaf]]:
    """Give the fields of states, those of a tuple by their places; None where a state has none."""
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
    # The leaves do not show what differs, such as None and nothing; the states themselves do.
    told = [[state[at] for at, _ in fields] for state in states]
    return {NAMELESS: [json.dumps(parts, separators=(",", ":")) for parts in told]}


def _brought_down(state: Any, ranges: Ranges) -> Any:
    """Bring every number of a state down to what a map can show of it."""
    many = sum(name != "player" for name, _ in leaves(state))
    # A little more than is shown, so that the edge of the map has what moves from above lead to.
    most = {1: STRIP, 2: GRID}.get(many, 12) * 5 // 4

    def lower(name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            parts = [lower(f"{name}[{place}]", part) for place, part in enumerate(value)]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        if not isinstance(value, int):
            return value
        top = ranges[name][1] if name in ranges else most
        return max(min(value, top), -max(most, abs(top)))

    return type(state)(*map(lower, state._fields, state))


def _walk(
    solution: Solution[Any], begin: list[Any], ranges: Ranges, limit: int = MOST_STATES
) -> tuple[list[tuple[Any, Value]], bool]:
    """Walk breadth first, within ranges; give what has a value, and whether that is everything."""
    states, seen = list(begin), set(begin)
    if largest(begin[0]) > LARGE:
        limit = MOST_LARGE_STATES
    whole = True
    known = []
    for state in states:
        try:
            known.append((state, solution.value(state)))
            after = _next(solution.game, state)
        except ZerosumError:
            continue
        except Exception:  # a state that no rule foresaw, because nobody ever starts there
            return [], False
        for then in after:
            if then in seen:
                continue
            if len(states) < limit and _within(then, ranges):
                seen.add(then)
                states.append(then)
            else:
                whole = False
    return known, whole


def _within(state: Any, ranges: Ranges) -> bool:
    """Tell whether the numbers of a state are in the ranges."""
    return not ranges or all(
        ranges[name][0] <= value <= ranges[name][1]
        for name, value in leaves(state)
        if name in ranges and isinstance(value, int)
    )


def _next(game: Game[Any], state: Any) -> list[Any]:
    """Give the states that one move leads to."""
    if game.outcome(state) is not None:
        return []
    return [game.play(state, move) for move in game.moves(state)]
