"""What a game's table tells: its size, how long games are, designers' measures.

Everything is exact, for random play or two equals at each level: no playouts.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from msgspec.structs import replace

from zerosum.bulk.chain import ENDLESS, Chain
from zerosum.bulk.table import Floats, Longs
from zerosum.lab.audit.document import (
    FinalPositions,
    Lengths,
    Measures,
    Size,
    Skill,
    SkillStep,
)
from zerosum.limits import MEASURE_STEPS
from zerosum.players.level_policies import numbered
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strength import Chances, Strengths, chances_between
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, is_symmetric

# The winners of a final position, in the order in which they are listed.
EITHER = -1
WINNERS: dict[int, Literal[0, 1, "either"] | None] = {EITHER: "either", 0: 0, 1: 1, DRAWN: None}
# A game with cycles is followed to this little probability, or this many plies.
LITTLE, MOST_PLIES = 1e-12, 10_000
# The most bars of a distribution; a long tail would make them too wide.
MOST_BARS, NEARLY_ALL = 14, 0.999
# A lead smaller than this may be a rounding error, and does not count.
SMALLEST_LEAD = 1e-9
# The level whose games measure depth: it plays well, and still errs.
DEPTH_LEVEL: Level = "hard"


def size(solution: Solution[Any], chain: Chain) -> Size:
    """Count the positions of a game, the moves between them, and its ends.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> solution = zerosum.solve(zerosum.game("docs/examples/last_stick.py", start=2))
    >>> [(end.winner, end.positions) for end in size(solution, chain_of(solution)).ends]
    [(0, 1), (1, 1)]
    """
    game, table = solution.game, chain.table
    final = (table.winner >= 0) & table.reachable
    winners: dict[int, set[int]] = {}  # of each final position, in the seats that can reach it
    each = 1 + table.symmetric  # a state of a symmetric game is there twice
    for index in np.flatnonzero(final).tolist():
        winners.setdefault(index // each, set()).add(int(table.winner[index]))
    counts: Counter[tuple[int, str]] = Counter()
    for number, seats in winners.items():
        outcome = game.outcome(table.states[number])
        winner = seats.pop() if len(seats) == 1 else EITHER
        counts[winner, str(outcome.reason) if outcome else ""] += 1
    ends = tuple(
        FinalPositions(WINNERS[winner], reason, count)
        for (winner, reason), count in sorted(counts.items())
    )
    # A state is in the first layer after all those that it leads to.
    plan = table.plan
    longest = None if plan.largest_cycle else int(plan.height[table.start])
    moves = len(table.targets) // each
    symmetric = is_symmetric(game)
    return Size(len(table.states), symmetric, moves, ends, longest, longest is None)


def lengths(chain: Chain) -> Lengths:
    """Follow random play ply by ply, with every position's exact chance.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> lengths(chain_of(zerosum.solve(zerosum.game("dual-digits", start=3)))).shares
    (0.0, 0.3333333333333333, 0.6666666666666666)
    """
    table = chain.table
    count = np.diff(table.offsets)
    lasting = table.without_end
    cyclic = table.plan.largest_cycle > 0
    states: Longs = np.array([table.start])
    chances: Any = np.ones(1)
    shares: list[float] = []
    endless, steps = 0.0, 0
    while True:
        shares.append(float(chances[count[states] == 0].sum()))
        endless += float(chances[lasting[states]].sum())
        going = (count[states] > 0) & ~lasting[states]
        states, chances = states[going], chances[going]
        rest = float(chances.sum())
        done = rest < LITTLE or len(shares) > MOST_PLIES if cyclic else not len(states)
        if done or steps > MEASURE_STEPS:
            return grouped_lengths(shares, min(1.0, endless + rest))  # not above, by rounding
        indices, _ = table.edges_from(states)
        flow = np.repeat(chances / count[states], count[states])
        # The states of a ply have neighbouring numbers, so the array between them is short.
        targets = table.targets[indices]
        least = targets.min()
        chances = np.bincount(targets - least, flow)
        steps += len(targets) + len(chances)
        (places,) = np.nonzero(chances)
        states, chances = places + least, chances[places]


def grouped_lengths(shares: Sequence[float], rest: float) -> Lengths:
    """Describe a distribution of lengths, in a few bars of equal width.

    >>> grouped_lengths((0.0, 0.25, 0.75), 0.0).bars
    {'1': 0.25, '2': 0.75}
    """
    most = len(shares)
    wanted = np.array((0.5, 0.9, NEARLY_ALL)) - LITTLE
    within = [int(moves) for moves in np.searchsorted(np.cumsum(shares), wanted)]
    half, nine_tenths, _ = (moves if moves < most else None for moves in within)
    first = next((moves for moves, share in enumerate(shares) if share), 0)
    last = min(within[-1], most - 1)
    width = -(-(last - first + 1) // MOST_BARS)
    begins = range(first, last + 1, width)
    to = " to {:,}" if width > 1 else ""
    bars = {f"{at:,}{to.format(at + width - 1)}": sum(shares[at : at + width]) for at in begins}
    after = sum(shares[begins[-1] + width :]) + rest
    if after:
        bars["more"] = after
    return Lengths(tuple(shares), rest, half, nine_tenths, most - 1, bars)


def measures(chain: Chain) -> tuple[Measures, ...]:
    """Measure the games that each level plays against itself.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> random, *_ = measures(chain_of(zerosum.solve(zerosum.game("dual-digits", start=3))))
    >>> random.duration, random.branching
    (1.6666666666666665, 2.2)
    """
    pairs = numbered([(level, level) for level in LEVELS])
    found: list[Measures] = []
    for begin in range(0, len(pairs), chain.pairs_at_once):
        some = slice(begin, begin + chain.pairs_at_once)
        found += _measures(chain, LEVELS[some], pairs[some])
    return tuple(found)


def skill(chain: Chain, found: Sequence[Measures]) -> Skill:
    """Count the decisions that matter, and compare each level with the one below.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> chain = chain_of(zerosum.solve(zerosum.game("dual-digits", start=3)))
    >>> found = skill(chain, measures(chain))
    >>> found.open_positions, found.choice, found.matters
    (3, 1, 1)
    """
    steps = list(zip(LEVELS[1:], LEVELS, strict=False))
    both = [pair for stronger, weaker in steps for pair in ((stronger, weaker), (weaker, stronger))]
    strengths = Strengths(chances_between(chain, both))
    hard = next(measured for measured in found if measured.level == DEPTH_LEVEL)
    depth = (
        None
        if hard.duration is None or hard.critical_moves is None
        else hard.duration * hard.critical_moves
    )
    table, count = chain.table, np.diff(chain.table.offsets)
    # A state of a symmetric game is there twice, once for each seat.
    going_on, choice, matters = (
        int(states.sum()) >> table.symmetric for states in (count > 0, count > 1, table.critical)
    )
    scores = (SkillStep(*step, strengths.overall(*step)) for step in steps)
    return Skill(depth, going_on, choice, matters, tuple(scores))


def _measures(chain: Chain, levels: Sequence[Level], pairs: Longs) -> list[Measures]:
    """Measure the games of some pairs of equals; per turn only if sure to end."""
    ends = chain.ends(pairs)
    ends /= ends.sum(axis=2, keepdims=True)  # which is 1, but for rounding
    chances = (Chances(*end) for end in ends[chain.table.start].tolist())
    found = list(map(measured_ends, levels, chances))
    (sure,) = np.nonzero(ends[chain.table.start, :, ENDLESS] == 0.0)
    if len(sure):
        course = _PairedGames(chain, pairs[sure], ends[:, sure]).course()
        for number, level in enumerate(sure.tolist()):
            figures = {name: float(values[number]) for name, values in course.items()}
            found[level] = replace(found[level], **figures)
    return found


def measured_ends(level: Level, chances: Chances) -> Measures:
    """Measure how games between equals of a level end."""
    balance = 1.0 - abs(chances.first - chances.second)
    score = chances.score
    return Measures(level, *chances, score, score - 0.5, balance, chances.draw)


class _PairedGames:
    """Games between some pairs of equals, sure to end: expectations over their turns."""

    def __init__(self, chain: Chain, pairs: Longs, ends: Floats) -> None:
        """Count how often every position is expected, and how often with either winner."""
        self.chain = chain
        self.pairs = pairs
        self.ends = ends
        self.count = np.diff(chain.table.offsets)
        self.turns = chain.visits(pairs) * (self.count > 0)[:, None]
        # Positive where the first player leads: the difference of the chances to win.
        lead = ends[:, :, 0] - ends[:, :, 1]
        self.lead = np.where(abs(lead) < SMALLEST_LEAD, 0.0, lead)

    def course(self) -> dict[str, Floats]:
        """Return the measures of the course of a game, by name."""
        total = self.turns.sum(axis=0)
        choice = self.count > 1
        choices = choice @ self.turns
        critical = self.chain.table.critical @ self.turns
        certain = (self.ends > 0).sum(axis=2) == 1
        changes, variance = self._changes()
        return {
            "duration": total,
            "spread": np.sqrt(variance),
            "branching": self._share(self.count @ self.turns, total),
            "decision_factor": self._share(self.count * choice @ self.turns, choices),
            "decision_moves": self._share(choices, total),
            "critical_moves": self._share(critical, total),
            "lead_changes": changes,
            "drama": self._drama(),
            "decisiveness": self._share((self.turns * ~certain).sum(axis=0), total),
        }

    def _share(self, part: Floats, whole: Floats) -> Floats:
        """Divide expectations; nothing has no share."""
        share: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
        return share

    def _drama(self) -> Floats:
        """Return how far the winner is behind, by its square root, over the turns of won games."""
        won = self.turns[:, :, None] * self.ends[:, :, :2]
        behind = np.sqrt(np.maximum(np.stack((-self.lead, self.lead), axis=2), 0.0))
        return self._share((won * behind).sum(axis=(0, 2)), won.sum(axis=(0, 2)))

    def _changes(self) -> tuple[Floats, Floats]:
        """Return the expected changes of the lead, and the variance of the number of plies."""
        table = self.chain.table
        leader = np.sign(self.lead)
        plies = self.chain.plies(self.pairs)
        changes, variance = np.zeros((2, len(self.pairs)))
        width = max(1, self.chain.pairs_at_once * len(table.targets) // len(self.pairs))
        for begin in range(0, len(table.targets), width):
            indices = np.arange(begin, min(begin + width, len(table.targets)))
            source = table.sources[indices]
            target = table.targets[indices]
            moves = self.turns[source] * self.chain.steps(indices, self.pairs)
            changes += (moves * abs(leader[target] - leader[source])).sum(axis=0) / 2
            # A move's change of the expected plies has mean 0; squares add up.
            change = 1.0 + plies[target] - plies[source]
            variance += (moves * change**2).sum(axis=0)
        return changes, variance
