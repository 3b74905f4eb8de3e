"""`zerosum history` and `stats`: what was played."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import click
from msgspec import Struct
from msgspec.structs import astuple

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.cli.files import local_time
from zerosum.documents import Document, described
from zerosum.registry import find, is_path
from zerosum.reports import Grid, Report, Section
from zerosum.store import ID_LENGTH, Damaged, Summary
from zerosum.text import score


class MatchSummary(Struct, frozen=True):
    """A saved match."""

    id: str
    game: str
    players: tuple[str, str]
    started: str
    updated: str
    games: Annotated[int, described("how many games the match has")]
    played: Annotated[int, described("how many of them have ended")]
    score: Annotated[
        tuple[float, float], described("points, by player: 1 for a game won, 0.5 for a draw")
    ]
    plies: Annotated[int, described("moves in all its games")]
    over: bool


class UnreadableMatch(Struct, frozen=True):
    """A match whose rows are damaged."""

    id: str
    reason: str


class HistoryDocument(Document, frozen=True, kw_only=True, tag="zerosum-history"):
    """Saved matches, the latest first."""

    version: Literal[3] = 3
    matches: list[MatchSummary]
    unreadable: list[UnreadableMatch]


class GameCount(Struct, frozen=True):
    """The finished games of a game, by who won: the one who moved first, or second."""

    game: str
    games: int
    first: int
    second: int
    draws: int


class PlayerCount(Struct, frozen=True):
    """The finished games of a player."""

    name: str
    games: int
    wins: int
    draws: int


class StatsDocument(Document, frozen=True, kw_only=True, tag="zerosum-stats"):
    """Finished games, wins and draws."""

    version: Literal[2] = 2
    games: list[GameCount]
    players: Annotated[list[PlayerCount], described("the best first")]


@flags.command()
@click.option(
    "--game", metavar="GAME", shell_complete=flags.complete_game, help="Only matches of this game."
)
@click.option("--unfinished", is_flag=True, help="Only matches that can be resumed.")
@flags.number("--limit", "Show at most this many.", 50, least=1)
@flags.printed
def history(settings: Settings, game: str | None, unfinished: bool, limit: int) -> Findings:
    """List saved matches, the latest first, in local time.

    A match that cannot be read is listed as unreadable; the reason goes to standard error.
    """
    name = find(game).name if game and is_path(game) else game
    listed = settings.store(write=False).listing(name, unfinished)
    if game and not listed:
        find(game)  # an unknown game is an error, unless it has matches
    found = listed[:limit]
    ids = _abbreviated([match.id for match in listed])
    rows = [_row(match, ids[match.id]) for match in found]
    grid = Grid(("ID", "Last played", "Game", "Players and result"), rows)
    damaged = [match for match in found if isinstance(match, Damaged)]
    notes = [match.reason for match in damaged]
    if not found:
        kind = "unfinished" if unfinished else "saved"
        notes.append(f"No {kind} matches{' of that game' if game else ''}.")
    elif len(found) < len(listed):
        notes.append(f"Showing {len(found)} of {len(listed)} matches; --limit N shows more.")
    document = HistoryDocument(
        matches=[MatchSummary(*match) for match in found if isinstance(match, Summary)],
        unreadable=[UnreadableMatch(*match) for match in damaged],
    )
    return Findings(document, Report("", [Section("", [grid] * bool(rows))]), notes=notes)


def _row(match: Summary | Damaged, id_: str) -> list[str]:
    """Write when and what was played, by whom, and how it ended."""
    if isinstance(match, Damaged):
        return [id_, "", "unreadable", ""]
    first, second = match.score
    names = match.players if second <= first or not match.over else match.players[::-1]
    points = match.score if not match.over else sorted(match.score, reverse=True)
    between = " - " if not match.over else " drew with " if first == second else " beat "
    end = f", {score(points)}" if match.games > 1 else ""
    result = f"{between.join(names)}{end}{', unfinished' if not match.over else ''}"
    return [id_, local_time(match.updated), match.game, result]


def _abbreviated(ids: list[str]) -> dict[str, str]:
    """Shorten long ids to a beginning that no other has, since that is enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}


@flags.command()
@flags.printed
def stats(settings: Settings) -> Findings:
    """Count finished games, wins and draws: by game, by seat and by player."""
    games: dict[str, Counter[str]] = {}
    players: dict[str, Counter[str]] = {}
    for game, *names, winner, first in settings.store(write=False).results():
        seat = "draws" if winner is None else ("first", "second")[winner ^ first]
        games.setdefault(game, Counter()).update(("games", seat))
        for player, name in enumerate(names):
            how = "draws" if winner is None else "wins" if winner == player else "losses"
            players.setdefault(name, Counter()).update(("games", how))
    best = sorted(players.items(), key=lambda item: (-item[1]["wins"], -item[1]["draws"], item[0]))
    document = StatsDocument(
        games=[
            GameCount(game, n["games"], n["first"], n["second"], n["draws"])
            for game, n in sorted(games.items())
        ],
        players=[PlayerCount(name, n["games"], n["wins"], n["draws"]) for name, n in best],
    )
    if not games:
        return Findings(document, Report("", []), notes=["No finished games yet."])
    by_game, by_player = (
        [list(map(str, astuple(row))) for row in rows]
        for rows in (document.games, document.players)
    )
    columns = ("Game", "Finished", "Won moving first", "Won moving second", "Drawn")
    sections = [
        Section("Games", [Grid(columns, by_game)]),
        Section("Players", [Grid(("Player", "Finished", "Won", "Drawn"), by_player)]),
    ]
    return Findings(document, Report("", sections))
