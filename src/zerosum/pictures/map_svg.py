"""The map of a game's values in SVG."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from zerosum.pictures import svg
from zerosum.pictures.labels import KIND_NAMES, Kind, kind_of, tick_label
from zerosum.pictures.map import Map, Panel, lay_out
from zerosum.solver.solution import Solution
from zerosum.states import Leaf

A_ROW = 10
STRIP_CELL = (40.0, 42.0)
LARGEST_CELL, LARGEST_PANEL_CELL, SMALLEST_CELL, WITH_PLIES = 36.0, 24.0, 12.0, 28.0
LONGEST_HEADING, BETWEEN = 180.0, 20.0


def map_svg(solution: Solution[Any]) -> str:
    """Draw the map of a game's values.

    The fields of the state are the axes: one makes a strip, two a grid, more make small grids. A
    game with a board is drawn as its board at the start, with the values of the first moves.
    Values are for the player to move: for both players if their values are the same, else for the
    one who moves first. Each cell is a group with its state in `data-state`, for a page that lets
    it be clicked; what is above the map is a group too, for a page that writes it itself.

    >>> import zerosum
    >>> drawn = map_svg(zerosum.solve(zerosum.game("even-steven")))
    >>> "<title>15: loss in 8</title>" in drawn
    True
    """
    layout = lay_out(solution)
    parts, width, height = _strip(layout) if layout.is_strip else _panels(layout)
    width = max(width, svg.NARROWEST, svg.title_width(layout.title))
    head, top = svg.heading(layout.title, layout.about, width)
    plies = svg.PLIES_LEGEND if layout.is_strip or _roomy(layout) else ""
    keys = [(_key(kind), KIND_NAMES[kind]) for kind in layout.kinds]
    keys += [(svg.tile(0, 0, 18, 18, "none"), layout.missing)] * layout.gaps
    signs, top = svg.legend([*keys, *([("", plies)] if plies else [])], width, top)
    top += 22
    notes: list[str] = []
    low = top + height
    for note in (*layout.notes, *layout.abridged):
        if not notes:
            low += 6
        for line in svg.fold(note, width - 2 * svg.MARGIN):
            low += 18
            notes.append(svg.write(svg.MARGIN, low, line, "soft"))
    about = [layout.about, *layout.sentences(full_rows=False), *layout.notes]
    above = svg.tag("g", *head, *signs, data_height=f"{top:g}")
    body = [above, svg.tag("g", *parts, transform=f"translate(0 {top:g})"), *notes]
    return svg.picture(width, low + svg.MARGIN, layout.title, about, "\n".join(body))


def _key(kind: Kind) -> str:
    """Draw a sign on its ground, for the legend."""
    ground = "draw" if kind == "endless" else kind
    return svg.tile(0, 0, 18, 18, ground) + svg.sign(kind, 9, 9)


def _strip(layout: Map) -> tuple[list[str], float, float]:
    """Draw a strip in rows; cells have number, sign and plies."""
    wide, high = STRIP_CELL
    ticks, panel = layout.across.ticks, layout.panels[0]
    parts = [svg.write(svg.MARGIN, 10, layout.across.name, "soft")]
    before = layout.across.offset(A_ROW)
    for at, tick in enumerate(ticks, before):
        x = svg.MARGIN + at % A_ROW * wide
        y = 20 + at // A_ROW * high
        value = panel.cells.get((tick, None))
        ground = value.result if value else "none"
        inside = [svg.tile(x + 1, y + 1, wide - 2, high - 2, ground)]
        if value:
            title = svg.escape(layout.cell_title(panel, tick, None))
            inside.insert(0, svg.tag("title", title))
        size = svg.TEXT + 1 if len(tick_label(tick)) < 5 else svg.SMALL
        word = svg.fitted(tick_label(tick), wide - 2, size)
        ink = f"{value.result}-text" if value else "soft"
        inside.append(svg.write(x + wide / 2, y + 17, word, ink, size, "middle"))
        inside += [svg.sign_with_plies(value, x + wide / 2, y + 30)] if value else []
        state = layout.cell_state(panel, tick, None) if value else None
        parts.append(svg.tag("g", *inside, data_state=state))
    rows = -(-(len(ticks) + before) // A_ROW)
    columns = min(A_ROW, len(ticks) + before)
    parts = [svg.tag("g", *parts, stroke_width=svg.thickness())]
    return parts, 2 * svg.MARGIN + columns * wide, 20 + rows * high


def _cell_size(layout: Map) -> tuple[float, int]:
    """Choose the size of a grid's cells, and the panels side by side."""
    columns = len(layout.across.ticks)
    label = _label_width(layout)
    if len(layout.panels) == 1:
        return min(LARGEST_CELL, (svg.ROOM - label) // columns), 1
    least = max(columns * SMALLEST_CELL, _heading_width(layout))
    beside = int((svg.ROOM + svg.MARGIN) // (least + label + svg.MARGIN))
    beside = max(1, min(4, beside))
    beside = -(-len(layout.panels) // -(-len(layout.panels) // beside))
    most = (svg.ROOM + svg.MARGIN) / beside - svg.MARGIN - label
    return min(LARGEST_PANEL_CELL, most // columns), beside


def _heading_width(layout: Map) -> float:
    """Return the width of the panels' headings; long ones are folded."""
    return min(LONGEST_HEADING, max(svg.text_width(panel.label) for panel in layout.panels))


def _label_width(layout: Map) -> float:
    """Return the width of the numbers to the left of a grid."""
    return max(svg.text_width(tick_label(tick), svg.SMALL) for tick in layout.down.ticks) + 6


def _roomy(layout: Map) -> bool:
    """Return whether the cells of a grid have room for plies."""
    cell = _cell_size(layout)[0]
    values = chain.from_iterable(panel.cells.values() for panel in layout.panels)
    most = max((value.plies or 0 for value in values), default=0)
    return cell >= (WITH_PLIES if most < 100 else LARGEST_CELL)


def _panels(layout: Map) -> tuple[list[str], float, float]:
    """Draw one grid, or several in rows."""
    cell, beside = _cell_size(layout)
    label = _label_width(layout)
    axes = f"{layout.across.name} across, {layout.down.name} down"
    parts = [svg.write(svg.MARGIN, 10, axes, "soft")]
    inner = max(len(layout.across.ticks) * cell, _heading_width(layout))
    heads = [svg.fold(panel.label, inner) for panel in layout.panels]
    heading = max(17.0 * len(lines) + 5 if lines else 0 for lines in heads)
    wide = label + inner
    high = heading + 22 + len(layout.down.ticks) * cell
    high += BETWEEN if heading else 0
    for at, (panel, lines) in enumerate(zip(layout.panels, heads, strict=True)):
        x = svg.MARGIN + label + at % beside * (wide + svg.MARGIN)
        y = 14 + at // beside * high
        parts += [svg.write(x, y + 20 + 17 * row, line) for row, line in enumerate(lines)]
        grid = _grid(layout, panel, x, y + heading + 22, cell)
        parts.append(svg.tag("g", *grid, stroke_width=svg.thickness(_radius(cell))))
    rows = -(-len(layout.panels) // beside)
    width = 2 * svg.MARGIN + beside * wide + (beside - 1) * svg.MARGIN
    return (
        parts,
        max(width, 2 * svg.MARGIN + svg.text_width(axes)),
        14 + rows * high - (BETWEEN if heading else 0),
    )


def _grid(layout: Map, panel: Panel, x: float, y: float, cell: float) -> Iterator[str]:
    """Draw one grid with numbers along its sides; its first cell is at x, y."""
    across, down = layout.across.ticks, layout.down.ticks
    plies = _roomy(layout)
    every = _every(across, cell)
    for i, tick in enumerate(across):
        if _labelled(tick, i, every):
            middle = x + (i + 0.5) * cell
            yield svg.write(middle, y - 6, tick_label(tick), "soft", svg.SMALL, "middle")
    for j, tick in enumerate(down):
        if _labelled(tick, j, 1 if cell >= svg.SMALL + 1 else 5):
            middle = y + (j + 0.5) * cell + 4
            yield svg.write(x - 6, middle, tick_label(tick), "soft", svg.SMALL, "end")
    yield svg.tile(x, y, len(across) * cell, len(down) * cell, "none")
    gap = 1.0 if cell >= 20 else 0.5
    for j, below in enumerate(down):
        for i, tick in enumerate(across):
            value = panel.cells.get((tick, below))
            if value is None:
                continue
            left = x + i * cell
            top = y + j * cell
            side = cell - 2 * gap
            middle, centre = left + cell / 2, top + cell / 2
            yield svg.tag(
                "g",
                svg.tag("title", svg.escape(layout.cell_title(panel, tick, below))),
                svg.tile(left + gap, top + gap, side, side, value.result),
                svg.sign_with_plies(value, middle, centre)
                if plies
                else svg.sign(kind_of(value), middle, centre, _radius(cell)),
                data_state=layout.cell_state(panel, tick, below),
            )


def _radius(cell: float) -> float:
    """Return the size of a sign in a cell."""
    return min(svg.SIGN, cell * 0.27)


def _every(ticks: tuple[Leaf, ...], cell: float) -> int:
    """Return how many columns share a number, so that none touch."""
    widest = max(svg.text_width(tick_label(tick), svg.SMALL) for tick in ticks) + 4
    return next((n for n in (1, 2, 5, 10, 20) if n * cell >= widest), 50)


def _labelled(tick: Leaf, at: int, every: int) -> bool:
    """Return whether a column or row shows its number; round numbers do."""
    if every == 1:
        return True
    counted = tick if isinstance(tick, int) and abs(tick) <= 10**5 else at
    return counted % every == 0
