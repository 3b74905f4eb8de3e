"""What a game's own words may override, and the check that each answer has the right type."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, NamedTuple

from zerosum.registry.loading import wrong_answer


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


def _are_fields(answer: Any) -> bool:
    """Return whether an answer is a list of fields that a page can show."""
    return isinstance(answer, (tuple, list)) and all(
        isinstance(field, Field)
        and isinstance(field.name, str)
        and isinstance(field.title, str)
        and type(field.value) in (int, str)
        and field.seat in (None, 0, 1)
        and field.kind in ("number", "lives")
        for field in answer
    )


def _is_step(answer: Any) -> bool:
    """Return whether an answer is a step with the right types."""
    return (
        isinstance(answer, Step)
        and isinstance(answer.text, str)
        and (answer.number is None or type(answer.number) is int)
        and isinstance(answer.note, str)
    )


def _are_marks(answer: Any) -> bool:
    """Return whether an answer is a list of marks, each with at least one end."""
    return isinstance(answer, (tuple, list)) and all(
        isinstance(mark, Mark)
        and isinstance(mark.text, str)
        and {type(mark.low), type(mark.high)} in ({int}, {int, type(None)})
        and mark.kind in ("goal", "cost")
        for mark in answer
    )


def _is_board(answer: Any) -> bool:
    """Return whether an answer is rows of texts, all of one length."""
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


TEXTS = ("goal", "opening", "status", "position", "turn", "prompt", "label", "moved", "ending")
# What a game's own words may override: the check of an answer, and what it should be.
HOOKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(TEXTS, (lambda answer: isinstance(answer, str), "a text")),
    "fields": (_are_fields, "a tuple of zerosum.Field(name, title, value, seat, kind)"),
    "step": (_is_step, "a zerosum.Step(text, number, note)"),
    "marks": (_are_marks, "a tuple of zerosum.Mark(text, low, high, kind)"),
    "board": (_is_board, "rows of texts, all of one length, or None"),
    "cell": (_is_cell, "(row, column), or None"),
}
