"""How a newcomer meets a game: its card, its lesson, and who begins."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

import zerosum
from zerosum.coach.advice import Coach
from zerosum.coach.lesson import LessonStep, lesson, why_second
from zerosum.pictures.position_svg import drawn_position, drawn_start
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.text import short
from zerosum.web import answers
from zerosum.web.analysis.referee import Document, board, move_texts, text_of
from zerosum.web.analysis.solutions import TooHard, solutions
from zerosum.wording.words import MOST_LISTED, Words, title_of, words_of

TRIED = "even-steven"


def card(game: Game[Any]) -> Document:
    """Return the goal of a game, and a picture of its first position."""
    return {"goal": words_of(game).aim(), "picture": drawn_start(game)}


def game_lesson(game: Game[Any]) -> answers.GameLesson:
    """Return the lesson of a game, step by step, with an answer to every move; made once."""
    known = solutions().lessons
    if game not in known:
        steps = lesson(solutions().coach(game), solutions().coach)
        shown = [_step(step) for step in steps]
        known[game] = answers.GameLesson(entry_of(game).name, title_of(game), shown)
    return known[game]


@cache
def trial() -> Document:
    """Return a step of the lesson of the simplest game, whose theory gives the values at once."""
    game = zerosum.game(TRIED)

    def coach_of(variant: Game[Any]) -> Coach[Any]:
        return Coach(zerosum.solve(variant), typed=False)

    _, _, step, *_ = lesson(coach_of(game), coach_of)
    about = {"game": TRIED, "title": title_of(game), "goal": words_of(game).aim()}
    return {**about, "step": to_builtins(_step(step))}


def _step(step: LessonStep[Any]) -> answers.ShownStep:
    """Return a step with what is said about each move."""
    words, state = step.coach.words, step.state
    about = step.about
    return answers.ShownStep(
        kind=step.kind,
        title=step.title,
        text=step.text,
        about=None if about is None else _drawn(words, about),
        task=step.task,
        position=_drawn(words, state),
        moves=[
            answers.TriedMove(
                **asdict(move_texts(words, state, move)),
                right=move in step.right,
                said=step.said(move),
            )
            for move in words.game.moves(state)[:MOST_LISTED]
        ],
    )


def _drawn(words: Words[Any], state: Any) -> answers.DrawnPosition:
    """Return a position as a picture or a board, with what that does not show as sentences."""
    picture = drawn_position(words, state)
    fields = [
        _stated(title, short(str(value)), seat, state.player, kind)
        for name, title, value, seat, kind in sorted(
            words.fields(state), key=lambda field: field.seat == 1 - state.player
        )
        if not picture or name not in words.numbers.names or seat is not None
    ]
    shown = board(words, state, words.game.moves(state))
    return answers.DrawnPosition(text_of(state), fields, shown, picture)


def _stated(title: str, value: str, seat: int | None, mover: int, kind: str) -> str:
    """State a field of a position as a sentence to the player to move.

    >>> _stated("Lives", "1", 0, 1, "lives"), _stated("Number", "20", 1, 1, "number")
    ('They have 1 ♥.', 'Your number is 20.')
    """
    if seat is None:
        return f"{title}: {value}."
    if kind == "lives":
        return f"{'You' if seat == mover else 'They'} have {value} ♥."
    return f"{'Your' if seat == mover else 'Their'} {title.lower()} is {value}."


def first_seat(game: Game[Any]) -> tuple[int, str]:
    """Return the seat from which a newcomer can win, and why, if it is not the one that begins."""
    try:
        solution = solutions().bots(game, "hard")
        reason = why_second(solution) if solution.is_whole else ""
    except TooHard:
        reason = ""
    return int(reason != ""), reason
