"""`zerosum history`."""

from __future__ import annotations

from collections import Counter

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.files import local_time
from zerosum.registry import find, is_path
from zerosum.store import ID_LENGTH, Damaged, Summary
from zerosum.text import score


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
    """List saved matches, the latest first, in local time.

    A match that cannot be read is listed as unreadable; the reason goes to standard error.
    """
    name = find(game).name if game and is_path(game) else game
    listed = settings.store(write=False).listing(name, unfinished)
    if game and not listed:
        find(game)  # an unknown game is an error, unless it has matches
    found = listed[:limit]
    if as_json:
        from zerosum.cli.documents import HistoryDocument, MatchSummary, UnreadableMatch
        from zerosum.documents import to_json

        readable = [MatchSummary(*match) for match in found if isinstance(match, Summary)]
        unreadable = [UnreadableMatch(*match) for match in found if isinstance(match, Damaged)]
        settings.out.line(to_json(HistoryDocument(matches=readable, unreadable=unreadable)))
        return
    if not found:
        kind = "unfinished" if unfinished else "saved"
        settings.err.line(f"No {kind} matches{' of that game' if game else ''}.")
        return
    ids = _abbreviated([match.id for match in listed])
    columns = ("ID", "Last played", "Game", "Players and result")
    settings.out.table("Matches", columns, [_row(match, ids[match.id]) for match in found])
    for match in found:
        if isinstance(match, Damaged):
            settings.err.paragraph(match.reason)
    if len(found) < len(listed):
        settings.err.line(f"Showing {len(found)} of {len(listed)} matches; --limit N shows more.")


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
    return [id_, _day(match.updated), match.game, result]


def _day(timestamp: str) -> str:
    """Write when a match was played: the time of day, or the year if it was an earlier one."""
    from datetime import datetime

    text = local_time(timestamp)
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        return text
    recent = day.year == datetime.now().astimezone().year
    return f"{day:%b %d %H:%M}" if recent else f"{day:%b %d  %Y}"


def _abbreviated(ids: list[str]) -> dict[str, str]:
    """Shorten long ids to a beginning that no other has, since that is enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}
