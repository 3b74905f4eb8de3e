"""What is written in pictures: signs of values, ticks on axes, terminal lines."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Literal
from unicodedata import east_asian_width

from zerosum.protocol import Value
from zerosum.states import Leaf
from zerosum.text import brief

# What a picture distinguishes: results, and endless draws.
Kind = Literal["win", "loss", "draw", "endless"]
KIND_NAMES: dict[Kind, str] = {
    "win": "win",
    "loss": "loss",
    "draw": "draw",
    "endless": "draw (endless)",
}
SIGNS: dict[Kind, str] = {"win": "●", "loss": "○", "draw": "=", "endless": "~"}
LONGEST_TICK = 5


def kind_of(value: Value) -> Kind:
    """Return what a value is drawn as."""
    return "endless" if value.endless else value.result


def kinds_of(values: Iterable[Value]) -> list[Kind]:
    """List the kinds among values, in the order of a legend."""
    found = {kind_of(value) for value in values}
    return [kind for kind in KIND_NAMES if kind in found]


def leaf_text(leaf: Leaf) -> str:
    """Write out a part of a state; a field that it lacks is 'none'."""
    return "none" if leaf is None else "empty" if leaf == "" else brief(leaf)


def tick_label(tick: Leaf) -> str:
    """Label a tick in at most five columns: a long number by its last digits.

    >>> [tick_label(tick) for tick in (15, None, 10**1000 + 7, "red", "orange")]
    ['15', '-', '…0007', 'red', 'oran…']
    """
    if tick is None:
        return "-"
    if isinstance(tick, int):
        return f"…{abs(tick) % 10_000:04d}" if is_long(tick) else str(tick)
    text = leaf_text(tick[:LONGEST_TICK])
    if not is_long(tick):
        return text
    while columns(text) >= LONGEST_TICK:
        text = text[:-1]
    return f"{text}…"


def is_long(tick: Leaf) -> bool:
    """Return whether a label shows only the end of a number or the start of a string."""
    if isinstance(tick, int):
        return not -(10**4) < tick < 10**5
    return tick is not None and columns(tick) > LONGEST_TICK


def columns(text: str) -> int:
    """Count the columns that a string takes; some letters take two.

    >>> columns("Bob"), columns("山田")
    (3, 4)
    """
    return len(text) + sum(east_asian_width(letter) in "WF" for letter in text)


def right(text: str, wide: int) -> str:
    """Pad a string on the left."""
    return " " * (wide - columns(text)) + text


def left(text: str, wide: int) -> str:
    """Pad a string on the right."""
    return text + " " * (wide - columns(text))


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Wrap lines that are too long for a terminal."""
    return [part for line in lines for part in wrap(line, width)]


def side_by_side(entries: Iterable[str], width: int) -> list[str]:
    """Put the entries of a legend side by side, as many as fit on a line.

    >>> side_by_side(["● win", "○ loss", "= draw"], 20)
    ['● win   ○ loss', '= draw']
    """
    lines: list[str] = []
    for entry in entries:
        if lines and columns(f"{lines[-1]}   {entry}") <= width:
            lines[-1] += f"   {entry}"
        else:
            lines.append(entry)
    return wrapped(lines, width)


def tick_order(tick: Leaf) -> tuple[int, int, str]:
    """Return a tick's sort key: missing ones first, then numbers, then strings."""
    if isinstance(tick, str):
        return 2, 0, tick
    return (0, 0, "") if tick is None else (1, tick, "")


def compact_list(ticks: Sequence[Leaf]) -> str:
    """List ticks in order, with ranges of equal steps drawn together.

    >>> compact_list([0, 2, 5, 7, 9, 11, 20, 21, 22, 30, 34, 38, 42])
    '0, 2, 5 to 11 odd, 20 to 22, 30 to 42 in steps of 4'
    >>> compact_list(["red", None, 3, "blue"])
    'none, 3, blue, red'
    """
    parts = ["none"] if None in ticks else []
    numbers = sorted(tick for tick in ticks if isinstance(tick, int))
    while numbers:
        first, count, step = numbers[0], len(numbers), 0
        if count > 1:
            step = numbers[1] - first
            others = (at for at in range(2, count) if numbers[at] - numbers[at - 1] != step)
            count = next(others, count)
        if count < (3 if step == 1 else 4):
            parts.append(leaf_text(numbers.pop(0)))
            continue
        how = f" in steps of {leaf_text(step)}"
        if step < 3:
            how = "" if step == 1 else " odd" if first % 2 else " even"
        parts.append(f"{leaf_text(first)} to {leaf_text(numbers[count - 1])}{how}")
        del numbers[:count]
    texts = sorted(tick for tick in ticks if isinstance(tick, str))
    return ", ".join([*parts, *map(leaf_text, texts)])
