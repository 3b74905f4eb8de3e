"""What a game's words may override, and the check of each answer's type."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, NamedTuple

from zerosum.registry.loading import wrong_answer

Check = Callable[[Any], bool]
LONGEST_GOAL, LONGEST_LINE, LONGEST_VALUE = 300, 100, 1000
LINE = f"of at most {LONGEST_LINE} printable characters"
# The most fields, or marks.
MOST_LISTED = 50
# What a number line can show.
LARGEST = 10**6


class Field(NamedTuple):
    """One part of a state as a page shows it: large, below a title.

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
    what else follows ("hit! takes 3 ♥").
    """

    text: str
    number: int | None = None
    note: str = ""


class Mark(NamedTuple):
    """A number or range that means something to the player who reaches it.

    `low` and `high` are the ends of the range; None leaves it open. A goal is worth reaching, a
    cost is not.
    """

    text: str
    low: int | None
    high: int | None
    kind: Literal["goal", "cost"] = "goal"


def checked(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method of a game's words so that a wrong type is an error."""
    is_right, wanted = HOOKS[name]

    @wraps(method)
    def call(self: Any, *args: Any) -> Any:
        answer = method(self, *args)
        if not is_right(answer):
            raise wrong_answer(self, f"{name}()", wanted, answer)
        return answer

    return call


def is_line(text: Any, most: int = LONGEST_LINE) -> bool:
    """Return whether a string is harmless and fits on a line."""
    return type(text) is str and len(text) <= most and text.isprintable()


def _one_of(*values: int | str | None) -> Check:
    """Check that an answer is one of some values."""
    return lambda answer: isinstance(answer, int | str | None) and answer in values


def _made_of(kind: type[Any], *checks: Check) -> Check:
    """Check that an answer is a tuple of a kind, with the right parts."""
    return lambda answer: (
        isinstance(answer, kind)
        and all(check(part) for check, part in zip(checks, answer, strict=True))
    )


def _list_of(check: Check) -> Check:
    """Check that an answer is a list that a page can show."""
    return lambda answer: (
        isinstance(answer, tuple | list) and len(answer) <= MOST_LISTED and all(map(check, answer))
    )


def _is_value(value: Any) -> bool:
    """Return whether a field can have a value."""
    return type(value) is int or is_line(value, LONGEST_VALUE)


def _is_end(number: Any) -> bool:
    """Return whether a marked range can end at a number; None leaves it open."""
    return number is None or (type(number) is int and abs(number) <= LARGEST)


def _is_board(answer: Any) -> bool:
    """Return whether an answer is rows of strings, all of one length."""
    rows = isinstance(answer, tuple | list) and all(
        isinstance(row, str | tuple | list) and all(isinstance(cell, str) for cell in row)
        for row in answer
    )
    return answer is None or (rows and len({len(row) for row in answer}) == 1)


def _is_cell(answer: Any) -> bool:
    """Return whether an answer is a row and a column."""
    pair = isinstance(answer, tuple) and len(answer) == 2
    return pair and all(type(n) is int for n in answer)


is_field = _made_of(
    Field, is_line, is_line, _is_value, _one_of(None, 0, 1), _one_of("number", "lives")
)
is_step = _made_of(
    Step,
    lambda text: is_line(text) and text != "",
    lambda number: number is None or type(number) is int,
    is_line,
)
is_mark = _made_of(Mark, is_line, _is_end, _is_end, _one_of("goal", "cost"))
CELLS = (_list_of(_is_cell), f"a tuple of at most {MOST_LISTED} cells, each (row, column)")
TEXTS = (
    *("opening", "status", "position", "turn", "prompt"),
    *("label", "barred", "moved", "did", "ending", "reason"),
)
# The check of a game's own words: of an answer, and what it should be.
HOOKS: dict[str, tuple[Check, str]] = {
    **dict.fromkeys(TEXTS, (lambda answer: isinstance(answer, str), "a string")),
    **dict.fromkeys(
        ("goal", "in_a_turn"),
        (
            lambda answer: is_line(answer, LONGEST_GOAL),
            f"a string of at most {LONGEST_GOAL} printable characters",
        ),
    ),
    "fields": (
        _list_of(is_field),
        f"a tuple of zerosum.Field(name, title, value, seat, kind), at most {MOST_LISTED} of them, "
        f"each title {LINE}, each value a number or a string of at most {LONGEST_VALUE:,}",
    ),
    "step": (is_step, f"a zerosum.Step(text, number, note), with strings {LINE}"),
    "marks": (
        _list_of(is_mark),
        f"a tuple of zerosum.Mark(text, low, high, kind), at most {MOST_LISTED} of them, each text "
        f"{LINE}, no number beyond {LARGEST:,}",
    ),
    "board": (_is_board, "rows of strings, all of one length, or None"),
    "cell": (lambda answer: answer is None or _is_cell(answer), "(row, column), or None"),
    "taps": CELLS,
    "highlights": CELLS,
}
# The same for what is not a method.
CONSTANTS: dict[str, tuple[Check, str]] = {
    "title": (is_line, f"a string {LINE}"),
    "puzzles": (
        _list_of(lambda options: isinstance(options, Mapping)),
        "a tuple of options, such as ({},)",
    ),
    "signs": (
        lambda signs: _list_of(is_line)(signs) and len(signs) == 2,
        f"two strings {LINE}, one for each seat",
    ),
    "lattice": (lambda answer: type(answer) is bool, "True or False"),
}
