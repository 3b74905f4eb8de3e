"""The questions that a thinker answers, each with a plain document; moves are texts in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.coach.review import judge
from zerosum.players import seated
from zerosum.players.levels import check_level
from zerosum.solver.solution import Solution
from zerosum.states import read_state
from zerosum.web.budget import TooHard
from zerosum.web.documents import Document, judged_of, standing_of, unknown
from zerosum.web.exploring import map_svg, position, theory
from zerosum.web.puzzling import answer, puzzle
from zerosum.web.reviewing import review
from zerosum.web.shelf import here
from zerosum.wording import MOST_LISTED

__all__ = [
    "QUESTIONS",
    "advice",
    "agrees",
    "answer",
    "bot_move",
    "map_svg",
    "position",
    "prepare",
    "puzzle",
    "review",
    "theory",
]


def advice(game: str, options: Document, state: Any) -> Document:
    """Tell what a position is worth, what to play, and why."""
    made = here().game(game, options)
    at = read_state(made, state)
    try:
        coach = here().coach(made)
    except TooHard as error:
        return unknown(error)
    judged = list(judge(coach.solution, at).items())
    return {
        **standing_of(coach, at),
        "hint": coach.hint(at),
        "moves": [judged_of(*move) for move in judged[:MOST_LISTED]],
        "more": len(judged[MOST_LISTED:]),
    }


def prepare(game: str, options: Document, level: str) -> bool:
    """Solve what a level needs, so that it is refused before the game and not in it."""
    _solution(game, options, level)
    return True


def bot_move(game: str, options: Document, level: str, state: Any, seed_text: str) -> str:
    """Choose a move for a level; the text is the place in the match (seated.place_in)."""
    solution = _solution(game, options, level)
    made = here().game(game, options)
    return str(seated.chosen(made, level, read_state(made, state), seed_text, solution))


def agrees(game: str, options: Document, level: str, state: Any) -> bool:
    """Tell whether the program that is not to move takes a draw."""
    solution = _solution(game, options, level)
    return seated.agrees(level, read_state(here().game(game, options), state), solution)


def _solution(game: str, options: Document, level: str) -> Solution[Any] | None:
    """Give what a level has to know, if it has to know anything."""
    made = here().game(game, options)
    if not seated.needs_solution(check_level(level)):
        return None
    try:
        return here().coach(made).solution
    except TooHard as error:
        raise TooHard(f"Only the random level can play this variant. {error}") from error


QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        *(advice, agrees, answer, bot_move, theory),
        *(map_svg, position, prepare, puzzle, review),
    )
}
