"""A position as a small picture: the number line of its player, or its board."""

from collections.abc import Mapping, Sequence
from typing import Any

from zerosum.pictures.svg import decimal, escape, tag
from zerosum.pictures.track_svg import MOST, small
from zerosum.protocol import Game, Move
from zerosum.wording.number_line import number_lines
from zerosum.wording.words import Words, words_of

# The most numbers beside those that moves reach, in a position to study.
NEAR = 11
TILE, NARROW, GAP, MOST_TILES = 30.0, 8.0, 4.0, 12


def drawn_start(game: Game[Any]) -> str:
    """Draw a game's first position as SVG, or return an empty string if there is nothing to draw.

    >>> import zerosum
    >>> drawn_start(zerosum.game("even-steven", start=14)).count('class="dot"')
    2
    """
    try:
        return _drawn(words_of(game), game.initial(), MOST)
    except Exception:  # unfinished rules; the card has no picture then
        return ""


def drawn_position(words: Words[Any], state: Any) -> str:
    """Draw a position near its moves, or its board, or nothing."""
    return _drawn(words, state, NEAR)


def _drawn(words: Words[Any], state: Any, room: int) -> str:
    """Draw the number line with its moves, or else the board, or nothing."""
    if lines := number_lines(words, state):
        return small(max(lines, key=lambda line: bool(line.targets)), room)
    rows = words.board(state)
    if rows is None:
        return ""
    cells = words.moves_by_cell(state, words.game.moves(state))
    played = {cell: moves[0] for cell, moves in cells.items() if len(moves) == 1}
    return _tiles(rows, played, words.lattice)


def _tiles(
    rows: Sequence[Sequence[str]], played: Mapping[tuple[int, int], Move], lattice: bool
) -> str:
    """Draw a board as tiles, with what is on them, and the moves that are played on them.

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
            x, y, move = starts[right], starts[down], played.get((down, right))
            width, height = sides[right % 2], sides[down % 2]
            drawn = lattice and text.strip()
            if lattice and down % 2 and right % 2 and not drawn:
                continue  # a box that nobody has closed
            about = {"class_": "piece" if drawn else "tile"}
            about |= {} if move is None else {"data_to": str(move)}
            rx = min(6, width / 2, height / 2)
            parts.append(tag("rect", x=x, y=y, width=width, height=height, rx=rx, **about))
            if text and not lattice:
                middle = {"x": x + TILE / 2, "y": y + TILE / 2 + 5}
                parts.append(
                    tag("text", escape(text[:2]), **middle, class_="piece", text_anchor="middle")
                )
    box = f"0 0 {decimal(starts[across])} {decimal(starts[len(some)])}"
    if parts:
        return tag("svg", *parts, class_="drawn", viewBox=box, aria_hidden="true")
    return ""
