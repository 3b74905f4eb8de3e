"""Sentences of the terminal about a match: who plays, how it stands, what the computer played."""

from __future__ import annotations

from typing import Any

from zerosum.match import Match
from zerosum.protocol import Move
from zerosum.text import counted, score, short
from zerosum.wording.words import Names, Words, title_of, words_of

# The verbs that labels usually begin with, as they are used to report a move.
THIRD_PERSON = {
    "Add": "adds",
    "Divide": "divides",
    "Move": "moves",
    "Multiply": "multiplies",
    "Place": "places",
    "Remove": "removes",
    "Subtract": "subtracts",
    "Take": "takes",
}


def position_of(words: Words[Any], state: Any, names: Names) -> str:
    """Describe a position in a sentence, unless it has a board, which is drawn at its turn."""
    return "" if words.board(state) is not None else f"{short(words.position(state, names))}."


def summary_of_match(match: Match[Any]) -> str:
    """Describe who plays what, and how far a match has come."""
    text = f"{title_of(match.game)}, {' against '.join(match.players)}"
    if match.games > 1:
        text += f", game {match.number} of {match.games}, {score(match.score)}"
    position = position_of(words_of(match.game), match.state, match.seated)
    return f"{text}, after {counted(match.ply, 'move')}. {position}".rstrip()


def computer_move(words: Words[Any], name: str, state: Any, move: Move) -> str:
    """Report a move of the computer in a sentence, made from its label.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> computer_move(words_of(game), "Computer", game.initial(), 3)
    'Computer subtracts 3, leaving 22.'
    """
    label = words.label(state, move)
    verb, _, rest = label.partition(" ")
    if verb in THIRD_PERSON:
        return short(f"{name} {THIRD_PERSON[verb]} {rest}.")
    effect = "" if label == str(move) else f": {label[:1].lower()}{label[1:]}"
    return short(f"{name} plays {move}{effect}.")


def bot_name(level: str) -> str:
    """Name a bot after its level."""
    return f"Computer ({level})"
