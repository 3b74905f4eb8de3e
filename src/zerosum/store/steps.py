"""What a batch of changes does to the tables: checked in memory, written with few statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zerosum.match import Event
from zerosum.store.base import Moved, StoreError
from zerosum.store.live import FIRST_VERSION, Begin, Change, Entry, KeyUsed
from zerosum.store.rows import (
    Row,
    ended,
    event_row,
    events_of,
    plies_in,
    results_of,
    row_of,
    wins_in,
)

STANDING = (
    "select m.id, l.version, l.seq, m.player_1, m.player_2, m.score_1, m.score_2, m.played,"
    " m.plies, m.over from live l join matches m on m.id = l.id where l.id = ?"
)
INSERT_LIVE = (
    "insert into live (version, seq, stage, changed, due, data, id, key, digest)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_KEY = "insert into keys (match, key, digest) values (?, ?, ?)"
UPDATE_LIVE = (
    "update live set version = ?, seq = ?, stage = ?, changed = ?, due = ?, data = ? where id = ?"
)
UPDATE_MATCH = (
    "update matches set player_1 = ?, player_2 = ?, score_1 = ?, score_2 = ?, played = ?,"
    " plies = ?, over = ?, updated = ? where id = ?"
)


class Standing(NamedTuple):
    """What has to be known of a match before it can be changed."""

    id: str
    version: int
    seq: int
    player_1: str
    player_2: str
    score_1: int
    score_2: int
    played: int
    plies: int
    over: int


@dataclass
class Steps:
    """Rows to write, gathered while entries are checked against what stands."""

    changed: float
    now: str
    standing: dict[str, Standing]
    keys: dict[tuple[str, str], str]
    taken: set[str]
    matches: list[Row] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    results: list[tuple[Any, ...]] = field(default_factory=list)
    begun: list[tuple[Any, ...]] = field(default_factory=list)
    used: list[tuple[str, str, str]] = field(default_factory=list)
    # By match, since of several changes to one only the last is written.
    lines: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    live: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)

    def take(self, group: tuple[Entry, ...]) -> StoreError | None:
        """Take all entries of a group, or none of them and the reason."""
        for entry in group:
            refusal = self._refusal(entry)
            if refusal is not None:
                return refusal
        for entry in group:
            if isinstance(entry, Begin):
                self._begin(entry)
            else:
                self._change(entry)
        return None

    def _refusal(self, entry: Entry) -> StoreError | None:
        """Say why an entry cannot be kept, if it cannot."""
        place = "" if isinstance(entry, Begin) else entry.id
        if entry.key is not None and (place, entry.key) in self.keys:
            return KeyUsed(self.keys[place, entry.key])
        if isinstance(entry, Begin):
            if entry.id in self.taken:
                return StoreError(f"Match {entry.id} already exists; not overwritten.")
            return None
        before = self.standing.get(entry.id)
        if before is None or (before.version, before.seq) != (entry.version, entry.seq):
            return Moved(f"Match {entry.id} was continued elsewhere; nothing is lost.")
        return None

    def _begin(self, entry: Begin) -> None:
        """Take a new match."""
        row = row_of(entry.id, entry.match, self.now, self.now)
        seq = self._journal(entry.id, 0, tuple(events_of(entry.match)))
        self.matches.append(row)
        self.results += results_of(entry.id, entry.match)
        self.begun.append(
            (*self._line(entry, FIRST_VERSION, seq), entry.id, entry.key, entry.digest)
        )
        self.keys["", entry.key] = entry.digest
        self.taken.add(entry.id)
        counts = (row.score_1, row.score_2, row.played, row.plies, row.over)
        self.standing[entry.id] = Standing(
            entry.id, FIRST_VERSION, seq, *entry.match.players, *counts
        )
        self.told[entry.id] = FIRST_VERSION

    def _change(self, entry: Change) -> None:
        """Take a change to a match."""
        before, match = self.standing[entry.id], entry.match
        version = entry.version + 1
        seq = self._journal(entry.id, entry.seq, entry.events)
        results = results_of(entry.id, match, before.played)
        wins = wins_in(results)
        after = Standing(
            entry.id,
            version,
            seq,
            *match.players,
            before.score_1 + wins[0],
            before.score_2 + wins[1],
            ended(match),
            before.plies + plies_in(entry.events),
            int(match.over),
        )
        self.results += results
        if after[3:] != before[3:] or entry.events:
            self.lines[entry.id] = (*after[3:], self.now, entry.id)
        self.live[entry.id] = (*self._line(entry, version, seq), entry.id)
        self.standing[entry.id] = after
        self.told[entry.id] = version
        if entry.key is not None:
            self.used.append((entry.id, entry.key, entry.digest or ""))
            self.keys[entry.id, entry.key] = entry.digest or ""

    def _journal(self, id: str, seq: int, events: tuple[Event, ...]) -> int:  # noqa: A002
        """Take events into the journal, and give the next one's number."""
        for place, event in enumerate(events, seq):
            self.events.append(event_row(id, place, event, self.now))
        return seq + len(events)

    def _line(self, entry: Entry, version: int, seq: int) -> tuple[Any, ...]:
        """Write what both kinds of entries keep of a live match."""
        return version, seq, entry.stage, self.changed, entry.due, entry.data
