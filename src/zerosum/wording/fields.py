"""The fields of a state as a page shows them, derived from their names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from zerosum.states import text_of_part
from zerosum.text import plain_name
from zerosum.wording.hooks import Field

LIVES = {"life", "lives", "points", "hearts"}
SEATS = ("first", "second")


def derived_field(name: str, value: Any, among: tuple[str, ...]) -> Field:
    """Describe one field of a state."""
    whole = isinstance(value, int)
    title, seat, kind = _about_field(name, among, whole)
    return Field(name, title, value if whole else text_of_part(value), seat, kind)


@lru_cache(maxsize=1024)
def _about_field(
    name: str, among: tuple[str, ...], whole: bool
) -> tuple[str, int | None, Literal["number", "lives"]]:
    """Return the title, the seat and the kind of a field."""
    kind: Literal["number", "lives"] = (
        "lives" if whole and LIVES & set(name.split("_")) else "number"
    )
    for seat, word in enumerate(SEATS):
        rest = name.removeprefix(word)
        if rest != name and f"{SEATS[1 - seat]}{rest}" in among:
            title = plain_name(rest) or ("number" if whole else "holds")
            return title.capitalize(), seat, kind
    return plain_name(name).capitalize(), None, kind
