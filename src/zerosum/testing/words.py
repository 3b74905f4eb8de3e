"""Checks of a game's own words, and of the names of everything that is optional."""

from __future__ import annotations

from typing import Any

from zerosum.errors import ZerosumError
from zerosum.match import Match
from zerosum.protocol import Move
from zerosum.registry import Entry, part_of
from zerosum.solver.theory import Theory
from zerosum.testing.checker import Checker
from zerosum.text import brief, closest
from zerosum.wording.hooks import HOOKS
from zerosum.wording.number_line import number_lines
from zerosum.wording.words import Words, words_of

OPTIONAL = ("objection", "canonical", "lists_all", "is_legal")


def check_hooks(check: Checker) -> None:
    """No optional method of the rules, the words or the theory is misspelt."""
    for name in vars(type(check.game)):
        meant = closest(name, OPTIONAL, cutoff=0.85)
        check.must(meant in ("", name), f"nothing calls {name}(); rename it to {meant}")
    parts: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("words", Words, (*HOOKS, "title", "puzzles")),
        ("theory", Theory, ("value", "statement", "why")),
    )
    for part, base, hooks in parts:
        own: Any = check.ask(part_of, check.game, part, base)
        for name in vars(own) if own else ():
            known = name[0] == "_" or name in hooks or name in own.__annotations__
            meant = closest(name, hooks)
            offer = f"rename it to {meant}" if meant else "begin it with an underscore"
            check.must(known, f"nothing calls {own.__name__}.{name}(); {offer}")
    words = words_of(check.game)
    check.call(words.goal)
    for options in words.puzzles:
        try:
            Entry(check.name, type(check.game)).variant(**options)
        except ZerosumError as error:
            raise check.fault(f"puzzles has options that are not valid; {error}") from error


def check_words(check: Checker, match: Match[Any], move: Move, after: Match[Any]) -> None:
    """The game's own words are texts, for every turn and for the end."""
    words, names, state = words_of(check.game), match.players, match.state
    check_board(check, words, state)
    for method in (words.opening, words.position, words.status, words.turn, words.prompt):
        check.call(method, state, names)
    check.call(words.label, state, move)
    check_steps(check, words, state)
    check.call(words.fields, state)
    check.call(words.moved, state, move, after.state, names)
    outcome = check.game.outcome(after.state)
    if outcome is not None:
        check.call(words.ending, after.state, outcome, names)
        check.call(words.fields, after.state)


def check_steps(check: Checker, words: Words[Any], state: Any) -> None:
    """Every move has a short text, and leads to a place on the line that shows it."""
    moves, at = check.game.moves(state), f"at {brief(state, 100)}"
    for move in moves:
        check.call(words.step, state, move)
    check.call(words.marks)
    for line in check.call(number_lines, words, state):
        shown = range(line.low, line.high + 1)
        check.must(line.value in shown, f"{line.name} is not on its number line {at}")
        for target in line.targets:
            legal = target.reason is None
            check.must(legal == (target.move in moves), f"{target.move!r} is misplaced {at}")
            check.must(target.number in shown, f"{target.move!r} leads off the number line {at}")


def check_board(check: Checker, words: Words[Any], state: Any) -> None:
    """Every move that belongs to a cell belongs to a cell of the board."""
    check.call(words.board, state)
    for move in check.game.moves(state):
        check.call(words.cell, state, move)
    check.ask(words.moves_by_cell, state, check.game.moves(state))
