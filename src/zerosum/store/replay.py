"""A match from its row and events: its game is found, and all is played again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, get_args

from zerosum.errors import (
    FileNotNamed,
    GameError,
    MatchError,
    MoveError,
    UnknownGame,
    Unreadable,
    ZerosumError,
)
from zerosum.match import Event, EventKind, Match
from zerosum.protocol import Game, Outcome
from zerosum.registry import Entry, find, find_named, short_path
from zerosum.store.rows import MatchRow, Saved
from zerosum.text import brief, printable, read_whole

KINDS: dict[str, EventKind] = {kind: kind for kind in get_args(EventKind)}
MOST_EVENTS = 5_000_000
SELECT_EVENTS = (
    f"select seq, kind, move from events where match = ? order by seq limit {MOST_EVENTS + 1}"  # noqa: S608
)
SELECT_HINTS = "select game, ply from hints where match = ?"
LONG_PATH = 300
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
UNREADABLE = (ZerosumError, ValueError, TypeError, IndexError, RecursionError)


def read_events(id: str, rows: Sequence[tuple[Any, ...]]) -> list[Event]:  # noqa: A002
    """Read the journal of a match."""
    events = []
    for number, (seq, kind, move) in enumerate(rows):
        if seq != number or number == MOST_EVENTS:
            fault = "is missing" if seq != number else "is one too many"
            raise Unreadable(f"Match {id} cannot be read: event {number + 1} {fault}.")
        try:
            events.append(Event(KINDS[kind], None if move is None else _decoder()(move)))
        except (KeyError, TypeError, MoveError, ValueError, RecursionError) as error:
            text = f"event {seq + 1} ({brief(f'{kind} {move}')})"
            raise Unreadable(f"Match {id} cannot be read: {text} makes no sense.") from error
    return events


def entry_for(row: MatchRow, game: str | None = None) -> Entry:
    """Find the game of a match: the one that the user names, else one built in or installed.

    A file that only the database mentions is never loaded: it is a program.
    """
    try:
        if game is not None or row.file is None:
            with _explained(row):
                return find_named(row.game) if game is None else find(game)
    except UnknownGame as error:
        hint = "" if game else " If it is in a file of your own, add --game FILE."
        raise Unreadable(f"The game of match {row.id} was not found. {error}{hint}") from error
    typeable = os.path.isabs(row.file) and UNKNOWN not in row.file and len(row.file) < LONG_PATH
    raise FileNotNamed(row.id, brief(row.game), short_path(row.file) if typeable else "")


def variant_of(row: MatchRow, entry: Entry) -> Game[Any]:
    """Return the variant that a match is played by."""
    with _explained(row):
        options = _decoder()(row.options)
        if not isinstance(options, dict):
            raise MatchError("its options cannot be read.")
        return entry.variant(**options)


def replay(
    row: MatchRow,
    events: Sequence[Event],
    entry: Entry,
    results: Iterable[tuple[Any, Outcome | None]] | None = None,
) -> Saved:
    """Replay a match from its row and its journal.

    `results` has the first state, and the state and the outcome after each move, if the rules were
    asked elsewhere.
    """
    game = variant_of(row, entry)
    known = None if results is None else iter(results)
    initial = None if known is None else next(known)[0]
    players = (row.player_1, row.player_2)
    bots = (row.bot_1, row.bot_2)
    with _explained(row):
        seed = None if row.seed is None else read_whole(row.seed)
        match = Match.new(game, players, row.first, row.length, row.clock, bots, seed, initial)
        for number, event in enumerate(events, 1):
            match = _apply(match, number, event, known)
    plies = sum(len(played.moves) for played in match.rounds)
    if (plies, match.over) != (row.plies, bool(row.over)):
        raise Unreadable(f"Match {row.id} is damaged: its journal is missing events.")
    times = (row.started, row.updated)
    return Saved(row.id, match, len(events), *times, bool(row.coach), row.assistant)


def _apply(
    match: Match[Any],
    number: int,
    event: Event,
    results: Iterator[tuple[Any, Outcome | None]] | None,
) -> Match[Any]:
    """Apply an event, with the state and outcome after it if known."""
    try:
        if event.kind == "move" and event.move is not None and results is not None:
            return match.begun().played(event.move, *next(results))
        return match.apply(event)
    except (MoveError, MatchError, StopIteration) as error:
        move = "" if event.move is None else brief(event.move)
        text = f"{event.kind} {move}".strip()
        raise MatchError(f"event {number} ({text}) cannot be replayed. {error}") from error


@contextmanager
def _explained(row: MatchRow) -> Iterator[None]:
    """Say which match's rules fail, or whose row or journal makes no sense."""
    try:
        yield
    except UnknownGame:
        raise
    except GameError as error:
        raise Unreadable(
            f"Match {row.id} is intact, but its rules cannot be used. {error} "
            "Correct them ('zerosum check FILE' helps), and the match can be resumed."
        ) from error
    except UNREADABLE as error:
        text = f"Match {row.id} cannot be read: {str(error).rstrip('.')}."
        raise Unreadable(printable(text)) from error


@lru_cache
def _decoder() -> Callable[[str], Any]:
    """Return what reads options or a move, with numbers as long as can be typed."""
    from json import JSONDecoder

    return JSONDecoder(parse_int=read_whole).decode
