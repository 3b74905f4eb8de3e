"""The tables of one server: in memory, in the store, and on the screens of watchers."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from zerosum.errors import Conflict, GameError, KeyUsed, MatchError, StoreError, Unreadable
from zerosum.players.levels import seed_at
from zerosum.registry import Entry
from zerosum.store import Change, Live, LiveRows, LiveUpdate, Saved, Store, events_of, new_id
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
from zerosum.web.tables.table import Table, last_plies, played_move, table_of

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


class Tables:
    """Finds and changes tables, and wakes watchers; the store decides who was first."""

    def __init__(
        self,
        store: AsyncStore,
        pool: Pool,
        games: Mapping[str, Entry],
        clock: Clock,
        scheduler: Scheduler,
        memory: Memory,
        quota: Quota,
        longest: int = 4_000,
    ) -> None:
        """Take the games that are offered; a match has at most `longest` moves."""
        self.store = store
        self.pool = pool
        self.rules = Rules(pool)
        self.games = games
        self.clock = clock
        self.scheduler = scheduler
        self.memory = memory
        self.quota = quota
        self.longest = longest
        self.secret = b""
        self._loading: dict[str, asyncio.Task[Table]] = {}

    async def get(self, id: str, fresh: bool = False) -> Table:  # noqa: A002
        """Return the current table; with `fresh`, check for changes by other processes."""
        table = self.memory.find(id)
        if table is None:
            return await self.reload(id)
        if fresh and self.store.shared:
            version = await self.store.read(lambda store: store.live_version(id))
            if version != table.change:
                return await self.reload(id, version or 0)
        return table

    async def reload(self, id: str, least: int = 0) -> Table:  # noqa: A002
        """Read a table with at least that many changes; whoever asks meanwhile shares the work."""
        while True:
            loading = self._loading.get(id)
            if loading is None:
                loading = self._loading[id] = asyncio.create_task(self._load(id), name=id)
                loading.add_done_callback(self._loaded)
                least = 0  # it begins now, so it reads what is there now
            table = await asyncio.shield(loading)
            if table.change >= least:
                return table

    def _loaded(self, loading: asyncio.Task[Table]) -> None:
        """Forget a read that is done; its error may interest nobody any more."""
        del self._loading[loading.get_name()]
        if not loading.cancelled():
            loading.exception()

    async def _load(self, id: str) -> Table:  # noqa: A002
        """Read a table from the store."""
        live = None
        for _ in range(TRIES if len(id) == ID_LENGTH and id.isascii() and id.isalnum() else 0):
            cuts = self.memory.cuts
            try:
                live = await self._read(id)
            except Unreadable as error:
                log.warning("%s", error)
                raise _unreadable() from error
            # Another process may have changed it meanwhile.
            if live is None or not self.memory.outdated(id, live.version, cuts):
                break
        if live is None:
            self.memory.forget(id)
            raise Refused(
                "no_match",
                "There is no such match. Abandoned matches are deleted after a while.",
            )
        return self._put(await self._shown(table_of(live)))

    async def _read(self, id: str) -> Live | None:  # noqa: A002
        """Read a match, and replay it: in a thread if its rules are quick, else in a process."""

        def work(store: Store) -> tuple[LiveRows, Saved | None] | None:
            rows = store.live_rows(id)
            if rows is None:
                return None
            row, entry = rows.row, self._entry(rows)
            quick = is_quick(variant_of(row, entry))
            return rows, replay(row, rows.events, entry) if quick else None

        read = await self.store.read(work)
        if read is None:
            return None
        rows, saved = read
        if saved is None:
            row, entry = rows.row, self._entry(rows)
            game = variant_of(row, entry)
            results = await self.rules.replay(game, row.first, row.length, rows.events, "")
            saved = replay(row, rows.events, entry, results)
        return Live(saved, rows.version, rows.data, rows.due)

    def _entry(self, rows: LiveRows) -> Entry:
        """Return the game of a match, which must be one that this server offers."""
        entry = self.games.get(rows.row.game)
        if entry is None or (entry.file is None) != (rows.row.file is None):
            raise Unreadable(f"Match {rows.row.id} is of a game that this server does not offer.")
        return entry

    async def _looked(self, step: Step, before: Table) -> Step:
        """Return a step with what the rules say of its tables, asked before it is stored."""
        after, new = step.table, step.new
        if new is not None:
            await self.quota.check(new.owner)
            new = await self._shown(begun(new, self.clock.now()))
        moved = any(event.kind == "move" for event in step.events)  # and the rules were asked
        if not moved and (after.match is not before.match or after.running != before.running):
            after = await self._shown(after, before)
        return step._replace(table=after, new=new)

    async def _shown(self, table: Table, before: Table | None = None) -> Table:
        """Return a table with what its rules say; moves said of the table before are kept."""
        match = table.match
        known: dict[int, bytes] = {}
        if before is not None and before.match.number == match.number:
            known = dict(zip(last_plies(before.match), before.last, strict=True))
        plies = last_plies(match)
        missing = [ply for ply in plies if ply not in known]
        position, labels = await self.rules.look(match, table.running, missing, table.owner)
        for ply, label in zip(missing, labels, strict=True):
            known[ply] = played_move(match, ply, label)
        return replace(table, position=position, last=tuple(known[ply] for ply in plies))

    async def open(self, table: Table, key: str, digest: str) -> Table:
        """Save a new table; the same key again returns the one already made."""
        await self.quota.check(table.owner, table.match.ply)
        made = await self._shown(begun(table, self.clock.now()))
        if made.due is not None:
            await self.clock.beat()
        try:
            await self.store.write(_beginning(made, self.clock.now(), sealed(key), digest))
        except KeyUsed:
            before = await self.created(key, digest)
            if before is None:  # made and deleted in the meantime
                raise _crowded() from None
            return before
        return self._put(made)

    async def created(self, key: str, digest: str) -> Table | None:
        """Return the table already made with a key, if any."""
        found = await self.store.read(lambda store: store.created(sealed(key)))
        if found is None:
            return None
        id_, before = found
        if before != digest:
            raise _reused()
        return await self.get(id_)

    async def join(self, id: str, holder: str, name: str | None, key: str, digest: str) -> Table:  # noqa: A002
        """Take the open seat for the holder of a token; repeating it changes nothing."""
        for _ in range(TRIES):
            table = await self.get(id, fresh=True)
            if table.players_of(holder):
                if await self._done(id, sealed(key), digest):
                    return table
                raise Refused("seat_taken", "You already have a seat in this match.")
            step = join(table, holder, name, self.clock.now())
            step = await self._looked(step, table)
            with suppress(Conflict, KeyUsed):
                return await self._write(table, step, sealed(key), digest)
            await self.reload(id, table.change + 1)
        raise _crowded()

    async def act(self, id: str, holder: str | None, asked: Asked) -> tuple[Table, bool]:  # noqa: A002
        """Carry out an action; return the table, and whether it had been done before."""
        table = await self.get(id)
        if asked.ply > table.ply:
            table = await self.get(id, fresh=True)
        for _ in range(TRIES):
            who = table.players_of(holder)
            try:
                step = await self._step(table, who, asked)
            except Refused:
                if who and await self._done(id, asked.key, asked.digest):
                    return await self.get(id, fresh=True), True
                before, table = table, await self.get(id, fresh=True)
                if table.change > before.change:
                    continue  # it was refused for an outdated reason
                raise
            try:
                return await self._write(table, step, asked.key, asked.digest), False
            except KeyUsed as error:
                if error.digest != asked.digest:
                    raise _reused() from error
                return await self.get(id, fresh=True), True
            except Conflict:
                table = await self.reload(id, table.change + 1)
        raise _crowded()

    async def _step(self, table: Table, who: tuple[int, ...], asked: Asked) -> Step:
        """Return the step that an action leads to."""
        now, action = self.clock.now(), asked.action
        if _late(table, now):
            table = await self.attend(table.id)
        if who and asked.ply != table.ply:
            undone = (
                "your move was not played." if action.kind == "move" else "nothing was changed."
            )
            raise Refused("stale", f"The game has moved on; {undone}", ply=table.ply)
        if action.kind in ("move", "undo") and table.ply >= self.longest and who:
            raise Refused(
                "not_now",
                f"This match has reached the limit of {self.longest} moves. Offer a draw, or "
                "resign.",
            )
        actor(table, who, action)
        if action.kind == "move":
            played = await self.rules.play(table.match, action.move or "", table.owner)
            action = action._replace(played=played)
        elif action.kind == "draw" and table.mode == "bot" and table.running:
            refusal = await self._refusal(table)
            if refusal is not None:
                return refusal
        fresh = new_id(ID_LENGTH) if "rematch" in (action.kind, action.offer) else ""
        try:
            step = act(table, who, action, now, fresh)
        except MatchError as error:
            raise Refused("not_now", str(error)) from error
        return await self._looked(step, table)

    async def _refusal(self, table: Table) -> Step | None:
        """Ask the bot about a draw; return its refusal, or None if it accepts."""
        match = table.match
        if table.bots_turn:
            raise Refused("not_now", "Wait for the computer's move.")
        bot = 1 - match.mover
        place, level = table.place, match.bots[bot]
        if await self.pool.ask("agrees", asker=table.owner, **place, level=level):
            return None
        return Step(table.after("decline", bot, f"{match.players[bot]} declined the draw."))

    async def _done(self, id: str, key: str, digest: str) -> bool:  # noqa: A002
        """Return whether a request was carried out before."""
        before = await self.store.read(lambda store: store.key(id, key))
        if before is not None and before != digest:
            raise _reused()
        return before is not None

    async def attend(self, id: str) -> Table:  # noqa: A002
        """Do what is due at a table: move for a bot, or end a game on time."""
        for _ in range(TRIES):
            await self.clock.check()
            table = await self.get(id, fresh=True)
            now = self.clock.now()
            if table.due is None or table.due > now or not table.running:
                return table
            step = await self._bot_step(table) if table.bots_turn else time_out(table, now)
            step = await self._looked(step, table)
            try:
                return await self._write(table, step, None, None)
            except Conflict:
                await self.reload(id, table.change + 1)
        return table

    async def _bot_step(self, table: Table) -> Step:
        """Let the bot choose its move."""
        match = table.match
        asked = {**table.place, "level": match.bots[match.mover], "seed_text": seed_at(match)}
        try:
            move = await self.pool.ask("bot_move", asker=table.owner, **asked)
            played = await self.rules.play(match, move, table.owner)
        except (Refused, GameError) as error:
            if isinstance(error, Refused) and error.code not in ("broken_game", "too_hard"):
                raise
            # Say so once, and retry less often.
            log.warning("the computer cannot move: %s", error)
            return stuck(table, self.clock.now() + STUCK_SECONDS)
        action = Action("move", move, played=played)
        return act(table, (match.mover,), action, self.clock.now())

    async def _write(self, before: Table, step: Step, key: str | None, digest: str | None) -> Table:
        """Save a step, then tell everyone."""
        after, new = step.table, step.new
        cuts, jumps, now = self.memory.cuts, self.clock.jumps, self.clock.now()
        changes = [_change(before, step, now, key, digest)]
        if new is not None:
            changes.append(_beginning(new, now, f"rematch of {before.id}", ""))
        if after.due is not None or (new is not None and new.due is not None):
            await self.clock.beat()
            if jumps != self.clock.jumps:
                raise Conflict("The server was asleep, and others have gone on.")
        await self.store.write(*changes)
        try:
            if new is not None:
                self._put(new)
            if self.memory.outdated(before.id, after.change, cuts):
                return await self.reload(before.id, after.change)
            return self._put(after)
        except Exception as error:
            # It is stored, and must not look as if it were not.
            if not isinstance(error, (Refused, StoreError)):
                log.exception("a stored change could not be announced")
            return after

    def _put(self, table: Table) -> Table:
        """Remember a stored table; return it, or a newer one in memory."""
        if self.memory.put(table):
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


def _change(before: Table, step: Step, now: float, key: str | None, digest: str | None) -> Change:
    """Return the change from one table to the next."""
    after = step.table
    live = LiveUpdate(before.change, after.data(), now, after.due, after.stage, key, digest or "")
    return Change(before.id, after.match, step.events, before.ply, live)


def _late(table: Table, now: float) -> bool:
    """Return whether the player to move is out of time."""
    return table.due is not None and table.running and not table.bots_turn and now > table.due


def _reused() -> Refused:
    """Return the refusal of a key used for another request."""
    return Refused(
        "key_reused",
        "This key was used for another request. A new request needs a new key; nothing was "
        "changed.",
    )


def _unreadable() -> Refused:
    """Return the refusal of a match whose rules have changed."""
    return Refused(
        "broken_game",
        "This match cannot be opened: the rules of its game have changed or are missing. "
        "It is still in the database.",
    )


def _crowded() -> Refused:
    """Return the refusal after losing every race."""
    return Refused("busy", "Too much is happening in this match at once. Please try again.")
