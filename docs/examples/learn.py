"""A learner in NumPy alone: it plays against itself, and learns what each move is worth.

    zerosum measure ./learn.py:choose dual-digits     how well it plays, exactly
    python learn.py                                   learns all games, and writes curve.csv

While it learns, it sees what a player sees: the legal moves, where the one that it plays leads,
and who has won when a game is over. The exact values are used afterwards, for the curve.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import zerosum
from zerosum.bulk import Table

GAMES = 1024  # played at the same time
TRIES = 200  # moves are played until there are this many for each move of the table
LEAST = 256  # and this many in each of the games
LATER = np.float32(0.99)  # a result counts 1% less for each move before it: a quick win is better
NEVER = np.float32(-np.inf)


def learn(table: Table[Any], seed: int = 0, most: float = 1) -> Iterator[tuple[int, Any]]:
    """Learn, and after 1, 2, 4, … rounds yield the moves played so far and the policy."""
    rng = np.random.default_rng(seed)
    first, choices = table.offsets[:-1], np.diff(table.offsets)
    legal = np.arange(choices.max()) < choices[:, None]
    over = table.winner >= 0
    result = np.where(table.winner == table.player, 1, -1) * (table.winner < 2)
    # What each move of each state is worth to the player to move; nothing is known yet.
    worth = np.where(legal, np.float32(0), NEVER)
    # The share of random moves: the first game has none, the last one the most.
    curiosity = np.linspace(0, most, GAMES)
    now = np.full(GAMES, table.start)
    rounds = LEAST + TRIES * len(table.targets) // GAMES
    for number in range(1, 2 ** rounds.bit_length() + 1):
        curious = rng.random((GAMES, 1)) < curiosity[:, None]
        luck = np.float32(1e-6) * rng.random((GAMES, legal.shape[1]), np.float32)
        move = (np.where(curious & legal[now], 0, worth[now]) + luck).argmax(axis=1)
        then = table.targets[first[now] + move]
        value = np.where(over[then], result[then], worth[then].max(axis=1))
        # Nothing is left to chance, so what has just been seen replaces what was believed.
        worth[now, move] = LATER * np.where(table.player[then] == table.player[now], value, -value)
        now = np.where(over[then], table.start, then)
        if number & (number - 1) == 0:
            best = worth == worth.max(axis=1, keepdims=True)
            yield number * GAMES, (best / best.sum(axis=1, keepdims=True))[legal]


def curve(table: Table[Any]) -> Iterator[tuple[int, float]]:
    """Learn, and yield the moves played and the mean regret over all decisions, exactly."""
    for played, policy in learn(table):
        yield played, float((policy * table.regret).sum() / table.critical.sum())


@cache
def learned(game: zerosum.Game[Any]) -> tuple[Table[Any], Any]:
    """Learn a game once."""
    table = Table(game)
    *_, (_, policy) = learn(table)
    return table, policy


def choose(game: zerosum.Game[Any], state: Any) -> dict[zerosum.Move, float]:
    """Return the best moves with their chances: this is what `zerosum measure` asks."""
    table, policy = learned(game)
    index = table.index_of(state)
    chances = policy[table.offsets[index] : table.offsets[index + 1]]
    return dict(zip(game.moves(state), chances.tolist(), strict=True))


def main() -> None:
    """Learn every game, and write the curves to curve.csv, or to the file that is named."""
    file = Path(*sys.argv[1:2] or ["curve.csv"])
    with file.open("w", newline="", encoding="utf-8") as text:
        rows = csv.writer(text)
        rows.writerow(("game", "moves", "regret"))
        for name in zerosum.games():
            points = list(curve(Table(zerosum.game(name))))
            rows.writerows((name, *point) for point in points)
            played, regret = points[-1]
            print(f"{name}: mean regret {regret:.5f} after {played:,} moves")
    print(f"The curves are in {file}.")


if __name__ == "__main__":
    main()
