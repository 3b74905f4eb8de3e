"""The tables of one server: in memory, in the store, and on the screens of watchers."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from zerosum.errors import Conflict, KeyUsed, Unreadable
from zerosum.players.levels import seed_at
from zerosum.registry import Entry
from zerosum.store import Change, Live, LiveRows, LiveUpdate, events_of, new_id
from zerosum.store.journal import replay, variant_of
from zerosum.web.analysis.pool import Pool
from zerosum.web.analysis.rules import Rules, is_quick
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import Action, Step, act, actor, begun, join, stuck, time_out
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.clock import Clock
from zerosum.web.tables.memory import Memory
from zerosum.web.tables.quota import Quota
from zerosum.web.tables.scheduler import Scheduler
from zerosum.web.tables.table import Table, last_plies, owner_in, played_move, table_of

log = logging.getLogger("zerosum.web")

STUCK_SECONDS = 30.0
ID_LENGTH = 26  # of 31 letters: more than 128 random bits
TRIES = 8


class Asked(NamedTuple):
    """A requested action: its key, a digest of its content, and the ply it answers."""

    key: str
    digest: str
    ply: int
    action: Action


@dataclass(eq=False)
class Tables:
    """Finds and changes tables, and wakes watchers; the store decides who was first.

    `games` are those that are offered; a match has at most `longest` moves.
    """

    store: AsyncStore
    pool: Pool
    games: Mapping[str, Entry]
    clock: Clock
    scheduler: Scheduler
    memory: Memory
    quota: Quota
    longest: int
    secret: bytes = b""
    rules: Rules = field(init=False)
    _loading: dict[str, asyncio.Task[Table]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Ask the same processes about rules."""
        self.rules = Rules(self.pool)

    async def get(self, id: str, fresh: bool = False) -> Table:  # noqa: A002
        """Return the current table; with `fresh`, check for changes by other processes."""
        if fresh and self.store.shared and self.memory.find(id) is not None:
            version = await self.store.read(lambda store: store.live_version(id))
            if version is None:
                self.memory.forget(id)
            else:
                self.memory.noticed(id, version)
        return self.memory.find(id) or await self.reload(id)

    async def reload(self, id: str) -> Table:  # noqa: A002
        """Read a table from the store; whoever asks meanwhile shares the work."""
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.create_task(self._load(id), name=id)
            loading.add_done_callback(self._loaded)
        return await asyncio.shield(loading)

    def _loaded(self, loading: asyncio.Task[Table]) -> None:
        """Forget a read that is done; its error may interest nobody any more."""
        del self._loading[loading.get_name()]
        if not loading.cancelled():
            loading.exception()

    async def _load(self, id: str) -> Table:  # noqa: A002
        """Read a table, again if another process is known to have changed it meanwhile."""
        for _ in range(TRIES):
            cuts = self.memory.cuts
            try:
                table = await self._read(id)
            except Unreadable as error:
                log.warning("%s", error)
                raise Refused(
                    "broken_game",
                    "This match cannot be opened: the rules of its game have changed or are "
                    "missing. It is still in the database.",
                ) from error
            if not self.memory.outdated(id, table.change, cuts):
                break
        return self._put(table, cuts)

    async def _read(self, id: str) -> Table:  # noqa: A002
        """Read a match and replay it; rules that are not quick are asked in another process."""
        rows: LiveRows | None = None
        if len(id) == ID_LENGTH and id.isascii() and id.isalnum():
            rows = await self.store.read(lambda store: store.live_rows(id))
        if rows is None:
            self.memory.forget(id)
            text = "There is no such match. Abandoned matches are deleted after a while."
            raise Refused("no_match", text)
        row, events = rows.row, rows.events
        entry = self.games.get(row.game)
        if entry is None or (entry.file is None) != (row.file is None):
            raise Unreadable(f"Match {id} is of a game that this server does not offer.")
        game, results = variant_of(row, entry), None
        if not is_quick(game):
            asker = owner_in(rows.data)
            results = await self.rules.replay(game, row.first, row.length, events, asker)
        saved = await asyncio.to_thread(replay, row, events, entry, results)
        return await self._described(table_of(Live(saved, rows.version, rows.data, rows.due)))

    async def _described(self, table: Table) -> Table:
        """Return a table with what its rules say of its position and its last moves."""
        match, plies = table.match, last_plies(table.match)
        position, labels = await self.rules.look(match, table.running, plies, table.owner)
        moves = zip(plies, labels, strict=True)
        last = tuple(played_move(match, ply, label) for ply, label in moves)
        return replace(table, position=position, last=last)

    async def open(self, table: Table, key: str, digest: str) -> Table:
        """Save a new table; the same key again returns the one already made."""
        await self.quota.check(table.owner, table.match.ply)
        made = await self._described(begun(table, self.clock.now()))
        if made.due is not None:
            await self.clock.beat()
        cuts = self.memory.cuts
        try:
            await self.store.write(_beginning(made, self.clock.now(), sealed(key), digest))
        except KeyUsed:
            before = await self.created(key, digest)
            if before is None:  # made and deleted in the meantime
                raise
            return before
        return self._put(made, cuts)

    async def created(self, key: str, digest: str) -> Table | None:
        """Return the table already made with a key, if any."""
        found = await self.store.read(lambda store: store.created(sealed(key)))
        id_, before = found or ("", None)
        return await self.get(id_) if _is_repeated(before, digest) else None

    async def join(self, id: str, holder: str, name: str | None, key: str, digest: str) -> Table:  # noqa: A002
        """Take the open seat for the holder of a token; repeating it changes nothing."""

        async def step(table: Table) -> Step:
            return join(table, holder, name, self.clock.now())

        return (await self._change(id, step, holder, sealed(key), digest))[0]

    async def act(self, id: str, holder: str | None, asked: Asked) -> tuple[Table, bool]:  # noqa: A002
        """Carry out an action; return the table, and whether it had been done before."""
        step = partial(self._step, holder, asked)
        return await self._change(id, step, holder, asked.key, asked.digest)

    async def attend(self, id: str) -> Table:  # noqa: A002
        """Do what is due at a table: move for a bot, or end a game on time."""
        await self.get(id, fresh=True)
        return (await self._change(id, self._due_step))[0]

    async def _change(
        self,
        id: str,  # noqa: A002
        step_from: Callable[[Table], Awaitable[Step | None]],
        holder: str | None = None,
        key: str | None = None,
        digest: str = "",
    ) -> tuple[Table, bool]:
        """Save the step from a table, if any; return the table, and whether it was repeated.

        Whoever was not first tries again, from the table that is there now.
        """
        table = await self.get(id)
        for _ in range(TRIES):
            try:
                step = await step_from(table)
                if step is None:
                    return table, False
                step = await self._completed(step, table)
                return await self._write(table, step, key, digest), False
            except Conflict:
                table = await self.get(id)
            except (Refused, KeyUsed):
                if key is not None and table.players_of(holder):
                    done = await self.store.read(lambda store: store.key(id, key))
                    if _is_repeated(done, digest):
                        return await self.get(id, fresh=True), True
                before, table = table, await self.get(id, fresh=True)
                if table.change == before.change:  # else it was refused for an outdated reason
                    raise
        raise Refused("busy", "Too much is happening in this match at once. Please try again.")

    async def _step(self, holder: str | None, asked: Asked, table: Table) -> Step:
        """Return the step that an action leads to."""
        action, now = asked.action, self.clock.now()
        if table.is_due(now) and not table.bots_turn:
            table = await self.attend(table.id)
        match, who = table.match, table.players_of(holder)
        if who and asked.ply != table.ply:
            undone = "your move was not played" if action.kind == "move" else "nothing was changed"
            raise Refused("stale", f"The game has moved on; {undone}.", ply=table.ply)
        actor(table, who, action)
        if action.kind in ("move", "undo") and table.ply >= self.longest:
            limit = f"This match has reached the limit of {self.longest} moves."
            raise Refused("not_now", f"{limit} Offer a draw, or resign.")
        if action.kind == "move":
            played = await self.rules.play(match, action.move or "", table.owner)
            action = action._replace(played=played)
        elif action.kind == "draw" and table.mode == "bot":
            if table.bots_turn:
                raise Refused("not_now", "Wait for the computer's move.")
            bot = 1 - match.mover
            offer = {**table.place, "level": match.bots[bot]}
            if not await self.pool.ask("agrees", asker=table.owner, **offer):
                text = f"{match.players[bot]} declined the draw."
                return Step(table.after("decline", bot, text))
        fresh = new_id(ID_LENGTH) if "rematch" in (action.kind, action.offer) else ""
        return act(table, who, action, now, fresh)

    async def _due_step(self, table: Table) -> Step | None:
        """Return the step that is due: a bot's move, or the end of a game on time."""
        await self.clock.check()
        match, now = table.match, self.clock.now()
        if not table.is_due(now):
            return None
        if not table.bots_turn:
            return time_out(table, now)
        asked = {**table.place, "level": match.bots[match.mover], "seed_text": seed_at(match)}
        try:
            move = await self.pool.ask("bot_move", asker=table.owner, **asked)
            played = await self.rules.play(match, move, table.owner)
        except Refused as error:
            if error.code not in ("broken_game", "too_hard"):
                raise
            # Say so once, and retry less often.
            log.warning("the computer cannot move: %s", error)
            return stuck(table, self.clock.now() + STUCK_SECONDS)
        return act(table, (match.mover,), Action("move", played=played), self.clock.now())

    async def _completed(self, step: Step, before: Table) -> Step:
        """Return a step with what the rules say of its tables, asked before it is stored."""
        after, new = step.table, step.new
        if new is not None:
            await self.quota.check(new.owner)
            new = await self._described(begun(new, self.clock.now()))
        starts = after.running and not before.running
        if starts or (after.match is not before.match and after.last is before.last):  # no move
            after = await self._described(after)
        return step._replace(table=after, new=new)

    async def _write(self, before: Table, step: Step, key: str | None, digest: str) -> Table:
        """Save a step, then tell everyone."""
        after, new = step.table, step.new
        cuts, jumps, now = self.memory.cuts, self.clock.jumps, self.clock.now()
        changes = [_continuing(before, step, now, key, digest)]
        if new is not None:
            changes.append(_beginning(new, now, f"rematch of {before.id}", ""))
        if after.due is not None or (new is not None and new.due is not None):
            await self.clock.beat()
            if jumps != self.clock.jumps:
                raise Conflict("This server was asleep, and another one has continued.")
        self.memory.writing[before.id] = after.change
        try:
            await self.store.write(*changes)
        except BaseException as error:
            self.memory.writing.pop(before.id, None)
            if isinstance(error, Conflict):
                self.memory.noticed(before.id, before.change + 1)
            else:  # it may be saved all the same
                self.memory.forget(before.id)
            raise
        self.memory.writing.pop(before.id, None)
        try:
            if new is not None:
                self._put(new, cuts)
            return self._put(after, cuts)
        except Exception:  # it is stored, and must not look as if it were not
            log.exception("a stored change could not be announced")
            return after

    def _put(self, table: Table, cuts: int) -> Table:
        """Remember a table that was stored after so many `cuts`; return it, or a newer one."""
        if self.memory.put(table, cuts):
            self.scheduler.remind(table.id, table.due)
        return self.memory.find(table.id) or table


def sealed(key: str) -> str:
    """Return the digest of a seat's key: reading the store must not give anyone a seat."""
    return hashlib.sha256(key.encode()).hexdigest()


def _beginning(table: Table, now: float, key: str, digest: str) -> Change:
    """Return the change that creates a new table."""
    owner = table.owner or None
    live = LiveUpdate(0, table.data(), now, table.due, table.stage, key, digest, owner)
    return Change(table.id, table.match, tuple(events_of(table.match)), None, live)


def _continuing(before: Table, step: Step, now: float, key: str | None, digest: str) -> Change:
    """Return the change from one table to the next."""
    after = step.table
    live = LiveUpdate(before.change, after.data(), now, after.due, after.stage, key, digest)
    return Change(before.id, after.match, step.events, before.ply, live)


def _is_repeated(before: str | None, digest: str) -> bool:
    """Return whether a key was used for this request; refuse one that was used for another."""
    if before not in (None, digest):
        raise Refused(
            "key_reused",
            "This key was used for another request. A new request needs a new key; nothing was "
            "changed.",
        )
    return before is not None
