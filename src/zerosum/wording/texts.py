"""A game in plain text: its page of rules, its goal, a position, an answer."""

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache
from typing import Any

from zerosum.errors import UnreadableMove
from zerosum.options import options_of, written
from zerosum.protocol import Game, Move, S, check_move, read_move
from zerosum.text import plain_name, printable, visible
from zerosum.wording.hooks import LONGEST_GOAL
from zerosum.wording.words import MOST_LISTED, how_it_ended, title_of, words_of

SEATS = ("First player", "Second player")
WHO_WINS = re.compile(r"\b(wins?|loses?|winner|loser)\b", re.IGNORECASE)
# A line such as MOVE: 3, perhaps in Markdown's bold letters or quotes.
MARKED = re.compile(r"^[ \t>*_`]*MOVE[ \t*_`]*:[ \t*_`]*(.*?)[ \t*_`.]*$", re.MULTILINE)
# What is only for those who type: whole lines between two of its own, or a part of a line.
TYPED = re.compile(r"^\{typed:\n(.*?)^\}\n|\{typed:(.*?)\}", re.DOTALL | re.MULTILINE)
# From here on, a rule book is about options and typing.
NOT_RULES = re.compile(r"^## (Variations|How we read the rules)$.*", re.MULTILINE | re.DOTALL)


def rulebook_of(game: Game[Any], typed: bool = True) -> str:
    """Return a game's page for players: its rulebook.md, or its docstrings and options.

    In a rulebook.md, {options} is replaced by the list of the game's options, and what stands in
    {typed:…} is for those who type, at a terminal.
    """
    options = "\n".join(
        f"- {f'`--{option.flag}`' if typed else plain_name(option.name).capitalize()}: "
        f"{option.about or 'an option'} (default: {written(option.default)})."
        for option in options_of(game)
    )
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if file and type(game).__module__.endswith(".rules"):
        page = os.path.join(os.path.dirname(file), "rulebook.md")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as text:
                book = TYPED.sub(r"\1\2" if typed else "", text.read())
            return visible(book.replace("{options}", options))
    lines = [f"# {title_of(game)}"]
    for doc in dict.fromkeys((_docstring(game), getattr(module, "__doc__", None))):
        if doc:
            lines += ["", "\n".join(line.strip() for line in doc.strip().splitlines())]
    if options:
        lines += ["", "## Variations", "", options]
    return visible("\n".join(lines) + "\n")


def summary_of(game: Game[Any]) -> str:
    """Return the first paragraph of a game's rule book: what the game is."""
    paragraphs = rulebook_of(game).split("\n\n")
    first = next((part for part in paragraphs if not part.startswith(("#", "-"))), "")
    return " ".join(first.split())


@lru_cache(maxsize=256)
def goal_of(game: Game[Any]) -> str:
    """Return the sentence about a game that says who wins or loses, or else the first one.

    It is taken from the game's docstring, or else from its rule book.

    >>> import zerosum
    >>> goal_of(zerosum.game("docs/examples/last_stick.py"))
    'Take one, two or three sticks; whoever takes the last one loses.'
    """
    sentences = sentences_of(game)
    telling = (s for s in sentences if WHO_WINS.search(s) and len(s) <= LONGEST_GOAL)
    goal = next(telling, sentences[0])
    return goal if len(goal) <= LONGEST_GOAL else f"{goal[: LONGEST_GOAL - 1]}…"


def sentences_of(game: Game[Any]) -> list[str]:
    """List the sentences of a game's docstring, or else of its rule book's first paragraph."""
    text = " ".join(_docstring(game).split()) or summary_of(game)
    found = [printable(part.strip()) for part in re.findall(r".+?[.!?](?=\s|$)", text)]
    return found or [printable(text)]


def _docstring(game: Game[Any]) -> str:
    """Return the docstring of a game, or an empty string."""
    doc = type(game).__doc__ or ""
    # A dataclass without a docstring gets its own signature for one.
    return "" if doc.startswith(f"{type(game).__name__}(") else doc


def describe(game: Game[S], state: S) -> str:
    """Describe a position in full: what it is, who is to move, and every legal move.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits", start=3)
    >>> print(describe(game, game.play(game.initial(), 1)))
    Number: 2
    Just subtracted: 1
    Second player to move.
    Legal moves:
    2: Subtract 2, leaving 0
    """
    words, outcome = words_of(game), game.outcome(state)
    lines = words.lines(state, SEATS)
    if outcome is not None:
        ended = how_it_ended(outcome.winner, words.reason(state, outcome, SEATS), SEATS)
        return "\n".join([*lines, f"The game is over. {ended}"])
    moves = game.moves(state)
    lines += [f"{SEATS[state.player]} to move.", "Legal moves:"]
    lines += [words.named(state, move) for move in moves[:MOST_LISTED]]
    if len(moves) > MOST_LISTED or not game.lists_all(state):
        lines.append("There are more.")
    return "\n".join(lines)


def rules_text(game: Game[Any]) -> str:
    """Return the rules of a variant, without how to choose another one or what to type.

    >>> import zerosum
    >>> print(rules_text(zerosum.game("docs/examples/last_stick.py", start=9)))
    # Last Stick
    <BLANKLINE>
    Take one, two or three sticks; whoever takes the last one loses.
    <BLANKLINE>
    ## This game
    <BLANKLINE>
    - start: 9 (sticks at the start)
    """
    lines = [NOT_RULES.sub("", rulebook_of(game, typed=False)).strip()]
    options = options_of(game)
    if options:
        lines += ["", "## This game", ""]
    for option in options:
        about = f" ({option.help})" if option.help else ""
        value = written(getattr(game, option.name))
        lines.append(f"- {plain_name(option.name)}: {value}{about}")
    return "\n".join(lines)


def read_answer(game: Game[S], state: S, text: str) -> Move:
    r"""Return the move of the last line in an answer that is marked, such as MOVE: 3.

    Nothing is guessed from other words. An answer without such a line, or with something other
    than a move in it, is an UnreadableMove; a move that is not legal is an IllegalMove.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> read_answer(game, game.initial(), "MOVE: 1 loses at once. So:\nMOVE: 4")
    4
    >>> read_answer(game, game.initial(), "I subtract 4.")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnreadableMove: The answer has no line with a move, such as MOVE: 1.
    """
    marked = MARKED.findall(text)
    if not marked:
        example = next(iter(game.moves(state)), 1)
        raise UnreadableMove(f"The answer has no line with a move, such as MOVE: {example}.")
    return check_move(game, state, read_move(game, state, marked[-1]))
