"""A rule of thumb, where no short law is found: how often it is right, and how well it plays."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.bulk.table import Table
from zerosum.coach.laws.conditions import Condition
from zerosum.coach.laws.finder import Finder, clause_of
from zerosum.coach.laws.law import RESULTS, Law, Part
from zerosum.coach.laws.search import Pair, Search
from zerosum.players.level_policies import LARGEST_CYCLE, MOST_MOVES, kept_chain
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strength import Chances
from zerosum.protocol import Result
from zerosum.solver import load_numpy
from zerosum.solver.solution import RANK, Solution

if TYPE_CHECKING:
    from zerosum.bulk.table import Longs

# A rule of thumb has at most this many clauses; each unit of cost must be worth a share of all
# positions.
CLAUSES, WORTH = 2, 0.01
SAMPLE = 1_500
AGAINST: tuple[Level, ...] = ("random", "medium", "perfect")


class RuleOfThumb(NamedTuple):
    """A rule of thumb, and its expected score as a player against some levels."""

    rule: Law
    scores: dict[Level, float]

    def document(self) -> dict[str, Any]:
        """Describe the rule for programs."""
        return {**self.rule.document(), "scores": self.scores}


def grown_rule(finder: Finder) -> Law | None:
    """Find a short rule that is right in many positions; None if none beats a constant guess."""
    sample = finder.sample(SAMPLE)
    conditions, holds = finder.conditions(sample)
    if not conditions:
        return None
    search = Search(holds, finder.np.array([condition.cost for condition in conditions]))
    guesses = finder.np.unique(finder.results).tolist()
    ways = (_grown(finder, sample, search, guess) for guess in guesses)
    rules = [
        _rule(finder, conditions, way, RESULTS[guess])
        for guess, way in zip(guesses, ways, strict=True)
        if way
    ]
    guessed = int(finder.np.bincount(finder.results).max())
    better = [rule for rule in rules if rule.right > guessed]
    return max(better, key=lambda rule: (rule.right, -rule.cost), default=None)


def _grown(finder: Finder, sample: Longs, search: Search, guess: int) -> list[tuple[Result, Pair]]:
    """Begin with one result for all positions, and add the clauses that mend most."""
    np = finder.np
    results = finder.results[sample]
    # A sample has as many positions of each result; each stands for others.
    every, some = (np.bincount(part, minlength=3) for part in (finder.results, results))
    weights = every[results] / some[results]
    given = np.full(len(sample), guess)
    clauses: list[tuple[Result, Pair]] = []
    for _ in range(CLAUSES):
        best: tuple[float, int, Pair] | None = None
        for result in range(len(RESULTS)):
            change = weights * ((results == result) * 1.0 - (results == given))
            pair = search.best(change, WORTH * len(finder.states))
            if pair is not None:
                gain = float(change[search.where(pair)].sum())
                best = max(best or (0.0, 0, pair), (gain, result, pair))
        if best is None:
            break
        _, result, pair = best
        given[search.where(pair)] = result
        clauses.insert(0, (RESULTS[result], pair))
    return clauses


def _rule(
    finder: Finder, conditions: list[Condition], way: list[tuple[Result, Pair]], otherwise: Result
) -> Law:
    """Make a rule of clauses, each with its result, the first of which decides."""
    parts = tuple(
        Part(result, tuple(clause_of(conditions, pair) for _, pair in group))
        for result, group in groupby(way, key=lambda clause: clause[0])
    )
    right = int((finder.predicted(parts, otherwise) == finder.results).sum())
    return Law(finder.game, parts, otherwise, len(finder.states), right)


def scores(solution: Solution[Any], rule: Law) -> dict[Level, float]:
    """Return the exact score of a player who follows a rule against some levels.

    It plays a move, by chance one of equals, after which the rule promises most. It sees the end
    of a game where a move ends it. Each side moves first half the time.
    """
    np, solved = load_numpy(), solution.solved
    if solved is None or len(solved.graph.targets) > MOST_MOVES:
        return {}
    chain = kept_chain(solution)
    if chain.table.plan.largest_cycle > LARGEST_CYCLE:
        return {}
    rule_row = len(LEVELS)
    chain = Chain(chain.table, np.vstack((chain.policies, _policy(chain.table, rule))))
    levels = [LEVELS.index(level) for level in AGAINST]
    pairs = [pair for level in levels for pair in ((rule_row, level), (level, rule_row))]
    ends = [Chances.of(end) for end in chain.ends_from_start(np.array(pairs)).tolist()]
    games = zip(AGAINST, ends[::2], ends[1::2], strict=True)
    return {level: (first.score + second.other_score) / 2 for level, first, second in games}


def _policy(table: Table[Any], rule: Law) -> Any:
    """Return the chance of every edge for a player who follows a rule."""
    np, each = load_numpy(), 1 + table.symmetric
    going = (table.winner[::each] < 0).tolist()
    ranks = np.array(
        [
            RANK[rule.result(state)] if goes_on else 0
            for state, goes_on in zip(table.states, going, strict=True)
        ]
    )
    ranks = np.where(table.winner < 0, np.repeat(ranks, each), 1 + table.value)
    same = table.player[table.targets] == table.player[table.sources]
    promised = np.where(same, ranks[table.targets], 2 - ranks[table.targets])
    top = np.zeros(len(table), np.int64)
    np.maximum.at(top, table.sources, promised)
    best = promised == top[table.sources]
    count = np.bincount(table.sources, best, len(table))
    return np.where(best, 1.0 / count[table.sources], 0.0)
