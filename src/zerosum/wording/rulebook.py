"""The page that explains a game to players, and its first sentence."""

from __future__ import annotations

import os
import sys
from typing import Any

from zerosum.options import options_of, written
from zerosum.protocol import Game
from zerosum.wording.words import title_of


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
                return text.read().replace("{options}", options)
    lines = [f"# {title_of(game)}"]
    docs = [type(game).__doc__, getattr(module, "__doc__", None)]
    for doc in dict.fromkeys(docs):
        # A dataclass without a docstring gets its own signature for one.
        if doc and not doc.startswith(f"{type(game).__name__}("):
            lines += ["", "\n".join(line.strip() for line in doc.strip().splitlines())]
    if options:
        lines += ["", "## Variations", "", options]
    return "\n".join(lines) + "\n"


def summary_of(game: Game[Any]) -> str:
    """Return the first paragraph of a game's rule book: what the game is."""
    paragraphs = rulebook_of(game).split("\n\n")
    first = next((part for part in paragraphs if not part.startswith(("#", "-"))), "")
    return " ".join(first.split())
