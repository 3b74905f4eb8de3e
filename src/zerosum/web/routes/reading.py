"""Strict reading of request fields, with a sentence for everything that is wrong."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from zerosum.errors import OptionError, UnreadableMove
from zerosum.match import LONGEST_CLOCK
from zerosum.options import Option, options_of
from zerosum.players.levels import LEVELS
from zerosum.registry import Entry, no_option
from zerosum.text import brief, either, read_whole
from zerosum.web.compact import canonical
from zerosum.web.http.limits import Limits
from zerosum.web.refusals import Refused, sentence
from zerosum.web.tables.actions import ACTIONS, Action
from zerosum.web.tables.table import MODES, WANTS

KEY = re.compile(r"[A-Za-z0-9_-]{22,64}")
NEEDS = {"move": "move", "decline": "offer", "coach": "want"}
OFFERS = ("undo", "draw", "next", "rematch")
FIRSTS = ("1", "2", "random")
# Enough for an evening; for more there is the rematch.
LONGEST_SERIES = 99
LONGEST_TEXT = 100
NEW = ("key", "game", "options", "mode", "level", "names", "first", "games", "clock", "coach")
NEW_FIELDS = (*NEW, "watch")
TRUE, FALSE = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


class Wanted(NamedTuple):
    """A new match as requested; options are still as typed."""

    key: str
    game: str
    options: dict[str, Any]
    mode: str
    level: str
    names: list[str]
    first: str
    games: int
    clock: float | None
    coach: str
    watch: bool


def wanted_of(body: Mapping[str, Any]) -> Wanted:
    """Read a request for a new match."""
    mode = _one_of(body, "mode", MODES, "bot")
    names = body.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _invalid("names", "names must be a list of one or two names")
    if len(names) > 2:
        raise _invalid("names", "a match has two players")
    options = body.get("options", {})
    if not isinstance(options, dict):
        raise _invalid("options", "options must be an object")
    clock = body.get("clock")
    if clock is not None:
        clock = _seconds(clock)
    return Wanted(
        key=key_of(body),
        game=text_of(body, "game", 100),
        options=options,
        mode=mode,
        level=level_of(body, "medium"),
        names=names,
        first=_one_of(body, "first", FIRSTS, "1"),
        games=whole_of(body, "games", 1, LONGEST_SERIES, 1),
        clock=clock,
        coach=_one_of(body, "coach", WANTS, "off"),
        watch=_flag("watch", body.get("watch", mode == "friend")),
    )


def action_of(body: Mapping[str, Any], limits: Limits) -> tuple[int, Action]:
    """Read a player's action, and the ply it answers."""
    kind = _one_of(body, "action", tuple(ACTIONS), None)
    needs = NEEDS.get(kind)
    for name in ("move", "offer", "want"):
        if name in body and name != needs:
            raise _invalid(name, f"the action {kind} takes no {name}")
    ply = whole_of(body, "ply", 0, 10**9, None)
    if kind == "move":
        return ply, Action(kind, move=move_of(body, limits))
    if kind == "decline":
        return ply, Action(kind, offer=_one_of(body, "offer", OFFERS, None))
    if kind == "coach":
        return ply, Action(kind, want=_one_of(body, "want", WANTS, None))
    return ply, Action(kind)


def move_of(body: Mapping[str, Any], limits: Limits) -> str:
    """Read a move as typed, text or number; the game's rules interpret it later."""
    value = body.get("move")
    if type(value) is int:
        value = _written(value)
    if not isinstance(value, str):
        raise _invalid("move", "a move must be text or a whole number")
    if len(value) > limits.number_digits + 1:
        most = f"A move can have at most {limits.number_digits} characters."
        raise Refused("unreadable_move", most, field="move")
    return value.strip()


def level_of(body: Mapping[str, Any], default: str) -> str:
    """Read the level of a bot."""
    return _one_of(body, "level", LEVELS, default)


