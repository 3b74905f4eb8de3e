"""A match as rows of tables, and back."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, get_args

from zerosum.errors import GameError, MatchError, MoveError, UnknownGame, ZerosumError
from zerosum.match import Event, EventKind, Match
from zerosum.options import variant_of
from zerosum.registry import entry_of, find
from zerosum.store.base import Saved, Summary, Unreadable
from zerosum.text import brief

KINDS: dict[str, EventKind] = {kind: kind for kind in get_args(EventKind)}
PLIES: dict[EventKind, int] = {"move": 1, "undo": -1}


class Row(NamedTuple):
    """The line of a match in the table `matches`; its scores are the games that were won."""

    id: str
    game: str
    file: str | None
    options: str
    player_1: str
    player_2: str
    first: int
    games: int
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


def row_of(id: str, match: Match[Any], started: str, updated: str) -> Row:  # noqa: A002
    """Write the line of a match."""
    entry = entry_of(match.game)
    rounds = match.rounds
    return Row(
        id,
        entry.name,
        entry.file,
        _json(variant_of(match.game)),
        *match.players,
        rounds[0].first,
        match.games,
        match.clock,
        started,
        updated,
        *match.bots,
        None if match.seed is None else str(match.seed),
        *wins_in(results_of(id, match)),
        ended(match),
        sum(len(played.moves) for played in rounds),
        int(match.over),
    )


def ended(match: Match[Any]) -> int:
    """Count the games of a match that have ended: all but the last, or all."""
    return match.number - (match.round.end is None)


def results_of(id: str, match: Match[Any], since: int = 0) -> list[tuple[Any, ...]]:  # noqa: A002
    """Write the results of the games that have ended, from number `since` on."""
    rows = []
    for number in range(since, ended(match)):
        played = match.round if number == len(match.earlier) else match.earlier[number]
        assert played.end is not None  # noqa: S101 (for the type checker)
        rows.append((id, number, played.first, played.end.winner, played.end.by))
    return rows


def wins_in(results: Iterable[tuple[Any, ...]]) -> tuple[int, int]:
    """Count the games that each player won."""
    winners = [winner for _, _, _, winner, _ in results]
    return winners.count(0), winners.count(1)


def plies_in(events: Iterable[Event]) -> int:
    """Count the moves that events add to a match, or take from it."""
    return sum(PLIES.get(event.kind, 0) for event in events)


def event_row(id: str, seq: int, event: Event, now: str) -> tuple[Any, ...]:  # noqa: A002
    """Write one event; its move as JSON, in which 7 and "7" are two things."""
    move = event.move
    if move is not None:
        move = _json(move if isinstance(move, str) else operator.index(move))
    return id, seq, event.kind, move, now


def events_of(match: Match[Any]) -> Iterator[Event]:
    """List the events that lead to a match, without those that were undone."""
    for played in match.rounds:
        yield from (Event("move", move) for move in played.moves)
        if played.end is not None and played.end.by != "rules":
            yield Event(played.end.by)


def summary_of(row: Row) -> Summary:
    """Read a match's line; a game that ended without a winner is half a point for each."""
    draws = row.played - row.score_1 - row.score_2
    half = draws / 2 if draws % 2 else draws // 2
    players, score = (row.player_1, row.player_2), (row.score_1 + half, row.score_2 + half)
    times, counts = (row.started, row.updated), (row.games, row.played)
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


def _begun(row: Row, game: str | None) -> Match[Any]:
    """Begin the match that a row describes."""
    options = _unjson(row.options)
    if not isinstance(options, dict):
        raise MatchError("its options cannot be read.")
    rules = find(game or row.file or row.game).variant(**options)
    players = (row.player_1, row.player_2)
    seed = None if row.seed is None else int(row.seed)
    bots = (row.bot_1, row.bot_2)
    return Match.new(rules, players, row.first, row.games, row.clock, bots, seed)


def _after(match: Match[Any], seq: int, kind: str, move: str | None) -> Match[Any]:
    """Let an event of the journal happen again."""
    try:
        if kind not in KINDS:
            raise MatchError(f"'{brief(kind)}' is not an event of a match.")
        return match.apply(Event(KINDS[kind], None if move is None else _unjson(move)))
    except (MoveError, MatchError, ValueError) as error:
        said = f"{brief(kind)} {brief(move or '')}".strip()
        raise MatchError(f"event {seq + 1} ({said}) cannot be replayed. {error}") from error


def _json(value: Any) -> str:
    """Write options or a move down."""
    import json  # not needed until a match is kept

    return json.dumps(value)


def _unjson(text: str) -> Any:
    """Read options or a move back."""
    import json

    return json.loads(text)
