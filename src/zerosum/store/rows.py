"""A match as rows of tables, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from zerosum.game import MoveError, UnknownGame, ZerosumError, brief, variant_of
from zerosum.match import EVENTS, Event, Match, MatchError
from zerosum.registry import entry_of, find
from zerosum.store.base import Saved, Summary, Unreadable


class Row(NamedTuple):
    """The line of a match in the table `matches`."""

    id: str
    game: str
    file: str | None
    options: str
    player_1: str
    player_2: str
    first: int
    length: int
    clock: float | None
    started: str
    updated: str
    bot_1: str | None
    bot_2: str | None
    seed: str | None
    score_1: int
    score_2: int
    played: int
    plies: int
    over: int


COLUMNS = ", ".join(Row._fields)


def row_of(id: str, match: Match, started: str, updated: str) -> Row:  # noqa: A002
    """Write the line of a match."""
    entry = entry_of(match.game)
    return Row(
        id,
        entry.name,
        entry.file,
        _json(variant_of(match.game)),
        *match.players,
        match.rounds[0].first,
        match.length,
        match.clock,
        started,
        updated,
        *match.bots,
        None if match.seed is None else str(match.seed),
        *match.score,
        ended(match),
        sum(len(played.moves) for played in match.rounds),
        int(match.over),
    )


def ended(match: Match) -> int:
    """Count the games of a match that have ended: all but the last, or all."""
    return len(match.rounds) - (match.round.end is None)


def results_of(id: str, match: Match, since: int = 0) -> list[tuple[Any, ...]]:  # noqa: A002
    """Write the results of the games that have ended, from number `since` on."""
    rows = []
    for number in range(since, ended(match)):
        played = match.rounds[number]
        assert played.end is not None  # noqa: S101 (for the type checker)
        rows.append((id, number, played.first, played.end.winner, played.end.by))
    return rows


def event_row(id: str, seq: int, event: Event, now: str) -> tuple[Any, ...]:  # noqa: A002
    """Write one event."""
    return id, seq, event.kind, None if event.move is None else str(event.move), now


def events_of(match: Match) -> Iterator[Event]:
    """List the events that lead to a match, without those that were undone."""
    for played in match.rounds:
        yield from (Event("move", move) for move in played.moves)
        if played.end and played.end.by in EVENTS:
            yield Event(played.end.by)


def summary_of(row: Row) -> Summary:
    """Read a match's line."""
    players, score = (row.player_1, row.player_2), (row.score_1, row.score_2)
    times, counts = (row.started, row.updated), (row.length, row.played)
    return Summary(row.id, row.game, players, *times, *counts, score, row.plies, bool(row.over))


def replayed(row: Row, events: Sequence[tuple[Any, ...]], game: str | None = None) -> Saved:
    """Play a match through again from its line and its journal."""
    try:
        match = _begun(row, game)
        for seq, (place, kind, move) in enumerate(events):
            if place != seq:
                raise MatchError(f"event {seq + 1} is missing.")
            match = _after(match, seq, kind, move)
    except UnknownGame as error:
        raise Unreadable(
            f"The rules of match {row.id} are not where they were. {error} "
            "If they have moved, name them: --game FILE"
        ) from error
    except (ZerosumError, ValueError, TypeError, IndexError) as error:
        raise Unreadable(f"Match {row.id} cannot be read: {error}") from error
    plies = sum(len(played.moves) for played in match.rounds)
    if (plies, match.over) != (row.plies, bool(row.over)):
        raise Unreadable(f"Match {row.id} is damaged: its journal has lost events.")
    return Saved(row.id, match, len(events), row.started, row.updated)


def _begun(row: Row, game: str | None) -> Match:
    """Begin the match that a row describes."""
    options = _unjson(row.options)
    if not isinstance(options, dict):
        raise MatchError("its options are no options.")
    rules = find(game or row.file or row.game).variant(**options)
    players = (row.player_1, row.player_2)
    seed = None if row.seed is None else int(row.seed)
    bots = (row.bot_1, row.bot_2)
    return Match.new(rules, players, row.first, row.length, row.clock, bots, seed)


def _after(match: Match, seq: int, kind: str, move: str | None) -> Match:
    """Let an event of the journal happen again."""
    try:
        return match.apply(Event(kind, None if move is None else int(move)))
    except (MoveError, MatchError) as error:
        said = f"{kind} {brief(move or '')}".strip()
        raise MatchError(f"event {seq + 1} ({said}) breaks the rules. {error}") from error


def _json(value: Any) -> str:
    """Write options down."""
    import json  # not needed until a match is kept

    return json.dumps(value)


def _unjson(text: str) -> Any:
    """Read options back."""
    import json

    return json.loads(text)
