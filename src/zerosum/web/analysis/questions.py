"""The questions a solver process answers, each with a document; moves are strings.

They are asked with the name and the options of a game, and a state as JSON has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from zerosum.coach.verdicts import judge
from zerosum.pictures.motif import motif_of
from zerosum.players.levels import accepts_draw, check_level, choose_move, needs_solution
from zerosum.protocol import Game
from zerosum.solver.solution import Solution
from zerosum.web.analysis import rules
from zerosum.web.analysis.answers import TooHard
from zerosum.web.analysis.documents import Document, judged_of, standing_of, unknown
from zerosum.web.analysis.positions import map_svg, position, theory
from zerosum.web.analysis.puzzles import answer, puzzle
from zerosum.web.analysis.review import review
from zerosum.web.analysis.solutions import solutions
from zerosum.wording.words import MOST_LISTED

Kind = Literal["match", "player", "page", "rules", "replay"]


def advice(game: Game[Any], state: Any) -> Document:
    """Return what a position is worth, what to play, and why."""
    try:
        coach = solutions().coach(game)
    except TooHard as error:
        return unknown(error)
    judged = list(judge(coach.solution, state).items())
    return {
        **standing_of(coach, state),
        "hint": coach.hint(state),
        "moves": [judged_of(*move) for move in judged[:MOST_LISTED]],
        "more": len(judged[MOST_LISTED:]),
    }


def prepare(game: Game[Any], level: str) -> bool:
    """Solve what a level needs, so that it fails before the game and not during it."""
    _solution(game, level)
    return True


def bot_move(game: Game[Any], level: str, state: Any, seed_text: str) -> str:
    """Choose a move for a level; the seed is that of `seed_at`."""
    return str(choose_move(game, level, state, seed_text, _solution(game, level)))


def agrees(game: Game[Any], level: str, state: Any) -> bool:
    """Return whether the bot, which is not to move, accepts a draw."""
    return accepts_draw(level, state, _solution(game, level))


def _solution(game: Game[Any], level: str) -> Solution[Any] | None:
    """Return the solution, if the level needs one."""
    if not needs_solution(check_level(level)):
        return None
    try:
        return solutions().coach(game).solution
    except TooHard as error:
        raise TooHard(f"Only the random level can play this variant. {error}") from error


# The questions by what waits for the answer, the most urgent first: a match, a player, or someone
# who only looks. Questions about rules alone have a process of their own.
KINDS: dict[Kind, tuple[Callable[..., Any], ...]] = {
    "match": (bot_move, agrees),
    "player": (advice, answer, prepare),
    "page": (map_svg, position, puzzle, review, theory),
    "rules": (motif_of, rules.first_position, rules.look_and_label, rules.play_and_look),
    "replay": (rules.replay,),
}
QUESTIONS = {question.__name__: question for kind in KINDS.values() for question in kind}
KIND_OF = {question.__name__: kind for kind, questions in KINDS.items() for question in questions}
