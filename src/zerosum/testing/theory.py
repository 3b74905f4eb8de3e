"""Checks of a theory against the table of all positions, or against its own next moves."""

from __future__ import annotations

from typing import Any

from zerosum.errors import NotSolved, TooLarge
from zerosum.limits import Limits
from zerosum.protocol import Value
from zerosum.solver import solve_table, table_of
from zerosum.solver.solution import Solution
from zerosum.solver.theory import Theory, ask_theory, theory_of
from zerosum.solver.values import best_of
from zerosum.testing.checker import Checker
from zerosum.text import brief

MOST_TABLED = 20_000


def check_theory(check: Checker, states: set[Any]) -> None:
    """A theory agrees with the table, if one can be made, for every position."""
    theory = check.ask(theory_of, check.game)
    if theory is None:
        return
    try:
        solution = solve_table(check.game, Limits(MOST_TABLED, check.seconds))
    except TooLarge:
        solution = None
    check.ask(ask_theory, theory, "statement")
    tabled = table_of(solution).graph.states() if solution else ()
    for state in {*states, *tabled}:
        value: Value | None = check.ask(ask_theory, theory, "value", state)
        check.must(
            value is not None,
            f"its theory covers the start, but returns None at {brief(state, 100)}; return a value "
            "for every state of a variant, or None for its start",
        )
        if state in states:
            check.ask(ask_theory, theory, "why", state)
        true = solution.value(state) if solution else _value_by_moves(check, theory, state)
        if value is None or true is None:
            continue
        same = value.result == true.result and (solution is None or value.endless == true.endless)
        known = None not in (value.plies, true.plies)
        check.must(
            same and (not known or value.plies == true.plies),
            f"its theory says {value} at {brief(state, 100)}, but by the rules it is {true}",
        )


def _value_by_moves(check: Checker, theory: Theory[Any], state: Any) -> Value | None:
    """Return what the theory's values one move later make of this state."""
    outcome = check.game.outcome(state)
    if outcome is not None:
        drawn, won = outcome.winner is None, outcome.winner == state.player
        return Value("draw") if drawn else Value("win" if won else "loss", 0)
    solution = Solution.by_theory(check.game, theory)
    try:
        values = solution.moves(state)
    except NotSolved:
        return None
    return values[best_of(values)[0]] if values and check.game.lists_all(state) else None
