"""The options of a game, as typed or as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zerosum.errors import UnreadableMove
from zerosum.options import Option, options_of
from zerosum.registry import Entry, no_option
from zerosum.text import brief, read_whole
from zerosum.web.limits import Limits
from zerosum.web.refusals import invalid

LONGEST_TEXT = 100
# The largest whole number that a floating-point number holds exactly.
EXACT = 2**53
ON, OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


def options_read(entry: Entry, given: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Read the options of a game, as typed or as JSON values."""
    known = {option.name: option for option in options_of(entry.game)}
    for name in given:
        if name not in known:
            told = no_option(entry.name, name, list(known))
            raise invalid(f"options.{brief(name)}", told)
    return {name: _option(known[name], value, limits) for name, value in given.items()}


def _option(option: Option, value: Any, limits: Limits) -> Any:
    """Read one option; its bounds are checked when the variant is made."""
    where = f"options.{option.name}"
    if option.kind == "flag":
        if str(value).strip().lower() not in (*ON, *OFF):
            raise invalid(where, "this must be on or off")
        return is_on(value)
    if option.kind == "text":
        if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
            raise invalid(where, f"this must be text of at most {LONGEST_TEXT} characters")
        return value.strip()
    if option.kind == "number":
        return _number(where, value, limits)
    parts = value.split(",") if isinstance(value, str) else value
    most = limits.numbers_listed
    if not isinstance(parts, list) or len(parts) > most:
        raise invalid(where, f"enter at most {most} numbers, separated by commas, such as 1,2,3")
    return tuple(_number(where, part, limits) for part in parts)


def _number(where: str, value: Any, limits: Limits) -> int:
    """Read a number of a game, within the server's limit of digits; 7.0 is a whole number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        value = int(value)
    text = str(value).strip()
    if len(text) > limits.number_digits + 1:
        raise invalid(where, f"a number can have at most {limits.number_digits} digits")
    try:
        return read_whole(text)
    except UnreadableMove as error:
        raise invalid(where, str(error)) from error


def is_on(value: Any) -> bool:
    """Return whether a switch is on."""
    return str(value).strip().lower() in ON
