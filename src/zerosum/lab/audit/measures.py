"""The measures that game designers know, exact for two equals at each level: no playouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zerosum.bulk.chain import ENDLESS, Chain
from zerosum.players.level_policies import numbered
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strength import Chances, Strengths, chances_between

if TYPE_CHECKING:
    from zerosum.bulk.table import Floats, Longs

# A lead smaller than this may be a rounding error, and does not count.
SMALLEST_LEAD = 1e-9
# The level whose games measure depth: it plays well, and still errs.
DEPTH_LEVEL: Level = "hard"


class Measures(NamedTuple):
    """What games between two equals are like; docs/audit.md defines every measure.

    Those from `duration` on are None where a game may never end.
    """

    chances: Chances
    advantage: float
    balance: float
    drawishness: float
    duration: float | None = None
    spread: float | None = None
    branching: float | None = None
    decision_factor: float | None = None
    decision_moves: float | None = None
    critical_moves: float | None = None
    lead_changes: float | None = None
    drama: float | None = None
    decisiveness: float | None = None


class Skill(NamedTuple):
    """How much skill matters.

    `depth` counts the decisions of a game that matter, and `scores` has what each level scores
    against the one below, over both seats. `open_positions` counts the positions in which the game
    goes on, `choice` those with two or more moves, `matters` those whose moves differ in result.
    """

    depth: float | None
    scores: dict[tuple[Level, Level], float]
    open_positions: int
    choice: int
    matters: int


def measures(chain: Chain) -> dict[Level, Measures]:
    """Measure the games that each level plays against itself.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> found = measures(chain_of(zerosum.solve(zerosum.game("dual-digits", start=3))))
    >>> found["random"].duration, found["random"].branching
    (1.6666666666666665, 2.2)
    """
    pairs = numbered([(level, level) for level in LEVELS])
    found: dict[Level, Measures] = {}
    for begin in range(0, len(pairs), chain.pairs_at_once):
        some = slice(begin, begin + chain.pairs_at_once)
        found.update(zip(LEVELS[some], _measures(chain, pairs[some]), strict=True))
    return found


def skill(chain: Chain, found: dict[Level, Measures]) -> Skill:
    """Count the decisions that matter, and compare each level with the one below.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> chain = chain_of(zerosum.solve(zerosum.game("dual-digits", start=3)))
    >>> skill(chain, measures(chain))[2:]
    (3, 1, 1)
    """
    steps = list(zip(LEVELS[1:], LEVELS, strict=False))
    both = [pair for stronger, weaker in steps for pair in ((stronger, weaker), (weaker, stronger))]
    strengths = Strengths(chances_between(chain, both))
    hard = found[DEPTH_LEVEL]
    depth = (
        None
        if hard.duration is None or hard.critical_moves is None
        else hard.duration * hard.critical_moves
    )
    table, count = chain.table, chain.np.diff(chain.table.offsets)
    # A state of a symmetric game is there twice, once for each seat.
    going_on, choice, matters = (
        int(states.sum()) >> table.symmetric for states in (count > 0, count > 1, table.critical)
    )
    return Skill(
        depth,
        {(stronger, weaker): strengths.overall(stronger, weaker) for stronger, weaker in steps},
        going_on,
        choice,
        matters,
    )


def _measures(chain: Chain, pairs: Longs) -> list[Measures]:
    """Measure the games of some pairs of equals; per turn only if they are sure to end."""
    ends = chain.ends(pairs)
    ends /= ends.sum(axis=2, keepdims=True)  # which is 1, but for rounding
    found = [_result(Chances(*end)) for end in ends[chain.table.start].tolist()]
    (sure,) = chain.np.nonzero(ends[chain.table.start, :, ENDLESS] == 0.0)
    if len(sure):
        course = _Games(chain, pairs[sure], ends[:, sure]).course()
        for number, level in enumerate(sure.tolist()):
            figures = {name: float(values[number]) for name, values in course.items()}
            found[level] = found[level]._replace(**figures)
    return found


def _result(chances: Chances) -> Measures:
    """Measure how games end."""
    balance = 1.0 - abs(chances.first - chances.second)
    return Measures(chances, chances.score - 0.5, balance, chances.draw)


class _Games:
    """The games of some pairs of equals that are sure to end: expectations over their turns."""

    def __init__(self, chain: Chain, pairs: Longs, ends: Floats) -> None:
        """Count how often every position is expected, and how often with either winner."""
        self.np, self.chain, self.pairs, self.ends = chain.np, chain, pairs, ends
        self.count = chain.np.diff(chain.table.offsets)
        self.turns = chain.visits(pairs) * (self.count > 0)[:, None]
        # Positive where the first player leads: the difference of the chances to win.
        lead = ends[:, :, 0] - ends[:, :, 1]
        self.lead = chain.np.where(abs(lead) < SMALLEST_LEAD, 0.0, lead)

    def course(self) -> dict[str, Floats]:
        """Return the measures of the course of a game, by name."""
        total, choice = self.turns.sum(axis=0), self.count > 1
        choices, critical = choice @ self.turns, self.chain.table.critical @ self.turns
        certain = (self.ends > 0).sum(axis=2) == 1
        changes, variance = self._changes()
        return {
            "duration": total,
            "spread": self.np.sqrt(variance),
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
        share: Floats = self.np.divide(part, whole, out=self.np.zeros(len(part)), where=whole > 0)
        return share

    def _drama(self) -> Floats:
        """Return how far the winner is behind, by its square root, over the turns of won games."""
        np = self.np
        won = self.turns[:, :, None] * self.ends[:, :, :2]
        behind = np.sqrt(np.maximum(np.stack((-self.lead, self.lead), axis=2), 0.0))
        return self._share((won * behind).sum(axis=(0, 2)), won.sum(axis=(0, 2)))

    def _changes(self) -> tuple[Floats, Floats]:
        """Return the expected changes of the lead, and the variance of the number of plies."""
        np, table = self.np, self.chain.table
        leader, plies = np.sign(self.lead), self.chain.plies(self.pairs)
        changes, variance = np.zeros((2, len(self.pairs)))
        width = max(1, self.chain.pairs_at_once * len(table.targets) // len(self.pairs))
        for begin in range(0, len(table.targets), width):
            indices = np.arange(begin, min(begin + width, len(table.targets)))
            source, target = table.sources[indices], table.targets[indices]
            moves = self.turns[source] * self.chain.steps(indices, self.pairs)
            changes += (moves * abs(leader[target] - leader[source])).sum(axis=0) / 2
            # What a move changes in the plies expected has mean 0; its squares add up.
            variance += (moves * (1.0 + plies[target] - plies[source]) ** 2).sum(axis=0)
        return changes, variance
