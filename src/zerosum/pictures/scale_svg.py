"""A player's place between random and perfect in SVG, now and over time, for a page.

What is horizontal is in percent, so a picture is as wide as its box and its letters keep their
size; the page has the colours.
"""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.pictures.svg import TEXT, across, decimal, escape, tag, wide_picture, write
from zerosum.players.levels import LEVELS, SLIPS
from zerosum.players.scale import Strength, along, place

# The height of the scale, its line, and the names of the levels below it.
HEIGHT, LINE, NAMES = 62, 30, 54
# How far a word at an end may stand out: the page leaves room for it.
EDGE = 8
# The height of the course, and where its plot begins and how high it is.
TALL, TOP, PLOT = 196, 18, 160


def scale_svg(strength: Strength) -> str:
    """Draw the scale with your place and its interval, if known.

    >>> from zerosum.players.slips import Decision
    >>> from zerosum.players.scale import strength_of
    >>> drawn = scale_svg(strength_of([Decision(True, 1, 2)] * 60, 9))
    >>> '<circle cx="100%"' in drawn
    True
    """
    if strength.rate is None or not strength.like:
        return ""
    at = along(strength.rate)
    low = along(strength.high)
    high = along(strength.low)
    levels = [(level, along(SLIPS[level])) for level in LEVELS]
    ticks = [
        tag("line", x1=across(100 * x), x2=across(100 * x), y1=LINE - 9, y2=LINE + 9, class_="rule")
        for _, x in levels
    ]
    wide = across(100 * (high - low))
    body = [
        tag("rect", x=0, width="100%", y=LINE - 3, height=6, rx=3, class_="none"),
        tag("rect", x=across(100 * low), y=LINE - 8, width=wide, height=16, rx=8, class_="win"),
        *ticks,
        tag("circle", cx=across(100 * at), cy=LINE, r=9, class_="bar"),
        _word(at, 14, "You", "ink"),
        *(_word(x, NAMES, level, "soft") for level, x in levels),
    ]
    told = f"You: {place(strength)}, on the scale from {LEVELS[0]} to {LEVELS[-1]}"
    return wide_picture(HEIGHT, "scale", told, (), body)


def course_svg(course: Sequence[Strength]) -> str:
    """Draw how a player's place has changed, from left to right; nothing before it can be seen.

    >>> course_svg([])
    ''
    """
    known = [(place.rate, place) for place in course if place.rate is not None]
    if len(known) < 2:
        return ""
    step = 100 / (len(known) - 1)

    def line(rates: Sequence[float]) -> list[str]:
        every = [(step * at, PLOT * (1 - along(rate))) for at, rate in enumerate(rates)]
        return [f"{decimal(x)} {decimal(y)}" for x, y in every]

    lower = line([place.high for _, place in known])
    upper = line([place.low for _, place in known])
    middle = line([rate for rate, _ in known])
    band = tag("path", d=f"M{'L'.join([*lower, *reversed(upper)])}z", class_="win")
    fixed = "non-scaling-stroke"
    path = tag(
        "path", d=f"M{'L'.join(middle)}", class_="line", stroke_width=2.5, vector_effect=fixed
    )
    box, fit = f"0 0 100 {PLOT}", "none"  # stretched: the width of the page is not known here
    plot = tag(
        "svg", band, path, y=TOP, width="100%", height=PLOT, viewBox=box, preserveAspectRatio=fit
    )
    levels = [(level, TOP + PLOT * (1 - along(SLIPS[level]))) for level in LEVELS]
    body = [
        *(tag("line", x1=0, x2="100%", y1=y, y2=y, class_="rule") for _, y in levels),
        plot,
        *(write(0, y - 3, level, "soft") for level, y in levels),
    ]
    told = f"Over time: {place(course[0])} at first, {place(course[-1])} lately"
    return wide_picture(TALL, "scale", told, (), body)


def _word(x: float, y: float, text: str, kind: str) -> str:
    """Write a word centred on a place, or beginning a little before it at either end."""
    at, beside = ("start", -EDGE) if x < 0.1 else ("end", EDGE) if x > 0.9 else ("middle", None)
    place = {"x": across(100 * x), "class_": kind, "text_anchor": at}
    return tag("text", escape(text), **place, dx=beside, y=y, font_size=TEXT)
