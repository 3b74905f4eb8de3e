"""A position as a small picture: its number lines with the moves as arcs, or its board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zerosum.pictures.svg import decimal, escape, tag
from zerosum.protocol import Game
from zerosum.text import signed
from zerosum.wording.number_line import NumberLine, Target, number_lines
from zerosum.wording.words import Words, words_of

WIDTH, SIDE, LANE = 320.0, 16.0, 18.0
ABOVE, BELOW = 40.0, 22.0
PILL = (20.0, 12.0)
TOKEN, LARGEST_DOT, LABELLED_DOT = 10.0, 8.0, 6.5
# The least pixels from one number to the next; a longer line is cut to what moves reach.
TIGHT = 10.0
# Numbers beside those that moves reach, where only a part of a line is drawn.
NEAR = 4
# With more moves, what they do would be written on top of each other.
FEW = 4
STEPS = (1, 2, 5, 10, 20, 50)
NUMBER_ROOM = 17.0
TILE, GAP, MOST_TILES = 30.0, 4.0, 12


def drawn_start(game: Game[Any]) -> str:
    """Draw a game's first position as SVG, or return an empty string if there is nothing to draw.

    >>> import zerosum
    >>> drawn_start(zerosum.game("even-steven", start=14)).count('class="dot"')
    2
    """
    try:
        words, state = words_of(game), game.initial()
        lines, rows = number_lines(words, state), words.board(state)
    except Exception:  # unfinished rules; the card has no picture then
        return ""
    return _drawn(lines, rows)


def drawn_position(words: Words[Any], state: Any) -> str:
    """Draw a position: its number lines near its moves, with what they do, or its board."""
    lines = []
    for line in number_lines(words, state):
        reached = [line.value, *(target.number for target in line.targets)]
        low, high = max(line.low, min(reached) - NEAR), min(line.high, max(reached) + NEAR)
        lines.append(line._replace(low=low, high=high))
    return _drawn(lines, words.board(state), labels=True)


def _drawn(
    lines: Sequence[NumberLine], rows: Sequence[Sequence[str]] | None, labels: bool = False
) -> str:
    """Draw number lines, or else a board, or nothing."""
    if lines:
        return drawn_lines(lines, labels)
    return "" if rows is None else _tiles(rows)


def drawn_lines(lines: Sequence[NumberLine], labels: bool = False) -> str:
    """Draw number lines, those without moves below the others and smaller."""
    first, *rest = sorted(lines, key=lambda line: not line.targets)
    targets = [target for target in first.targets if target.reason is None]
    low, high = _window(first, targets)
    gap = (WIDTH - 2 * SIDE) / max(1, high - low)
    places = {number: SIDE + (number - low) * gap for number in range(low, high + 1)}
    height = ABOVE + BELOW + LANE * len(rest)
    dot = min(LARGEST_DOT, gap / 2 - 0.5)
    parts = [_rail(ABOVE), *_ticks(first, targets, places, gap)]
    parts += [_arc(first.value, target, places) for target in targets]
    parts += [_dot(target, places, dot) for target in targets]
    if labels and len(targets) <= FEW:
        parts += _labels(first.value, targets, places)
    parts.append(_token(places[first.value], ABOVE, first.value))
    for lane, line in enumerate(rest, 1):
        y = ABOVE + BELOW + LANE * (lane - 0.5)
        at = places[min(max(line.value, low), high)]
        parts += [_rail(y), _token(at, y, line.value, "token other")]
    box = f"0 0 {decimal(WIDTH)} {decimal(height)}"
    return tag("svg", *parts, class_="drawn", viewBox=box, aria_hidden="true")


def _window(line: NumberLine, targets: Sequence[Target]) -> tuple[int, int]:
    """Return the numbers to show: all that fit, else those around what moves reach."""
    most = int((WIDTH - 2 * SIDE) / TIGHT)
    if line.high - line.low <= most:
        return line.low, line.high
    reached = [line.value, *(target.number for target in targets)]
    spare = max(0, most - (max(reached) - min(reached)))
    low = max(line.low, min(reached) - spare // 2)
    return low, max(max(reached), min(line.high, low + most))


def _rail(y: float) -> str:
    """Draw the line itself."""
    return tag("path", d=f"M{decimal(SIDE)} {decimal(y)}H{decimal(WIDTH - SIDE)}", class_="rail")


def _ticks(
    line: NumberLine, targets: Sequence[Target], places: dict[int, float], gap: float
) -> Iterator[str]:
    """Draw the numbers, as many as can be read, and mark the goal."""
    points = [mark for mark in line.marks if mark.low == mark.high]
    marked = {mark.low: mark for mark in points if mark.low is not None}
    shown = {line.value} | {target.number for target in targets}
    step = next((size for size in STEPS if size * gap >= NUMBER_ROOM), 100)
    crowded = {number for number in places for low in marked if 0 < abs(number - low) < step}
    for number, x in places.items():
        yield tag("circle", cx=x, cy=ABOVE, r=1.8, class_="tick")
        mark = marked.get(number)
        if mark is not None:
            yield tag("circle", cx=x, cy=ABOVE, r=5.5, class_=f"mark {mark.kind}")
        if mark is not None or (number % step == 0 and number not in shown | crowded):
            kind = "number" if mark is None else f"number {mark.kind}"
            text = signed(number, "")
            yield tag("text", text, x=x, y=ABOVE + 18, class_=kind, text_anchor="middle")


def _bend(start: float, end: float) -> tuple[float, float]:
    """Return the point that bends an arc: the farther a move, the higher."""
    return (start + end) / 2, ABOVE - min(2 * ABOVE - 14, 18 + abs(end - start) * 0.5)


def _arc(value: int, target: Target, places: dict[int, float]) -> str:
    """Draw the arc of a move."""
    start, end = places[value], places[target.number]
    middle, top = _bend(start, end)
    path = f"M{decimal(start)} {decimal(ABOVE)}Q{decimal(middle)} {decimal(top)} "
    return tag("path", d=f"{path}{decimal(end)} {decimal(ABOVE)}", class_="arc")


def _labels(value: int, targets: Sequence[Target], places: dict[int, float]) -> Iterator[str]:
    """Write what each move does at the top of its arc, unless that would touch another label."""
    wide, high = PILL
    written: list[tuple[float, float]] = []
    for target in targets:
        x, top = _bend(places[value], places[target.number])
        y = (ABOVE + top) / 2
        if any(abs(x - left) <= wide and abs(y - above) <= high for left, above in written):
            continue
        written.append((x, y))
        pill = tag("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=high / 2)
        text = tag("text", escape(target.step), x=x, y=y + 3, text_anchor="middle")
        yield tag("g", pill, text, class_="step", data_move=str(target.move))


def _dot(target: Target, places: dict[int, float], size: float) -> str:
    """Draw a number that a move leads to."""
    x = places[target.number]
    parts = [tag("circle", cx=x, cy=ABOVE, r=size)]
    if size >= LABELLED_DOT:
        text = signed(target.number, "")
        parts.append(tag("text", text, x=x, y=ABOVE + 2.8, text_anchor="middle"))
    return tag("g", *parts, class_="dot", data_move=str(target.move))


def _token(x: float, y: float, value: int, kind: str = "token") -> str:
    """Draw the number itself."""
    size = TOKEN if kind == "token" else TOKEN * 0.8
    text = tag("text", signed(value, ""), x=x, y=y + 3.2, text_anchor="middle")
    return tag("g", tag("circle", cx=x, cy=y, r=size), text, class_=kind)


def _tiles(rows: Sequence[Sequence[str]]) -> str:
    """Draw a board as tiles, with what is on them."""
    some = [row[:MOST_TILES] for row in rows[:MOST_TILES]]
    across, pitch = max(map(len, some), default=0), TILE + GAP
    parts = []
    for down, row in enumerate(some):
        for right, text in enumerate(row):
            x, y = right * pitch + GAP, down * pitch + GAP
            parts.append(tag("rect", x=x, y=y, width=TILE, height=TILE, rx=6, class_="tile"))
            if text:
                at = {"x": x + TILE / 2, "y": y + TILE / 2 + 5}
                parts.append(
                    tag("text", escape(text[:2]), **at, class_="piece", text_anchor="middle")
                )
    box = f"0 0 {decimal(across * pitch + GAP)} {decimal(len(some) * pitch + GAP)}"
    return tag("svg", *parts, class_="drawn", viewBox=box, aria_hidden="true") if parts else ""
