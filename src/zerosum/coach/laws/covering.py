"""The search for a law: few, simple clauses that hold in the right positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.table import Flags, Floats, Longs

# How many partial laws are followed, and with how many clauses each is continued.
WIDTH, TRIED = 6, 40
# The most clauses to search: those that cover most, and the cheapest.
MOST_COVERING, MOST_CHEAP = 6_000, 2_000

Pair = tuple[int, int]  # a clause: two conditions by index, which are equal in a clause of one


class Cover(NamedTuple):
    """Some clauses by index, the positions that they leave open, and their cost."""

    clauses: tuple[int, ...]
    left: Flags
    cost: float


def cover(
    holds: Flags, costs: Floats, target: Flags, most: int
) -> tuple[float, tuple[Pair, ...]] | None:
    """Find at most `most` clauses that hold just where `target` does, and their cost.

    There is a row for each condition, with its cost, and a column for each position.
    """
    pairs, covered, prices = _clauses(holds, costs, target)
    beam = [Cover((), target[target], 0.0)] if len(pairs) else []
    for depth in range(most):
        beam = _longer(beam, covered, prices, most - depth)
        done = [
            _simplified(cover.clauses, covered, prices) for cover in beam if not cover.left.any()
        ]
        if done:
            best = min(done, key=lambda clauses: (float(prices[clauses].sum()), clauses))
            chosen = tuple((int(first), int(second)) for first, second in pairs[best])
            return float(prices[best].sum()), chosen
        beam = sorted(beam, key=lambda cover: (int(cover.left.sum()), cover.cost))[:WIDTH]
    return None


def _clauses(holds: Flags, costs: Floats, target: Flags) -> tuple[Longs, Flags, Floats]:
    """List the clauses that hold nowhere but in the target, where they do, and their costs.

    If several hold in the same positions, only the cheapest counts.
    """
    alone = np.eye(len(costs), dtype=bool)
    every = 1.0 + np.where(alone, costs, costs[:, None] + costs[None, :])
    rows = holds[:, target]
    outside, gains = _overlaps(holds[:, ~target]), _overlaps(rows)
    # Each pair of conditions is one clause, in either order.
    useful = (outside == 0) & (gains > 0) & np.triu(np.ones_like(alone))
    # A condition that is enough alone does not need another.
    enough = np.diag(useful)
    useful &= ~(enough[:, None] | enough[None, :]) | alone
    pairs = np.argwhere(useful)
    gained, prices = gains[tuple(pairs.T)], every[tuple(pairs.T)]
    order = np.lexsort((prices, -gained))[:MOST_COVERING]
    cheap = np.lexsort((-gained, prices))[:MOST_CHEAP]
    chosen = np.union1d(order, cheap)
    chosen = chosen[np.lexsort((chosen, prices[chosen]))]
    pairs, prices = pairs[chosen], prices[chosen]
    covered = rows[pairs[:, 0]] & rows[pairs[:, 1]]
    _, first = np.unique(np.packbits(covered, axis=1), axis=0, return_index=True)
    first.sort()
    return pairs[first], covered[first], prices[first]


def _longer(beam: list[Cover], covered: Flags, costs: Floats, more: int) -> list[Cover]:
    """Add a clause to each partial law, in the few most useful ways."""
    longer: dict[bytes, Cover] = {}
    for cover in beam:
        gain = covered[:, cover.left].sum(axis=1)
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


def _overlaps(holds: Flags) -> Any:
    """Count the positions in which each pair of conditions holds."""
    numbers = holds.astype(np.float32)
    with np.errstate(all="ignore"):  # some libraries warn of errors that did not happen
        return numbers @ numbers.T


def _simplified(clauses: tuple[int, ...], covered: Flags, costs: Floats) -> list[int]:
    """Replace each clause by the cheapest that covers what the others do not; or by none."""
    chosen = list(clauses)
    for clause in sorted(clauses, key=lambda index: -costs[index]):
        chosen.remove(clause)
        needed = covered[clause] & ~covered[chosen].any(axis=0)
        if needed.any():
            # Clauses are in order of their costs: the first is the cheapest.
            chosen.append(int(covered[:, needed].all(axis=1).argmax()))
    return sorted(chosen, key=lambda index: (-int(covered[index].sum()), index))
