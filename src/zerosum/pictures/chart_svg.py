"""The chart of a game in SVG: who was winning after each move, how soon.

On a page it is as wide as its box, with letters that never shrink: places along it are percentages,
and sizes are pixels. A file has the same drawing at a fixed width, with a heading and a legend.
"""

from collections.abc import Iterator
from itertools import pairwise

from zerosum.coach.review import MARKS
from zerosum.coach.verdicts import BAD, Verdict
from zerosum.pictures import svg
from zerosum.pictures.chart import Chart
from zerosum.pictures.labels import tick_label
from zerosum.pictures.svg import across, decimal, tag
from zerosum.protocol import Value
from zerosum.solver.values import OTHER
from zerosum.text import does

BAND, MIDDLE, PAD = 58.0, 16.0, 8.0
HIGH = 2 * BAND + MIDDLE
# The rows below it: the numbers of the positions, and in a file the moves.
ROW = 18.0
# Percent beside the first and last position; pixels of the narrowest box.
SIDE, NARROWEST = 3.0, 260.0
# In a file, a dozen moves fit on a phone and can still be read.
WIDEST_STEP, LONGEST_NAME = 28.0, 112.0
# Pixels between positions: with fewer, dots are small, or only bad moves are marked.
ROOMY, EVERY_MARK = 10.0, 6.0
EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
# The class of each verdict's mark; every other position is a dot.
MARK_CLASSES: dict[Verdict, str] = {
    "best": "mark",
    "good": "hollow",
    "mistake": "warn",
    "blunder": "alarm",
}
TURN = {"class_": "line", "stroke_dasharray": "3 4"}


def page_chart(chart: Chart) -> str:
    """Draw the chart of a game for a page.

    Each position is a group with its number in `data-ply`, for clicks on a page.

    >>> chart = Chart([Value("loss", 2), Value("loss", 1), Value("loss", 0)], moves=[1, 1])
    >>> page_chart(chart).count("data-ply")
    3
    """
    names = [
        svg.write(10, y, svg.fitted(chart.names[seat], NARROWEST / 2), "ink owner")
        for seat, y in ((chart.top, 18), (1 - chart.top, HIGH - 8))
    ]
    about, parts = "\n".join(chart.sentences()), [*_plot(chart, NARROWEST), *names]
    return svg.wide_picture(HIGH + ROW, "chart", chart.title, [about], parts)


def chart_svg(chart: Chart) -> str:
    """Draw the chart of a game as a file.

    >>> from zerosum import Value
    >>> values = [Value("loss", 2), Value("loss", 1), Value("loss", 0)]
    >>> drawn = chart_svg(Chart(values, moves=[1, 1]))
    >>> "<title>Move 2, Player 2 plays 1: win for Player 2, the game is over</title>" in drawn
    True
    """
    wins = [does(svg.fitted(name, LONGEST_NAME), "wins") for name in chart.names]
    upper, lower = wins[chart.top], wins[1 - chart.top]
    sides = {BAND / 2 + 4: upper, HIGH - BAND / 2 + 4: lower, HIGH + 14: "after move"}
    left = svg.MARGIN + max(map(svg.text_width, sides.values())) + 8
    wanted = WIDEST_STEP * len(chart.moves) * 100 / (100 - 2 * SIDE)
    width = left + max(wanted, NARROWEST) + svg.MARGIN
    width = min(svg.WIDEST, max(width, svg.title_width(chart.title)))
    room = width - left - svg.MARGIN
    head, top = _head(chart, width, _step(chart, room))
    high, moves = HIGH + ROW, list(_moves(chart, room))
    if moves:
        sides[high + 14] = "played"
        high += ROW
    plot = tag("svg", *_plot(chart, room), *moves, x=left, y=top, width=room, height=high)
    beside = (svg.write(left - 8, top + y, side, "soft", at="end") for y, side in sides.items())
    body = "\n".join([*head, plot, *beside])
    return svg.picture(width, top + high + svg.MARGIN, chart.title, chart.sentences(), body)


def _head(chart: Chart, width: float, step: float) -> tuple[list[str], float]:
    """Write the title and the legend, and return where the chart begins."""
    about = "Closer to the edge = ends sooner." + " Gap = unknown." * bool(chart.gaps)
    legend = chart.legend
    if step < EVERY_MARK and any(chart.verdicts):
        about += " Only mistakes and blunders are marked."
        legend = {verdict: word for verdict, word in legend.items() if verdict in BAD}
    parts, y = svg.heading(chart.title, about, width)
    keys = [(_placed(verdict, "9", 9, 5.5), word) for verdict, word in legend.items()]
    if chart.turning_point:
        line = tag("line", x1=9, x2=9, y1=0, y2=18, **TURN)
        keys.append((line, f"turning point: move {chart.turning_point}"))
    marks, y = svg.legend(keys, width, y)
    return [*parts, *marks], y + (18 if keys else -2)


