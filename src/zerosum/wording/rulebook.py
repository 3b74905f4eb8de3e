"""The page that explains a game to players, its first paragraph, and the goal of the game."""

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache
from typing import Any

from zerosum.options import options_of, written
from zerosum.protocol import Game
from zerosum.text import printable, visible
from zerosum.wording.hooks import LONGEST_GOAL
from zerosum.wording.words import title_of

WHO_WINS = re.compile(r"\b(wins?|loses?|winner|loser)\b", re.IGNORECASE)


def rulebook_of(game: Game[Any]) -> str:
    """Return a game's page for players: its rulebook.md, or its docstrings and options.

    In a rulebook.md, {options} is replaced by the list of the game's options.
    """
    options = "\n".join(
        f"- `--{option.flag}`: {option.about or 'an option'} (default: {written(option.default)})."
        for option in options_of(game)
    )
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if file and type(game).__module__.endswith(".rules"):
        page = os.path.join(os.path.dirname(file), "rulebook.md")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as text:
                return visible(text.read().replace("{options}", options))
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
    text = " ".join(_docstring(game).split()) or summary_of(game)
    sentences = [printable(part.strip()) for part in re.findall(r".+?[.!?](?=\s|$)", text)]
    telling = (s for s in sentences if WHO_WINS.search(s) and len(s) <= LONGEST_GOAL)
    goal = next(telling, sentences[0] if sentences else printable(text))
    return goal if len(goal) <= LONGEST_GOAL else f"{goal[: LONGEST_GOAL - 1]}…"


def _docstring(game: Game[Any]) -> str:
    """Return the docstring of a game, or an empty string."""
    doc = type(game).__doc__ or ""
    # A dataclass without a docstring gets its own signature for one.
    return "" if doc.startswith(f"{type(game).__name__}(") else doc
