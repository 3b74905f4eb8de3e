"""Reads what requests say: strictly, field by field, with a sentence for whatever is wrong."""

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
from zerosum.web.actions import ACTIONS, Action
from zerosum.web.compact import canonical
from zerosum.web.errors import Refused, sentence
from zerosum.web.limits import Limits
from zerosum.web.table import MODES, WANTS

KEY = re.compile(r"[A-Za-z0-9_-]{22,64}")
NEEDS = {"move": "move", "decline": "offer", "coach": "want"}
OFFERS = ("undo", "draw", "next", "rematch")
FIRSTS = ("1", "2", "random")
# Enough for an evening; who wants more plays a rematch.
LONGEST_SERIES = 99
LONGEST_TEXT = 100
NEW = ("key", "game", "options", "mode", "level", "names", "first", "games", "clock", "coach")
NEW_FIELDS = (*NEW, "watch")
TRUE, FALSE = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


class Wanted(NamedTuple):
    """A new match as somebody wants it; options are still as they were typed."""

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
    """Read what new match somebody wants."""
    mode = _one_of(body, "mode", MODES, "bot")
    names = body.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _invalid("names", "names are a list of one or two texts")
    if len(names) > 2:
        raise _invalid("names", "there are two players")
    options = body.get("options", {})
    if not isinstance(options, dict):
        raise _invalid("options", "options are an object")
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
    """Read what a player wants to do, and the ply that it answers."""
    kind = _one_of(body, "action", tuple(ACTIONS), None)
    needs = NEEDS.get(kind)
    for name in ("move", "offer", "want"):
        if name in body and name != needs:
            raise _invalid(name, f"the action {kind} has no {name}")
    ply = whole_of(body, "ply", 0, 10**9, None)
    if kind == "move":
        return ply, Action(kind, move=move_of(body, limits))
    if kind == "decline":
        return ply, Action(kind, offer=_one_of(body, "offer", OFFERS, None))
    if kind == "coach":
        return ply, Action(kind, want=_one_of(body, "want", WANTS, None))
    return ply, Action(kind)


def move_of(body: Mapping[str, Any], limits: Limits) -> str:
    """Take a move as a player types it, a text or a number; the rules of the game read it later."""
    value = body.get("move")
    if type(value) is int:
        value = _written(value)
    if not isinstance(value, str):
        raise _invalid("move", "a move is a text or a whole number")
    if len(value) > limits.number_digits + 1:
        most = f"A move has at most {limits.number_digits} characters here."
        raise Refused("unreadable_move", most, field="move")
    return value.strip()


def level_of(body: Mapping[str, Any], default: str) -> str:
    """Read how strong a program is to be."""
    return _one_of(body, "level", LEVELS, default)


def key_of(body: Mapping[str, Any]) -> str:
    """Read the key by which a repeated request is known."""
    key = body.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise _invalid("key", "a key has 22 to 64 random letters and digits, and is used once")
    return key


def text_of(body: Mapping[str, Any], name: str, most: int) -> str:
    """Read a text that must be there."""
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise _invalid(name, f"{name} is a text of at most {most} characters")
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
        raise _invalid(name, f"{name} is a whole number from {least} to {most}")
    return value


def options_read(entry: Entry, given: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Read the options of a game from texts as people type them, or from JSON values."""
    known = {option.name: option for option in options_of(entry.game)}
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            told = no_option(entry.name, name, list(known))
            raise _invalid(f"options.{brief(name)}", told)
        read[name] = _option(known[name], value, limits)
    return read


def _option(option: Option, value: Any, limits: Limits) -> Any:
    """Read one option; whether it is within its bounds is seen when the variant is made."""
    where = f"options.{option.name}"
    if option.kind == "flag":
        return _flag(where, value)
    if option.kind == "text":
        if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
            raise _invalid(where, f"this must be a text of at most {LONGEST_TEXT} characters")
        return value.strip()
    if option.kind == "numbers":
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or len(parts) > limits.numbers_listed:
            most = limits.numbers_listed
            raise _invalid(where, f"give at most {most} numbers, with commas between them: 1,2,3")
        return tuple(_number(where, part, limits) for part in parts)
    return _number(where, value, limits)


def _number(where: str, value: Any, limits: Limits) -> int:
    """Read a number of a game; how large it may be is the server's business."""
    if type(value) is int:
        value = _written(value)
    if not isinstance(value, str):
        raise _invalid(where, "this must be a whole number")
    if len(value.strip()) > limits.number_digits + 1:
        raise _invalid(where, f"a number has at most {limits.number_digits} digits here")
    try:
        return read_whole(value)
    except UnreadableMove as error:
        raise _invalid(where, str(error)) from error


def _written(value: int) -> str:
    """Write a number that may be very long."""
    try:
        return str(value)
    except ValueError:  # longer than this interpreter writes, and so than anything allowed here
        return "9" * 5000


def _flag(where: str, value: Any) -> bool:
    """Read what is on or off."""
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
        raise _invalid("clock", f"a clock has 1 to {LONGEST_CLOCK:g} seconds a turn")
    return seconds


def _one_of(body: Mapping[str, Any], name: str, words: tuple[str, ...], default: str | None) -> str:
    """Read one of a few words."""
    value = body.get(name, default)
    if not isinstance(value, str) or value not in words:
        raise _invalid(name, f"{name} is one of {either(list(words))}")
    return value


def digest_of(*parts: Any) -> str:
    """Digest what a request says, so that its key cannot stand for two things."""
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:32]


def refused_option(error: OptionError, where: str = "options.") -> Refused:
    """Say at which field an option is wrong."""
    return _invalid(f"{where}{error.option}", error.message)


def _invalid(field: str, message: str) -> Refused:
    """Refuse a field."""
    return Refused("invalid", sentence(message), field=field)
