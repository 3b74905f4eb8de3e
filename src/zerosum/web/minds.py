"""The questions that a thinker answers, each with a plain document; numbers are texts in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.coach.advice import GLYPHS, Coach, from_now, spoken
from zerosum.coach.review import verdicts
from zerosum.game import Value, read_state
from zerosum.players import seated
from zerosum.players.levels import check_level
from zerosum.solve.solution import Solution
from zerosum.web.budget import TooHard
from zerosum.web.shelf import here
from zerosum.wording import MOST_LISTED

# The largest whole number that JavaScript can hold.
LARGEST = 2**53 - 1
Document = dict[str, Any]


def unknown(error: Exception) -> Document:
    """Say that there is no exact value, and why."""
    return {"exact": False, "reason": str(error)}


def value_of(value: Value) -> Document:
    """Write a value down; a length that no browser could hold is in its text only."""
    plies = value.plies if value.plies is None or value.plies <= LARGEST else None
    text = spoken(value)
    return {"result": value.result, "plies": plies, "glyph": GLYPHS[value.result], "text": text}


def advice(game: str, options: Document, state: Any) -> Document:
    """Tell what a position is worth, what to play, and why."""
    made = here().game(game, options)
    at = read_state(made, state)
    try:
        coach = here().coach(made)
    except TooHard as error:
        return unknown(error)
    return {
        "exact": True,
        "value": value_of(coach.solution.value(at)),
        "standing": coach.standing(at),
        "hint": coach.hint(at),
        "why": coach.why(at)[1:],
        **_moves(coach, at),
    }


def _moves(coach: Coach, state: Any) -> Document:
    """Tell what each move is worth, the first hundred of them."""
    judged = verdicts(coach.solution, state)
    shown = list(judged.items())[:MOST_LISTED]
    moves = [
        {
            "move": str(move),
            "value": value_of(from_now(one.value)),
            "best": one.best,
            "verdict": one.label,
            "word": one.word,
        }
        for move, one in shown
    ]
    return {"moves": moves, "more": len(judged) - len(shown)}


def prepare(game: str, options: Document, level: str) -> bool:
    """Solve what a level needs, so that it is refused before the game and not in it."""
    _solution(game, options, level)
    return True


def bot_move(game: str, options: Document, level: str, state: Any, seed_text: str) -> int:
    """Choose a move for a level; the text is the place in the match (seated.place_in)."""
    solution = _solution(game, options, level)
    made = here().game(game, options)
    return seated.chosen(made, level, read_state(made, state), seed_text, solution)


def agrees(game: str, options: Document, level: str, state: Any) -> bool:
    """Tell whether the program that is not to move takes a draw."""
    solution = _solution(game, options, level)
    return seated.agrees(level, read_state(here().game(game, options), state), solution)


def _solution(game: str, options: Document, level: str) -> Solution | None:
    """Give what a level has to know, if it has to know anything."""
    made = here().game(game, options)
    if not seated.needs_solution(check_level(level)):
        return None
    try:
        return here().coach(made).solution
    except TooHard as error:
        raise TooHard(f"Only the random level can play this. {error}") from error


QUESTIONS: dict[str, Callable[..., Any]] = {
    one.__name__: one for one in (advice, prepare, bot_move, agrees)
}
