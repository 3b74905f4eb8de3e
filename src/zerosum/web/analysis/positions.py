"""The documents behind Explore: any position of a game, its map, its theory."""

from __future__ import annotations

import json
from typing import Any

from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import judge
from zerosum.errors import NotSolved
from zerosum.match import NAMES
from zerosum.pictures.map_svg import map_svg as draw
from zerosum.pictures.map_text import map_text
from zerosum.protocol import Game, Outcome
from zerosum.states import Leaf, is_plain, largest, leaves, read_state, walk
from zerosum.text import short
from zerosum.web.analysis.budget import TooHard
from zerosum.web.analysis.documents import (
    Document,
    judged_of,
    shown,
    standing_of,
    text_of,
    unknown,
    value_of,
)
from zerosum.web.analysis.solutions import here
from zerosum.web.refusals import Refused
from zerosum.wording.words import MOST_LISTED, Words, words_of

LONGEST_STATE = 20_000
LARGEST_NUMBER = 10**100
MOST_PARTS = 2_000
LONGEST_TEXT = 40
DEEPEST = 5
# A theory also knows unreachable positions; reachability is checked by search if it is cheap.
MOST_WALKED, FARTHEST = 4000, 10**6
OUTSIDE = "This position cannot be reached from the start; its value still follows from the rules."
PERHAPS = "It is not known whether this position can be reached from the start."


def position(game: str, options: Document, state: Any = None) -> Document:
    """Return what a position is worth and where its moves lead; by default, the start."""
    made = here().game(game, options)
    at = made.initial() if state is None else read_position(made, state)
    known: Document = {"value": None, "standing": "", "why": [], "note": None}
    coach, reached = None, state is None
    try:
        coach = here().coach(made)
    except TooHard as error:
        known |= unknown(error)
    try:
        if coach is not None:
            known = {**standing_of(coach, at), "note": _note(coach, at)}
            reached = reached or known["note"] is None
        return {**_examined(made, at, coach), **known}
    except Exception as error:
        # Neither rules nor theory need foresee a position that no game reaches.
        if reached or isinstance(error, (MemoryError, Refused)):
            raise
        where, unsolved = short(text_of(at)), isinstance(error, NotSolved)
        fault = "cannot be reached from the start" if unsolved else "makes the rules fail"
        raise Refused("invalid", f"The position {where} {fault}.") from error


def _examined(game: Game[Any], state: Any, coach: Coach[Any] | None) -> Document:
    """Return a position and its moves."""
    words, outcome = words_of(game), game.outcome(state)
    moves, more = _moves(words, state, coach)
    return {
        **shown(words, state, NAMES),
        "mover": state.player,
        "over": None if outcome is None else _over(outcome),
        "moves": moves,
        "more": more,
        "refused": [] if outcome else words.refused(state),
    }


def _over(outcome: Outcome) -> str:
    """Say who won, or that it is a draw, and why."""
    who = "Draw" if outcome.winner is None else f"{NAMES[outcome.winner]} has won"
    return f"{who}: {outcome.reason}."


def _moves(words: Words[Any], state: Any, coach: Coach[Any] | None) -> tuple[list[Document], int]:
    """List the first hundred moves, with their values if known; count the others."""
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


def _note(coach: Coach[Any], state: Any) -> str | None:
    """Return a remark on a position that the theory knows but no game reaches."""
    game = coach.game
    if coach.solution.solved is not None:
        return None  # a solved table holds reachable positions only
    reached = here().text(game, "reached", lambda: _reached(game))
    if reached is None:
        return None if state == game.initial() else PERHAPS
    return None if state in reached else OUTSIDE


def _reached(game: Game[Any]) -> set[Any] | None:
    """Return all positions reachable from the start, or None if there are too many."""
    first = game.initial()
    if largest(first) > FARTHEST:
        return None
    reached = set(walk(game, limit=MOST_WALKED + 1))
    return reached if len(reached) <= MOST_WALKED else None


def read_position(game: Game[Any], data: Any) -> Any:
    """Read a state from untrusted data, or refuse it; whether it has a value is checked later.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> read_position(EvenSteven(), "[7, 1]")
    State(number=7, player=1)
    >>> read_position(EvenSteven(), [7, 1, 0])
    Traceback (most recent call last):
    ...
    zerosum.web.refusals.Refused: A position of this game looks like [15,0].
    """
    first = game.initial()
    if isinstance(data, str):
        data = _parsed(data)
    wrong = Refused("invalid", f"A position of this game looks like {short(text_of(first))}.")
    if type(data) is not list or len(data) != len(first) or not is_plain(data, list, DEEPEST):
        raise wrong
    state = read_state(game, data)
    parts = [leaf for _, leaf in leaves(state)]
    if state.player not in (0, 1) or len(parts) > MOST_PARTS or not all(map(_fits, parts)):
        raise wrong
    return state


def _parsed(text: str) -> Any:
    """Parse the JSON of a state."""
    try:
        return json.loads(text) if len(text) <= LONGEST_STATE else None
    except (ValueError, RecursionError):
        return None


def _fits(part: Leaf) -> bool:
    """Return whether a text is short and printable, or a number not too long."""
    if isinstance(part, str):
        return len(part) <= LONGEST_TEXT and part.isprintable()
    return part is None or abs(part) < LARGEST_NUMBER


def map_svg(game: str, options: Document) -> str:
    """Draw the map of a variant's values."""
    made = here().game(game, options)
    return here().text(made, "map", lambda: draw(here().coach(made).solution))


def theory(game: str, options: Document) -> Document:
    """Return the theory of a variant and its map, in words."""
    made = here().game(game, options)
    try:
        coach = here().coach(made)
    except TooHard as error:
        return {**unknown(error), "theory": "", "text": [], "value": None}
    text = here().text(made, "words", lambda: map_text(coach.solution, plain=True))
    value = value_of(coach.solution.value(made.initial()))
    return {"exact": True, "theory": coach.statement, "text": text.split("\n"), "value": value}
