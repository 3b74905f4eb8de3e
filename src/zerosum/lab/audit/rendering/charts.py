"""The charts of an audit in SVG: lengths of games, chances between equals, steps of skill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zerosum.coach.advice import percent
from zerosum.pictures import svg

# Narrow enough for a phone: a page draws it larger where there is room.
WIDTH, ROW, BAR, LABEL, FIGURE = 360.0, 26.0, 16.0, 84.0, 76.0
ROOM = WIDTH - LABEL - FIGURE
# The colours of bars, in light and in dark: at least 3 to 1 against the paper.
COLOURS = {
    "bar": ("#1d5c94", "#8cc4f5"),
    "bar-second": ("#b4540a", "#ffb27a"),
    "bar-nobody": ("#7d8594", "#7f8897"),
}


class Part(NamedTuple):
    """A part of a bar: its share of the whole width, and its colour."""

    share: float
    kind: str = "bar"


class Bar(NamedTuple):
    """A bar: the text before it, its parts, the text after it, and its text alternative."""

    label: str
    parts: tuple[Part, ...]
    figure: str
    about: str


def lengths_chart(bars: Sequence[tuple[str, float]]) -> str:
    """Draw the distribution of the lengths of random games; the longest bar fills the width."""
    most = max(share for _, share in bars)
    rows = [
        Bar(label, (Part(share / most),), percent(share), f"Moves {label}: {percent(share)}")
        for label, share in bars
    ]
    return bar_chart("How long random games are", "Moves in a game, and the share of games", rows)


def equals_chart(levels: Sequence[dict[str, float | str]]) -> str:
    """Draw how often each seat wins between equals of each level."""
    rows = []
    for level in levels:
        first, second = float(level["first_wins"]), float(level["second_wins"])
        nobody = float(level["draw"]) + float(level["endless"])
        parts = (Part(first), Part(nobody, "bar-nobody"), Part(second, "bar-second"))
        about = f"{level['level']}: first {percent(first)}, second {percent(second)}"
        about += f", nobody {percent(nobody)}" if nobody else ""
        rows.append(Bar(str(level["level"]), parts, percent(first), about))
    key = {"bar": "first player wins", "bar-second": "second player wins"}
    if any(row.parts[1].share for row in rows):
        key = {"bar": "first wins", "bar-nobody": "nobody", "bar-second": "second wins"}
    title = "Who wins between equals"
    return bar_chart(title, "The figure is the chance of the first player", rows, key, half=True)


def skill_chart(steps: Sequence[dict[str, float | str]]) -> str:
    """Draw the score of each level against the next weaker one."""
    rows = []
    for step in steps:
        score = float(step["score"])
        about = f"{step['stronger']} against {step['weaker']}: {percent(score)}"
        rows.append(Bar(str(step["stronger"]), (Part(score),), percent(score), about))
    about = "The score of a level against the next weaker one, over both seats"
    return bar_chart("Steps of skill", about, rows, half=True)


def bar_chart(
    title: str,
    about: str,
    rows: Sequence[Bar],
    key: dict[str, str] | None = None,
    half: bool = False,
    label_width: float = LABEL,
) -> str:
    """Draw a chart of horizontal bars, with a line at one half where that means something."""
    width = WIDTH - LABEL + label_width
    head, top = svg.heading(title, about, width)
    parts, top = [*head], top + 14
    left = svg.MARGIN / 2 + label_width
    for number, (label, pieces, figure, described) in enumerate(rows):
        y, x = top + number * ROW, left
        inside = [svg.tag("title", svg.escape(described))]
        text = svg.fitted(label, label_width)
        inside.append(svg.write(left - 8, y + 13, text, "ink", svg.TEXT, "end"))
        for share, kind in pieces:
            wide = share * ROOM
            if wide > 0:
                inside.append(svg.tag("rect", x=x, y=y, width=wide, height=BAR, class_=kind))
            x += wide
        inside.append(svg.write(x + 6, y + 13, figure, "soft", svg.TEXT))
        parts.append(svg.tag("g", *inside))
    low = top + len(rows) * ROW
    if half:
        middle = left + ROOM / 2
        line = f"M{svg.decimal(middle)} {svg.decimal(top - 6)}V{svg.decimal(low)}"
        parts.append(svg.tag("path", d=line, class_="turn", stroke_dasharray="3 3"))
    x = svg.MARGIN
    for kind, word in (key or {}).items():
        parts.append(svg.tag("rect", x=x, y=low + 8, width=12, height=12, class_=kind))
        parts.append(svg.write(x + 18, low + 18, word))
        x += 18 + svg.text_width(word) + 12
    low += 26 if key else 0
    return svg.picture(width, low + 10, title, [row.about for row in rows], "\n".join(parts))


def bar_colours() -> str:
    """Write the colours of bars, in light and in dark."""
    light, dark = (
        "".join(f".zerosum .{kind}{{fill:{both[scheme]}}}" for kind, both in COLOURS.items())
        for scheme in (0, 1)
    )
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"
