"""The documents of what can be explored: any position of a game, its map, its law."""

from __future__ import annotations

import json
from typing import Any

from zerosum.coach.advice import Coach
from zerosum.coach.review import judge
from zerosum.errors import NotSolved, ZerosumError
from zerosum.match import NAMES
from zerosum.pictures.values import map_svg as draw
from zerosum.pictures.values import map_text
from zerosum.protocol import Game, Outcome
from zerosum.states import largest, read_state
from zerosum.text import brief, short
from zerosum.web.budget import NoPosition, TooHard
from zerosum.web.documents import (
    Document,
    judged_of,
    shown,
    standing_of,
    text_of,
    unknown,
    value_of,
)
from zerosum.web.shelf import here, key_of
from zerosum.wording import MOST_LISTED, Words, words_of

LONGEST_STATE = 20_000
LARGEST_NUMBER = 10**100
LONGEST_TUPLE = 400
LONGEST_TEXT = 40
DEEPEST = 5
# Whether a law's position can be reached is found out by going there, if that is not far.
MOST_WALKED, FARTHEST = 4000, 10**6
OUTSIDE = "No game from this start comes to this position; its value is what the rules give it."
PERHAPS = "Whether a game from this start comes to this position is not known."


def position(game: str, options: Document, state: Any = None) -> Document:
    """Tell what a position is worth and what its moves lead to; by default, the first one."""
    made = here().game(game, options)
    at = made.initial() if state is None else read_position(made, state)
    try:
        coach = here().coach(made)
    except TooHard as error:
        return {**unknown(error), **_examined(made, at, None), "note": None}
    if state is not None:
        _known(coach, at)
    return {**_examined(made, at, coach), **standing_of(coach, at), "note": _note(coach, at)}


def _examined(game: Game[Any], state: Any, coach: Coach[Any] | None) -> Document:
    """Show a position and its moves; whoever made the rules may not have foreseen it."""
    words = words_of(game)
    try:
        outcome = game.outcome(state)
        moves, more = _moves(words, state, coach)
        return {
            **shown(words, state, NAMES),
            "mover": state.player,
            "over": None if outcome is None else _over(outcome),
            "value": None,
            "standing": "",
            "why": [],
            "moves": moves,
            "more": more,
            "refused": [] if outcome else words.refused(state),
        }
    except ZerosumError:
        raise
    except Exception as error:
        raise _unanswered(state) from error


def _over(outcome: Outcome) -> str:
    """Say who has won, or that nobody has, and why."""
    who = "Draw" if outcome.winner is None else f"{NAMES[outcome.winner]} has won"
    return f"{who}: {outcome.reason}."


def _moves(words: Words[Any], state: Any, coach: Coach[Any] | None) -> tuple[list[Document], int]:
    """List the moves, the first hundred of them, with their values where there are any."""
    game = words.game
    moves = game.moves(state)
    judged = {} if coach is None else judge(coach.solution, state)
    listed = [
        {
            **judged_of(move, judged.get(move)),
            "label": short(words.label(state, move)),
            "to": text_of(game.play(state, move)),
        }
        for move in moves[:MOST_LISTED]
    ]
    return listed, len(moves) - len(listed)


def _known(coach: Coach[Any], state: Any) -> None:
    """Refuse what has no value because it is not a position of this game."""
    try:
        coach.solution.value(state)
    except NotSolved as error:
        where = short(text_of(state))
        raise NoPosition(f"No game from this start comes to the position {where}.") from error
    except ZerosumError as error:
        raise NoPosition(str(error)) from error
    except Exception as error:
        raise _unanswered(state) from error


def _unanswered(state: Any) -> NoPosition:
    """Refuse a position that whoever made the rules has not foreseen."""
    return NoPosition(f"The rules have no answer for {brief(state, 80)}.")


def _note(coach: Coach[Any], state: Any) -> str | None:
    """Say so where a law knows a position that no game comes to."""
    game = coach.game
    if coach.solution.solved is not None:
        return None  # a table has nothing else
    reached = here().text(("reached", key_of(game)), lambda: _reached(game))
    if reached is None:
        return None if state == game.initial() else PERHAPS
    return None if state in reached else OUTSIDE


def _reached(game: Game[Any]) -> set[Any] | None:
    """Gather all positions that a game from the start can come to, if they are few."""
    first = game.initial()
    if largest(first) > FARTHEST:
        return None
    states, seen = [first], {first}
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in seen:
                seen.add(after)
                states.append(after)
        if len(states) > MOST_WALKED:
            return None
    return seen


def read_position(game: Game[Any], data: Any) -> Any:
    """Make a state of what anybody sent, or refuse it; whether it has a value is seen later.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> read_position(EvenSteven(), "[7, 1]")
    State(number=7, player=1)
    >>> read_position(EvenSteven(), [7, 1, 0])
    Traceback (most recent call last):
    ...
    zerosum.web.budget.NoPosition: A position of this game looks like [15,0].
    """
    first = game.initial()
    if isinstance(data, str):
        data = _parsed(data)
    wrong = NoPosition(f"A position of this game looks like {short(text_of(first))}.")
    if not isinstance(data, list) or len(data) != len(first) or not _sound(data, DEEPEST):
        raise wrong
    state = read_state(game, data)
    if state.player not in (0, 1):
        raise wrong
    return state


def _parsed(text: str) -> Any:
    """Read the JSON of a state."""
    try:
        return json.loads(text) if len(text) <= LONGEST_STATE else None
    except (ValueError, RecursionError):
        return None


def _sound(value: Any, deep: int) -> bool:
    """Tell whether a value may stand in a state, and is of a size that anybody needs."""
    if isinstance(value, list):
        few = deep > 0 and len(value) <= LONGEST_TUPLE
        return few and all(_sound(part, deep - 1) for part in value)
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT and value.isprintable()
    return value is None or (type(value) is int and abs(value) < LARGEST_NUMBER)


def map_svg(game: str, options: Document) -> str:
    """Draw the map of a variant's values."""
    made = here().game(game, options)
    return here().text(("map", key_of(made)), lambda: draw(here().coach(made).solution))


def theory(game: str, options: Document) -> Document:
    """Tell the law of a variant, and what its map shows, in words."""
    made = here().game(game, options)
    try:
        coach = here().coach(made)
    except TooHard as error:
        return {**unknown(error), "theory": "", "text": [], "value": None}
    text = here().text(("words", key_of(made)), lambda: map_text(coach.solution, plain=True))
    value = value_of(coach.solution.value(made.initial()))
    return {"exact": True, "theory": coach.statement, "text": text.split("\n"), "value": value}
