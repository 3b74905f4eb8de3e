"""The tables of one server: in memory, in the store, and on the screens of watchers."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from zerosum.errors import Conflict, KeyUsed, Unreadable
from zerosum.players.levels import seed_at
from zerosum.store import new_id
from zerosum.web.analysis.pool import Pool
from zerosum.web.careful import careful, thought
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import Action, Step, act, begun, join, stuck, time_out
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.entries import Asked, beginning, change, place_of, sealed
from zerosum.web.tables.memory import Memory
from zerosum.web.tables.table import Table, table_of

log = logging.getLogger("zerosum.web")

STUCK_SECONDS = 30.0
ID_LENGTH = 26  # of 31 letters: more than 128 random bits
TRIES = 8


class Tables:
    """Finds and changes tables, and wakes watchers; the store decides who was first."""

    def __init__(
        self,
        keeping: AsyncStore,
        thinkers: Pool,
        longest: int = 4_000,
        remember: int = 10_000,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take the store and the solver processes.

        A match has at most `longest` moves, and `remember` tables stay in memory.
        """
        self.keeping = keeping
        self.thinkers = thinkers
        self.longest = longest
        self.now = now
        self.secret = b""
        # With several processes on one database, memory may be outdated.
        self.shared = False
        self.on_due: Callable[[Table], None] = lambda table: None
        self.awake: Callable[[], Awaitable[None]] = _always_awake
        self.alive: Callable[[], Awaitable[None]] = _always_awake
        self.memory = Memory(remember)

    async def get(self, id: str, fresh: bool = False) -> Table:  # noqa: A002
        """Return the current table; with `fresh`, check for changes by other processes."""
        table = self.memory.find(id)
        if table is not None and fresh and self.shared:
            version = await self.keeping.read(lambda store: store.live_version(id))
            if version != table.change:
                table = None
        return await self.reload(id) if table is None else table

    async def reload(self, id: str) -> Table:  # noqa: A002
        """Read a table from the store."""
        live = None
        for _ in range(TRIES if len(id) == ID_LENGTH and id.isascii() and id.isalnum() else 0):
            cuts = self.memory.cuts
            try:
                live = await self.keeping.read(lambda store: store.live(id))
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
        return self._put(table_of(live))

    async def open(self, table: Table, key: str, digest: str) -> Table:
        """Save a new table; the same key again returns the one already made."""
        made = begun(table, self.now())
        entry = beginning(made, sealed(key), digest)
        if made.due is not None:
            await self.alive()
        try:
            await self.keeping.write(entry)
        except KeyUsed:
            before = await self.created(key, digest)
            if before is None:  # made and deleted in the meantime
                raise _crowded() from None
            return before
        return self._put(made)

    async def created(self, key: str, digest: str) -> Table | None:
        """Return the table already made with a key, if any."""
        found = await self.keeping.read(lambda store: store.created(sealed(key)))
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
            step = careful(partial(join, table, holder, name, self.now()))
            with suppress(Conflict, KeyUsed):
                return await self._write(table, step, sealed(key), digest)
            await self.reload(id)
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
                table = await self.reload(id)
        raise _crowded()

    async def _step(self, table: Table, who: tuple[int, ...], asked: Asked) -> Step:
        """Return the step that an action leads to."""
        now = self.now()
        if _late(table, now):
            table = await self.attend(table.id)
        if who and asked.ply != table.ply:
            raise Refused(
                "stale",
                f"The game has moved on; {_undone(asked.action)}",
                ply=table.ply,
            )
        if asked.action.kind in ("move", "undo") and table.ply >= self.longest and who:
            raise Refused(
                "not_now",
                f"This match has reached the limit of {self.longest} moves. Offer a draw, or "
                "resign.",
            )
        if asked.action.kind == "draw" and table.mode == "bot" and table.running and who:
            refusal = await self._refusal(table)
            if refusal:
                return Step(table.after(refusal))
        fresh = new_id(ID_LENGTH) if asked.action.kind == "rematch" else ""
        return careful(partial(act, table, who, asked.action, now, fresh))

    async def _refusal(self, table: Table) -> str:
        """Ask the bot about a draw; return its refusal, or nothing if it accepts."""
        match = table.match
        if table.bots_turn:
            raise Refused("not_now", "Wait for the computer's move.")
        bot = 1 - match.mover
        level = match.bots[bot]
        agrees = await thought(self.thinkers, "agrees", **place_of(table), level=level)
        return "" if agrees else f"{match.players[bot]} declined the draw."

    async def _done(self, id: str, key: str, digest: str) -> bool:  # noqa: A002
        """Return whether a request was carried out before."""
        before = await self.keeping.read(lambda store: store.key(id, key))
        if before is not None and before != digest:
            raise _reused()
        return before is not None

    async def attend(self, id: str) -> Table:  # noqa: A002
        """Do what is due at a table: move for a bot, or end a game on time."""
        for _ in range(TRIES):
            await self.awake()
            table = await self.get(id, fresh=True)
            now = self.now()
            if table.due is None or table.due > now or not table.running:
                return table
            if table.bots_turn:
                step = await self._bot_step(table)
            else:
                step = careful(partial(time_out, table, now))
            try:
                return await self._write(table, step, None, None)
            except Conflict:
                await self.reload(id)
        return table

    async def _bot_step(self, table: Table) -> Step:
        """Let the bot choose its move."""
        match = table.match
        seed, level = seed_at(match), match.bots[match.mover]
        place = place_of(table)
        try:
            move = await thought(self.thinkers, "bot_move", **place, level=level, seed_text=seed)
            action = Action("move", move)
            return careful(partial(act, table, (match.mover,), action, self.now()))
        except Refused as error:
            if error.code not in ("broken_game", "too_hard"):
                raise
            # Say so once, and retry less often.
            log.warning("the computer cannot move: %s", error)
            return Step(stuck(table, self.now() + STUCK_SECONDS))

    async def _write(self, before: Table, step: Step, key: str | None, digest: str | None) -> Table:
        """Save a step, then tell everyone."""
        after = step.table
        changes = [change(before, step, key, digest)]
        new = None if step.new is None else begun(step.new, self.now())
        if new is not None:
            changes.append(beginning(new, f"rematch of {before.id}", ""))
        cuts = self.memory.cuts
        if any(table.due is not None for table in (after, new) if table is not None):
            await self.alive()
            if cuts != self.memory.cuts:
                raise Conflict("The server was asleep; clocks have been extended.")
        await self.keeping.write(*changes)
        if new is not None:
            self._put(new)
        if self.memory.outdated(before.id, after.change, cuts):
            return await self.reload(before.id)
        return self._put(after)

    def _put(self, table: Table) -> Table:
        """Remember a stored table; return it, or a newer one in memory."""
        if self.memory.put(table) and table.due is not None:
            self.on_due(table)
        return self.memory.find(table.id) or table


async def _always_awake() -> None:
    """Do nothing: there is no attendant."""


def _late(table: Table, now: float) -> bool:
    """Return whether the player to move is out of time."""
    return table.due is not None and table.running and not table.bots_turn and now > table.due


def _undone(action: Action) -> str:
    """Say that an action had no effect."""
    return "your move was not played." if action.kind == "move" else "nothing was changed."


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
