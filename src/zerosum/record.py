"""Write a match as a JSON document with a version, and read it back."""

from __future__ import annotations

import json
import re
from typing import Any

from zerosum.errors import (
    MatchError,
    MoveError,
    OptionError,
    RecordError,
    UnknownGame,
    UnreadableMove,
)
from zerosum.match import EVENTS, Match, Round
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import Entry, entry_of, find, is_path
from zerosum.text import OBEYED, brief, read_whole

FORMAT = "zerosum-match"
VERSION = 3
TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]+)?Z")


def to_record(match: Match[Any], **about: Any) -> dict[str, Any]:
    """Write a match as a document; `about` adds what a match does not know (id, started, updated).

    >>> import zerosum
    >>> match = Match.new(zerosum.game("even-steven", start=1)).play(1)
    >>> record = to_record(match)
    >>> record["rounds"][0]["moves"], record["rounds"][0]["end"]["winner"]
    ([1], 0)
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        **about,
        "game": entry_of(match.game).name,
        "options": option_values(match.game),
        "players": list(match.players),
        "games": match.games,
        "clock": match.clock,
        "bots": list(match.bots),
        "seed": match.seed,
        "rounds": [_round(played) for played in match.rounds],
        "score": list(match.score),
        "over": match.over,
    }


def _round(played: Round[Any]) -> dict[str, Any]:
    """Write a game of a match as a document."""
    end = None if played.end is None else played.end._asdict()
    return {"first": played.first, "moves": list(played.moves), "end": end}


def from_record(document: Any, game: type[Game[Any]] | str | None = None) -> Match[Any]:
    """Replay a record, and refuse it if it breaks the rules.

    `game` is the game's class, name or file, for a game that cannot be found by its name.

    >>> import zerosum
    >>> record = to_record(Match.new(zerosum.game("divisor-duel", start=4)).play(2))
    >>> record["rounds"][0]["moves"] = [4]
    >>> from_record(record)
    Traceback (most recent call last):
    ...
    zerosum.errors.RecordError: Game 1, ply 1: A proper divisor is smaller than N. Legal now: 1, 2.
    """
    _check_head(document)
    old = document["version"] < 3
    _check_times(document)
    variant = _variant(document, game)
    rounds = _get(document, "games" if old else "rounds", list)
    if not rounds:
        raise RecordError("The record has no games in it.")
    first = _get(rounds[0], "first", int, "Game 1")
    clock, seed = document.get("clock"), document.get("seed")
    bots = _get(document, "bots", list) if "bots" in document else (None, None)
    players = _get(document, "players", list)
    games = _get(document, "length" if old else "games", int)
    try:
        match = Match.new(variant, tuple(players), first, games, clock, tuple(bots), seed)
    except OptionError as error:
        key = "players" if error.option == "names" else error.option
        raise RecordError(f"The record's {key}: {error.message}.") from error
    for number, played in enumerate(rounds, 1):
        match = _replay(match, played, number)
    score = list(match.score)
    if document["version"] == 1:  # in which a draw was worth nothing to either player
        winners = [played.end.winner for played in match.rounds if played.end is not None]
        score = [winners.count(0), winners.count(1)]
    for key, value in {"over": match.over, "score": score}.items():
        recorded = document.get(key, value)
        if recorded != value or type(recorded) is not type(value):
            raise RecordError(
                f"The record's '{key}' is {brief(recorded)}, but its moves make it {value}."
            )
    return match


def _replay(match: Match[Any], played: Any, number: int) -> Match[Any]:
    """Replay a game of a record."""
    where = f"Game {number}"
    if number > 1:
        try:
            match = match.next_game()
        except MatchError as error:
            raise RecordError(f"{where} cannot begin. {error}") from error
    if _get(played, "first", int, where) != match.round.first:
        raise RecordError(f"{where}: the first move alternates, so the other player begins.")
    for ply, move in enumerate(_get(played, "moves", list, where), 1):
        try:
            match = match.play(move)
        except (MoveError, MatchError) as error:
            raise RecordError(f"{where}, ply {ply}: {error}") from error
    end = None if played.get("end") is None else _get(played, "end", dict, where)
    if end is not None and match.round.end is None:
        by = _get(end, "by", str, where)
        if by == "undo" or by not in EVENTS:
            raise RecordError(f"{where} ended by '{brief(by)}', but its moves do not end it.")
        match = EVENTS[by](match)
    reached = match.round.end
    if end is None:
        if reached is None:
            return match
        raise RecordError(f"{where} is unfinished in the record, but its moves end it.")
    if reached is None or (end.get("winner"), end.get("by")) != (reached.winner, reached.by):
        raise RecordError(f"{where}: the record's end is not the one that its moves lead to.")
    return match


def dumps(record: dict[str, Any]) -> str:
    r"""Write a record as text that people can read too, and that a terminal never obeys.

    >>> dumps({"reason": "Schluß\x9b2J"})
    '{\n  "reason": "Schluß\\u009b2J"\n}'
    """
    try:
        text = json.dumps(record, indent=2, ensure_ascii=False)
    except ValueError as error:
        raise RecordError(
            "A number in this record is too long for this Python to write "
            "(see sys.set_int_max_str_digits)."
        ) from error
    return OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def loads(text: str | bytes) -> Any:
    """Read a document from text."""
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=read_whole)
    except RecursionError as error:
        raise RecordError("This is not a record: it is nested too deeply.") from error
    except UnreadableMove as error:
        raise RecordError(str(error)) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"This is not valid JSON ({where}).") from error
    except ValueError as error:
        raise RecordError(f"This is not valid JSON: {brief(str(error), 120)}.") from error


def _no_constant(name: str) -> None:
    """Refuse NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is not a number")


def _check_head(document: Any) -> None:
    """Refuse a document that is not a record of a known version."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecordError(f"This is not a record of a match: its 'format' is not '{FORMAT}'.")
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise RecordError("The record's version must be a whole number of at least 1.")
    if version > VERSION:
        raise RecordError(
            f"The record has version {brief(version)}, from a newer Zerosum; "
            f"this one reads versions up to {VERSION}."
        )


def _check_times(document: dict[str, Any]) -> None:
    """Refuse invalid times."""
    for key in ("started", "updated"):
        time = document.get(key, "2000-01-31T23:59:59Z")
        if not isinstance(time, str) or not TIME.fullmatch(time):
            raise RecordError(f"The record's '{key}' must be a time such as 2000-01-31T23:59:59Z.")


def _variant(document: dict[str, Any], game: type[Game[Any]] | str | None) -> Game[Any]:
    """Make the variant that a record names."""
    name = _get(document, "game", str)
    options = _get(document, "options", dict)
    if game is None and is_path(name):
        # A record comes from anywhere, and a file of rules is a program.
        raise RecordError(f"A record names its game, not a file to run: '{brief(name)}'.")
    try:
        entry = Entry(name, game) if isinstance(game, type) else find(game or name)
        return entry.variant(**options)
    except UnknownGame as error:
        raise RecordError(
            f"The game of this record was not found. {error} If it is your own, add --game FILE."
        ) from error
    except OptionError as error:
        raise RecordError(f"The record's option {error}.".replace("?.", "?")) from error


def _get(document: Any, key: str, kind: type, where: str = "The record") -> Any:
    """Read a required field of a type."""
    value = document.get(key) if isinstance(document, dict) else None
    if type(value) is not kind:
        names = {list: "a list", int: "a whole number", str: "a string", dict: "an object"}
        raise RecordError(f"{where} must have '{key}', {names[kind]}.")
    return value
