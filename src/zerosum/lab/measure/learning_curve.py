"""Learning curves in SVG: what a learner throws away per decision, the more it has played."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from zerosum.errors import ZerosumError
from zerosum.pictures import svg
from zerosum.text import brief

TITLE = "What a learner throws away as it learns"
ABOUT = (
    "Mean exact regret per decision, by moves of training: 2 is a win turned into a loss, "
    "0 is perfect play."
)
# One strip per curve, above each other on the same axis; narrow enough for a phone.
STRIP, GAP, PLOT = 52.0, 24.0, 480.0
POWERS = {6: "1 million", 7: "10 million", 8: "100 million", 9: "1 billion"}

Curve = Sequence[tuple[int, float]]


class Scale(NamedTuple):
    """Where moves and regret are in a strip: moves are logarithmic, and 0 is at the bottom."""

    least: int
    most: int
    worst: float

    def x(self, moves: int) -> float:
        """Return where a number of moves is."""
        return svg.MARGIN + PLOT * math.log(moves / self.least) / math.log(self.most / self.least)

    def y(self, regret: float, top: float) -> float:
        """Return where a mean regret is."""
        return top + STRIP * (1 - regret / self.worst)


def learning_curve_svg(curves: Mapping[str, Curve]) -> str:
    """Draw curves by name; a point is a number of moves and the mean regret after them.

    >>> drawn = learning_curve_svg({"mine": [(100, 1.25), (1000, 0.5), (10000, 0.0)]})
    >>> drawn.count("<path"), "mine: 1.25 after 100 moves, 0 after 10,000 moves" in drawn
    (6, True)
    """
    scale = _scale(curves)
    width = 2 * svg.MARGIN + PLOT
    parts, top = svg.heading(TITLE, ABOUT, width)
    top += 30
    low = top + len(curves) * (STRIP + GAP) - GAP
    parts += [_tick(scale, power, top, low) for power in _powers(scale)]
    for number, (name, curve) in enumerate(curves.items()):
        parts.append(_strip(name, curve, scale, top + number * (STRIP + GAP)))
    parts.append(svg.write(svg.MARGIN, low + 36, "moves played", "soft", svg.SMALL))
    about = [_sentence(name, curve) for name, curve in curves.items()]
    return svg.picture(width, low + 36 + svg.MARGIN, TITLE, about, "\n".join(parts))


def _scale(curves: Mapping[str, Curve]) -> Scale:
    """Find the scale on which all curves fit; refuse what is not a curve."""
    for name, curve in curves.items():
        moves = [played for played, _ in curve]
        if len(moves) < 2 or moves[0] < 1 or moves != sorted(set(moves)):
            raise ZerosumError(
                f"{brief(name)}: a curve needs at least two points, in order of moves played."
            )
    if not curves:
        raise ZerosumError("There is no curve to draw.")
    first, last = (min(c[0][0] for c in curves.values()), max(c[-1][0] for c in curves.values()))
    worst = max(regret for curve in curves.values() for _, regret in curve)
    return Scale(first, last, worst or 1.0)


def _strip(name: str, curve: Curve, scale: Scale, top: float) -> str:
    """Draw a curve above its name, with the area below it filled."""
    bottom = top + STRIP
    points = [(scale.x(moves), scale.y(regret, top)) for moves, regret in curve]
    line = "M" + "L".join(f"{svg.decimal(x)} {svg.decimal(y)}" for x, y in points)
    low = svg.decimal(bottom)
    area = f"{line}V{low}H{svg.decimal(points[0][0])}Z"
    ground = f"M{svg.MARGIN} {low}h{svg.decimal(PLOT)}"
    label = svg.fitted(name, PLOT / 2)
    inside = (
        svg.tag("title", svg.escape(_sentence(name, curve))),
        svg.tag("path", d=area, class_="win"),
        svg.tag("path", d=ground, class_="rule"),
        svg.tag("path", d=line, class_="line", stroke_width=1.8, stroke_linejoin="round"),
        svg.write(points[0][0], points[0][1] - 5, _figure(curve[0][1]), "soft", svg.SMALL),
        svg.write(svg.MARGIN + PLOT, top + 4, label, "ink", svg.TEXT, "end"),
        svg.write(svg.MARGIN + PLOT, top + 20, _ending(curve), "soft", svg.SMALL, "end"),
    )
    return svg.tag("g", *inside)


def _ending(curve: Curve) -> str:
    """Say from when on play was perfect, or what is thrown away at the end."""
    moves, regret = curve[-1]
    for played, given in reversed(curve):
        if given:
            break
        moves = played
    return f"{_figure(regret)} at the end" if regret else f"perfect from {moves:,} moves on"


def _sentence(name: str, curve: Curve) -> str:
    """Tell a curve in words."""
    (start, before), (end, after) = curve[0], curve[-1]
    return f"{name}: {_figure(before)} after {start:,} moves, {_figure(after)} after {end:,} moves"


def _figure(regret: float) -> str:
    """Write a mean regret with two significant digits."""
    digits = max(2, 1 - math.floor(math.log10(regret))) if regret else 0
    return f"{regret:.{digits}f}"


def _powers(scale: Scale) -> Iterable[int]:
    """List the powers of ten on the axis."""
    return range(math.ceil(math.log10(scale.least)), math.floor(math.log10(scale.most)) + 1)


def _tick(scale: Scale, power: int, high: float, low: float) -> str:
    """Draw the line of a power of ten through all strips, with its number below."""
    x = scale.x(10**power)
    line = f"M{svg.decimal(x)} {svg.decimal(high)}V{svg.decimal(low + 4)}"
    mark = svg.tag("path", d=line, class_="rule", stroke_dasharray="2 4")
    word = POWERS.get(power, f"{10**power:,}")
    return mark + svg.write(x, low + 18, word, "soft", svg.SMALL, "middle")
