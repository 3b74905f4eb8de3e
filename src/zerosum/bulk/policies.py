"""Exact measures of policies: chances, best responses, exploitability."""

from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.chain import Chain
from zerosum.bulk.cycles import Cycles
from zerosum.bulk.strongly_connected import Block
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.errors import PolicyError
from zerosum.solver.table import DRAWN
from zerosum.states import check_seat

# A state's chances add up to 1 within this; then they are scaled to do so exactly.
TOLERANCE = 1e-6
# A move that gains less is not better: the gain may be a rounding error.
SMALLEST_GAIN = 1e-12


class BestResponse(NamedTuple):
    """A best policy against another, and its expected score from every state."""

    policy: Floats
    score: Floats


def check_policy(table: Table[Any], policy: Any) -> Floats:
    """Return a policy of a table as an array of floats; refuse all else.

    >>> import zerosum
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> check_policy(table, [0.5] * 3)
    Traceback (most recent call last):
    ...
    zerosum.errors.PolicyError: A policy of this table has 9 numbers, one for each edge, not 3.
    """
    edges = len(table.targets)
    try:
        given = np.asarray(policy)
        if np.iscomplexobj(given):
            raise TypeError
        chances: Floats = given.astype(np.float64)  # a copy
    except (TypeError, ValueError) as error:
        raise PolicyError(f"A policy is an array of {edges:,} numbers.") from error
    if chances.shape != (edges,):
        found = f"the shape {chances.shape}"
        if chances.ndim == 1:
            found = f"{len(chances):,}"
        raise PolicyError(
            f"A policy of this table has {edges:,} numbers, one for each edge, not {found}."
        )
    wrong = np.flatnonzero(~(chances >= 0.0))  # which is also true of what is not a number
    if len(wrong):
        raise PolicyError(f"The chance of edge {wrong[0]} is {chances[wrong[0]]}, not 0 or more.")
    sums = np.bincount(table.sources, chances, len(table))
    off = np.flatnonzero((abs(sums - 1.0) > TOLERANCE) & (table.winner < 0))
    if len(off):
        raise PolicyError(
            f"The chances of the edges of state {off[0]} add up to {sums[off[0]]:.6g}, not to 1."
        )
    chances /= sums[table.sources]
    return chances


def outcome_chances(table: Table[Any], first: Any, second: Any) -> Floats:
    """Return the exact chances of four ends from every state, for two policies.

    A row for each state: won by the first seat, by the second, drawn, endless.

    >>> import zerosum
    >>> table = Table(zerosum.game("dual-digits", start=3))
    >>> from zerosum.players import level_policy
    >>> random = level_policy(table, "random")
    >>> outcome_chances(table, random, random)[table.start].round(3).tolist()
    [0.333, 0.667, 0.0, 0.0]
    """
    both = np.stack((check_policy(table, first), check_policy(table, second)))
    ends: Floats = Chain(table, both).ends(np.array([[0, 1]]))[:, 0]
    ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
    return ends


def exploitability(table: Table[Any], policy: Any) -> float:
    """Return what the best response to a policy gains over best play, from the start.

    A score is 1 for a win and ½ for a draw, endless or not. The gain is the score of the best
    response less that of best play, averaged over both seats. Perfect play has 0, and nothing has
    more than ½.

    >>> import zerosum
    >>> table = Table(zerosum.game("dual-digits", start=3))
    >>> from zerosum.players import level_policy
    >>> exploitability(table, level_policy(table, "perfect"))
    0.0
    """
    scores = [best_response(table, policy, seat).score[table.start] for seat in (0, 1)]
    return max(0.0, float(sum(scores) - 1.0) / 2)


def best_response(table: Table[Any], policy: Any, seat: int) -> BestResponse:
    """Return a policy of a seat that scores most against another, up to rounding.

    A score is 1 for a win and ½ for a draw, endless or not. In the states of the other seat, the
    policy returned is the given one.

    >>> import zerosum
    >>> table = Table(zerosum.game("dual-digits", start=3))
    >>> from zerosum.players import level_policy
    >>> response = best_response(table, level_policy(table, "random"), seat=1)
    >>> f"{response.score[table.start]:.4f}"
    '0.6667'
    """
    check_seat(seat, "seat")
    return _PolicyIteration(table, check_policy(table, policy), seat).solved()


