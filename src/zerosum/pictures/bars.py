"""The bars of a report in SVG: shares of a whole, with marks and intervals."""

from collections.abc import Sequence

from zerosum.pictures import svg
from zerosum.reports import Bar, Bars, longest_bar

# Narrow enough for a phone: a page draws it larger if there is room.
NARROW, WIDE = 360.0, 600.0
ROW, BAR, LABEL = 24.0, 14.0, 170.0


def bars_svg(bars: Bars, width: float = NARROW) -> str:
    """Draw bars as a picture of their own.

    >>> drawn = bars_svg(Bars("Games", [Bar("short", {"bar": 0.25}, "25%", "Short: 25%")]))
    >>> "<title>Short: 25%</title>" in drawn
    True
    """
    head, y = svg.heading(bars.title, bars.about, width)
    parts, y = drawn_bars(bars, y + 14, width, place([bars], width, svg.MARGIN / 2))
    about = [bar.about for bar in bars.bars]
    return svg.picture(width, y + 10, bars.title, about, "\n".join([*head, *parts]))


def place(drawn: Sequence[Bars], width: float, margin: float) -> tuple[float, float]:
    """Return where bars begin and how much room they have, the same for all of a picture."""
    every = [bar for bars in drawn for bar in bars.bars]
    labels = (svg.text_width(bar.label) + 12 for bar in every)
    begin = margin + min(LABEL, max(labels, default=0.0))
    figures = max((svg.text_width(bar.figure) for bar in every), default=0.0)
    return begin, width - begin - figures - 16 - margin


def drawn_bars(
    bars: Bars, y: float, width: float, where: tuple[float, float]
) -> tuple[list[str], float]:
    """Draw bars in their place from a height on, with their key below; return where that ends."""
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
    """Write what the parts of bars and the marks mean, and return where that ends."""
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
