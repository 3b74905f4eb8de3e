"""Changes to matches: checked in memory against the database, then written in few statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zerosum.errors import Conflict, KeyUsed, StoreError, Unreadable
from zerosum.match import Event, Match
from zerosum.store.database import Database, Statements
from zerosum.store.rows import COLUMNS, Row, Tally, event_row, results_of, row_of

TALLY = ", ".join(Tally._fields)
LIVE_TALLY = (
    f"select m.id, l.version, l.seq, {TALLY} from live l join matches m on m.id = l.id"  # noqa: S608
    " where l.id = ?"
)
SELECT_ID = "select id from matches where id = ?"
# A match without a row in `live` is played in a terminal; its journal counts its events.
TERMINAL_TALLY = (
    "select id, 0, (select coalesce(max(seq) + 1, 0) from events where match = matches.id),"  # noqa: S608
    f" {TALLY} from matches where id = ? and not exists (select 1 from live where id = matches.id)"
)
SELECT_KEY = "select match, key, digest from keys where match = ? and key = ?"
SELECT_NEW_KEY = "select key, digest from live where key = ?"
INSERT_MATCH = f"insert into matches ({COLUMNS}) values ({', '.join('?' * len(Row._fields))})"  # noqa: S608
INSERT_LIVE = (
    "insert into live (version, seq, stage, changed, due, data, id, owner, key, digest)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_EVENT = "insert into events (match, seq, kind, move, at) values (?, ?, ?, ?, ?)"
INSERT_RESULT = (
    "insert into results (match, game, first, winner, ended_by) values (?, ?, ?, ?, ?)"
    " on conflict do nothing"
)
DELETE_RESULT = "delete from results where match = ? and game = ?"
INSERT_KEY = "insert into keys (match, key, digest) values (?, ?, ?)"
UPDATE_MATCH = f"update matches set {' = ?, '.join(Tally._fields)} = ?, updated = ? where id = ?"  # noqa: S608
UPDATE_LIVE = (
    "update live set version = ?, seq = ?, stage = ?, changed = ?, due = ?, data = ? where id = ?"
)

# What a server has of a match, and then the match itself, in the order of their references.
DELETE_LIVE = ("delete from keys where match = ?", "delete from live where id = ?")
DELETE_PLAYED = (
    "delete from results where match = ?",
    "delete from events where match = ?",
    "delete from matches where id = ?",
)


class LiveUpdate(NamedTuple):
    """What a server saves beside a match; `version` is the one before the change, 0 at first.

    `changed` and `due` are in the database's own time. `owner` says who created the match.
    """

    version: int
    data: str
    changed: float
    due: float | None
    stage: str
    key: str | None = None
    digest: str = ""
    owner: str | None = None


class Change(NamedTuple):
    """A match after some events; `seq` counts the events before them, None for a new match.

    A live match may change without events: its data, or the name of a player. An imported match
    says when it was `started`, a new one of a terminal whether it has a coach.
    """

    id: str
    match: Match[Any]
    events: tuple[Event, ...]
    seq: int | None
    live: LiveUpdate | None = None
    started: str | None = None
    coach: bool = False

    @property
    def version(self) -> int:
        """The version that the change is based on; 0 in a terminal."""
        return 0 if self.live is None else self.live.version

    @property
    def request(self) -> tuple[str, str] | None:
        """The match and the key of the request, if it has a key; a new match has no id yet."""
        if self.live is None or self.live.key is None:
            return None
        return "" if self.seq is None else self.id, self.live.key


class Current(NamedTuple):
    """What the database has of a match before a change."""

    version: int
    seq: int
    tally: Tally


def _current(id: str, version: int, seq: int, *tally: Any) -> Current:  # noqa: A002
    """Read what the database has of a match, or refuse it as damaged."""
    if set(map(type, (version, seq, *tally[2:]))) != {int}:
        raise Unreadable(f"Match {id} is damaged: its counts cannot be read.")
    return Current(version, seq, Tally(*tally))


@dataclass
class Batch:
    """Rows to write, collected while changes are checked against the current ones."""

    at: str
    current: dict[str, Current]
    existing: set[str]
    digests: dict[tuple[str, str], str]
    new_matches: list[Row] = field(default_factory=list)
    new_live: list[tuple[Any, ...]] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)
    results: list[tuple[Any, ...]] = field(default_factory=list)
    undone: list[tuple[str, int]] = field(default_factory=list)
    # By match: of several changes to a match, only the last is written.
    matches: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    live: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    keys: list[tuple[str, str, str]] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, database: Database, changes: Sequence[Change], at: str) -> Batch:
        """Read what changes are checked against, and lock it until they are written."""
        old = [change for change in changes if change.seq is not None]
        new = [change for change in changes if change.seq is None]
        # Rows are locked in the order of their ids: two processes never wait for each other.
        live = sorted({(change.id,) for change in old if change.live is not None})
        terminal = sorted({(change.id,) for change in old if change.live is None})
        rows = database.each(LIVE_TALLY + database.lock, live)
        existing = database.each(SELECT_ID + database.lock, terminal)
        rows += database.each(TERMINAL_TALLY, terminal)
        current = {id_: _current(id_, *values) for id_, *values in rows}
        existing += database.each(SELECT_ID, [(change.id,) for change in new])
        used = database.each(SELECT_KEY, [change.request for change in old if change.request])
        digests = {(id_, key): digest for id_, key, digest in used}
        made = [change.request[1:] for change in new if change.request]
        digests |= {("", key): digest for key, digest in database.each(SELECT_NEW_KEY, made)}
        return cls(at, current, {id_ for (id_,) in existing}, digests)

    def add(self, group: Sequence[Change]) -> StoreError | None:
        """Add all changes of a group; or none of them, and return the reason."""
        for change in group:
            refusal = self._refusal(change)
            if refusal is not None:
                return refusal
        for change in group:
            self._add(change)
        return None

    def statements(self) -> Statements:
        """List the statements that write the batch, in the order of their references."""
        return [
            (INSERT_MATCH, self.new_matches),
            # In the order of their keys, for the same reason as above.
            (INSERT_LIVE, sorted(self.new_live, key=lambda row: str(row[-2]))),
            (INSERT_EVENT, self.events),
            (DELETE_RESULT, self.undone),
            (INSERT_RESULT, self.results),
            (UPDATE_MATCH, list(self.matches.values())),
            (UPDATE_LIVE, list(self.live.values())),
            (INSERT_KEY, self.keys),
        ]

    def _refusal(self, change: Change) -> StoreError | None:
        """Return the reason why a change cannot be saved, if there is one."""
        request = change.request
        if request is not None and request in self.digests:
            return KeyUsed(self.digests[request])
        if change.seq is None:
            if change.id in self.existing:
                return StoreError(f"Match {change.id} already exists; not overwritten.")
            return None
        if change.live is None and change.id not in self.existing:
            return StoreError(f"Match {change.id} was deleted; this move was not saved.")
        before = self.current.get(change.id)
        if before is not None and (before.version, before.seq) == (change.version, change.seq):
            return None
        return Conflict(f"Match {change.id} was continued elsewhere; nothing is lost.")

    def _add(self, change: Change) -> None:
        """Add the rows of a change that was not refused."""
        id_, match, at = change.id, change.match, self.at
        before = self.current.get(id_, Current(0, 0, Tally(*match.players)))
        results = results_of(id_, match, before.tally.played)
        tally = before.tally.after(match, change.events, results)
        seq = before.seq + len(change.events)
        self.events += [
            event_row(id_, number, event, at)
            for number, event in enumerate(change.events, before.seq)
        ]
        self.results += results
        self.undone += [(id_, number) for number in range(tally.played, before.tally.played)]
        if change.seq is None:
            row = row_of(id_, match, tally, change.started or at, at, change.coach)
            self.new_matches.append(row)
            self.existing.add(id_)
        elif change.events or tally != before.tally:
            self.matches[id_] = (*tally, at, id_)
        version = 0 if change.live is None else self._add_live(change, change.live, seq)
        self.current[id_] = Current(version, seq, tally)

    def _add_live(self, change: Change, live: LiveUpdate, seq: int) -> int:
        """Add what a server saves beside a match, and return its new version."""
        version = live.version + 1
        row = (version, seq, live.stage, live.changed, live.due, live.data, change.id)
        if change.seq is None:
            self.new_live.append((*row, live.owner, live.key, live.digest))
        else:
            self.live[change.id] = row
            if live.key is not None:
                self.keys.append((change.id, live.key, live.digest))
        if change.request is not None:
            self.digests[change.request] = live.digest
        self.versions[change.id] = version
        return version
