"""Changes to matches: checked against the database, written in few statements."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zerosum.errors import Conflict, KeyUsed, Rejected, StoreError
from zerosum.match import Event, Match
from zerosum.store.database import Database
from zerosum.store.rows import (
    COLUMNS,
    MatchRow,
    Standing,
    event_row,
    read_row,
    results_of,
    row_of,
)

CHANGING = Standing._fields[2:]
SELECT_ID = "select id from matches where id in () order by id"
# A match without a row in `live` is played in a terminal; its journal counts its events.
SELECT_STANDING = (
    "select m.id, coalesce(l.version, 0), coalesce(l.seq,"  # noqa: S608
    " (select coalesce(max(seq) + 1, 0) from events where match = m.id)),"
    f" {', '.join(CHANGING)} from matches m left join live l on l.id = m.id where m.id in ()"
)
SELECT_KEYS = "select match, key, digest from keys where match in () and key in ()"
SELECT_NEW_KEYS = "select '', key, digest from live where key in ()"
INSERT_MATCH = f"insert into matches ({COLUMNS}) values ({', '.join('?' * len(MatchRow._fields))})"  # noqa: S608
INSERT_LIVE = (
    "insert into live (version, seq, stage, changed, due, data, id, owner, key, digest)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_EVENT = "insert into events (match, seq, kind, move, at) values (?, ?, ?, ?, ?)"
# If the move that ended a game was taken back, its result stays until the game ends again.
INSERT_RESULT = (
    "insert into results (match, game, first, winner, ended_by) values (?, ?, ?, ?, ?)"
    " on conflict (match, game)"
    " do update set winner = excluded.winner, ended_by = excluded.ended_by"
)
INSERT_SEAT = "insert into seats (holder, taken, match) values (?, ?, ?)"
INSERT_KEY = "insert into keys (match, key, digest) values (?, ?, ?)"
# A match that was deleted in the meantime has no hints.
INSERT_HINT = (
    "insert into hints (match, game, ply) select id, ?, ? from matches where id = ?"
    " on conflict do nothing"
)
UPDATE_MATCH = f"update matches set {' = ?, '.join(CHANGING)} = ?, updated = ? where id = ?"  # noqa: S608
UPDATE_LIVE = (
    "update live set version = ?, seq = ?, stage = ?, changed = ?, due = ?, data = ? where id = ?"
)
# In the order of their references.
WRITTEN = (
    *(INSERT_MATCH, INSERT_LIVE, INSERT_EVENT, INSERT_RESULT),
    *(UPDATE_MATCH, UPDATE_LIVE, INSERT_SEAT, INSERT_KEY),
)

# What a server has of a match, and then the match itself, in the order of their references.
DELETE_LIVE = (
    "delete from keys where match = ?",
    "delete from seats where match = ?",
    "delete from live where id = ?",
)
DELETE_PLAYED = (
    "delete from hints where match = ?",
    "delete from decisions where match = ?",
    "delete from results where match = ?",
    "delete from events where match = ?",
    "delete from matches where id = ?",
)


class LiveUpdate(NamedTuple):
    """What a server saves beside a match; `version` is that before the change.

    `changed` and `due` are in the database's own time. `owner` says who created the match, and
    `seats` whom it concerns from this change on: who holds a seat or is challenged.
    """

    version: int
    data: str
    changed: float
    due: float | None
    stage: str
    key: str | None = None
    digest: str = ""
    owner: str | None = None
    seats: tuple[str, ...] = ()


class Change(NamedTuple):
    """A match after some events; `seq` counts the events before them, None for a new match.

    A live match may change without events: its data, or the name of a player. An imported match
    says when it was `started`, a new one of a terminal whether it has a coach, and for which
    player an assistant moves.
    """

    id: str
    match: Match[Any]
    events: tuple[Event, ...]
    seq: int | None
    live: LiveUpdate | None = None
    started: str | None = None
    coach: bool = False
    assistant: int | None = None

    @property
    def version(self) -> int:
        """The version that the change is based on; 0 in a terminal."""
        return 0 if self.live is None else self.live.version

    @property
    def request(self) -> tuple[str, str] | None:
        """The match and the request's key, if any; a new match has no id yet."""
        if self.live is None or self.live.key is None:
            return None
        return "" if self.seq is None else self.id, self.live.key


Groups = Sequence[Sequence[Change]]


