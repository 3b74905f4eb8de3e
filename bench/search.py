"""How fast the search is beside walking the rules, and how many positions it solves in time.

make bench
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import zerosum
from zerosum.limits import Limits
from zerosum.protocol import Game
from zerosum.solver.search import Search
from zerosum.states import walk

ROOT = Path(__file__).parents[1]
CONNECT_FOUR, TERRITORY, DOTS = (
    str(ROOT / "docs" / "examples" / f"{name}.py")
    for name in ("connect_four", "territory", "dots_and_boxes")
)
NODES = 20_000
SECONDS = (1, 5, 20)
POSITIONS = 10
# Large games, with the random plies after which positions are taken.
GAMES: tuple[tuple[str, dict[str, int], int], ...] = (
    (CONNECT_FOUR, {"width": 7, "height": 6}, 16),
    (DOTS, {"width": 3, "height": 3}, 8),
    (TERRITORY, {"size": 6}, 12),
)
# Solved from the start.
STARTS: tuple[tuple[str, dict[str, int]], ...] = (
    (CONNECT_FOUR, {"width": 4, "height": 4}),
    (CONNECT_FOUR, {"width": 5, "height": 4}),
    (DOTS, {"width": 2, "height": 2}),
    (TERRITORY, {"size": 5}),
)


def walking(game: Game[Any]) -> float:
    """Walk the rules breadth first, one of each group of equal positions; positions a second."""
    began, count = time.perf_counter(), 0
    for state in walk(game, limit=NODES, key=game.canonical):
        game.outcome(state)
        count += 1
    return count / (time.perf_counter() - began)


def searching(game: Game[Any]) -> float:
    """Search from the start, and return the new positions a second."""
    search = Search(game)
    began = time.perf_counter()
    search.prove(game.initial(), Limits(nodes=NODES))
    return search.nodes / (time.perf_counter() - began)


def positions(game: Game[Any], plies: int) -> list[Any]:
    """Return open positions after some random plies, always the same ones."""
    rng, found = Random(14), list[Any]()
    while len(found) < POSITIONS:
        state = game.initial()
        for _ in range(plies):
            moves = game.moves(state)
            state = game.play(state, rng.choice(moves)) if moves else state
        if game.moves(state):
            found.append(state)
    return found


def time_to_solve(game: Game[Any], state: Any) -> float | None:
    """Return the seconds that a position takes; None if it is not solved in the longest time."""
    began = time.perf_counter()
    found = Search(game).prove(state, Limits(nodes=10**7, seconds=SECONDS[-1]))
    return None if found is None else time.perf_counter() - began


def main() -> None:
    """Measure everything."""
    print(f"{'positions a second':<34}{'walk':>10}{'search':>10}{'ratio':>8}")
    for name, options, _ in GAMES:
        game = zerosum.game(name, **options)
        walked, searched = walking(game), searching(game)
        ratio = searched / walked
        print(f"{game!r:<34}{walked:10,.0f}{searched:10,.0f}{ratio:8.2f}")
    print(f"\n{'start':<34}{'value':>10}{'positions':>12}{'seconds':>9}")
    for name, options in STARTS:
        game = zerosum.game(name, **options)
        search, began = Search(game), time.perf_counter()
        value = search.prove(game.initial(), Limits(nodes=10**6))
        took = time.perf_counter() - began
        print(f"{game!r:<34}{value!s:>10}{search.nodes:12,}{took:9.1f}")
    heads = "".join(f"{f'{seconds} s':>8}" for seconds in SECONDS)
    print(f"\n{'solved within':<34}{'plies':>8}{heads}")
    for name, options, plies in GAMES:
        game = zerosum.game(name, **options)
        times = [time_to_solve(game, state) for state in positions(game, plies)]
        solved = [sum(took is not None and took <= most for took in times) for most in SECONDS]
        shares = "".join(f"{count}/{len(times)}".rjust(8) for count in solved)
        print(f"{game!r:<34}{plies:8}{shares}")


if __name__ == "__main__":
    main()
