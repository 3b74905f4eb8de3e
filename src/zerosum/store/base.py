"""What a store gives and takes, whatever it is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.match import Match


class StoreError(ZerosumError):
    """A store that cannot be used, or does not have what was asked for."""


class Unwritable(StoreError):
    """A store that can take nothing more: play may go on without it."""


class Unreadable(StoreError):
    """A match that cannot be played through again: its rules are gone or changed, or events are."""


class Moved(StoreError):
    """The match was continued elsewhere since it was read."""


class Saved(NamedTuple):
    """A match from the store, and what the store knows about it."""

    id: str
    match: Match[Any]
    events: int
    started: str
    updated: str


class Summary(NamedTuple):
    """A match in one line, without replaying it; its score is in points, as that of a match."""

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
