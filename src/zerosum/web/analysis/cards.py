"""How a newcomer meets a game: its card, its lessons, and who begins."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import asdict

import zerosum
from zerosum.coach.advice import Coach
from zerosum.coach.introduction import Lesson, correction, introduction, why_second
from zerosum.pictures.position_svg import drawn_position, drawn_start
from zerosum.protocol import Game
from zerosum.text import short
from zerosum.web.analysis.referee import Document, move_texts
from zerosum.web.analysis.solutions import TooHard, solutions
from zerosum.wording.words import title_of, words_of

TRIED = "even-steven"


def card(game: Game[Any]) -> Document:
    """Return the goal of a game, and a picture of its first position."""
    return {"goal": short(words_of(game).goal()), "picture": drawn_start(game)}


def lessons(game: Game[Any]) -> list[Document]:
    """Return the introduction of a game: positions, with an answer to every move."""
    coach = solutions().coach(game)
    return [_lesson(coach, lesson) for lesson in introduction(coach)]


@cache
def trial() -> Document:
    """Return a lesson of the simplest game, whose theory gives the values at once."""
    game = zerosum.game(TRIED)
    coach = Coach(zerosum.solve(game), typed=False)
    about = {"game": TRIED, "title": title_of(game), "goal": coach.words.goal()}
    return {**about, **_lesson(coach, introduction(coach)[1])}


def _lesson(coach: Coach[Any], lesson: Lesson[Any]) -> Document:
    """Return a position, what to find in it, and what is said about each move."""
    words, state = coach.words, lesson.state
    moves = []
    for move in coach.game.moves(state):
        right = move == lesson.answer
        said = f"Right! {lesson.reason}" if right else correction(coach, lesson, move)
        moves.append({**asdict(move_texts(words, state, move)), "right": right, "said": said})
    picture = drawn_position(words, state)
    fields = [
        _stated(title.lower(), short(str(value)), seat, state.player, kind)
        for _, title, value, seat, kind in words.fields(state)
        if seat is not None or not picture
    ]
    return {"task": lesson.task, "picture": picture, "fields": fields, "moves": moves}


def _stated(title: str, value: str, seat: int | None, mover: int, kind: str) -> str:
    """State a field of a position as a sentence to the player to move.

    >>> _stated("lives", "1", 0, 1, "lives"), _stated("number", "20", 1, 1, "number")
    ('They have 1 ♥.', 'Your number is 20.')
    """
    if seat is None:
        return f"The {title} is {value}."
    if kind == "lives":
        return f"{'You' if seat == mover else 'They'} have {value} ♥."
    return f"{'Your' if seat == mover else 'Their'} {title} is {value}."


def first_seat(game: Game[Any]) -> tuple[int, str]:
    """Return the seat from which a newcomer can win, and why, if it is not the one that begins."""
    try:
        solution = solutions().bots(game, "hard")
        reason = why_second(solution) if solution.is_whole else ""
    except TooHard:
        reason = ""
    return int(reason != ""), reason
