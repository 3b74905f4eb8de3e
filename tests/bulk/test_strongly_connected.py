"""The order in which a graph is solved: layers that lead down, and components that are cycles."""

from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import zerosum
from tests.graphs import Graph, graphs
from zerosum.bulk import Table, strongly_connected
from zerosum.bulk.strongly_connected import plan_of


@pytest.mark.parametrize("thin", [1, 64])
@given(graphs(most=12))
def test_plan_leads_down_and_around_cycles(thin: int, game: Graph) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strongly_connected, "THIN", thin)
        offsets = np.array([0, *accumulate(map(len, game.edges))])
        targets = np.array([target for row in game.edges for target in row], np.int64)
        check_plan(plan_of(offsets, targets, np.array(game.owners)), game)


def check_plan(plan: Any, game: Graph) -> None:
    nodes = range(len(game.edges))
    reach = {node: _reach(game, node) for node in nodes}
    cyclic = {n: frozenset(m for m in reach[n] if n in reach[m]) for n in nodes if n in reach[n]}
    assert sorted(plan.order.tolist()) == list(nodes)
    assert plan.order[plan.place].tolist() == list(nodes)
    assert plan.largest_cycle == max(map(len, cyclic.values()), default=0)
    below: set[int] = set()
    for begin, end, size in plan.blocks:
        states = plan.order[begin:end].tolist()
        parts = [set(states[at : at + size]) for at in range(0, end - begin, size or 1)]
        for part in parts if size else [{state} for state in states]:
            assert part == cyclic.get(min(part), part)
            assert (size > 0) == (min(part) in cyclic)
            leads = {target for node in part for target in game.edges[node]}
            assert leads <= below | (part if size else set())
            height = 1 + max((plan.height[t] for t in leads - part), default=-1)
            assert {int(plan.height[node]) for node in part} == {height}
        below |= set(states)


def _reach(game: Graph, start: int) -> set[int]:
    """Find the nodes that can be reached from one by at least one move."""
    found: set[int] = set()
    todo = list(game.edges[start])
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += game.edges[node]
    return found


def test_many_cycles_are_solved_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(zerosum.game("digit-battle", lives=2))
    whole = table.plan
    monkeypatch.setattr(strongly_connected, "MOST_CELLS", 1)
    parts = plan_of(table.offsets, table.targets, table.player)
    assert len(parts.blocks) > len(whole.blocks)
    assert {block.end - block.begin for block in parts.blocks if block.size} == {38}
    assert parts.order.tolist() == whole.order.tolist()
