"""`zerosum stats`: who won how often, and how well people play."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from os.path import exists
from typing import Annotated, Literal

import click
from msgspec import Struct

from zerosum.cli import flags
from zerosum.cli.careers import Decided, judged, strength_in
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.cli.playing.match_setup import called
from zerosum.documents import Document, described
from zerosum.errors import FileNotNamed, ZerosumError
from zerosum.players.scale import MEANT, Strength, place
from zerosum.registry import find
from zerosum.reports import Grid, Report, Section, Sentence
from zerosum.store import GameResult
from zerosum.text import counted, percent


class GameCount(Struct, frozen=True):
    """The finished games of a game, by who won: the one who moved first, or second."""

    game: str
    games: int
    first: int
    second: int
    draws: int


class PlayerCount(Struct, frozen=True):
    """The finished games of a player, who may be a level of the computer."""

    name: Annotated[str, described("You for a person without a name who played the computer")]
    games: int
    wins: int
    draws: int
    computer: bool


class Career(Struct, frozen=True):
    """How a person plays a game, or all games together."""

    name: str
    game: Annotated[str | None, described("null for all games together")]
    strength: Strength
    unjudged: Annotated[int, described("games that are too large, or whose rules are not at hand")]


class StatsDocument(Document, frozen=True, kw_only=True, tag="zerosum-stats"):
    """Finished games, wins and draws, and how well people play."""

    version: Literal[3] = 3
    players: Annotated[
        list[PlayerCount],
        described("people first, each kind the best first"),
    ]
    careers: Annotated[list[Career], described("for each person, all games together come first")]
    games: Annotated[list[GameCount], described("those that people played")]
    watched: Annotated[list[GameCount], described("those between two computers")]


@flags.command()
@click.option(
    "--game", "files", metavar="FILE", multiple=True, help="Judge a game of your own, too."
)
@flags.printed
def stats(settings: Settings, files: tuple[str, ...]) -> Findings:
    """Count finished games, wins and draws, and show how well people play.

    How well someone plays is judged by their decisions alone: the positions in which some move
    throws a result away. A move after a hint does not count; a move that is taken back does, and
    its replacement does not.
    """
    store = settings.store(write=False)
    results = store.results()
    found = judged(settings, store, map(find, files))
    document = StatsDocument(
        players=_players(results),
        careers=list(_careers(found.games)),
        games=_games(result for result in results if not _is_watched(result)),
        watched=_games(filter(_is_watched, results)),
    )
    if not results:
        return Findings(document, Report("", []), notes=["No finished games yet."])
    notes = [_unjudged(settings, *reason) for reason in found.reasons.items()]
    return Findings(document, _report(document), notes=notes)


def _unjudged(settings: Settings, game: str, error: ZerosumError) -> str:
    """Say why a game is not judged; one from a file is a program, and not loaded unless named."""
    if not isinstance(error, FileNotNamed):
        return f"{game} is not judged: {error}"
    if error.file and not exists(error.file):
        return f"{game} is not judged: {error.file} is missing. If it has moved, add --game FILE."
    named = settings.command_line("stats", "--game", error.file or "FILE")
    return f"{game} is in a file of your own. To judge it too: {named}"


def _is_watched(result: GameResult) -> bool:
    """Return whether nobody played in a game but two computers."""
    return None not in (result.bot_1, result.bot_2)


def _players(results: Iterable[GameResult]) -> list[PlayerCount]:
    """Count the games of every player; those between two computers count for nobody."""
    players: defaultdict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        if _is_watched(result):
            continue
        names = called((result.player_1, result.player_2))
        bots = (result.bot_1, result.bot_2)
        for player, (name, bot) in enumerate(zip(names, bots, strict=True)):
            how = {None: "draws", player: "wins"}.get(result.winner, "losses")
            players[bot is not None, name].update(("games", how))
    counts = [
        PlayerCount(name, n["games"], n["wins"], n["draws"], computer)
        for (computer, name), n in players.items()
    ]
    return sorted(counts, key=lambda n: (n.computer, -n.wins, -n.draws, n.name))


def _games(results: Iterable[GameResult]) -> list[GameCount]:
    """Count the games of every rule book, by who won."""
    games: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        winner = result.winner
        seat = "draws" if winner is None else ("first", "second")[winner ^ result.first]
        games[result.game].update(("games", seat))
    return [
        GameCount(game, n["games"], n["first"], n["second"], n["draws"])
        for game, n in sorted(games.items())
    ]


def _careers(played: dict[tuple[str, str], Decided]) -> Iterator[Career]:
    """Place every person on the scale, in all games and in each."""

    def career(name: str, game: str | None, games: Decided) -> Career:
        return Career(name, game, strength_in(games), games.count(None))

    for name, own in groupby(sorted(played.items()), key=lambda item: item[0][0]):
        each = [(game, games) for (_, game), games in own]
        yield career(name, None, [decided for _, games in each for decided in games])
        yield from (career(name, game, games) for game, games in each)


def _report(document: StatsDocument) -> Report:
    """Write the statistics: people first."""
    counts = ("Game", "Finished", "Won moving first", "Won moving second", "Drawn")
    players = [(n.name, *map(str, (n.games, n.wins, n.draws))) for n in document.players]
    columns = ("Player", "Finished", "Won", "Drawn")
    sections = [Section("Players", [Grid(columns, players)])] if players else []
    sections += _strengths(document.careers)
    tables = (("Games", document.games), ("Watched: computer against computer", document.watched))
    for title, found in tables:
        rows = [(n.game, *map(str, (n.games, n.first, n.second, n.draws))) for n in found]
        if rows:
            sections.append(Section(title, [Grid(counts, rows)]))
    return Report("", sections)


def _strengths(careers: list[Career]) -> Iterator[Section]:
    """Write how well people play, if anybody has decided anything."""
    rows = []
    for career in careers:
        one, slips = career.strength, ""
        if one.like and one.rate is not None:
            slips = "{} ({} to {})".format(*map(percent, (one.rate, one.low, one.high)))
        right = f"{one.right} of {one.decisions}" if one.decisions else "none yet"
        right = right if one.games else "not judged"
        game = career.game or "all games"
        rows.append((career.name, game, right, place(one) if one.games else "", slips))
    if not any(career.strength.decisions or career.unjudged for career in careers):
        return
    grid = Grid(("Player", "Game", "Decisions right", "Plays", "Slips"), rows)
    meant = f"{MEANT}. Those with the coach's help, or after a move was taken back, do not count."
    if any(slips for *_, slips in rows):
        meant += " A slip is a move made as if at random; "
        meant += "the true rate is very likely in the brackets."
    unjudged = [
        Sentence(
            f"{career.name}: {counted(career.unjudged, 'game')} not judged; too large, "
            "or the rules are not at hand."
        )
        for career in careers
        if career.game is None and career.unjudged
    ]
    yield Section("How people play", [grid, *unjudged, Sentence(meant)])
