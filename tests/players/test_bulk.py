"""The chances of all edges at once, and the order in which a graph is solved."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import zerosum
from tests.players.graphs import Graph, graphs, solved
from zerosum.players import chances, levels
from zerosum.players.chances import chances_of, edges_of
from zerosum.players.components import components, layers
from zerosum.players.levels import LEVELS, policy
from zerosum.solve.stored import TableSolution


@settings(max_examples=60)
@given(graphs())
def test_the_chances_in_bulk_are_the_policies_one_by_one(game: Graph) -> None:
    check_bulk(solved(game))


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_moves_are_searched_for_traps_in_bulk_either(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solved(zerosum.game("digit-battle", lives=2))
    before = chances_of(edges_of(solution))
    for room in (chances, levels):
        monkeypatch.setattr(room, "MOST_TRAPS", most)
    assert (chances_of(edges_of(solution)) != before).any()
    check_bulk(solution)


@pytest.mark.parametrize("name", ["divisor-duel", "dual-digits", "number-navigator"])
def test_the_chances_in_bulk_are_those_of_whole_games(name: str) -> None:
    check_bulk(solved(zerosum.game(name)))


def check_bulk(solution: TableSolution) -> None:
    arrays, kind = solution.arrays, type(solution.game.initial())
    rows = chances_of(edges_of(solution))
    for place in range(len(arrays)):
        row = arrays.states[place * arrays.width : (place + 1) * arrays.width]
        begin, end = arrays.offsets[place], arrays.offsets[place + 1]
        labels = arrays.moves[begin:end].tolist()
        for level, bulk in zip(LEVELS, rows, strict=True):
            if labels:
                one = policy(solution, level, kind(*row))
                assert [one.get(m, 0.0) for m in labels] == pytest.approx(bulk[begin:end].tolist())


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


def _reach(game: Graph, node: int) -> set[int]:
    found: set[int] = set()
    todo = list(game.edges[node])
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += game.edges[one]
    return found
