"""A map of a game's values: which positions are won, drawn or lost for the player to move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zerosum.errors import OptionError
from zerosum.pictures.board import board_svg, board_text, has_board
from zerosum.pictures.layout import Map, Panel, lay_out
from zerosum.pictures.positions import Ranges
from zerosum.pictures.svg import (
    MARGIN,
    NARROWEST,
    PLIES,
    ROOM,
    SIGN,
    SMALL,
    TEXT,
    TITLE,
    WIDEST,
    clean,
    document,
    fitted,
    fold,
    heading,
    legend,
    length,
    sign,
    sign_with_plies,
    tag,
    thickness,
    tile,
    write,
)
from zerosum.pictures.values_text import text_of
from zerosum.pictures.words import kind_of, tick
from zerosum.solver.solution import Solution
from zerosum.states import Leaf

A_ROW = 20
STRIP_CELL = (40.0, 42.0)
LARGEST_CELL, LARGEST_PANEL_CELL, SMALLEST_CELL, WITH_PLIES = 36.0, 24.0, 12.0, 28.0
LONGEST_HEADING, BETWEEN = 180.0, 20.0


def map_svg(solution: Solution[Any], ranges: Ranges | None = None, seat: int | None = None) -> str:
    """Draw the map as SVG; `ranges` gives the first and last number to show of a field.

    The fields of the state are the axes: one makes a strip, two a grid, more make small grids;
    a game with a board is shown as that board at the start, with the values of the first moves.
    Values are for the player to move. Without a seat the map is for both where their values
    are the same, else for the one who moves first. Each cell is a group with its state in
    `data-state`, for a page that lets it be clicked.

    >>> import zerosum
    >>> drawn = map_svg(zerosum.solve(zerosum.game("even-steven")))
    >>> "<title>15: loss in 8</title>" in drawn
    True
    """
    if _as_board(solution, ranges, seat):
        return board_svg(solution, solution.game.initial())
    drawn = lay_out(solution, ranges, seat)
    strip = drawn.down is None
    parts, width, height = _strip(drawn) if strip else _panels(drawn)
    width = max(width, NARROWEST, min(WIDEST, 2 * MARGIN + length(drawn.title, TITLE)))
    head, top = heading(drawn.title, drawn.whose, width)
    plies = PLIES if strip or _roomy(drawn) else ""
    signs, top = legend(drawn.kinds, width, top, drawn.missing if drawn.gaps else "", plies)
    remarks = [*drawn.notes, *drawn.abridged]
    notes, low = [], top + height + (6 if remarks else 0)
    for line in (line for note in remarks for line in fold(note, width - 2 * MARGIN)):
        low += 18
        notes.append(write(MARGIN, low, line, "soft"))
    about = [drawn.whose, *drawn.sentences(full_rows=False), *drawn.notes]
    body = [*head, *signs, tag("g", *parts, transform=f"translate(0 {top:g})"), *notes]
    return document(width, low + MARGIN, drawn.title, about, "\n".join(body))


def map_text(
    solution: Solution[Any],
    width: int = 80,
    ranges: Ranges | None = None,
    seat: int | None = None,
    plain: bool = False,
) -> str:
    """Draw the map in characters, or with `plain` as sentences, one a line.

    >>> import zerosum
    >>> print(map_text(zerosum.solve(zerosum.game("even-steven", start=6)), plain=True))
    Even-Steven (start 6): map of values
    Values for the player to move (either player), with best play.
    Lost for the player to move: number 0, 2, 5.
    Won for the player to move: number 1, 3, 4, 6.
    """
    if _as_board(solution, ranges, seat):
        return board_text(solution, solution.game.initial(), width, plain)
    drawn = lay_out(solution, ranges, seat)
    if plain:
        return "\n".join([drawn.title, drawn.whose, *drawn.sentences(), *drawn.notes])
    return text_of(drawn, width)


def _as_board(solution: Solution[Any], ranges: Ranges | None, seat: int | None) -> bool:
    """Tell whether a game is shown as a board, of which there is one, and nothing to choose."""
    if not has_board(solution.game):
        return False
    if ranges or seat is not None:
        name = "ranges" if ranges else "seat"
        raise OptionError(name, "cannot be chosen for a game that is shown as a board")
    return True


def _strip(drawn: Map) -> tuple[list[str], float, float]:
    """Draw a strip in rows; every cell has its number, its sign and its plies."""
    wide, high = STRIP_CELL
    places, panel = drawn.across.places, drawn.panels[0]
    parts = [write(MARGIN, 10, drawn.across.name, "soft")]
    before = drawn.across.offset(A_ROW)
    for at, place in enumerate(places, before):
        x, y = MARGIN + at % A_ROW * wide, 20 + at // A_ROW * high
        value = panel.cells.get((place, None))
        inside = [tile(x + 1, y + 1, wide - 2, high - 2, value.result if value else "none")]
        if value:
            inside.insert(0, tag("title", clean(drawn.cell_title(panel, place, None))))
        size = TEXT + 1 if len(tick(place)) < 5 else SMALL
        word, ink = fitted(tick(place), wide - 2, size), f"{value.result}-text" if value else "soft"
        inside.append(write(x + wide / 2, y + 17, word, ink, size, "middle"))
        inside += [sign_with_plies(value, x + wide / 2, y + 30)] if value else []
        state = drawn.cell_state(panel, place, None) if value else None
        parts.append(tag("g", *inside, data_state=state))
    rows = -(-(len(places) + before) // A_ROW)
    columns = min(A_ROW, len(places) + before)
    parts = [tag("g", *parts, stroke_width=thickness())]
    return parts, 2 * MARGIN + columns * wide, 20 + rows * high


def _cell_size(drawn: Map) -> tuple[float, int]:
    """Choose the size of a grid's cells, and how many panels stand side by side."""
    columns, label = len(drawn.across.places), _label_width(drawn)
    if len(drawn.panels) == 1:
        return min(LARGEST_CELL, (ROOM - label) // columns), 1
    least = max(columns * SMALLEST_CELL, _heading_width(drawn))
    beside = int((ROOM + MARGIN) // (least + label + MARGIN))
    beside = max(1, min(4, beside))
    beside = -(-len(drawn.panels) // -(-len(drawn.panels) // beside))
    most = (ROOM + MARGIN) / beside - MARGIN - label
    return min(LARGEST_PANEL_CELL, most // columns), beside


def _heading_width(drawn: Map) -> float:
    """Find the room that the headings of panels need; long ones are folded."""
    return min(LONGEST_HEADING, max(length(panel.label) for panel in drawn.panels))


def _label_width(drawn: Map) -> float:
    """Find the room that the numbers at the left of a grid need."""
    down = drawn.down.places if drawn.down else ()
    return max(length(tick(place), SMALL) for place in down) + 6


def _roomy(drawn: Map) -> bool:
    """Tell whether the cells of a grid have room for plies."""
    cell = _cell_size(drawn)[0]
    most = max((v.plies or 0 for panel in drawn.panels for v in panel.cells.values()), default=0)
    return cell >= (WITH_PLIES if most < 100 else LARGEST_CELL)


def _panels(drawn: Map) -> tuple[list[str], float, float]:
    """Draw one grid, or several beside and below each other."""
    assert drawn.down is not None  # noqa: S101 (a strip is drawn elsewhere)
    cell, beside = _cell_size(drawn)
    label = _label_width(drawn)
    axes = f"{drawn.across.name} across, {drawn.down.name} down"
    parts = [write(MARGIN, 10, axes, "soft")]
    inner = max(len(drawn.across.places) * cell, _heading_width(drawn))
    heads = [fold(panel.label, inner) for panel in drawn.panels]
    heading = max(17.0 * len(lines) + 5 if lines else 0 for lines in heads)
    wide, high = label + inner, heading + 22 + len(drawn.down.places) * cell
    high += BETWEEN if heading else 0
    for at, (panel, lines) in enumerate(zip(drawn.panels, heads, strict=True)):
        x, y = MARGIN + label + at % beside * (wide + MARGIN), 14 + at // beside * high
        parts += [write(x, y + 20 + 17 * row, line) for row, line in enumerate(lines)]
        grid = _grid(drawn, panel, x, y + heading + 22, cell)
        parts.append(tag("g", *grid, stroke_width=thickness(_radius(cell))))
    rows = -(-len(drawn.panels) // beside)
    width = 2 * MARGIN + beside * wide + (beside - 1) * MARGIN
    return (
        parts,
        max(width, 2 * MARGIN + length(axes)),
        14 + rows * high - (BETWEEN if heading else 0),
    )


def _grid(drawn: Map, panel: Panel, x: float, y: float, cell: float) -> Iterator[str]:
    """Draw one grid with the numbers along its sides; x and y are those of its first cell."""
    across, down = drawn.across.places, drawn.down.places if drawn.down else ()
    plies = _roomy(drawn)
    every = _every(across, cell)
    for i, place in enumerate(across):
        if _labelled(place, i, every):
            middle = x + (i + 0.5) * cell
            yield write(middle, y - 6, tick(place), "soft", SMALL, "middle")
    for j, place in enumerate(down):
        if _labelled(place, j, 1 if cell >= SMALL + 1 else 5):
            middle = y + (j + 0.5) * cell + 4
            yield write(x - 6, middle, tick(place), "soft", SMALL, "end")
    yield tile(x, y, len(across) * cell, len(down) * cell, "none")
    gap = 1.0 if cell >= 20 else 0.5
    for j, below in enumerate(down):
        for i, place in enumerate(across):
            value = panel.cells.get((place, below))
            if value is None:
                continue
            left, top, side = x + i * cell, y + j * cell, cell - 2 * gap
            middle, centre = left + cell / 2, top + cell / 2
            yield tag(
                "g",
                tag("title", clean(drawn.cell_title(panel, place, below))),
                tile(left + gap, top + gap, side, side, value.result),
                sign_with_plies(value, middle, centre)
                if plies
                else sign(kind_of(value), middle, centre, _radius(cell)),
                data_state=drawn.cell_state(panel, place, below),
            )


def _radius(cell: float) -> float:
    """Give the size of a sign in a cell."""
    return min(SIGN, cell * 0.27)


def _every(places: tuple[Leaf, ...], cell: float) -> int:
    """Find how many columns share one number, so that numbers do not touch."""
    widest = max(length(tick(place), SMALL) for place in places) + 4
    return next((n for n in (1, 2, 5, 10, 20) if n * cell >= widest), 50)


def _labelled(place: Leaf, at: int, every: int) -> bool:
    """Tell whether a column or row has its number written; round numbers have."""
    if every == 1:
        return True
    counted = place if isinstance(place, int) and abs(place) <= 10**5 else at
    return counted % every == 0
