"""The chart of one game in SVG: who was winning after each move, and how soon."""

from collections.abc import Iterator

from zerosum.coach.verdicts import BAD, Verdict
from zerosum.pictures import svg
from zerosum.pictures.chart import Chart
from zerosum.pictures.labels import tick_label
from zerosum.protocol import Value

# A game of a dozen moves fits on a phone without being too small to read.
WIDEST_STEP, NARROWEST_PLOT = 28.0, 320.0
BAND, MIDDLE, PAD, GAP = 112.0, 40.0, 14.0, 3.0
HEIGHT = 2 * BAND + MIDDLE + 2 * GAP
# The lines of a name, and how wide they are.
MOST_LINES, LONGEST_SIDE = 4, 112.0
# The class of each verdict's mark; every other position is a dot.
MARK_CLASSES: dict[Verdict, str] = {
    "best": "mark",
    "good": "hollow",
    "mistake": "warn",
    "blunder": "alarm",
}
# Positions closer to each other than this are marked only where a move was bad.
EVERY_MARK = 6.0


def chart_svg(chart: Chart) -> str:
    """Draw the chart of a game as SVG.

    Each position is a group with its number in `data-ply`, for a page that lets it be clicked.

    >>> from zerosum import Value
    >>> values = [Value("loss", 2), Value("loss", 1), Value("loss", 0)]
    >>> drawn = chart_svg(Chart(values, moves=[1, 1]))
    >>> "<title>Move 2, Player 2 plays 1: win for Player 2, the game is over</title>" in drawn
    True
    """
    count = len(chart.moves)
    sides = [word for name in chart.names for word in _folded(name)]
    beside = [*map(svg.text_width, sides), svg.text_width("after move", svg.SMALL)]
    left = svg.MARGIN + max(beside) + 14
    plot = svg.WIDEST - svg.MARGIN - left
    step = min(WIDEST_STEP, (plot - 2 * PAD) / max(1, count))
    plot = max(min(plot, count * step + 2 * PAD), NARROWEST_PLOT)
    width = max(left + plot + svg.MARGIN, svg.title_width(chart.title))
    head, top = _head(chart, width, step)
    xs = [left + PAD + step * ply for ply in range(count + 1)]
    ys = [None if value is None else top + _height(chart, value) for value in chart.values]
    line = _line(xs, ys)
    axis, bottom = _axis(chart, xs, top + HEIGHT, step)
    body = [
        *head,
        *_bands(chart, left, top, width - svg.MARGIN - left),
        *_turning_point(chart, xs, top, width),
        svg.tag("path", d=line, class_="line", stroke_width=1.8, stroke_linejoin="round"),
        *_points(chart, xs, ys, top, step),
        *axis,
    ]
    sentences = chart.sentences()
    return svg.picture(width, bottom + svg.MARGIN, chart.title, sentences, "\n".join(body))


def _head(chart: Chart, width: float, step: float) -> tuple[list[str], float]:
    """Write the title and the legend, and return where they end."""
    about = "Closer to the edge = ends sooner." + " Gap = unknown." * bool(chart.gaps)
    legend = chart.legend
    if step < EVERY_MARK and any(chart.verdicts):
        about += " Only mistakes and blunders are marked."
        legend = {verdict: word for verdict, word in legend.items() if verdict in BAD}
    parts, y = svg.heading(chart.title, about, width)
    keys = [(marker(verdict, 9, 9, 5.5), word) for verdict, word in legend.items()]
    marks, y = svg.legend(keys, width, y)
    below = (40 if chart.turning_point else 18) - (0 if legend else 20)
    return [*parts, *marks], y + below


def marker(verdict: Verdict | None, x: float, y: float, radius: float) -> str:
    """Draw the mark of a verdict: disc, ring, triangle, or a square with a cross; else a dot."""
    kind = MARK_CLASSES.get(verdict, "mark") if verdict else "mark"
    if verdict == "mistake":
        r = radius * 1.25
        d = f"M{x:.1f} {y - r:.1f}l{r:.1f} {r * 1.75:.1f}h{-2 * r:.1f}z"
        return svg.tag("path", d=d, class_=kind, stroke_width=1.4, stroke_linejoin="round")
    if verdict == "blunder":
        r, c = radius * 1.1, radius * 0.5
        square = svg.tag("rect", x=x - r, y=y - r, width=2 * r, height=2 * r, rx=2, class_=kind)
        cross = f"M{x - c:.1f} {y - c:.1f}l{2 * c:.1f} {2 * c:.1f}m0 {-2 * c:.1f}"
        cross += f"l{-2 * c:.1f} {2 * c:.1f}"
        return square + svg.tag(
            "path", d=cross, class_=kind, stroke_width=1.8, stroke_linecap="round"
        )
    radius = radius if verdict in MARK_CLASSES else radius * 0.6
    return svg.tag("circle", cx=x, cy=y, r=radius * 0.9, class_=kind, stroke_width=1.6)


