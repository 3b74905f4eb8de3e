"""The bars and scales of a report in SVG: shares with marks and intervals, and places."""

from collections.abc import Sequence

from zerosum.pictures import svg
from zerosum.reports import Bar, Bars, Place, Places, longest_bar

# Narrow enough for a phone: a page draws it larger if there is room.
NARROW, WIDE = 360.0, 600.0
ROW, BAR, LABEL = 24.0, 14.0, 170.0


def bars_svg(bars: Bars | Places, width: float = NARROW) -> str:
    """Draw bars, or places on a scale, as a picture of their own.

    >>> drawn = bars_svg(Bars("Games", [Bar("short", {"bar": 0.25}, "25%", "Short: 25%")]))
    >>> "<title>Short: 25%</title>" in drawn
    True
    """
    head, y = svg.heading(bars.title, bars.about, width)
    parts, y = drawn_bars(bars, y + 14, width, place([bars], width, svg.MARGIN / 2))
    about = [row.about for row in rows_of(bars)]
    return svg.picture(width, y + 10, bars.title, about, "\n".join([*head, *parts]))


def rows_of(drawn: Bars | Places) -> Sequence[Bar | Place]:
    """Return the lines of bars, or of places on a scale."""
    return drawn.bars if isinstance(drawn, Bars) else drawn.places


def place(drawn: Sequence[Bars | Places], width: float, margin: float) -> tuple[float, float]:
    """Return where bars and scales begin and how much room they have, in all of a picture."""
    every = [row for part in drawn for row in rows_of(part)]
    labels = (svg.text_width(row.label) + 12 for row in every)
    begin = margin + min(LABEL, max(labels, default=0.0))
    figures = max((svg.text_width(row.figure) for row in every), default=0.0)
    return begin, width - begin - figures - 16 - margin


def drawn_bars(
    bars: Bars | Places, y: float, width: float, where: tuple[float, float]
) -> tuple[list[str], float]:
    """Draw bars, or places, from a height on, with their key below; return where that ends."""
    if isinstance(bars, Places):
        return _drawn_places(bars, y + 4, width, where)
    begin, room = where
    scale = room / max(longest_bar(bars), 1e-9) if bars.scaled else room
    parts, top = [], y
    for bar in bars.bars:
        parts.append(_bar(bar, begin, y, room, scale))
        y += ROW
    if bars.half:
        line = f"M{svg.decimal(begin + room / 2)} {svg.decimal(top - 6)}V{svg.decimal(y)}"
        parts.append(svg.tag("path", d=line, class_="turn", stroke_dasharray="3 3"))
    key, y = _key(bars, y, width)
    return [*parts, *key], y


def _bar(bar: Bar, begin: float, y: float, room: float, scale: float) -> str:
    """Draw a bar between its label and its figure."""
    label = svg.fitted(bar.label, begin - 8)
    parts = [
        svg.tag("title", svg.escape(bar.about)),
        svg.write(begin - 8, y + 11, label, at="end"),
        svg.tag("rect", x=begin, y=y, width=room, height=BAR, class_="none"),
    ]
    x = begin
    for kind, share in bar.parts.items():
        if share > 0:
            at = {"x": x, "y": y, "width": share * scale, "height": BAR}
            parts.append(svg.tag("rect", **at, class_=kind, stroke_width=kind == "warn"))
        x += share * scale
    if bar.interval is not None:
        low, high = (begin + end * scale for end in bar.interval)
        parts.append(_interval(low, high, y + BAR + 3))
    if bar.mark is not None:
        parts.append(_mark(begin + bar.mark * scale, y))
    parts.append(svg.write(begin + room + 8, y + 11, bar.figure, "soft"))
    return svg.tag("g", *parts)


def _drawn_places(
    scale: Places, y: float, width: float, where: tuple[float, float]
) -> tuple[list[str], float]:
    """Draw a scale from a height on, its ticks across all lines; return where that ends."""
    begin, room = where
    end = y + ROW * len(scale.places)
    parts = []
    taken, low = [0.0, 0.0], end
    for name, at in scale.ticks.items():
        x = begin + at * room
        wide = svg.text_width(name, svg.SMALL)
        left = min(max(x - wide / 2, svg.MARGIN / 2), width - wide - svg.MARGIN / 2)
        line = 0 if left > taken[0] else 1  # the names of close ticks are in two lines
        taken[line] = left + wide + 4
        low = max(low, end + 14 * (line + 1))
        tick = f"M{svg.decimal(x)} {svg.decimal(y - 4)}V{svg.decimal(end)}"
        parts.append(svg.tag("path", d=tick, class_="rule"))
        parts.append(svg.write(left, end + 14 * line + 12, name, "soft", svg.SMALL))
    for row in scale.places:
        parts.append(_place(row, begin, y, room))
        y += ROW
    if scale.interval and any(row.interval for row in scale.places):
        key, low = svg.legend([(_interval(3, 15, 9), scale.interval)], width, low - 8)
    else:
        key = []
    return [*parts, *key], low + 8


def _place(row: Place, begin: float, y: float, room: float) -> str:
    """Draw a place on its line, between its label and its figure."""
    middle = y + BAR / 2
    parts = [
        svg.tag("title", svg.escape(row.about)),
        svg.write(begin - 12, y + 11, svg.fitted(row.label, begin - 16), at="end"),
        svg.tag("rect", x=begin, y=middle - 2, width=room, height=4, rx=2, class_="draw"),
    ]
    if row.interval is not None:
        low, high = (begin + end * room for end in row.interval)
        parts.append(_interval(low, high, middle))
    parts.append(svg.tag("circle", cx=begin + row.at * room, cy=middle, r=5, class_="bar"))
    parts.append(svg.write(begin + room + 12, y + 11, row.figure, "soft"))
    return svg.tag("g", *parts)


def _interval(low: float, high: float, y: float) -> str:
    """Draw an interval as a line with ends."""
    ends = "".join(f"M{svg.decimal(x)} {svg.decimal(y - 2)}v4" for x in (low, high))
    line = f"M{svg.decimal(low)} {svg.decimal(y)}H{svg.decimal(high)}{ends}"
    return svg.tag("path", d=line, class_="line", stroke_width=1.2)


def _mark(x: float, y: float) -> str:
    """Draw a mark: a diamond on the upper edge of a bar."""
    d = f"M{svg.decimal(x)} {svg.decimal(y - 5)}l5 5l-5 5l-5 -5z"
    return svg.tag("path", d=d, class_="hollow", stroke_width=1.4)


def _key(bars: Bars, y: float, width: float) -> tuple[list[str], float]:
    """Write what parts and marks of bars mean; return where that ends."""
    box = {"width": 12.0, "height": 12.0, "stroke_width": 0}
    signs = [
        (svg.tag("rect", x=3, y=3, **box, class_=kind), word)
        for kind, word in bars.key.items()
        if any(bar.parts.get(kind) for bar in bars.bars)
    ]
    if bars.mark and any(bar.mark is not None for bar in bars.bars):
        signs.append((_mark(9, 9), bars.mark))
    if bars.interval and any(bar.interval for bar in bars.bars):
        signs.append((_interval(3, 15, 9), bars.interval))
    key, end = svg.legend(signs, width, y - 10)
    return key, end + 8 if signs else y
