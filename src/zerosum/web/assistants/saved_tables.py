"""Matches of the history as tables, played move by move through the referee: for an assistant."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import Any

from msgspec import convert

from zerosum.documents import MatchDocument
from zerosum.errors import MatchError, NoMatch, OptionError, Unknown, Unreadable
from zerosum.match import Event, Match
from zerosum.options import option_values
from zerosum.players.autoplay import is_endless
from zerosum.players.levels import seed_at
from zerosum.protocol import Game
from zerosum.record import to_record
from zerosum.registry import entry_of
from zerosum.store import Saved, Store
from zerosum.store.replay import replay, variant_of
from zerosum.text import brief
from zerosum.web.analysis.referee import Referee, is_quick, parts_of
from zerosum.web.answers import Advice, GameReview, TableView
from zerosum.web.assistants.sealed import GameFolder
from zerosum.web.refusals import Refused
from zerosum.web.tables.service import described
from zerosum.web.tables.table import LiveTable, default_names
from zerosum.web.tables.view import Viewer, shown

# Who holds the assistant's seat, and the other one.
ASSISTANT, OTHER = "assistant", "other"
MOST_LISTED = 50


class SavedTables:
    """The assistant's matches in a database; between two calls, nothing is held but that."""

    def __init__(self, store: Store, games: GameFolder, name: str) -> None:
        """Take the database, the games, and what the assistant is called."""
        self.store, self.games, self.name = store, games, name
        self._busy = asyncio.Lock()

    @property
    def _referee(self) -> Referee:
        """The rules of all games; the processes may have been replaced."""
        return Referee(self.games.pool)

    async def begin(
        self, game: Game[Any], level: str | None, begins: bool, person: str
    ) -> TableView:
        """Begin a match against a level, or against a person who is here."""
        state = await self._referee.begin(entry_of(game), option_values(game), "")
        if level is None:
            players = default_names("friend", [person], None)[0], self.name
        else:
            players = default_names("bot", [self.name], level)
            await self._ask("prepare", game, state, level=level)
        me = players.index(self.name)
        terms = {"first": me if begins else 1 - me, "seed": secrets.randbits(32)}
        try:
            match = Match.new(game, players, bots=(None, level), initial=state, **terms)
        except OptionError as error:
            raise OptionError("person", error.message) from error
        async with self._busy:
            return await self._answered(self.store.create(match, assistant=me))

    async def see(self, id: str, seconds: float = 0.0) -> TableView:  # noqa: A002
        """Return a match as it is now; there is nobody to wait for."""
        async with self._busy:
            return await self._answered(await self._load(id))

    async def play(
        self,
        id: str,  # noqa: A002
        typed: str,
        ply: int | None,
        person: bool,
        seconds: float,
    ) -> TableView:
        """Make a move as it was typed, the assistant's own or a person's, and let a level reply."""
        async with self._busy:
            saved = await self._advanced(await self._load(id))
            match = saved.match
            if match.over:
                raise MatchError("The match is over; no move was made.")
            if ply not in (None, saved.events):
                raise Refused("stale", f"The match is at ply {saved.events}; no move was made.")
            if (match.mover == saved.assistant) == person:
                told = "It is the person's turn; play what they tell you with by: person."
                if person:
                    told = "It is your turn; choose a move of your own."
                raise Refused("not_your_turn", f"{told} No move was made.")
            return await self._answered(await self._moved(saved, typed))

    async def resign(self, id: str) -> TableView:  # noqa: A002
        """Resign for the assistant."""
        async with self._busy:
            saved = await self._load(id)
            mine = saved.match.mover == saved.assistant
            event = Event("resignation" if mine else "concession")
            return await self._answered(self.store.append(saved, event))

    def listed(self) -> list[tuple[str, str, tuple[str, str], bool]]:
        """List the assistant's matches, the latest first: id, game, names, whether it is over."""
        found = [match for match in self.store.matches() if match.assistant is not None]
        return [(match.id, match.game, match.players, match.over) for match in found[:MOST_LISTED]]

    async def record(self, id: str) -> MatchDocument:  # noqa: A002
        """Return the record of a match; while it is on, without what foretells a level's moves."""
        saved = await self._load(id)
        hidden = {} if saved.match.over else {"seed": None}
        return convert({**to_record(saved.match, id=saved.id), **hidden}, MatchDocument)

    async def review(self, id: str) -> GameReview:  # noqa: A002
        """Review a match that is over, as the page does."""
        saved = await self._load(id)
        if not saved.match.over:
            raise Refused("not_now", "The review opens when the match is over.")
        found = await self.games.pool.ask("review", record=to_record(saved.match), game=0)
        return convert(found, GameReview)

    async def advice(self, id: str) -> Advice:  # noqa: A002
        """Ask the coach, and save that it helped whoever is to move."""
        saved = await self._load(id)
        match = saved.match
        found = convert(await self._ask("advice", match.game, match.state), Advice)
        if not found.standing:
            raise Unknown(found.reason)
        self.store.save_hint(saved.id, match.number - 1, match.ply)
        return found

    async def _ask(self, what: str, game: Game[Any], state: Any, **more: Any) -> Any:
        """Ask about a position."""
        return await self.games.ask(what, entry_of(game).name, game, state=parts_of(state), **more)

    async def _load(self, id: str) -> Saved:  # noqa: A002
        """Replay a match of the assistant's; a person's own are not shown."""
        try:
            row, events = self.store.journal(id)
        except NoMatch as error:
            told = f"There is no match '{brief(id)}'; the tool 'matches' lists yours."
            raise NoMatch(told) from error
        if row.assistant is None or self.store.is_live(row.id):
            raise Unreadable(f"Match {row.id} is not one of yours.")
        name = row.game
        if row.file is not None:
            folder, name = os.path.split(row.file.partition(":")[0])
            if folder != self.games.folder:
                raise Unreadable(
                    f"Match {row.id} is of {name}, which is not in the folder for games."
                )
        entry = await self.games.entry(name)
        game, results = variant_of(row, entry), None
        if not is_quick(game):
            results = await self._referee.replay(game, row.first, row.length, events, "")
        return replay(row, events, entry, results)

    async def _moved(self, saved: Saved, typed: str) -> Saved:
        """Make a move as it was typed."""
        played = await self._referee.play(saved.match, typed, "")
        after = saved.match.played(played.move, played.state, played.outcome)
        return self.store.append(saved, Event("move", played.move), after)

    async def _advanced(self, saved: Saved) -> Saved:
        """Let a level move while it is to move: it may have been interrupted."""
        while not (match := saved.match).over:
            level = match.bots[match.mover]
            if is_endless(match):
                saved = self.store.append(saved, Event("endless"))
            elif level is None:
                break
            else:
                about = {"level": level, "seed_text": seed_at(match)}
                typed = await self._ask("bot_move", match.game, match.state, **about)
                saved = await self._moved(saved, typed)
        return saved

    async def _answered(self, saved: Saved) -> TableView:
        """Return a match as its table, once a level has moved."""
        saved = await self._advanced(saved)
        match, me = saved.match, saved.assistant or 0
        holders = ((ASSISTANT, (me,)), (OTHER, (1 - me,)))
        alone = match.bots != (None, None)
        table = LiveTable(
            id=saved.id,
            match=match,
            mode="bot" if alone else "friend",
            holders=holders[:1] if alone else holders,
            watch=False,
            ply=saved.events,
        )
        return shown(await described(self._referee, table), Viewer(ASSISTANT, ""), 0.0)
