"""Words for what the pictures show: values, places, and rows of numbers in few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.game import Game, Value, brief, options_of
from zerosum.registry import title_of

Place = int | None
LONGEST_NAME = 16


def say(value: Value) -> str:
    """Say a value.

    >>> say(Value("loss", 8)), say(Value("loss", 0)), say(Value("draw", None))
    ('loss in 8', 'loss, the game is over', 'draw, endless')
    """
    if value.result == "draw":
        return "draw, endless"
    if value.plies is None:
        return value.result
    return (
        f"{value.result} in {value.plies}" if value.plies else f"{value.result}, the game is over"
    )


def plain_name(field: str) -> str:
    """Write a field's name as words."""
    return field.replace("_", " ").strip()


def full(place: Place) -> str:
    """Write the place on an axis out; a field that a state does not have is 'none'."""
    return "none" if place is None else brief(place)


def with_name(name: str, value: object) -> str:
    """Write a number with its name before it.

    >>> with_name("start", 60), with_name("start", 10**1000)
    ('start 60', 'start of about 1001 digits')
    """
    return f"{name} {brief(value).removeprefix('a number ')}"


def short(place: Place) -> str:
    """Write the place on an axis in at most five characters: of a long number, the last digits.

    >>> short(15), short(None), short(10**1000 + 7)
    ('15', '-', '…0007')
    """
    if place is None:
        return "-"
    return f"…{abs(place) % 10_000:04d}" if is_long(place) else str(place)


def is_long(place: Place) -> bool:
    """Tell whether only the last digits of a number are written."""
    return place is not None and not -(10**4) < place < 10**5


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
    from unicodedata import east_asian_width

    return len(text) + sum(east_asian_width(c) in "WF" for c in text)


def order(place: Place) -> tuple[bool, int]:
    """Sort places: what is missing comes first."""
    return place is not None, place or 0


def runs(places: Sequence[Place]) -> str:
    """List places in rising order, with rows of equal steps in few words.

    >>> runs([0, 2, 5, 7, 9, 11, 20, 21, 22, 30, 34, 38, 42])
    '0, 2, 5 to 11 odd, 20 to 22, 30 to 42 in steps of 4'
    """
    said = ["none"] if None in places else []
    numbers = sorted(place for place in places if place is not None)
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
    return ", ".join(said)


def named(game: Game[Any]) -> str:
    """Name a variant: the game's title, and the options that are not as usual.

    >>> import zerosum
    >>> named(zerosum.game("even-steven", start=21, subtract_two=True))
    'Even-Steven (start 21, subtract two)'
    """
    options = unusual(game)
    return title_of(game) + (f" ({', '.join(options)})" if options else "")


def unusual(game: Game[Any]) -> list[str]:
    """List the options of a variant that are not as usual."""
    said = []
    for one in options_of(game):
        value = getattr(game, one.name)
        if value == one.default:
            continue
        name = plain_name(one.name)
        if isinstance(value, bool):
            said.append(name if value else f"no {name}")
        elif isinstance(value, tuple):
            said.append(f"{name} {brief(' '.join(brief(v) for v in value), 60)}")
        else:
            said.append(with_name(name, value))
    return said
