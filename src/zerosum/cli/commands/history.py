"""`zerosum history`: what was played."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.cli.playing.match_setup import called
from zerosum.cli.user_files import local_time
from zerosum.match import NAMES
from zerosum.registry import find, is_path
from zerosum.reports import Grid, Report, Section
from zerosum.store import ID_LENGTH, Damaged, Summary
from zerosum.text import inside, score

if TYPE_CHECKING:
    from zerosum.cli.listings import HistoryDocument

# People without names who met by a link, where each was called 'You' on their own screen.
HOST_AND_GUEST = ("Host", "Guest")


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
    store = settings.store(write=False)
    listed, invited = store.listing(name, unfinished), store.invited()
    if game and not listed:
        find(game)  # an unknown game is an error, unless it has matches
    found = listed[:limit]
    ids = _abbreviated([match.id for match in listed])
    rows = [_row(match, ids[match.id], match.id in invited) for match in found]
    grid = Grid(("ID", "Last played", "Game", "Players and result"), rows)
    damaged = [match for match in found if isinstance(match, Damaged)]
    notes = [match.reason for match in damaged]
    if not found:
        kind = "unfinished" if unfinished else "saved"
        notes.append(f"No {kind} matches{' of that game' if game else ''}.")
    elif len(found) < len(listed):
        notes.append(f"Showing {len(found)} of {len(listed)} matches; --limit N shows more.")

    def document() -> HistoryDocument:
        from zerosum.cli.listings import HistoryDocument, MatchSummary, UnreadableMatch

        readable = [MatchSummary(*match) for match in found if isinstance(match, Summary)]
        unreadable = [UnreadableMatch(*match) for match in damaged]
        return HistoryDocument(matches=readable, unreadable=unreadable)

    return Findings(document, Report("", [Section("", [grid] * bool(rows))]), notes=notes)


def _row(match: Summary | Damaged, id_: str, invited: bool) -> list[str]:
    """Write when and what was played, by whom, and how it ended."""
    if isinstance(match, Damaged):
        return [id_, "", "unreadable", ""]
    names, points, between = called(match.players), match.score, " - "
    if invited and names == NAMES:
        names = HOST_AND_GUEST
    if match.over:
        first, second = match.score
        between = " drew with " if first == second else " beat "
        if first < second:
            names, points = names[::-1], (second, first)
    result = f"{names[0]}{between}{inside(names[1])}"
    if match.games > 1:
        result += f", {score(points)}"
    if not match.over:
        result += ", unfinished"
    return [id_, local_time(match.updated), match.game, result]


def _abbreviated(ids: list[str]) -> dict[str, str]:
    """Shorten long ids to unique beginnings, which are enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}
