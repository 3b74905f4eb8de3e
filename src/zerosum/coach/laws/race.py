"""Recognise a race: nobody touches what the other has, and the first to finish wins."""

from __future__ import annotations

from typing import Any

from zerosum.coach.laws.features import seat_fields
from zerosum.coach.laws.law import RESULTS, Place, Positions, Race, places
from zerosum.protocol import Game
from zerosum.solver.retrograde import turns_of
from zerosum.solver.table import LOST, OPEN


def find_race(game: Game[Any], positions: Positions) -> Race | None:
    """Return the race that a game is: every edge of its table has to agree.

    >>> import zerosum
    >>> from zerosum.coach.laws.law import positions_of
    >>> solution = zerosum.solver.solve_table(zerosum.game("number-navigator"))
    >>> race = find_race(solution.game, positions_of(solution.solved))
    >>> race.needed(solution.game.initial())
    (5, 5)
    """
    fields = seat_fields(game, game.initial())
    names = {name for name in type(positions.states[0])._fields if name != "player"}
    if not fields or {name for pair in fields for name in pair} != names:
        return None
    table = positions.table.graph
    symmetric = bool(table.turned)
    sides = [places(state, fields, symmetric) for state in table.states()]
    steps = _steps(table, sides)
    goals = None if steps is None else _goals(table, sides)
    if steps is None or not goals:
        return None
    needs = _needs(steps, goals)
    stuck = any(place not in needs for both in sides for place in both)
    race = Race(fields, needs, symmetric, stuck)
    results = zip(positions.states, positions.results.tolist(), strict=True)
    return race if all(race.result(s) == RESULTS[result] for s, result in results) else None


def _steps(table: Any, sides: list[tuple[Place, Place]]) -> dict[Place, frozenset[Place]] | None:
    """Return where each place leads; None if a move does more, or depends on more."""
    steps: dict[Place, frozenset[Place]] = {}
    turned, offsets, targets = turns_of(table), table.offsets, table.targets
    for index, (own, other) in enumerate(sides):
        if table.ends[index] != OPEN:
            continue
        after = set()
        for edge in range(offsets[index], offsets[index + 1]):
            mover, waiting = sides[targets[edge]]
            if not turned[edge] or mover != other:
                return None
            after.add(waiting)
        if steps.setdefault(own, frozenset(after)) != after:
            return None
    return steps


def _goals(table: Any, sides: list[tuple[Place, Place]]) -> set[Place] | None:
    """Return the places that win at once; None if a game can end in another way."""
    over = {sides[i][1] for i, end in enumerate(table.ends) if end == LOST}
    if any(end not in (OPEN, LOST) for end in table.ends):
        return None
    if any(end == OPEN and sides[i][1] in over for i, end in enumerate(table.ends)):
        return None
    return over


def _needs(steps: dict[Place, frozenset[Place]], goals: set[Place]) -> dict[Place, int]:
    """Return the fewest moves from each place to a goal."""
    needs = dict.fromkeys(goals, 0)
    while True:
        found = {
            place: 1 + min(needs[n] for n in after if n in needs)
            for place, after in steps.items()
            if place not in needs and not after.isdisjoint(needs)
        }
        if not found:
            return needs
        needs.update(found)
