"""Moves a second of the plain rules, for each game, beside a bare loop of the same Python.

make bench
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import zerosum
from zerosum.protocol import Game

SECONDS = 0.5


def playing(game: Game[Any], seed: int = 1) -> float:
    """Play random games by the rules alone, and return the moves a second."""
    rng = Random(seed)
    moves = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < SECONDS:
        state = game.initial()
        for _ in range(500):
            if game.outcome(state) is not None:
                break
            state = game.play(state, rng.choice(game.moves(state)))
            moves += 1
    return moves / took


def bare() -> float:
    """Run the same loop with a choice of three and a tuple for each move."""
    rng = Random(1)
    moves = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < SECONDS:
        state = (15, 0)
        for _ in range(500):
            state = (state[0] - rng.choice((1, 2, 3)), 1 - state[1])
            moves += 1
    return moves / took


def main() -> None:
    """Measure, and print a table."""
    loop = bare()
    print(f"{'game':<20}{'moves/s':>12}{'of a bare loop':>16}")
    print(f"{'(bare loop)':<20}{loop:12,.0f}{1:16.2f}")
    for name in zerosum.games():
        rate = playing(zerosum.game(name))
        print(f"{name:<20}{rate:12,.0f}{rate / loop:16.2f}")


if __name__ == "__main__":
    main()
