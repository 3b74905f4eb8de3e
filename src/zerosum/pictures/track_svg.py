"""Number lines for a page: as wide as their box, with all to point at.

Places along a line are percentages, and sizes are pixels of the narrowest box; the style sheet
enlarges the dots in a wide one.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from zerosum.pictures.svg import across, decimal, escape, tag
from zerosum.text import signed
from zerosum.wording.hooks import Mark
from zerosum.wording.number_line import NumberLine, Target

# Pixels: the narrowest line, and the room around it, some shared by two lines.
ROOM, MARGIN = 288, 26
ABOVE, BELOW, SHARED = 92, 50, 40
# The upper part of the room below, for numbers; words go under them.
NUMBERS = 31
# The most numbers shown beside those that moves reach, and the least pixels between.
MOST, TIGHT = 16, 4.0
# If numbers are closer than this many pixels, a small phone shows every other one.
SPARE = 5
# The largest dot, and the least one that has its number in it.
LARGEST, LABELLED = 11.0, 7.0
# With more arcs than this, they are faint until one is pointed at.
FEW = 4
STEPS = (1, 2, 5, 10, 20, 50)


class Scale(NamedTuple):
    """Which numbers are shown, where, and how far above the rail the picture begins."""

    low: int
    high: int
    gap: float
    above: int

    def at(self, number: float) -> float:
        """Return the place of a number, in percent of the line."""
        return 100 * (number - self.low) / max(1, self.high - self.low)


def tracks(lines: tuple[NumberLine, ...], names: tuple[str, ...]) -> str:
    """Draw the number lines of a position, one below the other, with owners' names.

    >>> import zerosum
    >>> from zerosum.wording.number_line import number_lines
    >>> from zerosum.wording.words import words_of
    >>> game = zerosum.game("even-steven", start=14)
    >>> tracks(number_lines(words_of(game), game.initial()), ()).count('class="dot"')
    2
    """
    return _drawn(lines, tuple("" if line.seat is None else names[line.seat] for line in lines))


@lru_cache(maxsize=4096)
def _drawn(lines: tuple[NumberLine, ...], owners: tuple[str, ...]) -> str:
    """Draw the number lines of a position, once."""
    if not lines or (scale := _scale(lines)).gap < TIGHT:
        return ""
    return "".join(_track(line, scale, owner) for line, owner in zip(lines, owners, strict=True))


def small(line: NumberLine, room: int = MOST) -> str:
    """Draw a number line with its legal moves, in a fixed shape, without words.

    >>> from zerosum.wording.number_line import NumberLine
    >>> small(NumberLine("number", "Number", None, 3, 0, 3, (), ())).count("<svg")
    3
    """
    legal = tuple(target for target in line.targets if target.reason is None)
    scale = _scale([line], room)._replace(above=ABOVE - SHARED)
    if scale.gap < TIGHT:
        return ""
    track = _track(line._replace(targets=legal), scale, "", x=MARGIN, width=ROOM)
    box = f"0 0 {ROOM + 2 * MARGIN} {scale.above + NUMBERS}"
    return tag("svg", track, class_="drawn", viewBox=box, aria_hidden="true")


def _scale(lines: Sequence[NumberLine], room: int = MOST) -> Scale:
    """Choose the numbers to show, the same for both lines of a race: all, or those near moves."""
    low = min(line.low for line in lines)
    high = max(line.high for line in lines)
    if high - low > room:
        reached = [line.value for line in lines]
        reached += [target.number for line in lines for target in line.targets]
        least, most = min(reached), max(reached)
        for mark in lines[0].marks:
            if mark.low is not None and mark.low == mark.high:
                wider = min(least, mark.low), max(most, mark.low)
                least, most = wider if wider[1] - wider[0] <= room else (least, most)
        wide = max(room, most - least + 2)
        first = max(low, least - (wide - (most - least) + 1) // 2)
        last = min(high, first + wide)
        low, high = max(low, last - wide), last
    above = ABOVE - SHARED if len(lines) > 1 else ABOVE
    return Scale(low, high, ROOM / max(1, high - low), above)


def _track(line: NumberLine, scale: Scale, owner: str, **place: int) -> str:
    """Draw one line."""
    marked = {
        mark.low: mark for mark in line.marks if mark.low is not None and mark.low == mark.high
    }
    # A forbidden number that is marked keeps its mark.
    targets = [
        target for target in line.targets if target.reason is None or target.number not in marked
    ]
    parts = [*_zones(line.marks, scale), *_rail(scale), *_numbers(line, targets, marked, scale)]
    parts += _arcs(line.value, targets, scale)
    text = signed(line.value, "")
    token = [tag("circle", r=13), tag("text", text, y=4.5)]
    kind = "token long" if len(text) > 3 else "token"
    token_at = scale.at(line.value), scale.above
    parts.append(_group(tag("g", *token, class_=kind), *token_at, data_number=text))
    parts += [_dot(target, scale) for target in targets]  # on a phone, they stand out before it
    if owner:
        parts.append(tag("text", escape(owner), x="0", y=18, class_="owner"))
    height = scale.above + BELOW
    shown = {"data_low": str(scale.low), "data_high": str(scale.high)}
    about = {"class_": "track", "data_line": line.name, "data_value": str(line.value), **shown}
    return tag("svg", *parts, **place, height=height, aria_hidden="true", **about)


def _group(inside: str, x: float, y: float, **more: str) -> str:
    """Place a part of a line."""
    return tag("svg", inside, x=across(x), y=y, **more)


def _zones(marks: Sequence[Mark], scale: Scale) -> Iterator[str]:
    """Draw the ranges of numbers that cost something."""
    for mark in marks:
        if mark.low is not None and mark.low == mark.high:
            continue
        low = scale.low if mark.low is None else max(mark.low, scale.low)
        high = scale.high if mark.high is None else min(mark.high, scale.high)
        if low > high:
            continue
        start = scale.at(low - 0.4)
        end = scale.at(high + 0.4)
        where = {"x": across(start), "width": across(end - start)}
        yield tag("rect", **where, y=scale.above - 20, height=40, rx=10, class_="zone")
        side, anchor = (start, "start") if mark.low is None else (end, "end")
        x, y = across(side), scale.above + 44
        yield tag("text", escape(mark.text), x=x, y=y, class_="zone", text_anchor=anchor)


def _rail(scale: Scale) -> Iterator[str]:
    """Draw the line, and a point at each number, or at each that is written."""
    y = scale.above
    yield tag("line", x1="0", x2="100%", y1=y, y2=y, class_="rail")
    step = 1 if scale.gap >= 12 else _step(scale)
    first = -(-scale.low // step) * step
    last = scale.high // step * step
    if last > first:
        start = scale.at(first)
        end = scale.at(last)
        steps = (last - first) // step
        ends = {"x1": across(start), "x2": across(end)}
        yield tag("line", y1=y, y2=y, class_="ticks", pathLength=steps, **ends)


def _step(scale: Scale) -> int:
    """Return which numbers can be written below the line."""
    return next((size for size in STEPS if size * scale.gap >= _room(scale)), 100)


def _room(scale: Scale) -> int:
    """Return how many pixels apart numbers must be to be told apart."""
    return 7 * max(len(str(scale.low)), len(str(scale.high))) + 5


def _numbers(
    line: NumberLine, targets: Sequence[Target], marked: dict[int, Mark], scale: Scale
) -> Iterator[str]:
    """Write the numbers, as many as can be read, and what is marked."""
    step, y, room = _step(scale), scale.above, _room(scale)
    inside = {line.value} | {target.number for target in targets}
    tight = step * scale.gap < room + SPARE
    for number in range(scale.low, scale.high + 1):
        x = across(scale.at(number))
        mark = marked.get(number)
        if mark is not None:
            yield tag("circle", cx=x, cy=y, r=11, class_=f"mark {mark.kind}")
            yield tag("text", escape(mark.text), x=x, y=y + 42, class_=f"mark {mark.kind}")
        beside = any(0 < abs(other - number) * scale.gap < room for other in marked)
        if mark is not None or (number % step == 0 and not beside):
            # A dot shows its number itself, or what the coach says about it.
            if number in inside and _size(scale) >= LABELLED:
                continue
            kinds = ["reached"] * (number in inside) + ["spare"] * (tight and number // step % 2)
            kind = " ".join(kinds) or None
            yield tag("text", signed(number, ""), x=x, y=y + 27, class_=kind)
    for number, mark in marked.items():
        text = f"{signed(number, '')} {escape(mark.text)}"
        kind = f"mark {mark.kind}"
        if number < scale.low:
            yield tag("text", f"◂ {text}", x="0", y=y + 44, class_=kind, text_anchor="start")
        elif number > scale.high:
            yield tag("text", f"{text} ▸", x="100%", y=y + 44, class_=kind, text_anchor="end")


def _arcs(value: int, targets: Sequence[Target], scale: Scale) -> Iterator[str]:
    """Draw the arcs of moves, the farther the higher, with what they do."""
    paths, texts = [], []
    clear: list[tuple[float, float]] = []
    for target in targets:
        height = min(scale.above - 20, 22 + 0.28 * abs(target.number - value) * scale.gap)
        kind = "arc" if target.reason is None else "arc barred"
        path = _bent(value - scale.low, target.number - scale.low, scale.above, height)
        paths.append(tag("path", d=path, class_=kind, data_to=str(target.move)))
        middle = across(scale.at((value + target.number) / 2))
        y = round(max(14, scale.above - height - 7))
        at = (value + target.number) / 2 * scale.gap, y
        touches = any(abs(at[0] - x) < 26 and abs(at[1] - above) < 15 for x, above in clear)
        clear += [] if touches else [at]
        more = {"class_": "step" if touches else "step clear", "data_to": str(target.move)}
        texts.append(tag("text", escape(target.step), x=middle, y=y, **more))
    if paths:
        # Stretched to the line; its strokes are not.
        box = f"0 0 {scale.high - scale.low} {scale.above}"
        kind = "arcs many" if len(paths) > FEW else "arcs"
        about = {"viewBox": box, "preserveAspectRatio": "none", "class_": kind}
        yield tag("svg", *paths, height=scale.above, **about)
        yield from texts


def _bent(start: int, end: int, above: float, height: float) -> str:
    """Return the path of an arc."""
    middle = decimal((start + end) / 2)
    top = decimal(above - 2 * height)
    return f"M{start} {above}Q{middle} {top} {end} {above}"


def _size(scale: Scale) -> float:
    """Return the radius of a dot."""
    return max(5.0, min(LARGEST, scale.gap / 2 - 1))


def _dot(target: Target, scale: Scale) -> str:
    """Draw a number that a move leads to."""
    size, text = _size(scale), signed(target.number, "")
    parts = [tag("circle", r=size)]
    if target.reason is not None:
        parts += [tag("path", d="M-4 -4L4 4M4 -4L-4 4"), tag("title", escape(target.reason))]
    elif size >= LABELLED:
        crowded = len(text) * 9 > 2 * size
        parts.append(tag("text", text, y=4, class_="long" if crowded else None))
    kind = "dot" if target.reason is None else "dot barred"
    move = str(target.move)
    dot = tag("g", *parts, class_=kind, data_to=move, data_number=text)
    return _group(dot, scale.at(target.number), scale.above)
