"""`zerosum stats`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document
from zerosum.store.rows import Result


@flags.command()
@flags.json_option
@flags.common
def stats(settings: Settings, as_json: bool) -> None:
    """Count finished games, wins and draws: by game, by seat and by player."""
    games, players = _count(settings.store(write=False).results())
    if as_json:
        settings.out.line(document("stats", games=games, players=players))
        return
    if not games:
        settings.err.line("No finished games yet.")
        return
    columns = ("Game", "Finished", "Won moving first", "Won moving second", "Drawn")
    settings.out.table("Games", columns, [tuple(map(str, row.values())) for row in games])
    rows = [tuple(map(str, row.values())) for row in players]
    settings.out.table("Players", ("Player", "Finished", "Won", "Drawn"), rows)


def _count(results: list[Result]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
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
    return (
        [
            {"game": game, **{key: count[key] for key in ("games", "first", "second", "draws")}}
            for game, count in sorted(games.items())
        ],
        [
            {"name": name, **{key: count[key] for key in ("games", "wins", "draws")}}
            for name, count in best
        ],
    )