@dataclass
class PendingRows:
    """Rows to write, collected while changes are checked."""

    at: str
    standings: dict[str, Standing]
    digests: dict[tuple[str, str], str]
    rows: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def read(cls, database: Database, changes: Sequence[Change], at: str) -> "PendingRows":
        """Read and lock what changes are checked against."""
        ids = sorted({change.id for change in changes})
        requests = [change.request for change in changes if change.request]
        keys = sorted({key for id_, key in requests if id_})
        new = sorted({key for id_, key in requests if not id_})
        # In the order of their ids: two processes never wait for each other.
        if database.lock:
            select(database, SELECT_ID, ids, end=database.lock)
        standings = {
            id_: read_row(Standing, values, f"Match {id_}")
            for id_, *values in select(database, SELECT_STANDING, ids)
        }
        used = select(database, SELECT_KEYS, sorted({id_ for id_, _ in requests if id_}), keys)
        used += select(database, SELECT_NEW_KEYS, new)
        return cls(at, standings, {(id_, key): digest for id_, key, digest in used})

    def add(self, group: Sequence[Change]) -> StoreError | None:
        """Add all changes of a group; or none, and return the reason."""
        for change in group:
            refusal = self._refusal(change)
            if refusal is not None:
                return refusal
        for change in group:
            self._add(change)
        return None

    def _refusal(self, change: Change) -> StoreError | None:
        """Return the reason why a change cannot be saved, if there is one."""
        request = change.request
        before = self.standings.get(change.id)
        if request in self.digests:
            return KeyUsed(self.digests[request])
        if change.seq is None:
            if before is not None:
                return StoreError(f"Match {change.id} already exists; not overwritten.")
            return None
        if before is None and change.live is None:
            return StoreError(f"Match {change.id} was deleted; this move was not saved.")
        if before is None or before[:2] != (change.version, change.seq):
            return Conflict(f"Match {change.id} was continued elsewhere; nothing is lost.")
        return None

    def _add(self, change: Change) -> None:
        """Add the rows of a change that was not refused."""
        id_ = change.id
        match = change.match
        live = change.live
        at = self.at
        rows = self.rows
        before = self.standings.get(id_, Standing(0, 0, *match.players))
        after = before.after(match, change.events, live is not None)
        rows[INSERT_RESULT] += results_of(id_, match, before.played)
        rows[INSERT_EVENT] += [
            event_row(id_, number, event, at)
            for number, event in enumerate(change.events, before.seq)
        ]
        if change.seq is None:
            started = change.started or at
            about = (change.coach, change.assistant)
            rows[INSERT_MATCH].append(row_of(id_, match, after, started, at, *about))
        elif change.events or after[2:] != before[2:]:
            rows[UPDATE_MATCH].append((*after[2:], at, id_))
        if live is not None:
            row = (*after[:2], live.stage, live.changed, live.due, live.data, id_)
            if change.seq is None:
                rows[INSERT_LIVE].append((*row, live.owner, live.key, live.digest))
            else:
                rows[UPDATE_LIVE].append(row)
                if live.key is not None:
                    rows[INSERT_KEY].append((id_, live.key, live.digest))
            rows[INSERT_SEAT] += [(holder, at, id_) for holder in live.seats]
            if change.request is not None:
                self.digests[change.request] = live.digest
        self.standings[id_] = after


def save_hint(database: Database, id: str, game: int, ply: int) -> None:  # noqa: A002
    """Save that the coach helped whoever was to move, at a ply of a game; both count from 0."""
    database.transact(lambda: database.rows(INSERT_HINT, game, ply, id))


def select(
    database: Database, query: str, *lists: Sequence[str], end: str = ""
) -> list[tuple[Any, ...]]:
    """Return the rows of a query with `in ()` for some lists, none empty."""
    if not all(lists):
        return []
    for values in lists:
        query = query.replace("in ()", f"in ({', '.join('?' * len(values))})", 1)
    return database.rows(query + end, *(value for values in lists for value in values))


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
    pending = PendingRows.read(database, changes, at)
    refusals = [pending.add(group) for group in groups]
    # In the order of their keys, for the same reason as above.
    pending.rows[INSERT_LIVE].sort(key=lambda row: str(row[-2]))
    statements = [(query, pending.rows[query]) for query in WRITTEN]
    live = pending.rows[INSERT_LIVE] + pending.rows[UPDATE_LIVE]
    if database.notify and live:
        seats: defaultdict[str, str] = defaultdict(str)
        for holder, _, id_ in pending.rows[INSERT_SEAT]:
            seats[id_] += f" {holder}"
        changed = [f"{row[6]} {row[0]}{seats[row[6]]}" for row in live]
        statements.append((database.notify, [(changed,)]))
    database.many(statements)
    return refusals


def _write_alone(database: Database, group: Sequence[Change], at: str) -> StoreError | None:
    """Save one group, or return the reason why not."""
    result: StoreError | None = None
    # Twice: another process may have been saving the same key.
    for _ in range(2):
        try:
            (result,) = database.transact(lambda: _write(database, [group], at))
            break
        except Rejected as error:
            result = error
    return result
