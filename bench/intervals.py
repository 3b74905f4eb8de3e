"""Do the intervals of drawn answers hold the truth? Measurements of levels that draw their moves.

python -m bench.intervals [SEEDS]

Each level is measured again and again in every game, each time with other draws. There are the
shares of the intervals of 95% that hold the true slip rate, and the true share of right decisions.
Then the same for one answer to each question of stratified samples, as from a language model; the
line after these has the lowest share of each. At last, two levels draw their moves in three games:
the same over all games, and for the difference of the two.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import zerosum
from zerosum.bulk import Table
from zerosum.lab.ids import read_position
from zerosum.lab.measure import measure_player
from zerosum.lab.measure.comparing import measurements_of
from zerosum.lab.measure.measuring import measured_answers
from zerosum.lab.measure.sampling import Figure
from zerosum.lab.models import AnswerFile, ModelAnswer, mark, questions_of
from zerosum.players.asked import PlayerFailed
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS
from zerosum.protocol import Move
from zerosum.wording.words import title_of

SEEDS, SAMPLES, QUESTIONS = 300, (1, 3, 10), (20, 60, 200)
GAMES = ("even-steven", "divisor-duel", "dual-digits", "number-navigator")


class Draws:
    """A player that draws its moves from a level, by seed, position and number of the question."""

    name = identity = "draws"

    def __init__(self, table: Table[Any], level: str, seed: int = 0) -> None:
        """Take the level, and what the draws begin with."""
        chances = level_policy(table, level).tolist()
        bounds = pairwise(table.offsets.tolist())
        self.chances = {
            state: chances[slice(*edges)] for state, edges in zip(table.states, bounds, strict=True)
        }
        self.game, self.seed, self.left = table.game, seed, 10**9

    def ask(self, state: Any, sample: int, /) -> Move:
        """Draw a move; stop after some."""
        if not self.left:
            raise PlayerFailed("It stopped.")
        self.left -= 1
        rng = Random(f"{self.seed} {state} {sample}")
        return rng.choices(self.game.moves(state), self.chances[state])[0]


def held(table: Table[Any], level: str, samples: int, seeds: int) -> tuple[float, float]:
    """Return how often the intervals hold the slip rate, and the share of right decisions."""
    true: Any = measure_player(table, level)
    slips = good = 0
    for seed in range(seeds):
        # With this budget, it is asked about decisions alone.
        found: Any = measure_player(
            table, Draws(table, level, seed), samples=samples, budget=true.decisions
        )
        slips += _holds(found.slips, true.slips)
        good += _holds(found.good, true.good)
    return slips / seeds, good / seeds


def held_by_answers(table: Table[Any], level: str, count: int, seeds: int) -> tuple[float, float]:
    """Return the same for a level that answers `count` questions once each."""
    true: Any = measure_player(table, level)
    slips = good = 0
    for seed in range(seeds):
        draws, given = Draws(table, level, seed), []
        for question in questions_of(table, count=count, seed=seed):
            state = read_position(table.game, question.id)
            given.append(ModelAnswer(id=question.id, move=draws.ask(state, 1)))
        found: Any = mark(table, AnswerFile("answers.jsonl", level, tuple(given)))
        slips += _holds(found.slips, true.slips)
        good += _holds(found.good, true.good)
    return slips / seeds, good / seeds


def held_compared(
    tables: Sequence[Table[Any]], levels: Sequence[str], samples: int, seeds: int
) -> tuple[float, float, float]:
    """Return how often the intervals over all games hold: slip rates, right, differences.

    Of the two players, the lower share counts.
    """

    def compared(players: Sequence[Any]) -> Any:
        return measurements_of(
            [
                measured_answers(table, player, samples, budget=int(table.critical.sum()))
                for table, each in zip(tables, players, strict=True)
                for player in each
            ]
        ).comparison

    true = compared([levels for _ in tables])
    truth = {player.player: player for player in true.players}
    slips, good, pairs = Counter[str](), Counter[str](), 0
    for seed in range(seeds):
        draws = [[Draws(table, level, seed) for level in levels] for table in tables]
        for each in draws:
            for player, level in zip(each, levels, strict=True):
                player.name = player.identity = level
        found = compared(draws)
        for player in found.players:
            slips[player.player] += _holds(player.slips, truth[player.player].slips)
            good[player.player] += _holds(player.right, truth[player.player].right)
        (pair,) = found.pairs
        known = truth[pair.player].right.value - truth[pair.other].right.value
        pairs += _holds(pair.right, Figure(known, known, known))
    return min(slips.values()) / seeds, min(good.values()) / seeds, pairs / seeds


def _holds(interval: Figure, truth: Figure) -> bool:
    """Return whether an interval holds a true figure, but for rounding."""
    return interval.low - 1e-9 <= truth.value <= interval.high + 1e-9


def main() -> None:
    """Print the shares of the intervals that hold the truth."""
    seeds = int(sys.argv[1]) if sys.argv[1:] else SEEDS
    lowest = [1.0, 1.0]
    print(f"{'game':18}{'level':9}{'answers':>7}{'slip rate':>11}{'right':>9}")
    for name in GAMES:
        table = Table(zerosum.game(name))
        for level in LEVELS:
            for samples in SAMPLES:
                shares = held(table, level, samples, seeds)
                lowest = [*map(min, lowest, shares)]
                figures = f"{samples:>7}{shares[0]:>11.1%}{shares[1]:>9.1%}"
                print(f"{title_of(table.game):18}{level:9}{figures}", flush=True)
    print(f"{'game':18}{'level':9}{'asked':>7}{'slip rate':>11}{'right':>9}")
    for name in GAMES[2:]:
        table = Table(zerosum.game(name))
        for level in LEVELS:
            for count in QUESTIONS:
                shares = held_by_answers(table, level, count, seeds)
                lowest = [*map(min, lowest, shares)]
                figures = f"{count:>7}{shares[0]:>11.1%}{shares[1]:>9.1%}"
                print(f"{title_of(table.game):18}{level:9}{figures}", flush=True)
    print(f"lowest: slip rate {lowest[0]:.1%}, right {lowest[1]:.1%}")
    tables = [Table(zerosum.game(name)) for name in GAMES[:3]]
    print(f"{'three games':27}{'answers':>7}{'slip rate':>11}{'right':>9}{'difference':>12}")
    for levels in pairwise(LEVELS):
        for samples in SAMPLES:
            slips, good, pairs = held_compared(tables, levels, samples, seeds)
            figures = f"{slips:>11.1%}{good:>9.1%}{pairs:>12.1%}"
            print(f"{' and '.join(levels):27}{samples:>7}{figures}", flush=True)


if __name__ == "__main__":
    main()
