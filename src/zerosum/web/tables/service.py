"""The tables of one server: in memory, in the store, and on the screens of watchers."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from msgspec.structs import replace

from zerosum.errors import Conflict, KeyUsed, Unreadable
from zerosum.match import is_engine
from zerosum.players.levels import seed_at
from zerosum.registry import Entry
from zerosum.store import Change, LiveUpdate, new_id
from zerosum.store.replay import replay, variant_of
from zerosum.web.analysis.engines import EngineAway, Engines
from zerosum.web.analysis.pool import Pool
from zerosum.web.analysis.referee import PLAYERS, Referee, is_quick
from zerosum.web.http.log import Bug
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import (
    Action,
    Transition,
    act,
    begun,
    check,
    stuck,
    time_out,
)
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.open_tables import OpenTables
from zerosum.web.tables.scheduler import Clock, Scheduler
from zerosum.web.tables.table import (
    LiveTable,
    last_plies,
    played_move,
    read_stored,
    restored,
    seated_asker,
)
from zerosum.web.tables.tokens import digest_of

log = logging.getLogger("zerosum.web")

STUCK_SECONDS = 30.0
ID_LENGTH = 26  # of 31 letters: more than 128 random bits
TRIES = 8
RECOUNT_SECONDS = 60.0


class Tables:
    """Finds and changes tables, and wakes watchers; the store decides who was first."""

    def __init__(
        self,
        store: AsyncStore,
        pool: Pool,
        games: dict[str, Entry],
        limits: ServerLimits,
        monotonic: Callable[[], float] = time.monotonic,
        engines: Mapping[str, str] | None = None,
    ) -> None:
        """Take the games that are offered, once the server starts; and a clock nobody can set.

        `engines` has the command lines of the operator's programs by their names.
        """
        self.store, self.pool, self.games, self.limits = store, pool, games, limits
        self.referee, self.memory, self.clock = Referee(pool), OpenTables(), Clock(store, monotonic)
        self.engines = Engines(engines or {}, limits, self.referee)
        self.scheduler = Scheduler(self.clock, store, self.memory, limits, self.attend)
        self.secret = b""  # read when the server starts
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._stored, self._counted = 0, -math.inf

    async def get(self, id: str, fresh: bool = False) -> LiveTable:  # noqa: A002
        """Return the current table; with `fresh`, check for changes by other processes."""
        if fresh and self.store.shared and self.memory.find(id) is not None:
            version = await self.store.read(lambda store: store.version(id))
            if version is not None:
                self.memory.noticed(id, version)
            known = self.memory.find(id)
            # It may be outdated by a write of this server that is stored, but not here yet.
            if known is not None and (version is None or known.change < version):
                self.memory.forget(id)
        table = self.memory.find(id)
        if table is None:
            if id not in self._loading:  # else the work is shared
                loading = self._loading[id] = asyncio.create_task(self._load(id))
                loading.add_done_callback(lambda _: self._loading.pop(id))
            table = await asyncio.shield(self._loading[id])
        return table

    async def _load(self, id: str) -> LiveTable:  # noqa: A002
        """Read a table, again if another process is known to have changed it meanwhile."""
        for _ in range(TRIES):
            epoch = self.memory.epoch
            try:
                table = await self._read(id)
            except Unreadable as error:
                log.warning("%s", error)
                raise Refused(
                    "broken_game",
                    "This match cannot be opened: the rules of its game have changed or are "
                    "missing. It is still in the database.",
                ) from error
            if not self.memory.outdated(id, table.change, epoch):
                break
        return self._put(table, epoch)

    async def _read(self, id: str) -> LiveTable:  # noqa: A002
        """Read a match and replay it; rules that are not quick are asked in another process."""
        rows = None
        if len(id) == ID_LENGTH and id.isascii() and id.isalnum():
            rows = await self.store.read(lambda store: store.rows(id))
        if rows is None:
            text = "There is no such match. Abandoned matches are deleted after a while."
            raise Refused("no_match", text)
        row, events, live = rows
        entry = self.games.get(row.game)
        if entry is None or (entry.file is None) != (row.file is None):
            raise Unreadable(f"Match {id} belongs to a game that this server does not offer.")
        game, stored, results = variant_of(row, entry), read_stored(id, live.data), None
        if not is_quick(game):
            asker = seated_asker(stored.owner, stored.holders)
            results = await self.referee.replay(game, row.first, row.length, events, asker)
        saved = await asyncio.to_thread(replay, row, events, entry, results)
        table = restored(saved, stored, live.version, live.due)
        return await described(self.referee, table)

    async def open(self, table: LiveTable, key: str, digest: str) -> LiveTable:
        """Save a new table; the same key again returns the one already made."""
        step = Transition(await self._begin(table), tuple(table.match.events))
        try:
            return await self._write(None, step, digest_of(key), digest)
        except KeyUsed:
            before = await self.created(key, digest)
            if before is None:  # made and deleted in the meantime
                raise
            return before

    async def _begin(self, table: LiveTable) -> LiveTable:
        """Begin a match, unless its owner or all have stored too much."""
        limits, moves = self.limits, table.match.ply
        if time.monotonic() - self._counted >= RECOUNT_SECONDS:
            # Counting all takes a while, so it is estimated in between.
            self._counted = time.monotonic()
            self._stored = await self.store.read(lambda store: store.count())
            if self._stored >= limits.matches_total:
                log.error("%d matches reach ZEROSUM_LIMIT_MATCHES_TOTAL", self._stored)
        if self._stored >= limits.matches_total:
            raise Refused(
                "full",
                "This server has no room for new matches. Nothing was changed, and matches that "
                "have begun can be continued.",
            )
        matches, events, waiting = await self.store.read(lambda store: store.stored(table.owner))
        if matches >= limits.matches_per_client or events + moves > limits.moves_per_client:
            raise Refused(
                "too_many",
                "Too many matches have been created from your address. Nothing was changed; "
                "abandoned matches are deleted after a while.",
            )
        if table.to and waiting >= limits.waiting_per_client:
            text = "Too many of your challenges are waiting for an answer; nothing was changed."
            raise Refused("too_many", text)
        self._stored += 1
        await self.clock.check()
        return await described(self.referee, begun(table, self.clock.now()))

    async def created(self, key: str, digest: str) -> LiveTable | None:
        """Return the table already made with a key, if any."""
        found = await self.store.read(lambda store: store.created(digest_of(key)))
        id_, before = found or ("", None)
        return await self.get(id_) if _is_repeated(before, digest) else None

    async def change(
        self,
        id: str,  # noqa: A002
        step_from: Callable[[LiveTable, float], Transition | None],
        holder: str | None,
        key: str,
        digest: str,
    ) -> LiveTable:
        """Change a table by a function of it and the time; repeating that changes nothing."""

        async def step(table: LiveTable) -> Transition | None:
            return step_from(table, self.clock.now())

        return await self._change(id, step, holder, digest_of(key), digest)

    async def act(
        self,
        id: str,  # noqa: A002
        holder: str | None,
        action: Action,
        ply: int,
        key: str,
        digest: str,
    ) -> LiveTable:
        """Carry out an action at a ply, once for each key; return the table."""
        table = await self.get(id)
        if table.is_due(self.clock.now()) and not table.bots_turn:
            await self.attend(id)
        return await self._change(id, partial(self._step, holder, action, ply), holder, key, digest)

    async def attend(self, id: str) -> None:  # noqa: A002
        """Do what is due at a table: move for a bot, or end a game on time."""
        await self.get(id, fresh=True)
        await self._change(id, self._due_step)

    async def _change(
        self,
        id: str,  # noqa: A002
        step_from: Callable[[LiveTable], Awaitable[Transition | None]],
        holder: str | None = None,
        key: str | None = None,
        digest: str = "",
    ) -> LiveTable:
        """Save the step from a table, if any, or find it saved already; return the table.

        Whoever was not first tries again, from the table that is there now.
        """
        table = await self.get(id)
        for _ in range(TRIES):
            try:
                step = await step_from(table)
                if step is None:
                    return table
                step = await self._completed(step, table)
                return await self._write(table, step, key, digest)
            except Conflict:
                table = await self.get(id, fresh=True)
            except (Refused, KeyUsed):
                if key is not None and table.players_of(holder):
                    done = await self.store.read(lambda store: store.key(id, key))
                    if _is_repeated(done, digest):
                        return await self.get(id, fresh=True)
                before, table = table, await self.get(id, fresh=True)
                if table.change == before.change:  # else it was refused for an outdated reason
                    raise
        raise Refused("busy", "Too much is happening in this match at once. Please try again.")

    async def _step(
        self, holder: str | None, action: Action, ply: int, table: LiveTable
    ) -> Transition:
        """Return the step that an action leads to."""
        match, who = table.match, table.players_of(holder)
        if who and ply != table.ply:
            undone = "your move was not played" if action.kind == "move" else "nothing was changed"
            raise Refused("stale", f"The game has moved on; {undone}.", ply=table.ply)
        check(table, who, action)
        most = self.limits.events_per_match
        if action.kind in ("move", "undo") and table.ply >= most:
            limit = f"This match has reached the limit of {most} moves."
            raise Refused("not_now", f"{limit} Offer a draw, or resign.")
        if action.kind == "move":
            played = await self.referee.play(match, action.move or "", table.asker)
            action = action._replace(played=played)
        elif action.kind == "draw" and table.mode == "bot":
            if table.bots_turn:
                raise Refused("not_now", "Wait for the computer's move.")
            bot = 1 - match.mover
            if is_engine(match.bots[bot]):
                text = f"{PLAYERS[bot]} only chooses moves, so it cannot be offered a draw."
                return Transition(table.after("decline", bot, text))
            offer = {**table.place, "level": match.bots[bot]}
            if not await self.pool.ask("agrees", asker=table.asker, **offer):
                text = f"{match.players[bot]} declined the draw."
                return Transition(table.after("decline", bot, text))
        fresh = new_id(ID_LENGTH) if "rematch" in (action.kind, action.offer) else ""
        return act(table, who, action, self.clock.now(), fresh)

    async def _due_step(self, table: LiveTable) -> Transition | None:
        """Return the step that is due: a bot's move, or the end of a game on time."""
        await self.clock.check()
        match, now = table.match, self.clock.now()
        if not table.is_due(now):
            return None
        if not table.bots_turn:
            return time_out(table, now)
        asked = {**table.place, "level": match.bots[match.mover], "seed_text": seed_at(match)}
        try:
            if is_engine(match.bots[match.mover]):
                played = await self.engines.play(match, table.asker)
            else:
                move = await self.pool.ask("bot_move", asker=table.asker, **asked)
                played = await self.referee.play(match, move, table.asker)
        except EngineAway as error:
            return stuck(table, self.clock.now() + STUCK_SECONDS, error.message)
        except (Refused, Bug) as error:
            if isinstance(error, Refused) and error.code == "busy":
                raise
            # Say so once, and retry less often. Rules that contradict themselves may even refuse
            # the move that they have offered.
            if isinstance(error, Bug):
                log.error("the computer cannot move", exc_info=error)
            else:
                log.warning("the computer cannot move: %s", error)
            return stuck(table, self.clock.now() + STUCK_SECONDS)
        return act(table, (match.mover,), Action("move", played=played), self.clock.now())

    async def _completed(self, step: Transition, before: LiveTable) -> Transition:
        """Return a step with what the rules say about its tables, asked before it is stored."""
        after, new = step.table, step.new
        if new is not None:
            new = await self._begin(new)
        if after.match is not before.match and after.last is before.last:  # it was not a move
            after = await described(self.referee, after)
        return step._replace(table=after, new=new)

    async def _write(
        self, before: LiveTable | None, step: Transition, key: str | None, digest: str
    ) -> LiveTable:
        """Save a step from a table, or a new table, then tell everyone."""
        after, new, memory = step.table, step.new, self.memory
        epoch, jumps, now = memory.epoch, self.clock.jumps, self.clock.now()
        changes = [_to_store(before, step, now, key, digest)]
        if new is not None:
            changes.append(_to_store(None, Transition(new), now, f"rematch of {after.id}", ""))
        if after.due is not None or (new is not None and new.due is not None):
            await self.clock.beat()
            if jumps != self.clock.jumps:
                raise Conflict("This server was asleep, and another one has continued.")
        memory.writing[after.id] = after.change
        try:
            await self.store.write(*changes)
        except BaseException as error:
            if not isinstance(error, Conflict):  # it may be saved all the same
                memory.forget(after.id)
            raise
        finally:
            memory.writing.pop(after.id, None)
        self.scheduler.changed(after.id)
        try:
            if new is not None:
                self._put(new, epoch)
            return self._put(after, epoch)
        except Exception:  # it is stored, and must not look as if it were not
            log.exception("a stored change could not be announced")
            return after

    def _put(self, table: LiveTable, epoch: int) -> LiveTable:
        """Remember a table that was read or stored in an epoch; return it, or a newer one."""
        if self.memory.put(table, epoch):
            self.scheduler.remind(table.id, table.due)
        return self.memory.find(table.id) or table


