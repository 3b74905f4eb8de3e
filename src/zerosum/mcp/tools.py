"""The tools: games, matches here and at tables, analysis, and games of an assistant's own."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct, convert, structs

from zerosum.documents import MatchDocument, described
from zerosum.errors import MatchError
from zerosum.lab.audit.document import AuditRow
from zerosum.lab.audit.processes import authoring
from zerosum.lab.audit.processes.authoring import GameCheck, GameTrial
from zerosum.mcp.toolbox import Told, tool
from zerosum.players.levels import LEVELS, Level
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry
from zerosum.text import counted, either
from zerosum.web.analysis.stand_ins import texts_of
from zerosum.web.answers import (
    Advice,
    GameReview,
    OfferedGame,
    Rulebook,
    TableView,
    VariantTheory,
)
from zerosum.web.assistants.remote_tables import RemoteTables
from zerosum.web.assistants.saved_tables import SavedTables
from zerosum.web.assistants.sealed import GameFolder
from zerosum.web.assistants.told_table import MatchAnswer, text_of_match, told_table
from zerosum.web.routes.request_schemas import Options
from zerosum.web.site import described as offered
from zerosum.web.site import read_options

GameName = Annotated[
    str, Meta(max_length=200, description="the name of a game, or of a file in the folder")
]
File = Annotated[str, Meta(description="a name such as my_game.py")]
Id = Annotated[str, Meta(max_length=300, description="the match, as an answer named it")]
Person = Annotated[str, Meta(max_length=40, description="a name of at most 40 characters")]
Given = Options | None
Opponent = Annotated[Level | Literal["person"], Meta(description=either([*LEVELS, "person"]))]
Typed = Annotated[str | int, Meta(description="one of the legal moves, as it is typed")]
Ply = Annotated[int | None, Meta(description="the ply of the match; any other is refused")]
Source = Annotated[str, Meta(description="Python; see zerosum://add-a-game")]
Games = Annotated[int, Meta(ge=1, le=100, description="a number of games, from 1 to 100")]
Wait = Annotated[float, Meta(ge=0, le=30, description="the seconds to wait at a table, 0 to 30")]
Flag = Annotated[bool, Meta(description="true or false")]


class GamesAnswer(Struct, frozen=True):
    """The games, and the files in the folder for games."""

    games: list[OfferedGame]
    files: Annotated[list[str], described("files of games; each may be named like a game")]


class ListedMatch(Struct, frozen=True):
    """A match in a list."""

    match: str
    game: str
    players: tuple[str, str]
    over: bool


class MatchesAnswer(Struct, frozen=True):
    """Your matches, the latest first."""

    matches: list[ListedMatch]


class WrittenGame(Struct, frozen=True):
    """A file that was written."""

    file: str
    size: Annotated[int, described("in bytes")]
    replaced: bool


class Tools(NamedTuple):
    """What tools work with: the games, the matches in the database, and the tables of servers."""

    offered: GameFolder
    saved: SavedTables
    tables: RemoteTables

    async def variant(self, game: str, options: Given) -> tuple[Entry, Game[Any]]:
        """Make a variant of a game."""
        entry = await self.offered.entry(game)
        values, wrong = read_options(entry, options or {}, self.offered.limits)
        if wrong:
            raise wrong[0]
        return entry, entry.variant(**values)

    def at(self, match: str) -> SavedTables | RemoteTables:
        """Return where a match is played: at a server if it is named by a link, or here."""
        return self.tables if "/" in match else self.saved


class MatchTools(Tools):
    """Games, and matches: here, or at a table of a server, whose link then names the match."""

    @tool(reads=True)
    async def games(self) -> Told[GamesAnswer]:
        """List the games and their options."""
        found = [offered(await self.offered.entry(name)) for name in BUILT_IN]
        files = self.offered.files
        told = [*(f"{game.name}: {game.summary}" for game in found), *files]
        return Told(GamesAnswer(found, files), "\n".join(told))

    @tool(reads=True)
    async def rules(self, game: GameName) -> Told[Rulebook]:
        """Show the rule book of a game."""
        entry = await self.offered.entry(game)
        texts = texts_of(entry.variant())
        return Told(Rulebook(entry.name, texts.title, texts.rulebook), texts.rulebook)

    @tool()
    async def new_match(
        self,
        game: GameName,
        opponent: Opponent = "medium",
        options: Given = None,
        you_begin: Flag = True,
        person: Person = "",
    ) -> Told[MatchAnswer]:
        """Begin a match against a level of the computer, or against a person.

        If a server was named at the start, a person sits at a table in the browser: give them the
        link that names the match. Otherwise, and for a game in the folder, they tell you
        their moves, and you play those too.
        """
        if opponent == "person" and self.tables.origins and not game.endswith(".py"):
            terms = {"first": "1" if you_begin else "2", "names": ["", person] if person else []}
            return _told(await self.tables.invite(game, options or {}, terms))
        _, variant = await self.variant(game, options)
        level = None if opponent == "person" else opponent
        return _told(await self.saved.begin(variant, level, you_begin, person))

    @tool(reads=True)
    async def look(self, match: Id, wait: Wait = 0.0) -> Told[MatchAnswer]:
        """Look at a match: the position, what is legal, whose turn it is, and how it ended."""
        return _told(await self.at(match).see(match, wait))

    @tool()
    async def play(
        self,
        match: Id,
        move: Typed,
        by: Literal["you", "person"] = "you",
        ply: Ply = None,
        wait: Wait = 0.0,
    ) -> Told[MatchAnswer]:
        """Make a move: your own, or the one that a person told you. A level replies at once."""
        return _told(await self.at(match).play(match, str(move), ply, by == "person", wait))

    @tool()
    async def resign(self, match: Id) -> Told[MatchAnswer]:
        """Resign a match: the other player wins."""
        return _told(await self.at(match).resign(match))

    @tool(reads=True)
    async def matches(self) -> Told[MatchesAnswer]:
        """List your matches: those here, and those at tables, each with the latest first."""
        found = [ListedMatch(*about) for about in self.saved.listed()]
        found += [ListedMatch(*about) for about in await self.tables.listed()]
        told = [f"{m.match}: {m.game}, {' - '.join(m.players)}{', over' * m.over}" for m in found]
        return Told(MatchesAnswer(found), "\n".join(told) or "You have not played a match yet.")

    @tool(reads=True)
    async def record(self, match: Id) -> Told[MatchDocument]:
        """Show the record of a match: every move, as `zerosum export` writes it."""
        found = await self.at(match).record(match)
        moves = [", ".join(map(str, played.moves)) for played in found.rounds]
        return Told(found, f"{found.game}, {' - '.join(found.players)}: {'; '.join(moves)}")

    @tool(reads=True)
    async def review(self, match: Id) -> Told[GameReview]:
        """Review a match that is over: every move judged, and the moments that decided it."""
        found = await self.at(match).review(match)
        plies = [structs.replace(ply, picture="", lines=[]) for ply in found.plies]
        moments = [moment.text for moment in found.moments] or [found.no_turn]
        told = filter(None, [found.opening, *found.accuracy, *moments, found.reason])
        answer = structs.replace(found, svg="", text=[], plies=plies)
        return Told(answer, "\n".join(told))


class TableTools(Tools):
    """What only the tables of a server have."""

    @tool()
    async def join(self, link: Id) -> Told[MatchAnswer]:
        """Take the free seat at a table, by its link; a person plays against you in the browser."""
        return _told(await self.tables.join(link))

    @tool()
    async def answer_offer(self, match: Id, accept: Flag) -> Told[MatchAnswer]:
        """Accept or decline what the person at a table offers: a draw, a move back, a rematch."""
        table = await self.tables.see(match)
        kinds = [offer.kind for offer in table.offers if offer.player not in table.you]
        if not kinds:
            raise MatchError("Nothing is offered to you.")
        answer = "accept" if accept else "decline"
        return _told(await self.tables.act(match, answer, table.ply, offer=kinds[-1]))


class AnalysisTools(Tools):
    """What exact values tell; a model that is being tested must not have these."""

    @tool(reads=True)
    async def hint(self, match: Id) -> Told[Advice]:
        """Recommend a move in a match, and say why."""
        found = await self.at(match).advice(match)
        typed = [f"The move is {step.move}." for step in found.line[:1]]
        told = (found.title, found.compared, *typed, found.because)
        return Told(found, " ".join(filter(None, told)))

    @tool(reads=True)
    async def solve(self, match: Id) -> Told[Advice]:
        """Show the exact value of the position of a match and of each of its moves, and why."""
        found = await self.at(match).advice(match)
        moves = [
            f"{judged.move}: {judged.value.text if judged.value else 'unknown'}, {judged.word}"
            for judged in found.moves
        ]
        return Told(found, "\n".join([*moves, *found.why]))

    @tool(reads=True)
    async def explain(self, game: GameName, options: Given = None) -> Told[VariantTheory]:
        """Explain how a game is won: its theory, or the law that holds in all its positions."""
        entry, variant = await self.variant(game, options)
        found = convert(await self.offered.ask("theory", entry.name, variant), VariantTheory)
        value = found.reason or ""
        if found.value:
            mover = " for the player who moves first" * (found.value.result != "draw")
            value = f"The start is a {found.value.text}{mover}."
        told = [found.theory or found.law, value]
        return Told(structs.replace(found, text=[]), "\n".join(filter(None, told)))


class AuthorTools(Tools):
    """Games that an assistant writes, in one folder; their rules run in processes of their own."""

    @tool()
    async def write_game(
        self, file: File, source: Source, replace: Flag = False
    ) -> Told[WrittenGame]:
        """Write a game into the folder. To mend one, replace it."""
        replaced = self.offered.write(file, source, replace)
        await self.offered.renew()
        told = f"{'Replaced' if replaced else 'Wrote'} {file}. Next: check_game."
        return Told(WrittenGame(file, len(source.encode()), replaced), told)

    @tool(reads=True)
    async def check_game(self, file: File) -> Told[GameCheck]:
        """Check that a game in the folder follows the protocol, and who wins; or what is wrong."""
        found: GameCheck = await self._work(authoring.check, file)
        return Told(found, found.message)

    @tool(reads=True)
    async def audit_game(self, file: File) -> Told[AuditRow]:
        """Audit a game in the folder: who wins, whether it is fair, its faults."""
        row: AuditRow = await self._work(authoring.audit, file)
        told = [f"{row.status}: {row.message}"]
        if row.audit is not None:
            faults = (fault for fault in row.audit.faults if fault.message != row.message)
            told += [f"{fault.severity}: {fault.message}" for fault in faults]
            told += [dead.message for dead in row.audit.dead_rules or ()]
            told += ["No faults."] * (row.status == "solved" and not row.audit.faults)
        return Told(row, "\n".join(told))

    @tool(reads=True)
    async def try_game(
        self, file: File, level: Level = "medium", games: Games = 10
    ) -> Told[GameTrial]:
        """Let a level play a game in the folder against itself, and show the first game."""
        found: GameTrial = await self._work(authoring.try_out, file, level, games)
        told = f"{counted(found.games, 'game')} of {level} against itself: the first player won"
        told += f" {found.first}, the second {found.second}; {found.draws} drawn."
        lines = [told * (found.games > 0), *found.transcript, found.missing]
        return Told(found, "\n".join(filter(None, lines)))

    async def _work(self, task: Callable[..., Any], file: str, *more: Any) -> Any:
        """Do a piece of work on a file, in a process of its own; one at a time."""
        self.offered.read(file)
        async with self.offered.busy:
            return await to_thread(task, self.offered.path(file), *more)


def _told(table: TableView) -> Told[MatchAnswer]:
    """Tell how a match stands."""
    found = told_table(table)
    return Told(found, text_of_match(found))


# By what opens them: nothing, a server, analysis, a folder for games.
GROUPS = (MatchTools, TableTools, AnalysisTools, AuthorTools)
