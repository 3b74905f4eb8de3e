"""What a server keeps of the matches that are played through it, and what it gets back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zerosum.match import Event, Match
from zerosum.store.base import Saved, StoreError

WAITING, PLAYING, OVER = "waiting", "playing", "over"
FIRST_VERSION = 1


class KeyUsed(StoreError):
    """A request whose key was used before; `digest` is what was kept with it then."""

    def __init__(self, digest: str) -> None:
        super().__init__("This was asked for before; it is not done twice.")
        self.digest = digest


class Begin(NamedTuple):
    """A new match for a server: its version is 1. A key makes one match only."""

    id: str
    match: Match[Any]
    data: str
    due: float | None
    key: str
    digest: str
    stage: str


class Change(NamedTuple):
    """What happened in a match that stood at this version, with so many events in its journal.

    `match` is the match after the events. There may be no events, where only `data` or a
    name has changed.
    """

    id: str
    version: int
    seq: int
    events: tuple[Event, ...]
    match: Match[Any]
    data: str
    due: float | None
    key: str | None
    digest: str | None
    stage: str


Entry = Begin | Change
Batch = Sequence[Entry | tuple[Entry, ...]]


class Live(NamedTuple):
    """A match that is played through a server, as it stands."""

    saved: Saved
    version: int
    data: str
    due: float | None
