"""Checks of a game's own words, and of its theory."""

from typing import Any

from zerosum.errors import NotSolved, TooLarge, ZerosumError
from zerosum.limits import QUICK
from zerosum.match import Match
from zerosum.protocol import Move, Value
from zerosum.registry import Entry, part_of
from zerosum.solver import solve_table, table_of
from zerosum.solver.solution import Solution
from zerosum.solver.theory import Theory, ask_theory, theory_of
from zerosum.solver.values import best_of
from zerosum.testing.checker import Checker
from zerosum.text import brief, closest
from zerosum.wording.hooks import CONSTANTS, HOOKS
from zerosum.wording.number_line import number_lines
from zerosum.wording.words import Words, words_of

OPTIONAL = ("objection", "canonical", "lists_all", "is_legal")


def check_hooks(check: Checker) -> None:
    """No optional method of rules, words or theory is misspelt."""
    for name in vars(type(check.game)):
        meant = closest(name, OPTIONAL, cutoff=0.85)
        if meant not in ("", name):
            raise check.fault(f"nothing calls {name}(); rename it to {meant}")
    parts: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("words", Words, (*HOOKS, *CONSTANTS)),
        ("theory", Theory, ("value", "statement", "why")),
    )
    for part, base, hooks in parts:
        own: Any = check.ask(part_of, check.game, part, base)
        for name in vars(own) if own else ():
            if not (name[0] == "_" or name in hooks or name in own.__annotations__):
                meant = closest(name, hooks)
                offer = "begin it with an underscore"
                if meant:
                    offer = f"rename it to {meant}"
                raise check.fault(f"nothing calls {own.__name__}.{name}(); {offer}")
    words = words_of(check.game)
    check.call(words.goal)
    check.call(words.in_a_turn)
    for options in words.puzzles:
        try:
            Entry(check.name, type(check.game)).variant(**options)
        except ZerosumError as error:
            raise check.fault(f"puzzles has options that are not valid; {error}") from error


def check_words(check: Checker, match: Match[Any], move: Move, after: Match[Any]) -> None:
    """The game's own words are strings, for every turn and for the end; moves are on the board."""
    words = words_of(check.game)
    names = match.players
    state = match.state
    moves = check.game.moves(state)
    check.call(words.board, state)
    for legal in moves:
        check.call(words.cell, state, legal)
        check.call(words.taps, state, legal)
        check.call(words.step, state, legal)
    check.ask(words.taps_by_cell, state, moves)
    check.call(words.highlights, state)
    check.ask(words.highlighted, after.state)
    for method in (words.opening, words.position, words.status, words.turn, words.prompt):
        check.call(method, state, names)
    check.call(words.label, state, move)
    check.call(words.did, state, move)
    check.call(words.marks)
    check.call(number_lines, words, state)
    check.call(words.fields, state)
    check.call(words.moved, state, move, after.state, names)
    outcome = check.game.outcome(after.state)
    if outcome is not None:
        check.call(words.ending, after.state, outcome, names)
        check.call(words.reason, after.state, outcome, names)
        check.call(words.fields, after.state)


def check_theory(check: Checker, states: set[Any]) -> None:
    """A theory agrees with the table, if one can be made."""
    theory = check.ask(theory_of, check.game)
    if theory is None:
        return
    try:
        solution = solve_table(check.game, QUICK.in_seconds(check.seconds))
    except TooLarge:
        solution = None
    check.ask(ask_theory, theory, "statement")
    tabled = table_of(solution).graph.index if solution else ()
    for state in {*states, *tabled}:
        value: Value | None = check.ask(ask_theory, theory, "value", state)
        if value is None:
            raise check.fault(
                f"its theory covers the start, but returns None at {brief(state, 100)}; return a "
                "value for every state of a variant, or None for its start"
            )
        if state in states:
            check.ask(ask_theory, theory, "why", state)
        true = solution.value(state) if solution else _value_by_moves(check, theory, state)
        if true is None:
            continue
        same = value.result == true.result and (solution is None or value.endless == true.endless)
        known = None not in (value.plies, true.plies)
        if not same or (known and value.plies != true.plies):
            wrong = f"its theory says {value} at {brief(state, 100)}"
            raise check.fault(f"{wrong}, but by the rules it is {true}")


def _value_by_moves(check: Checker, theory: Theory[Any], state: Any) -> Value | None:
    """Return what the theory's next values make of this state."""
    outcome = check.game.outcome(state)
    if outcome is not None:
        drawn = outcome.winner is None
        won = outcome.winner == state.player
        return Value("draw") if drawn else Value("win" if won else "loss", 0)
    solution = Solution.by_theory(check.game, theory)
    try:
        values = solution.moves(state)
    except NotSolved:
        return None
    if values and check.game.lists_all(state):
        return values[best_of(values)[0]]
    return None