def _plot(chart: Chart, room: float) -> Iterator[str]:
    """Draw what a file and a page share, in some room."""
    count = max(1, len(chart.moves))
    xs = [SIDE + (100 - 2 * SIDE) * ply / count for ply in range(len(chart.values))]
    ys = [None if value is None else _height(chart, value) for value in chart.values]
    for kind, y in (("first", 0), ("second", HIGH - BAND)):
        yield tag("rect", y=y, width="100%", height=BAND, rx=8, class_=kind)
    yield from _lines(chart, xs, ys)
    yield from _points(chart, xs, ys, room)
    step = _step(chart, room)
    wide = svg.text_width(str(len(xs) - 1)) + 6
    every = next((n for n in EVERY if n * step >= wide), EVERY[-1])
    for ply in range(0, len(xs), every):
        yield _written(xs[ply], HIGH + 14, str(ply), "soft")


def _step(chart: Chart, room: float) -> float:
    """Return the pixels from one position to the next."""
    return room * (1 - 2 * SIDE / 100) / max(1, len(chart.moves))


def _height(chart: Chart, value: Value) -> float:
    """Return how far below the top edge a value is drawn."""
    if value.result == "draw":
        return HIGH / 2
    late = PAD + (1 - chart.nearness(value)) * (BAND - 2 * PAD)
    result = OTHER[value.result] if chart.top else value.result
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
        x = across(xs[chart.turning_point])
        yield tag("line", x1=x, x2=x, y1=0, y2=HIGH, **TURN)


def _points(chart: Chart, xs: list[float], ys: list[float | None], room: float) -> Iterator[str]:
    """Draw every position: an area to point at, its mark, and the sign of a bad move."""
    step, signed = _step(chart, room), 0.0
    half = 50 * step / room
    for ply, (x, y) in enumerate(zip(xs, ys, strict=True)):
        verdict = chart.verdict(ply)
        left, right = max(0, x - half), min(100, x + half)
        place = {"x": across(left), "width": across(right - left)}
        parts = [
            tag("title", svg.escape(chart.position(ply))),
            tag("rect", **place, height=HIGH, fill_opacity=0),
        ]
        bad = verdict in BAD
        if y is not None:
            radius = 6 if ply == chart.turning_point else 4.5 if bad or step >= ROOMY else 3
            shown = verdict if bad or step >= EVERY_MARK else None
            parts.append(_placed(shown, across(x), y, radius))
        # Signs that would touch the one before them are left out; the list of moves has them all.
        if y is not None and verdict in BAD and (x - signed) * room > 100 * svg.text_width("??"):
            above = y - 9 if y > HIGH / 4 else y + 18
            parts.append(_written(x, above, MARKS[verdict], "ink sign"))
            signed = x
        yield tag("g", *parts, data_ply=str(ply))


def _placed(verdict: Verdict | None, x: str, y: float, radius: float) -> str:
    """Draw the mark of a verdict at a place."""
    return tag("svg", marker(verdict, radius), x=x, y=y, overflow="visible")


def marker(verdict: Verdict | None, radius: float) -> str:
    """Draw the mark of a verdict: disc, ring, triangle, crossed square; else a dot."""
    kind = MARK_CLASSES.get(verdict, "mark") if verdict else "mark"
    if verdict == "mistake":
        r = radius * 1.25
        d = f"M0 {decimal(-r)}l{decimal(r)} {decimal(r * 1.75)}h{decimal(-2 * r)}z"
        return tag("path", d=d, class_=kind, stroke_width=1.4, stroke_linejoin="round")
    if verdict == "blunder":
        r, c = radius * 1.1, decimal(radius * 0.5)
        square = tag("rect", x=-r, y=-r, width=2 * r, height=2 * r, rx=2, class_=kind)
        cross = f"M-{c} -{c}L{c} {c}M{c} -{c}L-{c} {c}"
        return square + tag("path", d=cross, class_=kind, stroke_width=1.8, stroke_linecap="round")
    radius *= 0.9 if verdict in MARK_CLASSES else 0.6
    return tag("circle", r=radius, class_=kind, stroke_width=1.6)


def _moves(chart: Chart, room: float) -> Iterator[str]:
    """Write what moves do below the positions they lead to, if there is room."""
    texts = (move.partition(" → ")[0] if isinstance(move, str) else move for move in chart.moves)
    moves = [*map(tick_label, texts)]
    step = _step(chart, room)
    if max(map(svg.text_width, moves), default=step) + 4 <= step:
        for ply, move in enumerate(moves, 1):
            at = SIDE + 100 * step * ply / room
            yield _written(at, HIGH + 14 + ROW, move, "ink")


def _written(place: float, y: float, text: str, kind: str) -> str:
    """Write a few letters around a place along the chart."""
    where = {"x": across(place), "text_anchor": "middle", "class_": kind}
    return tag("text", svg.escape(text), y=y, font_size=svg.TEXT, **where)
