"""The map of a game's values in characters, for a terminal."""

from typing import Any

from zerosum.pictures.labels import (
    KIND_NAMES,
    SIGNS,
    columns,
    kind_of,
    left,
    right,
    side_by_side,
    tick_label,
    wrapped,
)
from zerosum.pictures.map import Map, Panel, lay_out
from zerosum.protocol import Value
from zerosum.solver.solution import Solution
from zerosum.states import Leaf

MISSING = "·"


def map_text(solution: Solution[Any], width: int = 80, plain: bool = False) -> str:
    """Draw the map of a game in characters, or with `plain` as sentences.

    >>> import zerosum
    >>> print(map_text(zerosum.solve(zerosum.game("even-steven", start=6)), plain=True))
    Even-Steven (start 6): map of values
    Values for the player to move (either player), with best play.
    Lost for the player to move: number 0, 2, 5.
    Won for the player to move: number 1, 3, 4, 6.
    """
    layout = lay_out(solution)
    if plain:
        return "\n".join([layout.title, layout.about, *layout.sentences(), *layout.notes])
    width = max(width, 20)
    body = _strip(layout, width) if layout.is_strip else _grids(layout, width)
    legend = [f"{SIGNS[kind]} {KIND_NAMES[kind]}" for kind in layout.kinds]
    legend += [f"{MISSING} {layout.missing}"] if layout.gaps else []
    if _longest(layout) and (layout.is_strip or _wide(layout, width)[1]):
        legend.append("number after the sign: moves to the end")
    head = [*wrapped([layout.title, layout.about], width), *side_by_side(legend, width)]
    notes = wrapped([*layout.notes, *layout.abridged], width)
    return "\n".join([*head, "", *body, *([""] if notes else []), *notes])


def _cell(value: Value | None, wide: int, plies: bool) -> str:
    """Write a cell: its sign, and its plies if there is room."""
    if value is None:
        return MISSING.ljust(wide)
    known = plies and value.plies is not None
    return (SIGNS[kind_of(value)] + (str(value.plies) if known else "")).ljust(wide)


def _longest(layout: Map) -> int:
    """Return how many digits the plies have."""
    plies = [v.plies for panel in layout.panels for v in panel.cells.values()]
    return max((len(str(p)) for p in plies if p is not None), default=0)


def _strip(layout: Map, width: int) -> list[str]:
    """Write a strip in rows; cells have number, sign and plies."""
    ticks, panel = layout.across.ticks, layout.panels[0]
    wide = max(columns(tick_label(tick)) for tick in ticks)
    plies = 1 + _longest(layout)
    each = wide + 1 + plies
    a_row = next((n for n in (20, 10, 5, 2) if n * (each + 1) - 1 <= width), 1)
    gap = "  " if a_row * (each + 2) - 2 <= width else " "
    cells = [" " * each] * layout.across.offset(a_row)
    for tick in ticks:
        cell = _cell(panel.cells.get((tick, None)), plies, True)
        cells.append(f"{right(tick_label(tick), wide)} {cell}")
    rows = [cells[at : at + a_row] for at in range(0, len(cells), a_row)]
    return [layout.across.name, *(gap.join(row).rstrip() for row in rows)]


def _label(layout: Map) -> int:
    """Return the width of the numbers to the left of a grid."""
    return max(columns(tick_label(tick)) for tick in layout.down.ticks) + 2


def _wide(layout: Map, width: int) -> tuple[int, bool]:
    """Choose the width of a grid's cells, and whether they have plies."""
    room = width - _label(layout)
    for wide, plies in ((2 + _longest(layout), True), (2, False)):
        if wide * len(layout.across.ticks) <= room + 1 and (not plies or wide > 2):
            return wide, plies
    return 1, False


def _grids(layout: Map, width: int) -> list[str]:
    """Write the panels one below the other; too wide ones continue below."""
    wide = _wide(layout, width)[0]
    # The last column needs no space after its sign.
    fit = max(1, (width - _label(layout) + (wide > 1)) // wide)
    lines = wrapped([f"{layout.across.name} across, {layout.down.name} down"], width)
    for panel in layout.panels:
        for at in range(0, len(layout.across.ticks), fit):
            lines += ["", *wrapped([panel.label], width)] if panel.fixed or at else []
            lines += _grid(layout, panel, layout.across.ticks[at : at + fit], width)
    return lines


def _grid(layout: Map, panel: Panel, across: tuple[Leaf, ...], width: int) -> list[str]:
    """Write a grid, or the part that fits, with numbers along two sides."""
    label = _label(layout)
    wide, plies = _wide(layout, width)
    crowded = wide <= max(columns(tick_label(tick)) for tick in across)
    head = ""
    for at, tick in enumerate(across):
        column = at * wide
        # Numbers must not touch; of many, only round ones are written.
        touches = columns(head) + (at > 0) > column
        if touches or label + column + columns(tick_label(tick)) > width:
            continue
        if not (crowded and isinstance(tick, int) and tick % 5):
            head = left(head, column) + tick_label(tick)
    lines = [(" " * label + head).rstrip()]
    for down in layout.down.ticks:
        row = "".join(_cell(panel.cells.get((tick, down)), wide, plies) for tick in across)
        lines.append(f"{right(tick_label(down), label - 1)} {row}".rstrip())
    return lines
