"""Does the interval for a player's slip rate hold the true rate? Simulated careers of every level.

python bench/strength.py [CAREERS]

Each level plays careers of 3, 10 and 30 games against medium, moving first in every other game.
For each length there are the decisions of a career, on average; the share of the intervals that
hold the level's rate; and the share of the careers after which a place on the scale is shown. The
last line has the lowest share of the intervals that hold the rate: of all, and of those shown.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import zerosum
from zerosum.bulk import Table
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import SLIPS
from zerosum.players.scale import strength_of
from zerosum.players.slips import Decision
from zerosum.wording.words import title_of

CAREERS, LENGTHS = 500, (3, 10, 30)
EXAMPLE = "docs/examples/noughts_and_crosses.py"
# Longer games stop here; what was decided so far counts.
PLIES = 400
# A share of fewer says little.
ENOUGH = 100


def careers(
    table: Table[Any], level: str, number: int, games: int, seed: int = 1
) -> list[list[Decision]]:
    """Return the decisions of a level in some careers, each of so many games against medium."""
    begins, edges = table.offsets, np.diff(table.offsets)
    good = np.bincount(table.sources, table.regret == 0, len(table)).astype(int)
    totals = [np.append(0.0, np.cumsum(level_policy(table, name))) for name in (level, "medium")]
    rng, games_of = np.random.default_rng(seed), np.arange(number * games)
    career, seat, states = games_of // games, games_of % 2, np.full(len(games_of), table.start)
    found: list[list[Decision]] = [[] for _ in range(number)]
    for _ in range(PLIES):
        going = table.winner[states] < 0
        career, seat, states = career[going], seat[going], states[going]
        mine, begin = table.player[states] == seat, begins[states]
        drawn = [total[begin] + rng.random(len(states)) for total in totals]
        own, other = (
            np.searchsorted(total, point, "right") - 1
            for total, point in zip(totals, drawn, strict=True)
        )
        edge = np.clip(np.where(mine, own, other), begin, begin + edges[states] - 1)
        for at in np.flatnonzero(mine & table.critical[states]):
            state, right = states[at], bool(table.regret[edge[at]] == 0)
            found[career[at]].append(Decision(right, int(good[state]), int(edges[state])))
        states = table.targets[edge]
    return found


def measured(
    found: list[list[Decision]], games: int, rate: float
) -> tuple[float, list[bool], list[bool]]:
    """Return the mean decisions of careers, which intervals are right, and which of those shown."""
    told = [strength_of(decisions, games) for decisions in found]
    holds = [one.low <= rate <= one.high for one in told]
    shown = [right for one, right in zip(told, holds, strict=True) if one.like]
    return float(np.mean(list(map(len, found)))), holds, shown


def main() -> None:
    """Simulate, and print a table in Markdown."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else CAREERS
    lowest = [1.0, 1.0]
    heads = [f"{games} games" for games in LENGTHS]
    print(f"| game | level | {' | '.join(heads)} |\n|---|---|{'---|' * len(LENGTHS)}")
    for name in (*zerosum.games(), EXAMPLE):
        game = zerosum.game(name)
        table = Table(game)
        for level, rate in SLIPS.items():
            cells = []
            for games in LENGTHS:
                found = careers(table, level, number, games)
                decisions, holds, shown = measured(found, games, rate)
                part = len(shown) / number
                cells.append(f"{decisions:.0f}, {np.mean(holds):.1%}, {part:.0%}")
                lowest[0] = min(lowest[0], float(np.mean(holds)))
                if len(shown) >= ENOUGH:
                    lowest[1] = min(lowest[1], float(np.mean(shown)))
            print(f"| {title_of(game)} | {level} | {' | '.join(cells)} |", flush=True)
    print("\nLowest: {:.1%} of all; {:.1%} of those shown.".format(*lowest))


if __name__ == "__main__":
    main()
