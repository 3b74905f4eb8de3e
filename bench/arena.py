"""Exact pairings of seven players beside games of one pairing that are played.

    python bench/arena.py

For each game: its positions, the processor time in which the 42 exact scores of seven players come
out (the levels, and two whose chances are drawn at random), and how many games of two of them,
played one after the other, take as long. For a score to within 0.05, 1,024 may be needed, and 21
times that for all.
"""

from __future__ import annotations

import random
from time import process_time
from typing import Any

import numpy as np

import zerosum
from zerosum.bulk import Table
from zerosum.bulk.policies import check_policy
from zerosum.bulk.table import Floats
from zerosum.lab.arena.exact import KnownPlayer, exact_ends
from zerosum.match import Match
from zerosum.players.autoplay import play_out
from zerosum.players.level_policies import PolicyPlayer, level_policy
from zerosum.players.levels import LEVELS, sample
from zerosum.wording.words import title_of

GAMES, TIMES = 20, 3


def main() -> None:
    """Measure every game."""
    print(f"{'game':18}{'positions':>10}{'exact, s':>10}{'as many games':>15}")
    for name in zerosum.games():
        table = Table(zerosum.game(name))
        rng = np.random.default_rng(1)
        drawn = rng.random((2, len(table.targets)))
        sums = [np.bincount(table.sources, row, len(table))[table.sources] for row in drawn]
        policies = [level_policy(table, level) for level in LEVELS]
        policies += [
            check_policy(table, row / total) for row, total in zip(drawn, sums, strict=True)
        ]
        players = [KnownPlayer(policy, np.zeros(len(table))) for policy in policies]
        exact_ends(table, players)  # what is computed once for the table does not count
        exact = min(timed_pairings(table, players) for _ in range(TIMES))
        played = timed_games(table, policies[-2:]) / GAMES
        row = f"{len(table):>10,}{exact:>10.3f}{exact / played:>15,.0f}"
        print(f"{title_of(table.game):18}{row}")


def timed_pairings(table: Table[Any], players: list[KnownPlayer]) -> float:
    """Return the processor time of all exact pairings."""
    begun = process_time()
    exact_ends(table, players)
    return process_time() - begun


def timed_games(table: Table[Any], policies: list[Floats]) -> float:
    """Return the processor time of some games between two policies."""
    choose = [PolicyPlayer(table, policy) for policy in policies]
    rng, begun = random.Random(1), process_time()
    for _ in range(GAMES):
        play_out(
            Match.new(table.game),
            lambda now: sample(choose[now.mover](table.game, now.state), rng),
        )
    return process_time() - begun


if __name__ == "__main__":
    main()
