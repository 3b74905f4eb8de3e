"""Games made to have each fault of the table: its code, and a witness that is replayed."""

from typing import Any

import pytest
from hypothesis import example, given, settings

from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.naive import Naive
from zerosum import Game, Move
from zerosum.lab.audit.document import Fault
from zerosum.lab.audit.rules.faults import is_broken, rule_faults, table_faults
from zerosum.players.level_policies import chain_of
from zerosum.solver import solve_table


def replay(game: Game[Any], line: tuple[Move, ...]) -> list[Any]:
    """Return the states along a line of legal moves, from the start."""
    states = [game.initial()]
    for move in line:
        assert move in game.moves(states[-1])
        states.append(game.play(states[-1], move))
    return states


def found_in(game: Game[Any]) -> dict[str, Fault]:
    """Return the faults of a game that can be solved, by code."""
    solution = solve_table(game)
    found = rule_faults(game, solution).found
    if not is_broken(found):
        found = (*found, *table_faults(solution, chain_of(solution)))
    return {fault.code: fault for fault in found}


# By the table. In `graph`, the owners come first, then where the moves lead, then the winners.


def test_witnesses_are_short_and_end_where_the_fault_shows() -> None:
    # Whoever leaves the circle of 0 and 1 loses.
    game = graph((0, 1, 0, 0), ((1, 2), (0, 3), (), ()), (None, None, 1, 0))
    fault = found_in(game)["endless"]
    assert (fault.witness, fault.severity, fault.positions) == ((0, 0), "warning", 2)
    # 3 and 4 lead only to each other; the first way there is by 1, the second by 2 and 1.
    game = graph((0, 1, 1, 0, 1, 0), ((2, 1), (3, 5), (1, 5), (4,), (3,), ()), (0, 0, 0, 0, 0, 1))
    fault = found_in(game)["never-ends"]
    assert (fault.witness, fault.positions) == ((1, 0), 2)
    assert fault.message == "From 2 positions no end can be reached."
    game = graph((0, 1, 1, 0), ((1, 2), (0,), (3,), ()), (0, 0, 0, 0))
    assert "first-move-decides" not in found_in(game)


@pytest.mark.parametrize(
    ("ends", "code", "message"),
    [
        ((None, None), "nobody-can-win", "Every end is a draw, so nobody can win."),
        (
            (None, 0),
            "one-side-cannot-win",
            "The second player cannot win: no end that can be reached is a win for them.",
        ),
    ],
)
def test_players_who_cannot_win_are_named(ends: Any, code: str, message: str) -> None:
    found = found_in(graph((0, 1, 1), ((1, 2), (), ()), (None, *ends)))
    assert (found[code].message, found[code].witness) == (message, None)


# What is missing from a whole game, which no line of moves can show.
WITHOUT_A_LINE = {"bad-player", "nobody-can-win", "one-side-cannot-win", "no-decision-matters"}


def by_hand(naive: Naive) -> set[str]:
    """Return the codes of a game by the definitions, from the rules alone."""
    start, after, ends = naive.roots[0], naive.after, naive.ends
    if len(after) - len(ends) > 1 and not any(state.player for state in after):
        return {"bad-player"}  # then no value is given
    winners = set(ends.values()) - {None}
    matters = {
        state for state in after if len({value.result for value in naive.moves(state).values()}) > 1
    }
    reaching = set(ends)
    while more := {s for s, m in after.items() if s not in reaching and reaching & {*m.values()}}:
        reaching |= more
    again = any(start in moves.values() for moves in after.values())
    holds = {
        "endless": naive.values[start].endless,
        "never-ends": reaching != set(after),
        "nobody-can-win": not winners,
        "one-side-cannot-win": len(winners) == 1,
        "no-choice": all(len(moves) <= 1 for moves in after.values()),
        "no-decision-matters": not matters,
        "decided-at-once": any(ends.get(then, 2) == 0 for then in after[start].values()),
        "first-move-decides": matters == {start} and not again,
    }
    return {code for code, is_so in holds.items() if is_so}


# A best move of an endless game may lead to where the opponent can end it.
LETS_END = graph(
    (0, 0, 1, 0, 1, 0, 0, 1),
    ((1, 0, 2, 2), (2, 2), (4, 5), (6, 5), (5, 6, 0), (6, 1), (7, 4, 2, 2), ()),
    [None] * 8,
)


@settings(max_examples=2 * settings().max_examples)
@example(game=LETS_END)
@given(game=graphs() | mirrored())
def test_faults_by_the_table_match_their_definitions(game: Graph | Mirrored) -> None:
    rules: Game[Any] = game
    naive, found = Naive(rules), found_in(rules)
    assert set(found) == by_hand(naive)
    for code, fault in found.items():
        if fault.witness is None:
            assert code in WITHOUT_A_LINE
            continue
        states = replay(rules, fault.witness)
        repeats = game.canonical(states[-1]) in map(game.canonical, states[:-1])
        if code == "endless":
            assert repeats
            assert all(naive.values[state].endless for state in states)
        elif code == "no-choice":
            assert repeats or states[-1] in naive.ends
        elif code == "never-ends":
            assert not set(Naive(game, states[-1:]).after) & set(naive.ends)
        elif code == "decided-at-once":
            assert naive.ends[states[1]] == 0
        else:
            (best,) = fault.witness
            values = naive.moves(states[0])
            assert values[best].result == naive.values[states[0]].result
