"""The positions that a map is made of: from a table, or by a walk over the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from zerosum.game import Game, Value, ZerosumError
from zerosum.pictures.words import Place, plain_name, with_name
from zerosum.solve.solution import Solution
from zerosum.solve.stored import TableSolution

Ranges = Mapping[str, tuple[int, int]]

# The most numbers of a strip, of the sides of a grid, and of those of one grid of several.
STRIP, GRID, SMALL_GRID = 200, 40, (30, 20)
# The most states of a walk; fewer where the numbers are so large that a move takes time.
MOST_STATES, MOST_LARGE_STATES, LARGE = 8000, 300, 10**9


class Positions(NamedTuple):
    """Positions by the fields of their states, the seat to move, and their values by place.

    `state` gives the whole state of a place as its JSON array. `whole` is false where a walk left
    something out, so that what is missing may be reachable.
    """

    columns: dict[str, Sequence[Place]]
    players: Sequence[int]
    value: Callable[[int], Value]
    state: Callable[[int], list[Any]]
    whole: bool
    note: str


def positions_of(solution: Solution, ranges: Ranges) -> Positions:
    """Gather the positions of a solution: all those of a table, else those of a walk.

    A law answers for numbers that no walk from the start would ever come down to. So its walk
    begins at the start with every number brought down to what a map can show, for either seat:
    these are the positions of the same game from a smaller start. Where that leads to no
    position that the solution knows, the walk begins at the start itself.
    """
    if isinstance(solution, TableSolution):
        return _from_table(solution)
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
            for (name, value), (_, less) in zip(fields_of(first), fields_of(begin), strict=True)
            if value != less
        )
        note, whole = f"The game itself starts from {begins}.", False
    rows = [dict(fields_of(state)) for state, _ in found]
    names = dict.fromkeys(name for row in rows for name in row)
    names.pop("player", None)
    columns: dict[str, Sequence[Place]] = {name: [row.get(name) for row in rows] for name in names}
    players = [row["player"] for row in rows]
    return Positions(
        columns,
        players,
        lambda place: found[place][1],
        lambda place: list(found[place][0]),
        whole,
        note,
    )


def fields_of(state: Any) -> Iterator[tuple[str, int]]:
    """Name every number of a state; those of a tuple in it by their place.

    >>> from zerosum.games.even_steven.rules import State
    >>> dict(fields_of(State(15, 0)))
    {'number': 15, 'player': 0}
    """
    for name, value in zip(state._fields, state, strict=True):
        yield from _inner(name, value)


def _inner(name: str, value: Any) -> Iterator[tuple[str, int]]:
    """Name the numbers of one field."""
    if isinstance(value, tuple):
        for place, one in enumerate(value):
            yield from _inner(f"{name}[{place}]", one)
    else:
        yield name, value


def _from_table(solution: TableSolution) -> Positions:
    """Read the columns of a solved table."""
    arrays, first = solution.arrays, solution.game.initial()
    names = [name for name, _ in fields_of(first)]
    columns = {
        name: arrays.states[place :: arrays.width].tolist() for place, name in enumerate(names)
    }
    players = columns.pop("player")

    def value(place: int) -> Value:
        winner = arrays.winners[place]
        if winner < 0:
            return Value("draw", None)
        return Value("win" if winner == players[place] else "loss", arrays.plies[place])

    def state(place: int) -> list[Any]:
        row = arrays.states[place * arrays.width : (place + 1) * arrays.width].tolist()
        return _nested(first, iter(row))

    return Positions(columns, players, value, state, True, "")


def _nested(like: Any, numbers: Iterator[int]) -> list[Any]:
    """Bring a row of numbers into the form that a state has."""
    return [_nested(one, numbers) if isinstance(one, tuple) else next(numbers) for one in like]


def _brought_down(state: Any, ranges: Ranges) -> Any:
    """Bring every number of a state down to what a map can show of it."""
    many = sum(name != "player" for name, _ in fields_of(state))
    # A little more than is shown, so that the edge of the map has what moves from above lead to.
    most = {1: STRIP, 2: GRID}.get(many, 12) * 5 // 4

    def lower(name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return _like(value, [lower(f"{name}[{at}]", one) for at, one in enumerate(value)])
        top = ranges[name][1] if name in ranges else most
        return max(min(value, top), -max(most, abs(top)))

    return _like(state, [lower(name, one) for name, one in zip(state._fields, state, strict=True)])


def _like(value: Any, parts: list[Any]) -> Any:
    """Make a tuple of the same kind."""
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _walk(
    solution: Solution, begin: list[Any], ranges: Ranges
) -> tuple[list[tuple[Any, Value]], bool]:
    """Walk breadth first, within ranges; give what has a value, and whether that is everything."""
    states, seen = list(begin), set(begin)
    limit = MOST_STATES
    if any(abs(value) > LARGE for _, value in fields_of(begin[0])):
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
        for one in after:
            if one in seen:
                continue
            if len(states) < limit and _within(one, ranges):
                seen.add(one)
                states.append(one)
            else:
                whole = False
    return known, whole


def _within(state: Any, ranges: Ranges) -> bool:
    """Tell whether the numbers of a state are in the ranges."""
    return not ranges or all(
        ranges[name][0] <= value <= ranges[name][1]
        for name, value in fields_of(state)
        if name in ranges
    )


def _next(game: Game[Any], state: Any) -> list[Any]:
    """Give the states that one move leads to."""
    if game.outcome(state) is not None:
        return []
    return [game.play(state, move) for move in game.moves(state)]
