"""The search for a law: few and simple clauses that hold in just the right positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs

# How many partial laws are followed at once, and with how many clauses each is continued.
WIDTH, TRIED = 6, 40
# The most clauses that are searched: those that cover most, and those that are cheapest.
MOST_COVERING, MOST_CHEAP = 6_000, 2_000

Pair = tuple[int, int]  # a clause: two conditions by index, which are equal in a clause of one


class Cover(NamedTuple):
    """Some clauses by index, the positions that none of them covers yet, and their cost."""

    clauses: tuple[int, ...]
    left: Flags
    cost: float


class Covering:
    """The conditions as an array, with a row for each condition and a column for each position."""

    def __init__(self, holds: Flags, costs: Floats) -> None:
        """Take where each condition holds, and what it costs."""
        self.np = np = load_numpy()
        self.holds = holds
        self.numbers = holds.astype(np.float32)
        pairs = costs[:, None] + costs[None, :]
        np.fill_diagonal(pairs, costs)
        self.costs = 1.0 + pairs
        # Each pair of conditions is one clause, in either order.
        self.above = np.triu(np.ones(pairs.shape, bool))

    def cover(self, target: Flags, most: int) -> tuple[Pair, ...] | None:
        """Find at most `most` clauses that together hold just where `target` does."""
        pairs, covered, costs = self._clauses(target)
        if not len(pairs):
            return None
        beam = [Cover((), self.np.ones(covered.shape[1], bool), 0.0)]
        for depth in range(most):
            longer = self._longer(beam, covered, costs, most - depth)
            if not longer:
                return None
            done = [cover for cover in longer if not cover.left.any()]
            if done:
                better = [_simplified(cover.clauses, covered, costs) for cover in done]
                best = min(better, key=lambda clauses: (float(costs[clauses].sum()), clauses))
                return tuple((int(first), int(second)) for first, second in pairs[best])
            longer.sort(key=lambda cover: (int(cover.left.sum()), cover.cost))
            beam = longer[:WIDTH]
        return None

    def cost(self, clauses: tuple[Pair, ...]) -> float:
        """Return the cost of some clauses."""
        return float(sum(self.costs[pair] for pair in clauses))

    def _clauses(self, target: Flags) -> tuple[Longs, Flags, Floats]:
        """List the clauses that hold nowhere but in the target, where they do, and their costs.

        If several hold in the same positions, only the cheapest counts.
        """
        np = self.np
        inside, outside = self.numbers[:, target], self.numbers[:, ~target]
        useful = (_product(outside, outside.T) == 0) & self.above
        gains = _product(inside, inside.T)
        # A condition that is enough alone does not need another.
        enough = np.diag(useful) & (np.diag(gains) > 0)
        useful &= ~(enough[:, None] | enough[None, :]) | np.eye(len(gains), dtype=bool)
        pairs = np.argwhere(useful & (gains > 0))
        gained, costs = gains[tuple(pairs.T)], self.costs[tuple(pairs.T)]
        order = np.lexsort((costs, -gained))[:MOST_COVERING]
        cheap = np.lexsort((-gained, costs))[:MOST_CHEAP]
        chosen = np.union1d(order, cheap)
        chosen = chosen[np.lexsort((chosen, costs[chosen]))]
        pairs, costs = pairs[chosen], costs[chosen]
        rows = self.holds[:, target]
        covered = rows[pairs[:, 0]] & rows[pairs[:, 1]]
        _, first = np.unique(np.packbits(covered, axis=1), axis=0, return_index=True)
        first.sort()
        return pairs[first], covered[first], costs[first]

    def _longer(self, beam: list[Cover], covered: Flags, costs: Floats, more: int) -> list[Cover]:
        """Add a clause to each partial law, in the few most useful ways."""
        np = self.np
        lefts = np.stack([cover.left for cover in beam]).astype(np.float32)
        gains = _product(lefts, covered.T.astype(np.float32))
        longer: dict[bytes, Cover] = {}
        for cover, gain in zip(beam, gains, strict=True):
            # No later clause covers more than the best one now.
            if gain.max() * more < cover.left.sum():
                continue
            order = np.lexsort((costs, -gain))[:TRIED]
            for index in order[gain[order] > 0].tolist():
                left = cover.left & ~covered[index]
                cost = cover.cost + float(costs[index])
                key = left.tobytes()
                if key not in longer or cost < longer[key].cost:
                    longer[key] = Cover((*cover.clauses, index), left, cost)
        return list(longer.values())


def _product(left: Any, right: Any) -> Any:
    """Multiply matrices of finite numbers: some libraries then warn of errors that were none."""
    with load_numpy().errstate(all="ignore"):
        return left @ right


def _simplified(clauses: tuple[int, ...], covered: Flags, costs: Floats) -> list[int]:
    """Replace each clause by the cheapest that covers what the others do not; or by none."""
    chosen = list(clauses)
    for clause in sorted(clauses, key=lambda index: -costs[index]):
        chosen.remove(clause)
        needed = covered[clause] & ~covered[chosen].any(axis=0)
        if needed.any():
            # Clauses are in order of their costs, so the first one is the cheapest.
            chosen.append(int(covered[:, needed].all(axis=1).argmax()))
    return sorted(chosen, key=lambda index: (-int(covered[index].sum()), index))
