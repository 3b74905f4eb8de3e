"""Solves a game: by its law, from the cache, or by a table made now."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from zerosum.game import Game, Value, ZerosumError, variant_of
from zerosum.registry import entry_of, part_of
from zerosum.solve.solution import Solution, ask_theory, from_theory, unknown_state
from zerosum.solve.stored import Arrays, BadCache, TableSolution, columns, load, save
from zerosum.solve.table import LIMIT, Table, TooLarge, walk
from zerosum.sources import source_of

Progress = Callable[[int], None]
LARGEST_CACHE = 1 << 30
UNFINISHED = 3600.0


class MissingExtra(ZerosumError):
    """A library that is needed for this, and not installed."""


def solve(
    game: Game[Any],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution:
    """Solve a variant: by its law where it has one, else by a table of all its positions.

    `limit` is the most positions that a table may have; `cache` is a folder for solved tables.

    >>> import zerosum
    >>> solve(zerosum.game("number-navigator")).value((20, 20, 0))
    Traceback (most recent call last):
    ...
    zerosum.solve.solution.NotSolved: (20, 20, 0) is no position of this game; one looks like \
State(first=20, second=20, player=0).
    """
    theory = theory_of(game)
    if theory is not None:
        better = getattr(theory, "table_is_better", None)
        if better is None or not better(game):
            return from_theory(game, theory)
    try:
        return solve_table(game, limit, progress, cache)
    except (TooLarge, MissingExtra):
        if theory is None:
            raise
        return from_theory(game, theory)


def theory_of(game: Game[Any]) -> Any:
    """Give the theory of a game, if it has one that covers this variant."""
    theory = part_of(game, "theory")
    if theory is None or ask_theory(theory, game, game.initial()) is None:
        return None
    return theory


def solve_table(
    game: Game[Any],
    limit: int = LIMIT,
    progress: Progress | None = None,
    cache: str | None = None,
) -> Solution:
    """Solve a variant by a table, from the cache if it is there."""
    path, key = cache_place(game, cache) if cache else ("", "")
    if path:
        with suppress(OSError, BadCache):
            return TableSolution(game, load(path, key))
    load_numpy()
    table = walk(game, limit, progress)
    rows = columns(table.states) if isinstance(table.moves, array) else None
    if rows is None:
        return _in_memory(game, table, *_analysed(table))
    # From here on numbers are enough, and the states themselves take the most memory.
    table.states.clear()
    table.index.clear()
    arrays = _sorted(table, rows, *_analysed(table))
    if path:
        # A cache that cannot be written costs time, not truth.
        with suppress(OSError):
            save(arrays, path, key)
            _prune(os.path.dirname(path))
    return TableSolution(game, arrays)


def _prune(folder: str) -> None:
    """Let the oldest solutions go when the cache has grown too large."""
    for entry in os.scandir(folder):
        # Whoever was writing it was ended, and will not come back for it.
        unfinished = ".solution." in entry.name
        if unfinished and entry.stat().st_mtime < time.time() - UNFINISHED:
            os.unlink(entry.path)
    kept = sorted(
        (entry for entry in os.scandir(folder) if entry.name.endswith(".solution")),
        key=lambda entry: entry.stat().st_mtime,
        reverse=True,
    )
    total = 0
    for entry in kept:
        total += entry.stat().st_size
        if total > LARGEST_CACHE:
            os.unlink(entry.path)


def cache_place(game: Game[Any], folder: str) -> tuple[str, str]:
    """Name the file of a variant's solution, and the key that must stand in it."""
    import hashlib
    import json

    source = source_of(game)
    name = entry_of(game).name
    key = hashlib.sha256(
        json.dumps([name, variant_of(game), source], sort_keys=True).encode()
    ).hexdigest()
    return os.path.join(folder, f"{name}-{key[:16]}.solution"), key


def load_numpy() -> Any:
    """Load NumPy, or say what is missing before any work is done."""
    try:
        import numpy
    except ModuleNotFoundError as error:
        raise MissingExtra("A table needs NumPy: pip install 'zerosum[solve]'") from error
    return numpy


def _analysed(table: Table) -> tuple[Any, Any]:
    """Analyse a table."""
    from zerosum.solve.retrograde import analyse

    return analyse(table.offsets, table.targets, table.winners, table.players)


def _sorted(table: Table, rows: array[int], won: Any, plies: Any) -> Arrays:
    """Bring a table into the order of its states, so that they are found by halving."""
    import numpy as np

    count = len(table.players)
    states = np.frombuffer(rows, np.int64).reshape(count, -1)
    order = np.lexsort(states.T[::-1])
    place = np.empty(count, np.int32)
    place[order] = np.arange(count, dtype=np.int32)
    starts = np.frombuffer(table.offsets, np.int64)
    sizes = np.diff(starts)[order]
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    edges = np.arange(table.edges) + np.repeat(starts[:-1][order] - offsets[:-1], sizes)
    targets = place[np.frombuffer(table.targets, np.int32)[edges]]
    moves = np.asarray(table.moves, np.int64)[edges]
    parts: list[Any] = [
        states[order].reshape(-1),
        offsets,
        targets,
        moves,
        won[order],
        plies[order],
    ]
    return Arrays(states.shape[1], *(memoryview(part) for part in parts))


def _in_memory(game: Game[Any], table: Table, won: Any, plies: Any) -> Solution:
    """Keep a table by its states themselves: their numbers fit into no array."""

    def known(state: Any) -> Value:
        try:
            place = table.index[state]
        except (KeyError, TypeError):
            raise unknown_state(game, state) from None
        if won[place] < 0:
            return Value("draw", None)
        result = "win" if won[place] == state.player else "loss"
        return Value(result, int(plies[place]))

    return Solution(game, known)
