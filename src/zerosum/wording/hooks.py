"""What a game's own words may override, and the check that each answer has the right type."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, NamedTuple

from zerosum.registry.loading import wrong_answer

LONGEST_GOAL, LONGEST_LINE, LONGEST_VALUE = 300, 100, 1000
LINE = f"of at most {LONGEST_LINE} printable characters"
# The most fields, or marks.
MOST_LISTED = 50
# What a number line can show.
LARGEST = 10**6


class Field(NamedTuple):
    """One part of a state as a page shows it: large, with a title above it.

    `seat` is the owner, None for what both share; `kind` is "number", or "lives" for what a
    player can run out of. The value may be a word where a number would not be understood.
    """

    name: str
    title: str
    value: int | str
    seat: int | None = None
    kind: Literal["number", "lives"] = "number"


class Step(NamedTuple):
    """A move in a few characters, for a button or beside an arrow.

    `text` is what it does ("÷2"), `number` the number that it makes, if it makes one, and `note`
    what else follows ("hit! −3 ♥").
    """

    text: str
    number: int | None = None
    note: str = ""


class Mark(NamedTuple):
    """A number, or a range of numbers, that means something to the player who reaches it.

    `low` and `high` are the ends of the range; None leaves it open. A goal is worth reaching, a
    cost is not.
    """

    text: str
    low: int | None
    high: int | None
    kind: Literal["goal", "cost"] = "goal"


def checked(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method of a game's own words so that an answer of the wrong type is an error."""
    is_right, wanted = HOOKS[name]

    @wraps(method)
    def call(self: Any, *args: Any) -> Any:
        answer = method(self, *args)
        if not is_right(answer):
            raise wrong_answer(self, f"{name}()", wanted, answer)
        return answer

    return call


def is_line(text: Any, most: int = LONGEST_LINE) -> bool:
    """Return whether a string is harmless and fits on a line of a page or a terminal."""
    return type(text) is str and len(text) <= most and text.isprintable()


def _is_list(answer: Any) -> bool:
    """Return whether an answer is a list that a page can show."""
    return isinstance(answer, (tuple, list)) and len(answer) <= MOST_LISTED


def _are_fields(answer: Any) -> bool:
    """Return whether an answer is a list of fields that a page can show."""
    return _is_list(answer) and all(
        isinstance(field, Field)
        and is_line(field.name)
        and is_line(field.title)
        and (type(field.value) is int or is_line(field.value, LONGEST_VALUE))
        and field.seat in (None, 0, 1)
        and is_line(field.kind)
        and field.kind in ("number", "lives")
        for field in answer
    )


def _is_step(answer: Any) -> bool:
    """Return whether an answer is a step with the right types."""
    return (
        isinstance(answer, Step)
        and is_line(answer.text)
        and answer.text != ""
        and (answer.number is None or type(answer.number) is int)
        and is_line(answer.note)
    )


def _are_marks(answer: Any) -> bool:
    """Return whether an answer is a list of marks, each with at least one end."""
    return _is_list(answer) and all(
        isinstance(mark, Mark)
        and is_line(mark.text)
        and {type(mark.low), type(mark.high)} in ({int}, {int, type(None)})
        and all(abs(end) <= LARGEST for end in (mark.low, mark.high) if end is not None)
        and is_line(mark.kind)
        and mark.kind in ("goal", "cost")
        for mark in answer
    )


def _is_board(answer: Any) -> bool:
    """Return whether an answer is rows of strings, all of one length."""
    if answer is None:
        return True
    rows = isinstance(answer, (tuple, list)) and all(
        isinstance(r, (str, tuple, list)) for r in answer
    )
    return (
        rows
        and len({len(row) for row in answer}) == 1
        and all(isinstance(cell, str) for row in answer for cell in row)
    )


def _is_cell(answer: Any) -> bool:
    """Return whether an answer is a row and a column."""
    return answer is None or (
        isinstance(answer, tuple) and len(answer) == 2 and all(type(n) is int for n in answer)
    )


TEXTS = ("opening", "status", "position", "turn", "prompt", "label", "barred", "moved", "ending")
# What a game's own words may override: the check of an answer, and what it should be.
HOOKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(TEXTS, (lambda answer: isinstance(answer, str), "a string")),
    "goal": (
        lambda answer: is_line(answer, LONGEST_GOAL),
        f"a string of at most {LONGEST_GOAL} printable characters",
    ),
    "fields": (
        _are_fields,
        f"a tuple of zerosum.Field(name, title, value, seat, kind), at most {MOST_LISTED} of them, "
        f"each title {LINE}, each value a number or a string of at most {LONGEST_VALUE:,}",
    ),
    "step": (_is_step, f"a zerosum.Step(text, number, note), with strings {LINE}"),
    "marks": (
        _are_marks,
        f"a tuple of zerosum.Mark(text, low, high, kind), at most {MOST_LISTED} of them, each text "
        f"{LINE}, no number beyond {LARGEST:,}",
    ),
    "board": (_is_board, "rows of strings, all of one length, or None"),
    "cell": (_is_cell, "(row, column), or None"),
}
