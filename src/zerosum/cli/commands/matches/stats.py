"""`zerosum stats`."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import astuple

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import GameCount, PlayerCount, StatsDocument
from zerosum.documents import to_json
from zerosum.store import GameResult


@flags.command()
@flags.json_option
@flags.common
def stats(settings: Settings, as_json: bool) -> None:
    """Count finished games, wins and draws: by game, by seat and by player."""
    document = _count(settings.store(write=False).results())
    if as_json:
        settings.out.line(to_json(document))
    elif not document.games:
        settings.err.line("No finished games yet.")
    else:
        games, players = (
            [list(map(str, astuple(row))) for row in rows]
            for rows in (document.games, document.players)
        )
        columns = ("Game", "Finished", "Won moving first", "Won moving second", "Drawn")
        settings.out.table("Games", columns, games)
        settings.out.table("Players", ("Player", "Finished", "Won", "Drawn"), players)


def _count(results: list[GameResult]) -> StatsDocument:
    """Count wins and draws by game and seat, and by player, the best first."""
    games: dict[str, Counter[str]] = {}
    players: dict[str, Counter[str]] = {}
    for game, *names, winner, first in results:
        seat = "draws" if winner is None else ("first", "second")[winner ^ first]
        games.setdefault(game, Counter()).update(("games", seat))
        for player, name in enumerate(names):
            how = "draws" if winner is None else "wins" if winner == player else "losses"
            players.setdefault(name, Counter()).update(("games", how))
    best = sorted(players.items(), key=lambda item: (-item[1]["wins"], -item[1]["draws"], item[0]))
    return StatsDocument(
        games=[
            GameCount(game, n["games"], n["first"], n["second"], n["draws"])
            for game, n in sorted(games.items())
        ],
        players=[PlayerCount(name, n["games"], n["wins"], n["draws"]) for name, n in best],
    )