def _height(chart: Chart, value: Value) -> float:
    """Return how far below the top a value is drawn."""
    if value.result == "draw":
        return BAND + GAP + MIDDLE / 2
    late = (1 - chart.nearness(value)) * (BAND - 2 * PAD) + PAD
    return late if value.result == "win" else HEIGHT - late


def _line(xs: list[float], ys: list[float | None]) -> str:
    """Write the path through all positions; it breaks off where a value is unknown."""
    path, pen = "", "M"
    for x, y in zip(xs, ys, strict=True):
        if y is not None:
            path += f"{pen}{x:.1f} {y:.1f}"
        pen = "M" if y is None else "L"
    return path


def _folded(name: str) -> list[str]:
    """Break a name into lines that are short enough to be beside the chart."""
    lines = svg.fold(name, LONGEST_SIDE)
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 1], "…"]


def _bands(chart: Chart, left: float, top: float, plot: float) -> Iterator[str]:
    """Draw the three bands, with their meanings on the left."""
    first, second = map(_folded, chart.names)
    below = top + BAND + MIDDLE + 2 * GAP
    bands = (
        ("first", top, BAND, (*first, "wins")),
        ("draw", top + BAND + GAP, MIDDLE, ("draw",)),
        ("second", below, BAND, (*second, "wins")),
    )
    for kind, y, high, words in bands:
        yield svg.tag("rect", x=left, y=y, width=plot, height=high, rx=4, class_=kind)
        for at, word in enumerate(words):
            line = y + high / 2 + 4 + (at - (len(words) - 1) / 2) * 17
            yield svg.write(
                left - 12, line, word, "soft" if at == len(words) - 1 else "ink", at="end"
            )


def _turning_point(chart: Chart, xs: list[float], top: float, width: float) -> Iterator[str]:
    """Mark the turning point with a line through all bands and a word above them."""
    if not chart.turning_point:
        return
    x = xs[chart.turning_point]
    words = f"turning point: move {chart.turning_point}"
    half = svg.text_width(words) / 2
    middle = min(max(x, svg.MARGIN + half), width - svg.MARGIN - half)
    yield svg.write(middle, top - 10, words, at="middle")
    d = f"M{x:.1f} {top - 5:.1f}v{HEIGHT + 5:.1f}"
    yield svg.tag("path", d=d, class_="turn", stroke_width=1.4, stroke_dasharray="3 4")


def _points(
    chart: Chart, xs: list[float], ys: list[float | None], top: float, step: float
) -> Iterator[str]:
    """Draw every position: an area to point at, and its mark if it is known and there is room."""
    radius = 5.5 if step >= 15 else 4.0 if step >= 9 else 3.2
    for ply, (x, y) in enumerate(zip(xs, ys, strict=True)):
        verdict = chart.verdict(ply)
        bad = verdict in BAD
        mark = "" if y is None else marker(verdict, x, y, max(radius, 4.5) if bad else radius)
        yield svg.tag(
            "g",
            svg.tag("title", svg.escape(chart.position(ply))),
            svg.tag("rect", x=x - step / 2, y=top, width=step, height=HEIGHT, fill_opacity=0),
            mark if bad or step >= EVERY_MARK or not ply else "",
            data_ply=str(ply),
        )


def _axis(chart: Chart, xs: list[float], y: float, step: float) -> tuple[list[str], float]:
    """Write the numbers of the positions, and the moves if there is room for all of them."""
    left = xs[0] - PAD - 12
    widest = svg.text_width(str(len(xs) - 1), svg.SMALL) + 6
    every = next((n for n in (1, 2, 5, 10, 20, 50, 100) if n * step >= widest), 200)
    parts = [svg.write(left, y + 18, "after move", "soft", svg.SMALL, "end")]
    parts += [
        svg.write(xs[ply], y + 18, str(ply), "soft", svg.SMALL, "middle")
        for ply in range(0, len(xs), every)
    ]
    moves = [tick_label(move) for move in chart.moves]
    if not moves or max(svg.text_width(move, svg.TEXT) for move in moves) + 4 > step:
        return parts, y + 18
    parts.append(svg.write(left, y + 38, "played", "soft", svg.SMALL, "end"))
    parts += [
        svg.write(x, y + 38, move, at="middle") for x, move in zip(xs[1:], moves, strict=True)
    ]
    return parts, y + 38
