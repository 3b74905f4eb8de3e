"""The chances of all edges at once, and the order in which a graph is solved."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import zerosum
from tests.graphs import Graph, graphs
from zerosum.players import edges, levels
from zerosum.players.edges import chances_of, edges_of
from zerosum.players.levels import LEVELS, policy
from zerosum.players.strongly_connected import components, layers
from zerosum.solver import solve_table, table_of
from zerosum.solver.solution import Solution


@settings(max_examples=60)
@given(graphs())
def test_bulk_chances_equal_the_policies_of_each_state(game: Graph) -> None:
    check_bulk(solve_table(game))


@pytest.mark.parametrize("most", [1, 2])
def test_bulk_chances_search_no_more_moves_for_traps(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve_table(zerosum.game("digit-battle", lives=2))
    before = chances_of(edges_of(table_of(solution)))
    for room in (edges, levels):
        monkeypatch.setattr(room, "MOST_TRAPS", most)
    assert (chances_of(edges_of(table_of(solution))) != before).any()
    check_bulk(solution)


@pytest.mark.parametrize("name", ["divisor-duel", "dual-digits", "number-navigator"])
def test_bulk_chances_of_built_in_games(name: str) -> None:
    check_bulk(solve_table(zerosum.game(name)))


def check_bulk(solution: Solution[Any]) -> None:
    """Compare the chances of every edge with the policy of its state."""
    edges = edges_of(table_of(solution))
    rows = chances_of(edges)
    for number, state in enumerate(table_of(solution).table.states()):
        # A symmetric game has every state twice, once for each seat.
        row = 2 * number + state.player if edges.symmetric else number
        begin, end = edges.starts[row], edges.starts[row + 1]
        moves = solution.game.moves(state)
        for level, bulk in zip(LEVELS, rows, strict=True):
            if moves:
                alone = policy(solution, level, state)
                expected = [alone.get(move, 0.0) for move in moves]
                assert bulk[begin:end].tolist() == pytest.approx(expected)


@settings(max_examples=60)
@given(graphs(most=12))
def test_layers_lead_down_and_components_are_cycles(game: Graph) -> None:
    starts = [0]
    for row in game.edges:
        starts.append(starts[-1] + len(row))
    targets = [target for row in game.edges for target in row]
    reach = {node: _reach(game, node) for node in range(len(game.edges))}
    parts = {frozenset(part) for part in components(starts, targets)}
    assert parts == {
        frozenset({n} | {m for m in reach[n] if n in reach[m]}) for n in range(len(game.edges))
    }
    below: set[int] = set()
    for single, cycles in layers(starts, targets):
        for node in single:
            assert set(game.edges[node]) <= below
        for cycle in cycles:
            assert all(cycle[0] in reach[node] for node in cycle)
            assert {t for node in cycle for t in game.edges[node]} <= below | set(cycle)
        below |= {*single, *(node for cycle in cycles for node in cycle)}
    assert len(below) == len(game.edges)


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
