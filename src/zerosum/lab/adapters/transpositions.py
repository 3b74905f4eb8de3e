"""Test that positions with one state are one position: by games with two moves swapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from zerosum.errors import GameError
from zerosum.lab.adapters.simulator import Simulator
from zerosum.lab.adapters.snapshots import UNSET, Unencodable

SWAPS, MOVES = 4, 8


def same_after_transpositions(
    reduced: Simulator, full: Simulator, games: Sequence[Sequence[int]]
) -> bool:
    """Return whether positions that differ only in what a state leaves out go on alike.

    `full` has all attributes in its states. Each game is played again with two moves of one
    player swapped; if that leads to the same reduced state, all moves are compared.
    """
    rng = Random(0)  # noqa: S311
    return all(
        _alike(reduced, full, first, second)
        for moves in games
        for first, second in islice(_pairs(reduced, full, list(moves), rng), SWAPS)
    )


def _pairs(
    reduced: Simulator, full: Simulator, moves: list[int], rng: Random
) -> Iterator[tuple[Any, Any]]:
    """Yield two different positions that fall on one state."""
    states = _line(full, moves)
    for _ in range(SWAPS * 2 if len(states) > 3 else 0):
        place = rng.randrange(len(states) - 3)
        length = min(len(states) - 1, place + 3 + rng.randrange(3))
        swapped = moves[:length]
        swapped[place], swapped[place + 2] = swapped[place + 2], swapped[place]
        others = _line(full, swapped)
        if len(others) <= length or others[length] == states[length]:
            continue
        if _project(reduced, full, others[length]) == _project(reduced, full, states[length]):
            yield states[length], others[length]


def _line(full: Simulator, moves: list[int]) -> list[Any]:
    """Return the positions of a game, as far as its moves are legal."""
    states = [full.first]
    try:
        for move in moves:
            if move not in full.moves(states[-1]):
                break
            states.append(full.play(states[-1], move))
    except GameError:
        pass
    return states


def _project(reduced: Simulator, full: Simulator, state: Any) -> Any:
    """Return what a state leaves of a position."""
    full.put(state)
    try:
        values = [
            reduced.codecs[name].encode(full.attributes[name]) if name in full.attributes else UNSET
            for name in reduced.names
        ]
    except Unencodable:
        return state
    return (*values, state.player, state.end)


def _alike(reduced: Simulator, full: Simulator, first: Any, second: Any) -> bool:
    """Return whether two positions have the same moves, with the same ends and states after."""
    try:
        moves = full.moves(first)
        if moves != full.moves(second):
            return False
        return all(
            _project(reduced, full, full.play(first, move))
            == _project(reduced, full, full.play(second, move))
            for move in moves[:MOVES]
        )
    except GameError:
        return True  # what fails is reported when the game is walked
