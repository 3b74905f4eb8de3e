"""Write a match as a JSON document with a version, and read it back."""

from __future__ import annotations

import json
import re
from typing import Any

from zerosum.errors import (
    DocumentError,
    MatchError,
    MoveError,
    OptionError,
    RecordError,
    UnknownGame,
)
from zerosum.match import EVENTS, Match, Round
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import Entry, entry_of, find, is_path
from zerosum.text import brief

FORMAT = "zerosum-match"
VERSION = 3
TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]+)?Z")


def to_record(match: Match[Any], **about: Any) -> dict[str, Any]:
    """Write a match as a document; `about` adds what it does not know (id, started, updated).

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

    `game` is the class, name or file of a game that cannot be found by its name.

    >>> import zerosum
    >>> record = to_record(Match.new(zerosum.game("divisor-duel", start=4)).play(2))
    >>> record["rounds"][0]["moves"] = [4]
    >>> from_record(record)
    Traceback (most recent call last):
    ...
    zerosum.errors.RecordError: Game 1, move 1: 4 is not smaller than 4. Legal now: 1, 2.
    """
    record = _checked(document)
    variant = _variant(record, game)
    rounds = record["rounds"]
    players = tuple(record["players"])
    bots = tuple(record["bots"])
    games = record["games"]
    clock = record["clock"]
    seed = record["seed"]
    try:
        match = Match.new(variant, players, rounds[0]["first"], games, clock, bots, seed)
    except OptionError as error:
        key = "players" if error.option == "names" else error.option
        raise RecordError(f"The record's {key}: {error.message}.") from error
    for number, played in enumerate(rounds, 1):
        match = _replay(match, played, number)
    _compare("The record", record, {"score": list(match.score), "over": match.over})
    return match


def _replay(match: Match[Any], played: dict[str, Any], number: int) -> Match[Any]:
    """Replay a game of a record."""
    where = f"Game {number}"
    end = played["end"] or {"by": None, "winner": None}
    try:
        if number > 1:
            match = match.next_game()
        for ply, move in enumerate(played["moves"], 1):
            where = f"Game {number}, move {ply}"
            match = match.play(move)
    except (MoveError, MatchError) as error:
        raise RecordError(f"{where}: {error}") from error
    if match.round.end is None and end["by"] in EVENTS:
        match = EVENTS[end["by"]](match)
    reached = match.round.end
    by, winner = (None, None) if reached is None else (reached.by, reached.winner)
    made = {"first": match.round.first, "by": by, "winner": winner}
    _compare(f"Game {number}", {**played, **end}, made)
    return match


def _compare(where: str, recorded: dict[str, Any], made: dict[str, Any]) -> None:
    """Refuse a record that contradicts its moves."""
    for key, value in made.items():
        if recorded.get(key, value) != value:
            found = brief(json.dumps(recorded[key]))
            right = json.dumps(value)
            raise RecordError(f"{where}: '{key}' is {found}, but its moves make it {right}.")


def _checked(document: Any) -> dict[str, Any]:
    """Refuse what is not a record; return it with the current version's names."""
    from zerosum.documents import MatchDocument, read

    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecordError(f"This is not a record of a match: its 'format' is not '{FORMAT}'.")
    record = {"clock": None, "bots": [None, None], "seed": None, **document}
    if record.get("version") in (1, 2):
        games = document.get("length")
        rounds = document.get("games")
        record |= {"version": VERSION, "games": games, "rounds": rounds}
        if document["version"] == 1:  # in which a draw was worth nothing to either player
            record.pop("score", None)
    try:
        read(MatchDocument, {"score": [0, 0], "over": False, **record})
    except DocumentError as error:
        raise RecordError(str(error)) from error
    if not record["rounds"]:
        raise RecordError("The record has no games in it.")
    for key in ("started", "updated"):
        if not TIME.fullmatch(record.get(key, "2000-01-31T23:59:59Z")):
            raise RecordError(f"The record's '{key}' must be a time such as 2000-01-31T23:59:59Z.")
    return record


def _variant(document: dict[str, Any], game: type[Game[Any]] | str | None) -> Game[Any]:
    """Make the variant that a record names."""
    name, options = document["game"], document["options"]
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
