"""The tables of one server: what stands in memory, what is in the store, and who is told."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from zerosum.game import variant_of
from zerosum.players.seated import place_in
from zerosum.registry import entry_of
from zerosum.store import new_id
from zerosum.store.base import Moved
from zerosum.store.live import Begin, Change, KeyUsed
from zerosum.web.actions import Action, Step, act, begun, careful, join, time_out
from zerosum.web.errors import Refused
from zerosum.web.keeping import Keeping
from zerosum.web.table import Table, table_of
from zerosum.web.thinkers import Thinkers

ID_LENGTH = 26  # of 31 letters: more than 128 random bits
TRIES = 8


class Asked(NamedTuple):
    """A request to do something: its key, a digest of what it says, and the ply it answers."""

    key: str
    digest: str
    ply: int
    action: Action


class Tables:
    """Finds tables, changes them, and wakes whoever watches; the store decides who was first."""

    def __init__(
        self,
        keeping: Keeping,
        thinkers: Thinkers,
        remember: int = 10_000,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take the store and the programs that think; `remember` tables stay in memory."""
        self.keeping = keeping
        self.thinkers = thinkers
        self.now = now
        self.secret = b""
        # With several processes on one database, what is in memory may be old.
        self.shared = False
        self.on_due: Callable[[Table], None] = lambda table: None
        self._remember = remember
        self._known: OrderedDict[str, Table] = OrderedDict()
        self._watchers: dict[str, set[asyncio.Event]] = {}

    async def get(self, id: str, fresh: bool = False) -> Table:  # noqa: A002
        """Give a table as it stands; `fresh` where another process may know more."""
        table = self._known.get(id)
        if table is not None and fresh and self.shared:
            version = await self.keeping.read(lambda store: store.live_version(id))
            if version != table.change:
                table = None
        if table is not None:
            self._known.move_to_end(id)
            return table
        return await self.reload(id)

    async def reload(self, id: str) -> Table:  # noqa: A002
        """Read a table from the store."""
        live = None
        if len(id) == ID_LENGTH and id.isascii() and id.isalnum():
            live = await self.keeping.read(lambda store: store.live(id))
        if live is None:
            self._known.pop(id, None)
            raise Refused(
                "no_match",
                "There is no such match. Matches that nobody goes on with expire after a while.",
            )
        return self._put(table_of(live))

    async def open(self, table: Table, key: str, digest: str) -> Table:
        """Keep a new table; who asks again with the same key gets the one that was made."""
        made = begun(table, self.now())
        entry = _begin(made, key, digest)
        try:
            await self.keeping.write(entry)
        except KeyUsed:
            return await self.created(key, digest) or made
        return self._put(made)

    async def created(self, key: str, digest: str) -> Table | None:
        """Give the table that was made with a key before, if there is one."""
        found = await self.keeping.read(lambda store: store.created(key))
        if found is None:
            return None
        id_, before = found
        if before != digest:
            raise _reused()
        return await self.get(id_)

    async def join(self, id: str, digest: str, name: str | None) -> Table:  # noqa: A002
        """Take the open seat of a table for the holder of a token; asking twice is once."""
        for _ in range(TRIES):
            table = await self.get(id, fresh=True)
            if table.players_of(digest):
                return table
            step = careful(partial(join, table, digest, name, self.now()))
            with suppress(Moved):
                return await self._write(table, step, None, None)
            await self.reload(id)
        raise _crowded()

    async def act(self, id: str, holder: str | None, asked: Asked) -> tuple[Table, bool]:  # noqa: A002
        """Do what a player asks for; True with it if that had been done before."""
        table = await self.get(id)
        if asked.ply > table.ply:
            table = await self.get(id, fresh=True)
        for _ in range(TRIES):
            who = table.players_of(holder)
            try:
                step = await self._step(table, who, asked)
            except Refused:
                if who and await self._done(id, asked):
                    return await self.get(id, fresh=True), True
                raise
            try:
                return await self._write(table, step, asked.key, asked.digest), False
            except KeyUsed as error:
                if error.digest != asked.digest:
                    raise _reused() from error
                return await self.get(id, fresh=True), True
            except Moved:
                table = await self.reload(id)
        raise _crowded()

    async def _step(self, table: Table, who: tuple[int, ...], asked: Asked) -> Step:
        """Work out what an action leads to."""
        now = self.now()
        if _late(table, now):
            table = await self.attend(table.id)
        if who and asked.ply != table.ply:
            raise Refused(
                "stale",
                f"The match has gone on: it is at ply {table.ply}, and you answered ply "
                f"{asked.ply}. Nothing was changed.",
                ply=table.ply,
            )
        if asked.action.kind == "draw" and table.mode == "bot" and table.running and who:
            refusal = await self._refusal(table)
            if refusal:
                return Step(table.after(refusal))
        fresh = new_id(ID_LENGTH) if asked.action.kind == "rematch" else ""
        return careful(partial(act, table, who, asked.action, now, fresh))

    async def _refusal(self, table: Table) -> str:
        """Ask a program whether it takes a draw; what it says if not."""
        match = table.match
        if table.bots_turn:
            raise Refused("not_now", "Wait for the computer's move.")
        bot = 1 - match.mover
        agrees = await self.thinkers.ask("agrees", **place_of(table), level=match.bots[bot])
        return "" if agrees else f"{match.players[bot]} plays on."

    async def _done(self, id: str, asked: Asked) -> bool:  # noqa: A002
        """Tell whether a request has been carried out before."""
        before = await self.keeping.read(lambda store: store.key(id, asked.key))
        if before is not None and before != asked.digest:
            raise _reused()
        return before is not None

    async def attend(self, id: str) -> Table:  # noqa: A002
        """Do what is due at a table: move for a program, or call a player's time."""
        for _ in range(TRIES):
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
            except Moved:
                await self.reload(id)
        return table

    async def _bot_step(self, table: Table) -> Step:
        """Let the program whose turn it is choose its move."""
        match = table.match
        seed = place_in(match)
        level = match.bots[match.mover]
        move = await self.thinkers.ask("bot_move", **place_of(table), level=level, seed_text=seed)
        action, now = Action("move", move), self.now()
        return careful(partial(act, table, (match.mover,), action, now))

    async def _write(self, before: Table, step: Step, key: str | None, digest: str | None) -> Table:
        """Put a step into the store, and then tell everybody."""
        after = step.table
        entries: list[Begin | Change] = [
            Change(
                id=before.id,
                version=before.change,
                seq=before.ply,
                events=step.events,
                match=after.match,
                data=after.data(),
                due=after.due,
                key=key,
                digest=digest,
                stage=after.stage,
            )
        ]
        new = None if step.new is None else begun(step.new, self.now())
        if new is not None:
            entries.append(_begin(new, f"rematch-{before.id}", ""))
        await self.keeping.write(*entries)
        if new is not None:
            self._put(new)
        return self._put(after)

    def _put(self, table: Table) -> Table:
        """Remember a table that is in the store, and wake who watches it."""
        known = self._known.get(table.id)
        if known is not None and known.change >= table.change:
            return known
        self._known[table.id] = table
        self._known.move_to_end(table.id)
        while len(self._known) > self._remember:
            self._known.popitem(last=False)
        for waiting in self._watchers.get(table.id, ()):
            waiting.set()
        if table.due is not None:
            self.on_due(table)
        return table

    def noticed(self, id: str, version: int) -> None:  # noqa: A002
        """Hear that another process has changed a table; without a name, any may have changed."""
        if not id:
            self._known.clear()
            for events in self._watchers.values():
                for waiting in events:
                    waiting.set()
            return
        known = self._known.get(id)
        if known is None or known.change < version:
            self._known.pop(id, None)
            for waiting in self._watchers.get(id, ()):
                waiting.set()

    def watch(self, id: str) -> asyncio.Event:  # noqa: A002
        """Give an event that is set whenever a table changes."""
        waiting = asyncio.Event()
        self._watchers.setdefault(id, set()).add(waiting)
        return waiting

    def leave(self, id: str, waiting: asyncio.Event) -> None:  # noqa: A002
        """Stop watching."""
        events = self._watchers.get(id, set())
        events.discard(waiting)
        if not events:
            self._watchers.pop(id, None)

    def watchers(self, id: str) -> int:  # noqa: A002
        """Count who watches a table here, players too."""
        return len(self._watchers.get(id, ()))


def place_of(table: Table) -> dict[str, Any]:
    """Say which position of which variant a table is at, for those who think."""
    game = table.match.game
    return {
        "game": entry_of(game).name,
        "options": variant_of(game),
        "state": list(table.match.state),
    }


def _late(table: Table, now: float) -> bool:
    """Tell whether the time of the player to move is up."""
    return table.due is not None and table.running and not table.bots_turn and now > table.due


def _begin(table: Table, key: str, digest: str) -> Begin:
    """Write down a new table."""
    return Begin(
        id=table.id,
        match=table.match,
        data=table.data(),
        due=table.due,
        key=key,
        digest=digest,
        stage=table.stage,
    )


def _reused() -> Refused:
    """Refuse a key that stands for something else."""
    return Refused(
        "key_reused",
        "This key was used for another request. A new request needs a new key; nothing was "
        "changed.",
    )


def _crowded() -> Refused:
    """Give up where others were always faster."""
    return Refused("busy", "Too much happens at this table at once. Try again.")