class _PolicyIteration:
    """A best response in the making: from the ends back to every state.

    A state on no cycle follows from those after it. A cycle is solved by policy iteration: it
    begins by playing on forever wherever the seat can, and changes a choice only for a better one.
    So every state where play can last is always worth ½ or more, and when no choice is better, no
    policy is, not even one that never ends.
    """

    def __init__(self, table: Table[Any], policy: Floats, seat: int) -> None:
        """Begin with the scores of the ends."""
        self.table, self.mine = table, table.player == seat
        self.policy = np.where(self.mine[table.sources], 0.0, policy)
        self.score = np.where(table.winner == DRAWN, 0.5, 1.0 * (table.winner == seat))
        self.lasting = np.zeros(len(table), bool)  # where the seat can make play last forever

    def solved(self) -> BestResponse:
        """Solve block by block."""
        for block in self.table.plan.blocks:
            states = self.table.plan.order[block.begin : block.end]
            edges, begins = self.table.edges_from(states)
            if len(edges):
                self._last(block, states, edges, begins)
                solve = self._iterate if block.size else self._choose
                solve(block, states, edges, begins)
        return BestResponse(self.policy, self.score)

    def _last(self, block: Block, states: Longs, edges: Longs, begins: Longs) -> None:
        """Mark where the seat can go on forever: at first all of a cycle, then ever less."""
        targets = self.table.targets[edges]
        never = self.policy[edges] == 0.0
        self.lasting[states] = block.size > 0
        while True:
            before = self.lasting[states]
            then = self.lasting[targets]
            some = np.logical_or.reduceat(then, begins)
            every = np.logical_and.reduceat(then | never, begins)
            self.lasting[states] = np.where(self.mine[states], some, every)
            if not block.size or np.array_equal(before, self.lasting[states]):
                return

    def _choose(self, block: Block, states: Longs, edges: Longs, begins: Longs) -> None:
        """Take the best move of each state, and the mean for the other seat."""
        scores = self.score[self.table.targets[edges]]
        best = np.maximum.reduceat(scores, begins)
        mean = np.add.reduceat(self.policy[edges] * scores, begins)
        mine = self.mine[states]
        self.score[states] = np.where(mine, best, mean)
        first = self._first(scores == self._each(best, begins, edges), begins)
        self.policy[edges[first[mine]]] = 1.0

    def _iterate(self, block: Block, states: Longs, edges: Longs, begins: Longs) -> None:
        """Improve the choices around a block's cycles until none is better."""
        targets = self.table.targets[edges]
        mine = self.mine[states]
        source = self._each(np.arange(len(states)), begins, edges)
        stays = self.lasting[targets] | ~self.lasting[states][source]
        chosen = self._first(stays, begins)[mine]
        self.score[states] = -1.0  # less than any policy scores
        place = self.table.plan.place[targets] - block.begin
        while True:
            chances = self.policy[edges]
            chances[chosen] = 1.0
            cycles = Cycles(self.table, block, source, place, chances[:, None])
            outer = np.where(place < 0, self.score[targets], 0.0)
            right = np.add.reduceat(chances * outer, begins)[:, None, None]
            right[cycles.stuck] = 0.5
            now = np.clip(cycles.solve(right)[:, 0, 0], 0.0, 1.0)
            if now.sum() <= self.score[states].sum():
                break  # by rounding alone
            self.score[states] = now
            taken, scores = chosen, self.score[targets]
            best = np.maximum.reduceat(scores, begins)
            better = best[mine] > scores[chosen] + SMALLEST_GAIN
            if not better.any():
                break
            first = self._first(scores == self._each(best, begins, edges), begins)[mine]
            chosen = np.where(better, first, chosen)
        self.policy[edges[taken]] = 1.0

    def _each(self, values: Any, begins: Longs, edges: Longs) -> Any:
        """Repeat the value of each state for its edges."""
        return np.repeat(values, np.diff(begins, append=len(edges)))

    def _first(self, marked: Flags, begins: Longs) -> Longs:
        """Return the first marked edge of each state."""
        count = len(marked)
        places = np.where(marked, np.arange(count), count)
        first: Longs = np.minimum.reduceat(places, begins)
        return first
