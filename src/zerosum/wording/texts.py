"""A game in plain text: its rules, its goal, a position, an answer."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zerosum.errors import UnreadableMove
from zerosum.options import options_of, written
from zerosum.protocol import Game, Move, S, check_move, read_move
from zerosum.text import either, plain_name, printable, visible
from zerosum.wording.hooks import LONGEST_GOAL
from zerosum.wording.words import MOST_LISTED, how_it_ended, title_of, words_of

SEATS = ("First player", "Second player")
WHO_WINS = re.compile(r"\b(wins?|loses?|winner|loser)\b", re.IGNORECASE)
# A line such as MOVE: 3, perhaps quoted, listed, or in Markdown's bold letters.
MARKED = re.compile(r"^[ \t>#*_`-]*MOVE[ \t*_`]*[:：](.*)$", re.MULTILINE)
# What may stand around a move there.
AROUND = " \t\r*_`.,;!$\"'“”‘’«»()[]{}<>"
# A part of a rule book for some of its readers, whole lines or a part of
# one: {typed:…} and {book:…}, and for variants {if OPTION:…}, {unless OPTION:…}.
LINES = re.compile(r"^\{(\w+)(?: (\w+))?:\n(.*?)^\}\n", re.DOTALL | re.MULTILINE)
WITHIN = re.compile(r"\{(\w+)(?: (\w+))?:(.*?)\}", re.DOTALL)
# The value of an option in a rule book.
VALUE = re.compile(r"\{(\w+)\}")
# What is about options, and a heading without anything below it.
NOT_RULES = re.compile(
    r"^## Variations$.*?(?=^## |\Z)|^## [^\n]*\n\s*(?=^## |\Z)", re.DOTALL | re.MULTILINE
)


def rulebook_of(game: Game[Any], typed: bool = True) -> str:
    """Return a game's page for players: its rulebook.md, or its docstrings and options.

    In a rulebook.md, {options} stands for the list of the game's options, and {start} for
    the value of one; what stands in {typed:…} is for those who type, at a terminal.
    """
    options = "\n".join(
        f"- {f'`--{option.flag}`' if typed else plain_name(option.name).capitalize()}: "
        f"{option.about or 'an option'} (default: {written(option.default)})."
        for option in options_of(game)
    )
    page = _page(game)
    if page is not None:
        shown = {"typed": typed, "book": True, "if": True, "unless": True}
        book = _filled(game, page, lambda kind, name: shown[kind])
        return visible(book.replace("{options}", options))
    lines = _docs(game)
    if options:
        lines += ["", "## Variations", "", options]
    return visible("\n".join(lines) + "\n")


def _docs(game: Game[Any]) -> list[str]:
    """Return the lines of a game's title and docstrings."""
    module = sys.modules.get(type(game).__module__)
    lines = [f"# {title_of(game)}"]
    for doc in dict.fromkeys((_docstring(game), getattr(module, "__doc__", None))):
        if doc:
            lines += ["", "\n".join(line.strip() for line in doc.strip().splitlines())]
    return lines


def _page(game: Game[Any]) -> str | None:
    """Return a game's rulebook.md, if it has one."""
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if not file or not type(game).__module__.endswith(".rules"):
        return None
    path = os.path.join(os.path.dirname(file), "rulebook.md")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as text:
        return text.read()


def _filled(game: Game[Any], page: str, shows: Callable[[str, str], bool]) -> str:
    """Keep the parts of a page that are shown, and fill in the game's numbers."""

    def part(found: re.Match[str]) -> str:
        kind, name, text = found.groups()
        return text if shows(kind, name) else ""

    values = {option.name: getattr(game, option.name) for option in options_of(game)}

    def value(found: re.Match[str]) -> str:
        named = values.get(found[1], found[0])
        return either(list(map(str, named))) if isinstance(named, tuple) else written(named)

    return VALUE.sub(value, WITHIN.sub(part, LINES.sub(part, page)))


def summary_of(game: Game[Any]) -> str:
    """Return a rule book's first paragraph: what the game is."""
    paragraphs = rulebook_of(game).split("\n\n")
    first = next((part for part in paragraphs if not part.startswith(("#", "-"))), "")
    return " ".join(first.split())


@lru_cache(maxsize=256)
def goal_of(game: Game[Any]) -> str:
    """Return the sentence that says who wins or loses, or else the first.

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


def describe(game: Game[S], state: S, *, legal: bool = True) -> str:
    """Describe a position in full: what it is, who is to move, and every legal move.

    With `legal=False`, the legal moves are left out.

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
    lines.append(f"{SEATS[state.player]} to move.")
    if not legal:
        return "\n".join(lines)
    moves = game.moves(state)
    lines.append("Legal moves:")
    lines += [words.named(state, move) for move in moves[:MOST_LISTED]]
    if len(moves) > MOST_LISTED or not game.lists_all(state):
        lines.append("There are more.")
    return "\n".join(lines)


def rules_text(game: Game[Any]) -> str:
    """Return a variant's rules, without how to choose another one or what to type.

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
    changed = {o.name for o in options_of(game) if getattr(game, o.name) != o.default}

    def shows(kind: str, name: str) -> bool:
        return kind in ("if", "unless") and (kind == "if") == (name in changed)

    page = _page(game)
    if page is not None:
        book = NOT_RULES.sub("", _filled(game, page, shows))
        return visible(book.replace("## How we read the rules", "## In detail").strip())
    lines = _docs(game)
    told = " ".join(" ".join(lines).split())
    words = words_of(game)
    lines += [f"\n{said}" for said in (words.goal(), words.in_a_turn()) if said not in told]
    # The seed of an environment is not one of its rules.
    options = () if game.is_foreign else options_of(game)
    if options:
        lines += ["", "## This game", ""]
    for option in options:
        about = f" ({option.help})" if option.help else ""
        value = written(getattr(game, option.name))
        lines.append(f"- {plain_name(option.name)}: {value}{about}")
    return visible("\n".join(lines))


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
    moves = {str(move) for move in game.moves(state)}
    whole = " ".join(marked[-1].split())
    bare = whole if whole in moves else whole.strip(AROUND)
    return check_move(game, state, read_move(game, state, bare))
