"""A match as rows of tables, and back."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

from zerosum.errors import (
    GameError,
    MatchError,
    MoveError,
    UnknownGame,
    Unreadable,
    ZerosumError,
)
from zerosum.match import Event, EventKind, Match
from zerosum.options import option_values
from zerosum.registry import entry_of, find
from zerosum.text import brief

KINDS: dict[str, EventKind] = {kind: kind for kind in get_args(EventKind)}
PLY_CHANGES: dict[EventKind, int] = {"move": 1, "undo": -1}
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
ID_LENGTH = 8


class Saved(NamedTuple):
    """A match from the database, with the number of events in its journal."""

    id: str
    match: Match[Any]
    events: int
    started: str
    updated: str


class Live(NamedTuple):
    """A match that is played through a server."""

    saved: Saved
    version: int
    data: str
    due: float | None


class Summary(NamedTuple):
    """A match in one line, without replaying it; its score is in points."""

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


class Row(NamedTuple):
    """A row of the table `matches`; its scores count the games that each player won."""

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
    player_1: str
    player_2: str
    score_1: int
    score_2: int
    played: int
    plies: int
    over: int


class Tally(NamedTuple):
    """The last columns of a row: those that change while the match is played."""

    player_1: str
    player_2: str
    score_1: int = 0
    score_2: int = 0
    played: int = 0
    plies: int = 0
    over: int = 0

    def after(
        self, match: Match[Any], events: Iterable[Event], results: Iterable[tuple[Any, ...]]
    ) -> Tally:
        """Return the tally after events that led to this match, with the new results."""
        winners = [winner for _, _, _, winner, _ in results]
        return Tally(
            *match.players,
            self.score_1 + winners.count(0),
            self.score_2 + winners.count(1),
            ended(match),
            self.plies + sum(PLY_CHANGES.get(event.kind, 0) for event in events),
            int(match.over),
        )


COLUMNS = ", ".join(Row._fields)


def new_id(length: int = ID_LENGTH) -> str:
    """Return a random id that is easy to type; one of 26 characters cannot be guessed.

    >>> len(new_id()), len(new_id(26))
    (8, 26)
    """
    # Many more bits than the id holds, so that all characters are equally likely.
    number = int.from_bytes(os.urandom(length + 8), "big")
    letters = []
    for _ in range(length):
        number, index = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[index])
    return "".join(letters)


def timestamp() -> str:
    """Return the current time, as it is written in records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def row_of(id: str, match: Match[Any], tally: Tally, started: str, updated: str) -> Row:  # noqa: A002
    """Return the row of a new match."""
    entry = entry_of(match.game)
    return Row(
        id,
        entry.name,
        entry.file,
        _dumps(option_values(match.game)),
        match.rounds[0].first,
        match.games,
        match.clock,
        started,
        updated,
        *match.bots,
        None if match.seed is None else str(match.seed),
        **tally._asdict(),
    )


def ended(match: Match[Any]) -> int:
    """Count the games of a match that have ended: all but the last, or all."""
    return match.number - (match.round.end is None)


def results_of(id: str, match: Match[Any], since: int) -> list[tuple[Any, ...]]:  # noqa: A002
    """Return a row for every game that has ended, from number `since` on."""
    rows = []
    for number in range(since, ended(match)):
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


def events_of(match: Match[Any]) -> Iterator[Event]:
    """List the events that lead to a match, without those that were undone."""
    for played in match.rounds:
        yield from (Event("move", move) for move in played.moves)
        if played.end is not None and played.end.by != "rules":
            yield Event(played.end.by)


def read_row(values: Sequence[Any]) -> Row:
    """Read a row; refuse one whose numbers are not numbers."""
    row = Row(*values)
    if not all(type(number) is int for number in (row.first, row.length, *row[-5:])):
        raise Unreadable(f"Match {brief(str(row.id))} is damaged: its row cannot be read.")
    return row


def summarize(row: Row) -> Summary:
    """Summarize a row; a game without a winner is half a point for each player."""
    draws = row.played - row.score_1 - row.score_2
    half = draws / 2 if draws % 2 else draws // 2
    players, score = (row.player_1, row.player_2), (row.score_1 + half, row.score_2 + half)
    times, counts = (row.started, row.updated), (row.length, row.played)
    return Summary(row.id, row.game, players, *times, *counts, score, row.plies, bool(row.over))


def replay(row: Row, events: Sequence[tuple[Any, ...]], game: str | None = None) -> Saved:
    """Replay a match from its row and its journal; `game` overrides where its rules are."""
    try:
        match = _first_match(row, game)
        for number, (seq, kind, move) in enumerate(events):
            if seq != number:
                raise MatchError(f"event {number + 1} is missing.")
            match = _apply(match, seq, kind, move)
    except UnknownGame as error:
        raise Unreadable(
            f"The game of match {row.id} was not found. {error} "
            "If its file has moved, add --game FILE."
        ) from error
    except GameError as error:
        raise Unreadable(
            f"Match {row.id} is intact, but its rules cannot be used. {error} "
            "Correct them ('zerosum check FILE' helps), and the match can be resumed."
        ) from error
    except (ZerosumError, ValueError, TypeError, IndexError, RecursionError) as error:
        raise Unreadable(f"Match {row.id} cannot be read: {error}") from error
    plies = sum(len(played.moves) for played in match.rounds)
    if (plies, match.over) != (row.plies, bool(row.over)):
        raise Unreadable(f"Match {row.id} is damaged: its journal has lost events.")
    return Saved(row.id, match, len(events), row.started, row.updated)


def _first_match(row: Row, game: str | None) -> Match[Any]:
    """Return the match of a row before its first event."""
    options = _loads(row.options)
    if not isinstance(options, dict):
        raise MatchError("its options cannot be read.")
    rules = find(game or row.file or row.game).variant(**options)
    players = (row.player_1, row.player_2)
    seed = None if row.seed is None else int(row.seed)
    bots = (row.bot_1, row.bot_2)
    return Match.new(rules, players, row.first, row.length, row.clock, bots, seed)


def _apply(match: Match[Any], seq: int, kind: str, move: str | None) -> Match[Any]:
    """Apply an event of the journal."""
    try:
        if kind not in KINDS:
            raise MatchError(f"'{brief(kind)}' is not an event of a match.")
        return match.apply(Event(KINDS[kind], None if move is None else _loads(move)))
    except (MoveError, MatchError, ValueError) as error:
        text = f"{brief(kind)} {brief(move or '')}".strip()
        raise MatchError(f"event {seq + 1} ({text}) cannot be replayed. {error}") from error


def _dumps(value: Any) -> str:
    """Write options or a move as JSON."""
    import json  # not needed before a match is saved

    return json.dumps(value)


def _loads(text: str) -> Any:
    """Read options or a move from JSON."""
    import json

    return json.loads(text)
