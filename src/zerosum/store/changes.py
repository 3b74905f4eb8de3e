"""Changes to matches: checked in memory against the database, then written in few statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zerosum.errors import Conflict, KeyUsed, Rejected, StoreError, Unreadable
from zerosum.match import Event, Match
from zerosum.store.database import Database, Statements
from zerosum.store.rows import COLUMNS, MatchRow, Standing, event_row, results_of, row_of

STANDING = ", ".join(Standing._fields)
LIVE_STANDING = (
    f"select m.id, l.version, l.seq, {STANDING} from live l join matches m on m.id = l.id"  # noqa: S608
    " where l.id = ?"
)
SELECT_ID = "select id from matches where id = ?"
# A match without a row in `live` is played in a terminal; its journal counts its events.
TERMINAL_STANDING = (
    "select id, 0, (select coalesce(max(seq) + 1, 0) from events where match = matches.id),"  # noqa: S608
    f" {STANDING} from matches where id = ?"
    " and not exists (select 1 from live where id = matches.id)"
)
SELECT_KEY = "select match, key, digest from keys where match = ? and key = ?"
SELECT_NEW_KEY = "select key, digest from live where key = ?"
INSERT_MATCH = f"insert into matches ({COLUMNS}) values ({', '.join('?' * len(MatchRow._fields))})"  # noqa: S608
INSERT_LIVE = (
    "insert into live (version, seq, stage, changed, due, data, id, owner, key, digest)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_EVENT = "insert into events (match, seq, kind, move, at) values (?, ?, ?, ?, ?)"
INSERT_RESULT = "insert into results (match, game, first, winner, ended_by) values (?, ?, ?, ?, ?)"
DELETE_RESULT = "delete from results where match = ? and game = ?"
INSERT_KEY = "insert into keys (match, key, digest) values (?, ?, ?)"
UPDATE_MATCH = f"update matches set {' = ?, '.join(Standing._fields)} = ?, updated = ? where id = ?"  # noqa: S608
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


Groups = Sequence[Sequence[Change]]


class Current(NamedTuple):
    """What the database knows about a match before a change."""

    version: int
    seq: int
    standing: Standing


def _current(id: str, version: int, seq: int, *standing: Any) -> Current:  # noqa: A002
    """Read what the database knows about a match, or refuse it as damaged."""
    if set(map(type, (version, seq, *standing[2:]))) != {int}:
        raise Unreadable(f"Match {id} is damaged: its counts cannot be read.")
    return Current(version, seq, Standing(*standing))


@dataclass
class Transaction:
    """Rows to write, collected while changes are checked against the current ones."""

    at: str
    current: dict[str, Current]
    existing: set[str]
    digests: dict[tuple[str, str], str]
    rows: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    # By match and game; None where the move that ended the game was taken back.
    results: dict[tuple[str, int], tuple[Any, ...] | None] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, database: Database, changes: Sequence[Change], at: str) -> Transaction:
        """Read what changes are checked against, and lock it until they are written."""
        old = [change for change in changes if change.seq is not None]
        new = [change for change in changes if change.seq is None]
        # Rows are locked in the order of their ids: two processes never wait for each other.
        live = sorted({(change.id,) for change in old if change.live is not None})
        terminal = sorted({(change.id,) for change in old if change.live is None})
        rows = database.each(LIVE_STANDING + database.lock, live)
        existing = database.each(SELECT_ID + database.lock, terminal)
        rows += database.each(TERMINAL_STANDING, terminal)
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
        """List the statements that write the rows, in the order of their references."""
        rows = self.rows
        return [
            (INSERT_MATCH, rows[INSERT_MATCH]),
            # In the order of their keys, for the same reason as above.
            (INSERT_LIVE, sorted(rows[INSERT_LIVE], key=lambda row: str(row[-2]))),
            (INSERT_EVENT, rows[INSERT_EVENT]),
            (DELETE_RESULT, list(self.results)),
            (INSERT_RESULT, [row for row in self.results.values() if row is not None]),
            (UPDATE_MATCH, rows[UPDATE_MATCH]),
            (UPDATE_LIVE, rows[UPDATE_LIVE]),
            (INSERT_KEY, rows[INSERT_KEY]),
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
        before = self.current.get(id_, Current(0, 0, Standing(*match.players)))
        played = before.standing.played
        results = results_of(id_, match, played)
        standing = before.standing.after(match, change.events, results)
        self.rows[INSERT_EVENT] += [
            event_row(id_, number, event, at)
            for number, event in enumerate(change.events, before.seq)
        ]
        self.results |= {(id_, number): None for number in range(standing.played, played)}
        self.results |= {(id_, row[1]): row for row in results}
        if change.seq is None:
            row = row_of(id_, match, standing, change.started or at, at, change.coach)
            self.rows[INSERT_MATCH].append(row)
            self.existing.add(id_)
        elif change.events or standing != before.standing:
            self.rows[UPDATE_MATCH].append((*standing, at, id_))
        seq = before.seq + len(change.events)
        version = 0 if change.live is None else self._add_live(change, change.live, seq)
        self.current[id_] = Current(version, seq, standing)

    def _add_live(self, change: Change, live: LiveUpdate, seq: int) -> int:
        """Add what a server saves beside a match, and return its new version."""
        version = live.version + 1
        row = (version, seq, live.stage, live.changed, live.due, live.data, change.id)
        if change.seq is None:
            self.rows[INSERT_LIVE].append((*row, live.owner, live.key, live.digest))
        else:
            self.rows[UPDATE_LIVE].append(row)
            if live.key is not None:
                self.rows[INSERT_KEY].append((change.id, live.key, live.digest))
        if change.request is not None:
            self.digests[change.request] = live.digest
        self.versions[change.id] = version
        return version


def write_changes(database: Database, groups: Groups, at: str) -> list[StoreError | None]:
    """Save groups of changes; return for each why it was refused, or None.

    They are on the disk on return. The changes of a group are saved together or not at all; a
    group that is refused does not affect the others.
    """
    try:
        return database.transact(lambda: _write(database, groups, at))
    except Rejected:
        return [_write_alone(database, group, at) for group in groups]


def _write(database: Database, groups: Groups, at: str) -> list[StoreError | None]:
    """Save groups in a transaction, with as few statements as possible."""
    changes = [change for group in groups for change in group]
    transaction = Transaction.read(database, changes, at)
    refusals = [transaction.add(group) for group in groups]
    notifications = database.notifications(transaction.versions)
    database.many([*transaction.statements(), *notifications])
    return refusals


def _write_alone(database: Database, group: Sequence[Change], at: str) -> StoreError | None:
    """Save one group, or return the reason why not."""
    result: StoreError | None = None
    # Twice: the first time, another process may have been saving the same key.
    for _ in range(2):
        try:
            (result,) = database.transact(lambda: _write(database, [group], at))
            break
        except Rejected as error:
            result = error
    return result
