"""A position as a small picture: its player's number line; a first position also as a board."""

from collections.abc import Sequence
from typing import Any

from zerosum.pictures.svg import decimal, escape, tag
from zerosum.pictures.track_svg import MOST, small
from zerosum.protocol import Game
from zerosum.wording.number_line import number_lines
from zerosum.wording.words import Words, words_of

# The most numbers beside those that moves reach, in a position to study.
NEAR = 11
TILE, NARROW, GAP, MOST_TILES = 30.0, 8.0, 4.0, 12


def drawn_start(game: Game[Any]) -> str:
    """Draw a game's first position as SVG; '' if there is nothing to draw.

    >>> import zerosum
    >>> drawn_start(zerosum.game("even-steven", start=14)).count('class="dot"')
    2
    """
    try:
        words, state = words_of(game), game.initial()
        return _drawn(words, state, MOST) or _tiles(words.board(state) or (), words.lattice)
    except Exception:  # unfinished rules; the card has no picture then
        return ""


def drawn_position(words: Words[Any], state: Any) -> str:
    """Draw the number line of a position near its moves, or nothing."""
    return _drawn(words, state, NEAR)


def _drawn(words: Words[Any], state: Any, room: int) -> str:
    """Draw the number line with its moves, or nothing."""
    lines = number_lines(words, state)
    return small(max(lines, key=lambda line: bool(line.targets)), room) if lines else ""


def _tiles(rows: Sequence[Sequence[str]], lattice: bool) -> str:
    """Draw a board as tiles, with their contents.

    Every other row and column of a lattice is narrow; its dots and what is drawn are filled.
    """
    some = [row[:MOST_TILES] for row in rows[:MOST_TILES]]
    across = max(map(len, some), default=0)
    sides = (NARROW if lattice else TILE, TILE)
    starts = [GAP]
    for at in range(max(across, len(some))):
        starts.append(starts[-1] + sides[at % 2] + GAP)
    parts = []
    for down, row in enumerate(some):
        for right, text in enumerate(row):
            x, y = starts[right], starts[down]
            width, height = sides[right % 2], sides[down % 2]
            drawn = lattice and text.strip()
            if lattice and down % 2 and right % 2 and not drawn:
                continue  # a box that nobody has closed
            kind = "piece" if drawn else "tile"
            rx = min(6, width / 2, height / 2)
            parts.append(tag("rect", x=x, y=y, width=width, height=height, rx=rx, class_=kind))
            if text and not lattice:
                middle = {"x": x + TILE / 2, "y": y + TILE / 2 + 5}
                parts.append(
                    tag("text", escape(text[:2]), **middle, class_="piece", text_anchor="middle")
                )
    box = f"0 0 {decimal(starts[across])} {decimal(starts[len(some)])}"
    if parts:
        return tag("svg", *parts, class_="drawn", viewBox=box, aria_hidden="true")
    return ""
