"""How a newcomer meets a game: its card, its lessons, and who begins."""

from __future__ import annotations

from functools import cache
from typing import Any

import zerosum
from zerosum.coach.advice import Coach
from zerosum.coach.introduction import Lesson, correction, first_game, introduction
from zerosum.pictures.position_svg import drawn_position, drawn_start
from zerosum.protocol import Game
from zerosum.text import short
from zerosum.web.analysis.rules import Document, move_texts
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
    coach = Coach(zerosum.solve(game))
    about = {"game": TRIED, "title": title_of(game), "goal": coach.words.goal()}
    return {**about, **_lesson(coach, introduction(coach)[1])}


def _lesson(coach: Coach[Any], lesson: Lesson[Any]) -> Document:
    """Return a position, what to find in it, and what is said of each move."""
    words, state = coach.words, lesson.state
    moves = []
    for move in coach.game.moves(state):
        right = move in lesson.answers
        said = f"Right! {lesson.reason}" if right else correction(coach, lesson, move)
        moves.append({**move_texts(words, state, move), "right": right, "said": said})
    names = ("You", "They") if state.player == 0 else ("They", "You")
    picture = drawn_position(words, state)
    fields = [
        f"{f'{names[seat]}: ' if seat is not None else ''}{title.lower()} {short(str(value))}"
        for _, title, value, seat, _ in words.fields(state)
        if seat is not None or not picture
    ]
    return {"task": lesson.task, "picture": picture, "fields": fields, "moves": moves}


def first_seat(game: Game[Any]) -> tuple[int, str]:
    """Return the seat from which a newcomer can win, and why, if it is not the one that begins."""
    try:
        seat, reason = first_game(solutions().coach(game).solution)
    except TooHard:
        return 0, ""
    return seat, reason
