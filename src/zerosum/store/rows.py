"""A match as rows of tables, and back."""

import operator
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from zerosum.errors import Unreadable
from zerosum.match import Event, EventKind, Match, points
from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.text import brief, printable

PLY_CHANGES: dict[EventKind, int] = {"move": 1, "undo": -1}
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
ID_LENGTH = 8
# What a foreign database may hold at most; paths have no more characters either.
LARGEST = 2**53
LONGEST_ID = 64
LONGEST = 4_200
LONG = ("options", "seed", "data", "made")
R = TypeVar("R")


class Saved(NamedTuple):
    """A match from the database, with the number of events in its journal.

    `assistant` is the player for whom an assistant moves, if any.
    """

    id: str
    match: Match[Any]
    events: int
    started: str
    updated: str
    coach: bool = False
    assistant: int | None = None


class LiveRow(NamedTuple):
    """What the table `live` has beside a match."""

    version: int
    data: str
    due: float | None


class GameResult(NamedTuple):
    """A finished game: rule book, names, levels, the winner and who moved first."""

    game: str
    player_1: str
    player_2: str
    bot_1: str | None
    bot_2: str | None
    winner: int | None
    first: int


class TriedPuzzle(NamedTuple):
    """A puzzle that was tried, and when it was solved."""

    id: str
    grade: str
    tries: int
    solved: str | None


class Summary(NamedTuple):
    """A match in one line, without replaying it; its score is in points.

    `assistant` is the player for whom an assistant moves, if any.
    """

    id: str
    game: str
    players: tuple[str, str]
    started: str
    updated: str
    games: int
    played: int
    score: tuple[float, float]
    plies: int
    over: bool
    assistant: int | None


class Damaged(NamedTuple):
    """A match that cannot be listed, and why."""

    id: str
    reason: str


class MatchRow(NamedTuple):
    """A row of `matches`; its scores count the games that each player won."""

    id: str
    game: str
    file: str | None
    options: str
    first: int
    length: int  # the number of games
    clock: float | None
    started: str
    updated: str
    bot_1: str | None
    bot_2: str | None
    seed: str | None
    coach: int
    assistant: int | None
    player_1: str
    player_2: str
    score_1: int
    score_2: int
    played: int
    plies: int
    over: int


class Standing(NamedTuple):
    """How far a match is: its version, its events, and the columns that change.

    The version counts a live match's changes; a terminal's has none.
    """

    version: int
    seq: int
    player_1: str
    player_2: str
    score_1: int = 0
    score_2: int = 0
    played: int = 0
    plies: int = 0
    over: int = 0

    def after(self, match: Match[Any], events: Sequence[Event], live: bool) -> "Standing":
        """Return the standing after events that led to this match."""
        return Standing(
            self.version + live,
            self.seq + len(events),
            *match.players,
            *match.won,
            match.ended,
            self.plies + sum(PLY_CHANGES.get(event.kind, 0) for event in events),
            int(match.over),
        )


COLUMNS = ", ".join(MatchRow._fields)


def new_id(length: int = ID_LENGTH) -> str:
    """Return a random id that is easy to type; one of 26 characters cannot be guessed.

    >>> len(new_id()), len(new_id(26))
    (8, 26)
    """
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in os.urandom(length))


def timestamp() -> str:
    """Return the current time, as it is written in records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def row_of(
    id: str,  # noqa: A002
    match: Match[Any],
    standing: Standing,
    started: str,
    updated: str,
    coach: bool = False,
    assistant: int | None = None,
) -> MatchRow:
    """Return the row of a new match."""
    entry = entry_of(match.game)
    options = _dumps(option_values(match.game))
    seed = None if match.seed is None else str(match.seed)
    fixed = (match.rounds[0].first, match.games, match.clock, started, updated, *match.bots)
    row = (id, entry.name, entry.file, options, *fixed, seed, int(coach), assistant, *standing[2:])
    return MatchRow._make(row)


def results_of(id: str, match: Match[Any], since: int) -> list[tuple[Any, ...]]:  # noqa: A002
    """Return a row for every ended game, from number `since` on."""
    rows = []
    for number in range(since, match.ended):
        played = match.round if number == len(match.earlier) else match.earlier[number]
        assert played.end is not None  # noqa: S101 (for the type checker)
        rows.append((id, number, played.first, played.end.winner, played.end.by))
    return rows


def event_row(id: str, seq: int, event: Event, at: str) -> tuple[Any, ...]:  # noqa: A002
    """Return the row of an event; its move is JSON, which tells 7 from "7"."""
    move = event.move
    if move is not None:
        move = _dumps(move if isinstance(move, str) else operator.index(move))
    return id, seq, event.kind, move, at


def read_row(kind: Callable[..., R], values: Sequence[Any], where: str = "The database") -> R:
    """Read a row by its fields' types: a foreign database may have anything in it."""
    read = []
    for value, (name, types) in zip(values, _types(kind), strict=True):
        text = isinstance(value, str) and name not in LONG
        if (
            type(value) not in types
            or (isinstance(value, int) and not 0 <= value <= LARGEST)
            or (isinstance(value, float) and not isfinite(value))
            or (text and len(value) > LONGEST)
        ):
            raise Unreadable(f"{where} is damaged: its {name} cannot be read.")
        read.append(printable(value) if text else value)
    return kind(*read)


@lru_cache
def _types(kind: Any) -> list[tuple[str, tuple[type, ...]]]:
    """Return the types that a field may have; a number may be written as an integer."""
    hints = {name: get_args(hint) or (hint,) for name, hint in get_type_hints(kind).items()}
    return [(name, (*hint, int) if float in hint else hint) for name, hint in hints.items()]


def read_match(values: Sequence[Any]) -> MatchRow:
    """Read a row of `matches`; refuse counts that no match can have."""
    row = read_row(MatchRow, values, f"Match {brief(values[0])}")
    if not (row.id.isascii() and row.id.isalnum()) or len(row.id) > LONGEST_ID:
        raise Unreadable(f"Match {brief(row.id)} is damaged: that is not an id.")
    flags = (row.first, row.over, row.coach, row.assistant or 0)
    if max(flags) > 1 or row.score_1 + row.score_2 > row.played:
        raise Unreadable(f"Match {row.id} is damaged: its counts are impossible.")
    return row


def read_result(values: Sequence[Any]) -> GameResult:
    """Read the result of a game."""
    result = read_row(GameResult, values)
    if max(result.winner or 0, result.first) > 1:
        raise Unreadable("The database is damaged: a game in it was won by nobody.")
    return result


def summarize(values: Sequence[Any]) -> Summary | Damaged:
    """Summarize a row of the table `matches`."""
    try:
        row = read_match(values)
    except Unreadable as error:
        return Damaged(brief(values[0]), str(error))
    players = (row.player_1, row.player_2)
    score = points((row.score_1, row.score_2), row.played)
    times = (row.started, row.updated)
    counts = (row.length, row.played)
    over, player = bool(row.over), row.assistant
    return Summary(row.id, row.game, players, *times, *counts, score, row.plies, over, player)


def _dumps(value: Any) -> str:
    """Write options or a move as JSON."""
    import json  # not needed before a match is saved

    return json.dumps(value)
