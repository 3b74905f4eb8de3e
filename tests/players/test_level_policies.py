"""The levels as policies of all edges at once: the same chances as those of each state."""

from typing import Any

import pytest
from hypothesis import given, settings

import zerosum
from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum.bulk import Table
from zerosum.players import level_policies, levels
from zerosum.players.level_policies import chain_of, level_policy
from zerosum.players.levels import LEVELS, policy
from zerosum.protocol import Game
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution


@settings(max_examples=2 * settings().max_examples)
@given(graphs() | mirrored())
def test_policies_of_any_game_equal_those_of_each_state(game: Graph | Mirrored) -> None:
    rules: Game[Any] = game
    solution, table = solve_table(rules), Table(rules)
    check_chain(solution)
    check_rows(solution, table, {level: level_policy(table, level) for level in LEVELS})


@pytest.mark.parametrize("most", [1, 2])
def test_policies_search_no_more_moves_for_traps(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve_table(zerosum.game("digit-battle", lives=2))
    before = chain_of(solution).policies
    for room in (level_policies, levels):
        monkeypatch.setattr(room, "MOST_TRAPS", most)
    assert (chain_of(solution).policies != before).any()
    check_chain(solution)


def check_chain(solution: Solution[Any]) -> None:
    """Compare the policies on the table of a solution with that of each state."""
    chain = chain_of(solution)
    check_rows(solution, chain.table, dict(zip(LEVELS, chain.policies, strict=True)))


def check_rows(solution: Solution[Any], table: Table[Any], policies: dict[Any, Any]) -> None:
    for state in table.states:
        index = table.index_of(state)
        edges = slice(*table.offsets[[index, index + 1]])
        moves = solution.game.moves(state)
        for level in LEVELS if moves else ():
            alone = policy(solution, level, state)
            expected = [alone.get(move, 0.0) for move in moves]
            assert policies[level][edges].tolist() == pytest.approx(expected)
