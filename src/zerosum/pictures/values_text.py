"""A map of values in characters, for a terminal."""

from __future__ import annotations

from zerosum.pictures.layout import Map, Panel
from zerosum.pictures.words import (
    SIGNS,
    WORDS,
    columns,
    kind_of,
    left,
    right,
    side_by_side,
    tick,
    wrapped,
)
from zerosum.protocol import Value
from zerosum.states import Leaf

MISSING = "·"


def text_of(drawn: Map, width: int = 80) -> str:
    """Write a map as characters, with a legend line."""
    width = max(width, 20)
    body = _strip(drawn, width) if drawn.down is None else _grids(drawn, width)
    legend = [f"{SIGNS[kind]} {WORDS[kind]}" for kind in drawn.kinds]
    legend += [f"{MISSING} {drawn.missing}"] if drawn.gaps else []
    legend += ["number after the sign: moves to the end"] if _any_plies(drawn, width) else []
    head = [*wrapped([drawn.title, drawn.whose], width), *side_by_side(legend, width)]
    notes = wrapped([*drawn.notes, *drawn.abridged], width)
    return "\n".join([*head, "", *body, *([""] if notes else []), *notes])


def _cell(value: Value | None, wide: int, plies: bool) -> str:
    """Write one cell: its sign, and its plies where there is room."""
    if value is None:
        return MISSING.ljust(wide)
    known = plies and value.plies is not None
    return (SIGNS[kind_of(value)] + (str(value.plies) if known else "")).ljust(wide)


def _longest(drawn: Map) -> int:
    """Find how many digits the plies have."""
    plies = [v.plies for panel in drawn.panels for v in panel.cells.values()]
    return max((len(str(p)) for p in plies if p is not None), default=0)


def _strip(drawn: Map, width: int) -> list[str]:
    """Write a strip in rows; each cell has its number, its sign and its plies."""
    places, panel = drawn.across.places, drawn.panels[0]
    wide, plies = max(columns(tick(place)) for place in places), 1 + _longest(drawn)
    each = wide + 1 + plies
    a_row = next((n for n in (20, 10, 5, 2) if n * (each + 1) - 1 <= width), 1)
    gap = "  " if a_row * (each + 2) - 2 <= width else " "
    cells = [" " * each] * drawn.across.offset(a_row)
    for place in places:
        cell = _cell(panel.cells.get((place, None)), plies, True)
        cells.append(f"{right(tick(place), wide)} {cell}")
    rows = [cells[at : at + a_row] for at in range(0, len(cells), a_row)]
    return [drawn.across.name, *(gap.join(row).rstrip() for row in rows)]


def _label(drawn: Map) -> int:
    """Find the room for the numbers at the left of a grid."""
    down = drawn.down.places if drawn.down else ()
    return max((columns(tick(place)) for place in down), default=0) + 2


def _wide(drawn: Map, width: int) -> tuple[int, bool]:
    """Choose how wide the cells of a grid are, and whether they have plies."""
    room = width - _label(drawn)
    for wide, plies in ((2 + _longest(drawn), True), (2, False)):
        if wide * len(drawn.across.places) <= room + 1 and (not plies or wide > 2):
            return wide, plies
    return 1, False


def _any_plies(drawn: Map, width: int) -> bool:
    """Tell whether plies are written."""
    return _longest(drawn) > 0 and (drawn.down is None or _wide(drawn, width)[1])


def _grids(drawn: Map, width: int) -> list[str]:
    """Write every panel, one below the other; what is too wide goes on below."""
    assert drawn.down is not None  # noqa: S101 (a strip is written elsewhere)
    wide = _wide(drawn, width)[0]
    # What is after the sign in the last column is empty, if there is anything.
    fit = max(1, (width - _label(drawn) + (wide > 1)) // wide)
    lines = wrapped([f"{drawn.across.name} across, {drawn.down.name} down"], width)
    for panel in drawn.panels:
        for at in range(0, len(drawn.across.places), fit):
            lines += ["", *wrapped([panel.label], width)] if panel.fixed or at else []
            lines += _grid(drawn, panel, drawn.across.places[at : at + fit], width)
    return lines


def _grid(drawn: Map, panel: Panel, across: tuple[Leaf, ...], width: int) -> list[str]:
    """Write one grid, or the part of it that fits, with its numbers along two sides."""
    label, (wide, plies) = _label(drawn), _wide(drawn, width)
    crowded = wide <= max(columns(tick(place)) for place in across)
    head = ""
    for at, place in enumerate(across):
        column = at * wide
        # A number is written where it touches no other one; of many, the round ones.
        touches = columns(head) + (at > 0) > column
        if touches or label + column + columns(tick(place)) > width:
            continue
        if not (crowded and isinstance(place, int) and place % 5):
            head = left(head, column) + tick(place)
    lines = [(" " * label + head).rstrip()]
    for down in drawn.down.places if drawn.down else ():
        row = "".join(_cell(panel.cells.get((place, down)), wide, plies) for place in across)
        lines.append(f"{right(tick(down), label - 1)} {row}".rstrip())
    return lines
