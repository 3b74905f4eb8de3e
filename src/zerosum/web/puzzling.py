"""The documents of puzzles: the same as in the terminal, without and with their answers."""

from __future__ import annotations

from random import Random

from zerosum.coach.puzzles import (
    GRADES,
    Puzzle,
    none_left,
    pick_among,
    puzzles,
    refuted,
    sources,
    task,
)
from zerosum.game import IllegalMove, ZerosumError, brief, variant_of, written
from zerosum.match import NAMES
from zerosum.pictures.words import unusual
from zerosum.registry import entry_of, title_of
from zerosum.web.budget import NoPuzzle
from zerosum.web.documents import Document, shown, value_of
from zerosum.web.shelf import here
from zerosum.wording import Wording, short


def puzzle(games: list[str], grade: str | None, seen: list[str], seed_text: str) -> Document:
    """Set a puzzle of one of these games that is not among those seen; never with its answer.

    A puzzle that was seen is named by its id, or by what comes after its last hyphen: of hundreds
    only that fits into an address.
    """
    if grade not in (None, *GRADES):
        raise NoPuzzle(f"There is no grade '{brief(grade)}'; there are {', '.join(GRADES)}.")
    found = _found(games)
    everything = [one for some in found.values() for one in some]
    names = set(seen)
    done = {one.id for one in everything if names & {one.id, one.id.rpartition("-")[2]}}
    rng = Random(seed_text)  # noqa: S311
    one = pick_among(list(found), found.__getitem__, done, rng, grade)
    if one is None:
        return {"none": none_left(everything, grade)}
    alike = [other for other in everything if grade in (None, other.grade)]
    words = Wording(one.game)
    return {
        "id": one.id,
        "game": entry_of(one.game).name,
        "title": title_of(one.game),
        "options": {name: written(value) for name, value in variant_of(one.game).items()},
        "variant": ", ".join(unusual(one.game)),
        "grade": one.grade,
        "missed": {level: round(chance, 4) for level, chance in one.missed.items()},
        **shown(words, one.state, NAMES),
        "mover": one.state.player,
        "task": task(one),
        "moves": [
            {"move": str(move), "label": short(words.label(one.state, move))}
            for move in one.game.moves(one.state)
        ],
        "count": len(alike),
        "left": sum(other.id not in done for other in alike),
    }


def answer(id: str, move: int | None) -> Document:  # noqa: A002 (what the document calls it)
    """Judge the answer to a puzzle; without a move, give it away."""
    one = _named(id)
    coach = here().coach(one.game)
    if move is None:
        told = [coach.hint(one.state), *coach.why(one.state)]
        return {**_solved(one, False), "text": told[0], "why": told[1:]}
    objection = one.game.objection(one.state, move)
    if objection is not None:
        raise IllegalMove(objection)
    if move == one.answer:
        return {**_solved(one, True), "text": "Right!", "why": coach.why(one.state)[1:]}
    value = value_of(coach.solution.after(one.state, move))
    text = refuted(coach.solution, one, move)
    return {"right": False, "answer": None, "value": value, "text": text, "why": []}


def _solved(one: Puzzle, right: bool) -> Document:
    """Name the answer of a puzzle, and what it is worth."""
    return {"right": right, "answer": str(one.answer), "value": value_of(one.value)}


def _found(names: list[str]) -> dict[str, list[Puzzle]]:
    """Find the puzzles of some games; of several, those that have none are left out."""
    found = {}
    for name in names:
        try:
            found[name] = _of(name)
        except ZerosumError:
            if len(names) == 1:
                raise
    if not any(found.values()):
        raise NoPuzzle(f"{' and '.join(names)}: no position has exactly one good move.")
    return found


def _of(name: str) -> list[Puzzle]:
    """Find the puzzles of a game, once."""
    kept = here().puzzles
    if name not in kept:
        file = here().files.get(name)
        here().entry(name)
        variants = sources(name if file is None else file.path)
        kept[name] = [one for game in variants for one in puzzles(here().coach(game).solution)]
    return kept[name]


def _named(id: str) -> Puzzle:  # noqa: A002
    """Find a puzzle by its name."""
    name = id.rpartition("-")[0]
    found = _of(name) if name in here().names() else []
    for one in found:
        if one.id == id:
            return one
    raise NoPuzzle(f"There is no puzzle '{brief(id)}'.")
