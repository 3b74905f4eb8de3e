"""Number lines for a page: as wide as their box, with all that a player can point at.

Places along a line are percentages, and sizes are pixels. Each line is drawn twice, for a narrow
box and for a wide one, which has room for more numbers; the style sheet shows one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from zerosum.pictures.svg import decimal, escape, tag
from zerosum.text import signed
from zerosum.wording.hooks import Mark
from zerosum.wording.number_line import NumberLine, Target

# Pixels: the room above and below the rail, and what two lines in a narrow box share of it.
ABOVE, BELOW, SHARED = 92, 50, 40
# Pixels from one number to the next: with room for a number in its dot, and at the least.
ROOMY, TIGHT = 22.0, 4.0
# The least radius of a dot that has its number in it.
LABELLED = 9.0
# With more arcs than this, they are faint until one is pointed at.
FEW = 4
STEPS = (1, 2, 5, 10, 20, 50)


class Size(NamedTuple):
    """A size of box: its name, and the pixels of a line that it has at the least, about."""

    name: str
    room: float


SIZES = (Size("narrow", 288), Size("wide", 560))


class Scale(NamedTuple):
    """Which numbers are shown, where, and how far above the rail the picture begins."""

    low: int
    high: int
    gap: float
    above: int

    def at(self, number: float) -> float:
        """Return the place of a number, in percent of the line."""
        return 100 * (number - self.low) / max(1, self.high - self.low)


@lru_cache(maxsize=4096)
def tracks(lines: tuple[NumberLine, ...], names: tuple[str, ...]) -> str:
    """Draw the number lines of a position, the one below the other, with their owners' names.

    >>> import zerosum
    >>> from zerosum.wording.number_line import number_lines
    >>> from zerosum.wording.words import words_of
    >>> game = zerosum.game("even-steven", start=14)
    >>> tracks(number_lines(words_of(game), game.initial()), ()).count('class="dot"')
    4
    """
    scales = {size.name: _scale(lines, size) for size in SIZES} if lines else {}
    if any(scale.gap < TIGHT for scale in scales.values()):
        return ""
    lanes = []
    for line in lines:
        owner = "" if line.seat is None else names[line.seat]
        drawn = [_track(line, scale, name, owner) for name, scale in scales.items()]
        lanes.append(tag("div", *drawn, class_="lane", data_line=line.name))
    return "".join(lanes)


def _scale(lines: Sequence[NumberLine], size: Size) -> Scale:
    """Choose the numbers to show, the same for both lines of a race: all, or those near moves."""
    low, high = min(line.low for line in lines), max(line.high for line in lines)
    fit = int(size.room / ROOMY)
    if high - low > fit:
        reached = [line.value for line in lines]
        reached += [target.number for line in lines for target in line.targets]
        least, most = min(reached) - 2, max(reached) + 2
        spare = max(0, fit - (most - least))
        first = max(low, least - (spare + 1) // 2)
        last = min(high, max(most, first + fit))
        low, high = max(low, min(first, last - fit)), last
    above = ABOVE - SHARED if size.name == "narrow" and len(lines) > 1 else ABOVE
    return Scale(low, high, size.room / max(1, high - low), above)


def _track(line: NumberLine, scale: Scale, name: str, owner: str) -> str:
    """Draw one line."""
    marked = {
        mark.low: mark for mark in line.marks if mark.low is not None and mark.low == mark.high
    }
    # A forbidden number that is marked keeps its mark.
    targets = [one for one in line.targets if one.reason is None or one.number not in marked]
    parts = [*_zones(line.marks, scale), *_rail(scale), *_numbers(line, targets, marked, scale)]
    arcs = [_arc(line.value, target, scale) for target in targets]
    parts += [tag("g", *arcs, class_="arcs many" if len(arcs) > FEW else "arcs")] if arcs else []
    text = signed(line.value, "")
    token = [tag("circle", r=17), tag("text", text, y=5.5)]
    kind = "token long" if len(text) > 3 else "token"
    parts.append(_group(tag("g", *token, class_=kind), scale.at(line.value), scale.above))
    parts += [_dot(target, scale) for target in targets]  # on a phone, they stand out before it
    if owner:
        parts.append(tag("text", escape(owner), x="0", y=18, class_="owner"))
    height = scale.above + BELOW
    shown = {"data_room": name, "data_low": str(scale.low), "data_high": str(scale.high)}
    about = {"class_": "track", "data_value": str(line.value), "aria_hidden": "true", **shown}
    return tag("svg", *parts, height=height, **about)


def _group(inside: str, x: float, y: float, **more: str) -> str:
    """Place a part of a line."""
    return tag("svg", inside, x=_percent(x), y=y, **more)


def _percent(place: float) -> str:
    """Write a place along the line."""
    return f"{decimal(place)}%"


def _zones(marks: Sequence[Mark], scale: Scale) -> Iterator[str]:
    """Draw the ranges of numbers that cost something."""
    for mark in marks:
        if mark.low is not None and mark.low == mark.high:
            continue
        low = scale.low if mark.low is None else max(mark.low, scale.low)
        high = scale.high if mark.high is None else min(mark.high, scale.high)
        if low > high:
            continue
        start, end = scale.at(low - 0.4), scale.at(high + 0.4)
        where = {"x": _percent(start), "width": _percent(end - start)}
        yield tag("rect", **where, y=scale.above - 20, height=40, rx=10, class_="zone")
        side, anchor = (start, "start") if mark.low is None else (end, "end")
        x, y = _percent(side), scale.above + 44
        yield tag("text", escape(mark.text), x=x, y=y, class_="zone", text_anchor=anchor)


def _rail(scale: Scale) -> Iterator[str]:
    """Draw the line itself, and a point at each number, or at each that has its number."""
    y = scale.above
    yield tag("line", x1="0", x2="100%", y1=y, y2=y, class_="rail")
    step = 1 if scale.gap >= 12 else _step(scale)
    first, last = -(-scale.low // step) * step, scale.high // step * step
    if last > first:
        start, end, steps = scale.at(first), scale.at(last), (last - first) // step
        ends = {"x1": _percent(start), "x2": _percent(end)}
        yield tag("line", y1=y, y2=y, class_="ticks", pathLength=steps, **ends)


def _step(scale: Scale) -> int:
    """Return which numbers can be written below the line."""
    return next((size for size in STEPS if size * scale.gap >= 24), 100)


def _numbers(
    line: NumberLine, targets: Sequence[Target], marked: dict[int, Mark], scale: Scale
) -> Iterator[str]:
    """Write the numbers, as many as can be read, and what is marked."""
    step, y = _step(scale), scale.above
    inside = {line.value} | {target.number for target in targets}
    for number in range(scale.low, scale.high + 1):
        x, mark = _percent(scale.at(number)), marked.get(number)
        if mark is not None:
            yield tag("circle", cx=x, cy=y, r=11, class_=f"mark {mark.kind}")
            yield tag("text", escape(mark.text), x=x, y=y + 42, class_=f"mark {mark.kind}")
        if mark is not None or number % step == 0:
            # A dot shows its number itself, or what the coach says about it.
            if number in inside and scale.gap >= ROOMY - 2:
                continue
            kind = "reached" if number in inside else None
            yield tag("text", signed(number, ""), x=x, y=y + 27, class_=kind)
    for number, mark in marked.items():
        text, kind = f"{signed(number, '')} {escape(mark.text)}", f"mark {mark.kind}"
        if number < scale.low:
            yield tag("text", f"◂ {text}", x="0", y=y + 44, class_=kind, text_anchor="start")
        elif number > scale.high:
            yield tag("text", f"{text} ▸", x="100%", y=y + 44, class_=kind, text_anchor="end")


def _arc(value: int, target: Target, scale: Scale) -> str:
    """Draw the arc of a move, the farther the higher, with what it does."""
    start, end = scale.at(value), scale.at(target.number)
    pixels = abs(target.number - value) * scale.gap
    height = min(scale.above - 20, 22 + 0.28 * pixels)
    path = tag("path", d="M0 100Q50 -100 100 100")
    x, y, width = _percent(min(start, end)), scale.above - height, _percent(abs(end - start))
    size = {"width": width, "height": decimal(height), "viewBox": "0 0 100 100"}
    arc = tag("svg", path, x=x, y=y, preserveAspectRatio="none", **size)
    middle = _percent((start + end) / 2)
    text = tag("text", escape(target.step), x=middle, y=max(14, y - 7), class_="step")
    kind = "arc" if target.reason is None else "arc barred"
    return tag("g", arc, text, class_=kind, data_to=str(target.move))


def _dot(target: Target, scale: Scale) -> str:
    """Draw a number that a move leads to, with room for what the coach says about it."""
    size, text = max(5.0, min(14.0, scale.gap / 2 - 1)), signed(target.number, "")
    parts = [tag("circle", r=size)]
    if target.reason is not None:
        parts += [tag("path", d="M-4 -4L4 4M4 -4L-4 4"), tag("title", escape(target.reason))]
    elif size >= LABELLED:
        parts.append(tag("text", text, y=4, class_="long" if len(text) > 2 else None))
    parts.append(tag("text", "", y=size + 14, class_="sign"))
    kind = "dot" if target.reason is None else "dot barred"
    move = str(target.move)
    return _group(tag("g", *parts, class_=kind, data_to=move), scale.at(target.number), scale.above)
