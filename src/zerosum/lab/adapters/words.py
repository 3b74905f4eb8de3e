"""What is said about a game that is an environment: its own picture of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.protocol import Move
from zerosum.text import printable
from zerosum.wording.words import Names, Words

MOST_LINES, LONGEST_LINE = 60, 200
# The usual names of such attributes, and our own field.
OVER = {"end", "done", "terminated", "truncated", "game_over"}


class EnvironmentWords(Words[Any]):
    """Words for an environment, which draws its positions itself; its moves are numbers."""

    # The page says itself whether the game is over.
    unshown = Words.unshown | OVER

    def label(self, state: Any, move: Any) -> str:
        """Name a move by its number, which is all that an environment tells about it."""
        return str(move)

    def _lines(self, state: Any, moves: Sequence[Move], names: Names) -> list[str]:
        """Show the environment's own picture; without one, the fields of the state."""
        game: Any = self.game
        picture = game.picture(state).splitlines()[:MOST_LINES]
        lines = [printable(line.expandtabs())[:LONGEST_LINE].rstrip() for line in picture]
        return lines if any(lines) else super()._lines(state, moves, names)
