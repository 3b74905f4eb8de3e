"""Words for what the pictures show: values, places, and rows of numbers in few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, Literal
from unicodedata import east_asian_width

from zerosum.options import options_of
from zerosum.protocol import Game, Value
from zerosum.states import Leaf
from zerosum.text import brief, plain_name
from zerosum.wording import title_of

# What a picture tells apart: the results, and among the draws those that nobody can end.
Kind = Literal["win", "loss", "draw", "endless"]
WORDS: dict[Kind, str] = {
    "win": "win",
    "loss": "loss",
    "draw": "draw",
    "endless": "draw (endless)",
}
SIGNS: dict[Kind, str] = {"win": "●", "loss": "○", "draw": "=", "endless": "~"}
LONGEST_NAME = 16
TICK = 5


def kind_of(value: Value) -> Kind:
    """Tell what a value is drawn as."""
    return "endless" if value.endless else value.result


def kinds_of(values: Iterable[Value]) -> list[Kind]:
    """List what occurs among values, in the order of a legend."""
    there = {kind_of(value) for value in values}
    return [kind for kind in WORDS if kind in there]


def full(place: Leaf) -> str:
    """Write the place on an axis out; a field that a state does not have is 'none'."""
    return "none" if place is None else "empty" if place == "" else brief(place)


def with_name(name: str, value: object) -> str:
    """Write a number with its name before it.

    >>> with_name("start", 60), with_name("start", 10**1000)
    ('start 60', 'start of about 1001 digits')
    """
    return f"{name} {brief(value).removeprefix('a number ')}"


def tick(place: Leaf) -> str:
    """Write the place on an axis in at most five columns: of a long number, the last digits.

    >>> tick(15), tick(None), tick(10**1000 + 7), tick("red"), tick("orange")
    ('15', '-', '…0007', 'red', 'oran…')
    """
    if place is None:
        return "-"
    if isinstance(place, int):
        return f"…{abs(place) % 10_000:04d}" if is_long(place) else str(place)
    text = full(place[:TICK])
    if not is_long(place):
        return text
    while columns(text) >= TICK:
        text = text[:-1]
    return f"{text}…"


def is_long(place: Leaf) -> bool:
    """Tell whether only a part of a place is written: the end of a number, the start of a text."""
    if isinstance(place, int):
        return not -(10**4) < place < 10**5
    return place is not None and columns(place) > TICK


def cut(name: str) -> str:
    """Shorten the name of a player to what has room beside a chart.

    >>> cut("Bob"), cut("Alexandra of the long name")
    ('Bob', 'Alexandra of th…')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def columns(text: str) -> int:
    """Tell how many columns of a terminal a text takes, where some letters take two.

    >>> columns("Bob"), columns("山田")
    (3, 4)
    """
    return len(text) + sum(east_asian_width(letter) in "WF" for letter in text)


def right(text: str, wide: int) -> str:
    """Move a text to the right end of so many columns."""
    return " " * (wide - columns(text)) + text


def left(text: str, wide: int) -> str:
    """Fill a text up to so many columns."""
    return text + " " * (wide - columns(text))


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Break lines that are too long for a terminal."""
    return [part for line in lines for part in wrap(line, width)]


def side_by_side(entries: Iterable[str], width: int) -> list[str]:
    """Put the entries of a legend beside each other, as many as fit on a line.

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


def order(place: Leaf) -> tuple[int, int, str]:
    """Sort places: what is missing comes first, then numbers, then texts."""
    if isinstance(place, str):
        return 2, 0, place
    return (0, 0, "") if place is None else (1, place, "")


def listed(places: Sequence[Leaf]) -> str:
    """List places in order, with rows of equal steps in few words.

    >>> listed([0, 2, 5, 7, 9, 11, 20, 21, 22, 30, 34, 38, 42])
    '0, 2, 5 to 11 odd, 20 to 22, 30 to 42 in steps of 4'
    >>> listed(["red", None, 3, "blue"])
    'none, 3, blue, red'
    """
    said = ["none"] if None in places else []
    numbers = sorted(place for place in places if isinstance(place, int))
    at = 0
    while at < len(numbers):
        first, last, step = numbers[at], at, 0
        if at + 1 < len(numbers):
            step = numbers[at + 1] - first
            last = at + 1
            while last + 1 < len(numbers) and numbers[last + 1] - numbers[last] == step:
                last += 1
        if last - at < (2 if step == 1 else 3):
            said.append(full(first))
            at += 1
            continue
        how = f" in steps of {full(step)}"
        if step < 3:
            how = "" if step == 1 else " odd" if first % 2 else " even"
        said.append(f"{full(first)} to {full(numbers[last])}{how}")
        at = last + 1
    texts = sorted(place for place in places if isinstance(place, str))
    return ", ".join([*said, *map(full, texts)])


def variant_title(game: Game[Any]) -> str:
    """Name a variant: the game's title, and the options that are not at their defaults.

    >>> import zerosum
    >>> variant_title(zerosum.game("even-steven", start=21, subtract_two=True))
    'Even-Steven (start 21, subtract two)'
    """
    options = unusual(game)
    return title_of(game) + (f" ({', '.join(options)})" if options else "")


def unusual(game: Game[Any]) -> list[str]:
    """List the options of a variant that are not at their defaults."""
    said = []
    for option in options_of(game):
        value = getattr(game, option.name)
        if value == option.default:
            continue
        name = plain_name(option.name)
        if isinstance(value, bool):
            said.append(name if value else f"no {name}")
        elif isinstance(value, tuple):
            said.append(f"{name} {brief(' '.join(brief(v) for v in value), 60)}")
        else:
            said.append(with_name(name, value))
    return said