def key_of(body: Mapping[str, Any]) -> str:
    """Read the key that identifies a repeated request."""
    key = body.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise _invalid(
            "key", "a key must be 22 to 64 random letters and digits, new for each request"
        )
    return key


def text_of(body: Mapping[str, Any], name: str, most: int) -> str:
    """Read a required text."""
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise _invalid(name, f"{name} must be text of 1 to {most} characters")
    return value


def whole_of(body: Mapping[str, Any], name: str, least: int, most: int, default: int | None) -> int:
    """Read a small whole number."""
    value = body.get(name, default)
    if isinstance(value, str) and len(value) < 20:
        try:
            value = read_whole(value)
        except UnreadableMove:
            value = None
    if type(value) is not int or not least <= value <= most:
        raise _invalid(name, f"{name} must be a whole number from {least} to {most}")
    return value


def options_read(entry: Entry, given: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Read the options of a game, as typed or as JSON values."""
    known = {option.name: option for option in options_of(entry.game)}
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            told = no_option(entry.name, name, list(known))
            raise _invalid(f"options.{brief(name)}", told)
        read[name] = _option(known[name], value, limits)
    return read


def _option(option: Option, value: Any, limits: Limits) -> Any:
    """Read one option; its bounds are checked when the variant is made."""
    where = f"options.{option.name}"
    if option.kind == "flag":
        return _flag(where, value)
    if option.kind == "text":
        if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
            raise _invalid(where, f"this must be text of at most {LONGEST_TEXT} characters")
        return value.strip()
    if option.kind == "numbers":
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or len(parts) > limits.numbers_listed:
            most = limits.numbers_listed
            raise _invalid(
                where, f"enter at most {most} numbers, separated by commas, such as 1,2,3"
            )
        return tuple(_number(where, part, limits) for part in parts)
    return _number(where, value, limits)


def _number(where: str, value: Any, limits: Limits) -> int:
    """Read a number of a game, within the server's limit of digits."""
    if type(value) is int:
        value = _written(value)
    if not isinstance(value, str):
        raise _invalid(where, "this must be a whole number")
    if len(value.strip()) > limits.number_digits + 1:
        raise _invalid(where, f"a number can have at most {limits.number_digits} digits")
    try:
        return read_whole(value)
    except UnreadableMove as error:
        raise _invalid(where, str(error)) from error


def _written(value: int) -> str:
    """Format a number that may be very long."""
    try:
        return str(value)
    except ValueError:  # longer than Python formats, and so longer than any limit
        return "9" * 5000


def _flag(where: str, value: Any) -> bool:
    """Read a switch that is on or off."""
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in (*TRUE, *FALSE):
        raise _invalid(where, "this must be on or off")
    return word in TRUE


def _seconds(value: Any) -> float:
    """Read the seconds of a clock."""
    try:
        seconds = float(value) if isinstance(value, (str, int, float)) else 0.0
    except (ValueError, OverflowError):
        seconds = 0.0
    if isinstance(value, bool) or not 1 <= seconds <= LONGEST_CLOCK:
        raise _invalid("clock", f"a clock must be 1 to {LONGEST_CLOCK:g} seconds per turn")
    return seconds


def _one_of(body: Mapping[str, Any], name: str, words: tuple[str, ...], default: str | None) -> str:
    """Read one of a few words."""
    value = body.get(name, default)
    if not isinstance(value, str) or value not in words:
        raise _invalid(name, f"{name} must be {either(list(words))}")
    return value


def digest_of(*parts: Any) -> str:
    """Digest a request's content, so that a key cannot be reused for another."""
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:32]


def refused_option(error: OptionError, where: str = "options.") -> Refused:
    """Return the refusal of an option, with its field."""
    return _invalid(f"{where}{error.option}", error.message)


def _invalid(field: str, message: str) -> Refused:
    """Return the refusal of a field."""
    return Refused("invalid", sentence(message), field=field)
