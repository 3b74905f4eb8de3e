"""The documents of puzzles, the same as in the terminal, with and without answers."""

from __future__ import annotations

from random import Random
from typing import Any

from zerosum.coach.puzzles import (
    Puzzle,
    none_left,
    pick_among,
    puzzles,
    refuted,
    sources,
    task,
)
from zerosum.errors import ZerosumError
from zerosum.match import NAMES
from zerosum.options import option_values, written
from zerosum.registry import entry_of, games
from zerosum.registry.loading import raised_by_rules
from zerosum.text import brief, either, short
from zerosum.web.analysis.documents import Document, are_digits, shown, value_of
from zerosum.web.analysis.rules import legal_move
from zerosum.web.analysis.solutions import solutions
from zerosum.web.refusals import Refused
from zerosum.wording.words import changed_options, title_of, words_of


def puzzle(games: list[str], grade: str | None, seen: list[str], seed_text: str) -> Document:
    """Return an unseen puzzle of one of these games, without its answer.

    A seen puzzle is identified by its id or by the part after its last hyphen: the short form
    lets hundreds fit into an address.
    """
    found = _found(games)
    everything = [puzzle for some in found.values() for puzzle in some]
    names = set(seen)
    done = {p.id for p in everything if names & {p.id, p.id.rpartition("-")[2]}}
    rng = Random(seed_text)  # noqa: S311
    picked = pick_among(list(found), found.__getitem__, done, rng, grade)
    if picked is None:
        return {"none": none_left(everything, grade)}
    alike = [other for other in everything if grade in (None, other.grade)]
    game, state = picked.game, picked.state
    words = words_of(game)
    return {
        "id": picked.id,
        "game": entry_of(game).name,
        "title": title_of(game),
        "options": {name: written(value) for name, value in option_values(game).items()},
        "variant": ", ".join(changed_options(game)) or "default",
        "grade": picked.grade,
        "missed": {level: round(chance, 4) for level, chance in picked.missed.items()},
        **shown(words, state, NAMES),
        "task": task(picked),
        "moves": [
            {"move": str(move), "label": short(words.label(state, move))}
            for move in game.moves(state)
        ],
        "digits": are_digits(words),
        "count": len(alike),
        "left": sum(other.id not in done for other in alike),
    }


def answer(id: str, move: str | None) -> Document:  # noqa: A002 (what the document calls it)
    """Judge an answer as it was typed; without a move, reveal the answer."""
    asked = _named(id)
    game, state = asked.game, asked.state
    coach = solutions().coach(game)
    if move is None:
        return {**_solved(asked, False), "text": coach.hint(state), "why": coach.why(state)}
    chosen = legal_move(game, state, move)
    if chosen == asked.answer:
        return {**_solved(asked, True), "text": "Right!", "why": coach.why(state)[1:]}
    value = value_of(coach.solution.move_value(state, chosen))
    text = refuted(coach.solution, asked, chosen)
    return {"right": False, "answer": None, "value": value, "text": text, "why": []}


def _solved(asked: Puzzle[Any], right: bool) -> Document:
    """Return a puzzle's answer and what it is worth."""
    return {"right": right, "answer": str(asked.answer), "value": value_of(asked.value)}


def _found(names: list[str]) -> dict[str, list[Puzzle[Any]]]:
    """Return the puzzles of each game; among several, skip a game that fails."""
    found = {}
    for name in names:
        try:
            found[name] = _of(name)
        except Exception as error:
            # A game that fails must not end the puzzles of all others.
            if len(names) == 1 or not (isinstance(error, ZerosumError) or raised_by_rules(error)):
                raise
    if not any(found.values()):
        raise Refused("invalid", f"No position of {either(names)} has exactly one good move.")
    return found


def _of(name: str) -> list[Puzzle[Any]]:
    """Return the puzzles of a game, found once."""
    known, entry = solutions().puzzles, solutions().entry(name)
    if name not in known:
        known[name] = [
            puzzle
            for game in sources(entry.file or name)
            for puzzle in puzzles(solutions().coach(game).solution)
        ]
    return known[name]


def _named(id: str) -> Puzzle[Any]:  # noqa: A002
    """Return a puzzle by its id."""
    name = id.rpartition("-")[0]
    found = _of(name) if name in (*games(), *solutions().files) else []
    puzzle = next((puzzle for puzzle in found if puzzle.id == id), None)
    if puzzle is None:
        raise Refused("invalid", f"There is no puzzle '{brief(id)}'.")
    return puzzle
