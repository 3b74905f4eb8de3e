"""`zerosum history`."""

from __future__ import annotations

from collections import Counter

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document, minute
from zerosum.registry import find, is_path
from zerosum.store import ID_LENGTH, Summary
from zerosum.text import counted, score


@flags.command()
@click.option(
    "--game", metavar="GAME", shell_complete=flags.complete_game, help="Only matches of this game."
)
@click.option("--unfinished", is_flag=True, help="Only matches that can be resumed.")
@click.option(
    "--limit",
    type=flags.Whole(least=1),
    default=50,
    show_default=True,
    help="Show at most this many.",
)
@flags.json_option
@flags.common
def history(
    settings: Settings, game: str | None, unfinished: bool, limit: int, as_json: bool
) -> None:
    """List saved matches, the latest first."""
    name = find(game).name if game and is_path(game) else game
    listed = settings.store(write=False).matches(name, unfinished)
    if game and not listed:
        find(game)  # an unknown game is an error, unless it has matches
    found = listed[:limit]
    if as_json:
        settings.out.line(document("history", matches=[match._asdict() for match in found]))
        return
    if not found:
        kind = "unfinished" if unfinished else "saved"
        settings.err.line(f"No {kind} matches{' of that game' if game else ''}.")
        return
    ids = _abbreviated([match.id for match in listed])
    rows = [
        (
            ids[match.id],
            minute(match.updated),
            match.game,
            " - ".join(match.players),
            _result(match),
        )
        for match in found
    ]
    settings.out.table("Matches", ("ID", "Last played (UTC)", "Game", "Players", "Result"), rows)
    if len(found) < len(listed):
        settings.err.line(f"Showing {len(found)} of {len(listed)} matches; --limit N shows more.")


def _result(match: Summary) -> str:
    """Write a match's result in a few words."""
    series = match.games > 1
    if not match.over:
        points = f" at {score(match.score)}" if series else ""
        return f"unfinished{points}, {counted(match.plies, 'move')}"
    first, second = match.score
    if first == second:
        return f"tied, {score(match.score)}" if series else "draw"
    winner = match.players[int(second > first)]
    return f"{winner} won" + (f", {score(sorted(match.score, reverse=True))}" if series else "")


def _abbreviated(ids: list[str]) -> dict[str, str]:
    """Shorten long ids to a beginning that no other has, since that is enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}
