"""The questions a solver process answers, each with a document; moves are strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from zerosum.coach.verdicts import judge
from zerosum.pictures.motif import motif_of
from zerosum.players.levels import accepts_draw, check_level, choose_move, needs_solution
from zerosum.solver.solution import Solution
from zerosum.states import read_state
from zerosum.web.analysis import rules
from zerosum.web.analysis.budget import TooHard
from zerosum.web.analysis.documents import Document, judged_of, standing_of, unknown
from zerosum.web.analysis.positions import map_svg, position, theory
from zerosum.web.analysis.puzzles import answer, puzzle
from zerosum.web.analysis.review import review
from zerosum.web.analysis.solutions import here
from zerosum.wording.words import MOST_LISTED

Kind = Literal["match", "player", "page", "rules"]


def advice(game: str, options: Document, state: Any) -> Document:
    """Return what a position is worth, what to play, and why."""
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


def motif(game: str) -> str:
    """Draw the picture on a game's card."""
    return motif_of(here().game(game, {}))


def prepare(game: str, options: Document, level: str) -> bool:
    """Solve what a level needs, so that it fails before the game and not during it."""
    _solution(game, options, level)
    return True


def bot_move(game: str, options: Document, level: str, state: Any, seed_text: str) -> str:
    """Choose a move for a level; the seed is that of `seed_at`."""
    solution = _solution(game, options, level)
    made = here().game(game, options)
    return str(choose_move(made, level, read_state(made, state), seed_text, solution))


def agrees(game: str, options: Document, level: str, state: Any) -> bool:
    """Return whether the bot, which is not to move, accepts a draw."""
    solution = _solution(game, options, level)
    return accepts_draw(level, read_state(here().game(game, options), state), solution)


def _solution(game: str, options: Document, level: str) -> Solution[Any] | None:
    """Return the solution, if the level needs one."""
    made = here().game(game, options)
    if not needs_solution(check_level(level)):
        return None
    try:
        return here().coach(made).solution
    except TooHard as error:
        raise TooHard(f"Only the random level can play this variant. {error}") from error


# The questions by what waits for the answer, the most urgent first: a match, a player, or someone
# who only looks. Questions about rules alone have a process of their own.
KINDS: dict[Kind, tuple[Callable[..., Any], ...]] = {
    "match": (bot_move, agrees),
    "player": (advice, answer, prepare),
    "page": (map_svg, position, puzzle, review, theory),
    "rules": (
        motif,
        rules.first_position,
        rules.looked,
        rules.played,
        rules.replayed,
    ),
}
QUESTIONS = {question.__name__: question for kind in KINDS.values() for question in kind}
KIND_OF = {question.__name__: kind for kind, questions in KINDS.items() for question in questions}
