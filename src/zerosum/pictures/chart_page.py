"""The chart of one game for a page: as wide as its box, with letters that never shrink.

Places along it are percentages, and sizes are pixels, as on a number line.
"""

from collections.abc import Iterator
from itertools import pairwise

from zerosum.coach.review import MARKS
from zerosum.coach.verdicts import BAD
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import MARK_CLASSES
from zerosum.pictures.svg import TEXT, XMLNS, decimal, escape, fitted, tag, text_width, write
from zerosum.protocol import Value
from zerosum.solver.values import OTHER

BAND, MIDDLE, BELOW, PAD = 58.0, 16.0, 18.0, 8.0
HIGH = 2 * BAND + MIDDLE
# Percent on either side of the first and the last position; pixels of the narrowest box.
SIDE, NARROWEST = 3.0, 260
# With more positions than this, dots are small.
MANY = 24
EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)


def page_chart(chart: Chart, top: int) -> str:
    """Draw the chart of a game with one of the seats on top.

    Each position is a group with its number in `data-ply`, for a page that lets it be clicked.

    >>> chart = Chart([Value("loss", 2), Value("loss", 1), Value("loss", 0)], moves=[1, 1])
    >>> page_chart(chart, 1).count("data-ply")
    3
    """
    count = max(1, len(chart.moves))
    xs = [SIDE + (100 - 2 * SIDE) * ply / count for ply in range(len(chart.values))]
    ys = [None if value is None else _height(chart, value, top) for value in chart.values]
    bands = [
        tag("rect", y=y, width="100%", height=BAND, rx=8, class_=kind)
        for kind, y in (("first", 0), ("second", HIGH - BAND))
    ]
    names = [
        write(10, y, fitted(chart.names[seat], NARROWEST / 2), "ink owner")
        for seat, y in ((top, 18), (1 - top, HIGH - 8))
    ]
    parts = [*bands, *_lines(chart, xs, ys), *_points(chart, xs, ys), *names, *_axis(xs)]
    said = escape("\n".join(chart.sentences()))
    texts = tag("title", escape(chart.title)), tag("desc", said)
    about = {"xmlns": XMLNS, "class_": "zerosum chart", "role": "img", "width": "100%"}
    return tag("svg", *texts, *parts, height=HIGH + BELOW, **about)


def _height(chart: Chart, value: Value, top: int) -> float:
    """Return how far below the top edge a value is drawn."""
    if value.result == "draw":
        return HIGH / 2
    late = PAD + (1 - chart.nearness(value)) * (BAND - 2 * PAD)
    result = OTHER[value.result] if top else value.result
    return late if result == "win" else HIGH - late


def _lines(chart: Chart, xs: list[float], ys: list[float | None]) -> Iterator[str]:
    """Draw the line through all known positions, stretched to the box, and the turning point."""
    known = zip(pairwise(xs), pairwise(ys), strict=True)
    path = "".join(
        f"M{decimal(10 * x)} {decimal(y)}L{decimal(10 * then)} {decimal(after)}"
        for (x, then), (y, after) in known
        if y is not None and after is not None
    )
    still = {"fill": "none", "vector_effect": "non-scaling-stroke", "stroke_linecap": "round"}
    line = tag("path", d=path, class_="turn", stroke_width=2.2, **still)
    box = {"viewBox": f"0 0 1000 {decimal(HIGH)}", "preserveAspectRatio": "none"}
    yield tag("svg", line, width="100%", height=HIGH, **box)
    if chart.turning_point:
        x = _percent(xs[chart.turning_point])
        more = {"class_": "line", "stroke_dasharray": "3 4"}
        yield tag("line", x1=x, x2=x, y1=0, y2=HIGH, **more)


def _points(chart: Chart, xs: list[float], ys: list[float | None]) -> Iterator[str]:
    """Draw every position: an area to point at, a dot, and the sign of a bad move."""
    step, signed = (100 - 2 * SIDE) / max(1, len(xs) - 1), 0.0
    for ply, (x, y) in enumerate(zip(xs, ys, strict=True)):
        verdict = chart.verdict(ply)
        place = {"x": _percent(x - step / 2), "width": _percent(step)}
        parts = [
            tag("title", escape(chart.position(ply))),
            tag("rect", **place, height=HIGH, fill_opacity=0),
        ]
        bad = verdict in BAD
        if y is not None:
            kind = MARK_CLASSES.get(verdict, "mark") if verdict and bad else "mark"
            size = 6 if ply == chart.turning_point else 4.5 if bad else 2 if len(xs) > MANY else 3
            parts.append(tag("circle", cx=_percent(x), cy=y, r=size, class_=kind))
        # Signs that would touch the one before them are left out; the list of moves has them all.
        if y is not None and bad and (x - signed) * NARROWEST > 100 * text_width("??"):
            above = y - 9 if y > HIGH / 4 else y + 18
            mark = MARKS[verdict]
            parts.append(_written(x, above, mark, "ink sign"))
            signed = x
        yield tag("g", *parts, data_ply=str(ply))


def _axis(xs: list[float]) -> Iterator[str]:
    """Number the positions by the moves before them, as often as there is room in any box."""
    room = (100 - 2 * SIDE) * NARROWEST / 100 / max(1, len(xs) - 1)
    wide = text_width(str(len(xs) - 1)) + 6
    every = next((n for n in EVERY if n * room >= wide), EVERY[-1])
    for ply in range(0, len(xs), every):
        yield _written(xs[ply], HIGH + 14, str(ply), "soft")


def _written(place: float, y: float, text: str, kind: str) -> str:
    """Write a few letters around a place along the chart."""
    where = {"x": _percent(place), "text_anchor": "middle", "class_": kind}
    return tag("text", text, y=y, font_size=TEXT, **where)


def _percent(place: float) -> str:
    """Write a place along the chart."""
    return f"{decimal(place)}%"
