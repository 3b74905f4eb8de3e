"""The prompt of a question: who the reader is, the rules, the position, and how to answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from zerosum.protocol import Game, Move
from zerosum.text import runs, upper_first
from zerosum.wording.texts import SEATS, describe, rules_text
from zerosum.wording.words import MOST_KEYS, draw, title_of, words_of

# Prompts of another version are other questions: raise it with every change of their words.
PROMPT_VERSION = 1
GOAL = (
    "Choose a move with the best result that you can force, whatever your opponent does: a win "
    "if there is one, or else a draw. A game that never ends is a draw."
)
ANSWER = """\
## Your answer

Think as long as you like. Then write your move on a line of its own, in this form:

MOVE: x

where x is the move, written as above. If there are several such lines, the last one counts."""
# Moves of one shape that are examples, if they are too many to be listed.
EXAMPLES = 3


class PromptOptions(NamedTuple):
    """What a prompt contains: the legal moves, the moves so far, the rules.

    `prose` is a text that stands for the game's own rules.
    """

    legal: bool = False
    history: bool = False
    rules: bool = True
    prose: str = ""


USUAL = PromptOptions()


def prompt_of(
    game: Game[Any],
    state: Any,
    options: PromptOptions = USUAL,
    line: Sequence[Move] = (),
) -> str:
    """Return the prompt about a position; `line` has the moves that led there from the start.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits", start=9)
    >>> print(prompt_of(game, game.initial(), PromptOptions(rules=False)).split("## The ")[1])
    position
    <BLANKLINE>
    Number: 9
    Just subtracted: nothing yet
    First player to move.
    <BLANKLINE>
    ## Your answer
    ...
    """
    seat = SEATS[state.player].lower()
    title = "a game for two players" if options.prose else f"a game of {title_of(game)}"
    parts = [f"You are the {seat} in {title}, and it is your turn. {GOAL}"]
    if options.rules:
        parts.append(options.prose.strip() or rules_text(game))
    parts.append(f"## How moves are written\n\n{notation(game)}")
    if options.history:
        told = "\n".join(_history(game, line)) or "None: this is the start of the game."
        parts.append(f"## The moves so far\n\n{told}")
    parts.append(f"## The position\n\n{describe(game, state, legal=options.legal)}")
    return "\n\n".join([*parts, ANSWER])


def _history(game: Game[Any], line: Sequence[Move]) -> Iterator[str]:
    """Say who made each move of a line, and what it did."""
    state, words = game.initial(), words_of(game)
    for number, move in enumerate(line, 1):
        yield f"{number}. {SEATS[state.player]}: {words.named(state, move)}"
        state = game.play(state, move)


@lru_cache(maxsize=64)
def notation(game: Game[Any]) -> str:
    """Say how the moves of a game are written, in the same words in every position.

    >>> import zerosum
    >>> print(notation(zerosum.game("number-navigator")))
    These are all moves of the game; which of them are legal depends on the position.
    1: −1
    2: −2
    3: ÷2
    4: +5
    """
    words = words_of(game)
    cells: dict[Any, set[Move]] = {}
    does: dict[Move, set[str]] = {}
    for (state, move, _), step in zip(words.numbers.sampled, words.numbers.made, strict=True):
        does.setdefault(move, set()).add(step.text)
        cells.setdefault(words.cell(state, move), set()).add(move)
    placed = {cell: next(iter(moves)) for cell, moves in cells.items() if len(moves) == 1}
    board = words.board(game.initial())
    if board and None not in cells and len(cells) == len(placed) == len(does):
        rows = [
            [("", [placed[cell]] if (cell := (y, x)) in placed else []) for x in range(len(row))]
            for y, row in enumerate(board)
        ]
        return "\n".join(["A move is the name of its place on the board:", *draw(rows)])

    def meaning(move: Move) -> str:
        text = next(iter(does[move])) if len(does.get(move, ())) == 1 else str(move)
        return str(move) if text == str(move) else f"{move}: {upper_first(text)}"

    if keys := words.keys():
        head = "These are all moves of the game; which of them are legal depends on the position."
        listed = list(map(meaning, keys))
        return "\n".join([head, *([runs(keys)] if listed == list(map(str, keys)) else listed)])
    # One of each shape, such as a1 and pass; or a few of the only one.
    shapes = {re.sub(r"\d+", "0", str(move)): move for move in reversed(does)}
    some = list(shapes.values())[::-1] if len(shapes) > 1 else list(does)[-EXAMPLES:]
    return f"Moves look like these: {', '.join(map(meaning, some[:MOST_KEYS]))}."