def _to_store(
    before: LiveTable | None, step: Transition, now: float, key: str | None, digest: str
) -> Change:
    """Return what the store writes for a step from a table, or for a new table."""
    after, owner = step.table, step.table.owner or None
    version, ply = (0, None) if before is None else (before.change, before.ply)
    known = () if before is None else before.concerned
    seats = tuple(holder for holder in after.concerned if holder not in known)
    times = now, after.due
    live = LiveUpdate(version, after.data(), *times, after.stage, key, digest, owner, seats)
    return Change(after.id, after.match, step.events, ply, live)


def _is_repeated(before: str | None, digest: str) -> bool:
    """Return whether a key was used for this request; refuse one that was used for another."""
    if before not in (None, digest):
        raise Refused(
            "key_reused",
            "This key was used for another request. A new request needs a new key; nothing was "
            "changed.",
        )
    return before is not None


async def described(referee: Referee, table: LiveTable) -> LiveTable:
    """Return a table with what its rules say about its position and its last moves."""
    match, plies = table.match, last_plies(table.match)
    scene, labels = await referee.look(match, table.running, plies, table.asker)
    moves = zip(plies, labels, strict=True)
    last = tuple(played_move(match, ply, label) for ply, label in moves)
    played = tuple(map(str, match.round.moves))
    return replace(table, scene=scene, played=played, last=last)
