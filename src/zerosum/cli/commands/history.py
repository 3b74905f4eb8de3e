"""`zerosum history`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import HistoryDocument, MatchSummary, UnreadableMatch
from zerosum.cli.files import local_time
from zerosum.documents import to_json
from zerosum.pictures.labels import columns as width_of
from zerosum.pictures.labels import left as padded
from zerosum.registry import find, is_path
from zerosum.reports import NARROW_TERMINAL, labelled
from zerosum.store import ID_LENGTH, Damaged, Summary
from zerosum.text import score

GAP = "  "
# The width of what is not printed on a terminal.
PIPE_WIDTH = 80
LONGEST_GAME = 20
SHORTEST_RESULT = 20
# A name is not shortened to less than this.
SHORTEST_NAME = 4


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
        readable = [MatchSummary(*match) for match in found if isinstance(match, Summary)]
        unreadable = [UnreadableMatch(*match) for match in found if isinstance(match, Damaged)]
        settings.out.line(to_json(HistoryDocument(matches=readable, unreadable=unreadable)))
        return
    if not found:
        kind = "unfinished" if unfinished else "saved"
        settings.err.line(f"No {kind} matches{' of that game' if game else ''}.")
        return
    ids = _abbreviated([match.id for match in listed])
    _print(settings, found, ids)
    for match in found:
        if isinstance(match, Damaged):
            settings.err.paragraph(match.reason)
    if len(found) < len(listed):
        settings.err.line(f"Showing {len(found)} of {len(listed)} matches; --limit N shows more.")


def _print(settings: Settings, found: Sequence[Summary | Damaged], ids: dict[str, str]) -> None:
    """Print a line for each match: no wider than the screen, or in plain as a sentence."""
    out = settings.out
    columns = ["ID", "Last played", "Game", "Players and result"]
    rows = [
        [ids[match.id], _day(match.updated), match.game]
        if isinstance(match, Summary)
        else [ids[match.id], "", "unreadable"]
        for match in found
    ]
    widths = [max(map(width_of, column)) for column in zip(columns, *rows, strict=False)]
    width = out.columns if out.terminal else PIPE_WIDTH
    widths[2] = min(widths[2], LONGEST_GAME)
    left = max(SHORTEST_RESULT, width - sum(widths) - len(GAP) * len(widths))
    sentences = settings.plain or width < NARROW_TERMINAL
    if not sentences:
        head = [padded(text, wide) for text, wide in zip(columns, widths, strict=False)]
        out.line(GAP.join([*head, columns[-1]]), "strong")
    for match, row in zip(found, rows, strict=True):
        if sentences:
            out.line(labelled(columns, [*row, _result(match)], out.medium))
            continue
        cells = [padded(fitted(text, wide), wide) for text, wide in zip(row, widths, strict=True)]
        out.line(GAP.join([*cells, _result(match, left)]).rstrip())


def _result(match: Summary | Damaged, width: int | None = None) -> str:
    """Write who played and how it ended; where that is too wide, with less of it."""
    if isinstance(match, Damaged):
        return ""  # what is wrong with it would not fit
    first, second = match.score
    names = match.players if second <= first or not match.over else match.players[::-1]
    points = match.score if not match.over else sorted(match.score, reverse=True)
    end = f", {score(points)}" if match.games > 1 else ""
    between = " - " if not match.over else " drew with " if first == second else " beat "
    if not match.over:
        end += ", unfinished"
    if width is not None:
        names = _shortened(names, width - width_of(between + end))
    return between.join(names) + end


def _day(timestamp: str) -> str:
    """Write when a match was played: the time of day, or the year where that was an earlier one."""
    from datetime import datetime

    text = local_time(timestamp)
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        return text
    recent = day.year == datetime.now().astimezone().year
    return f"{day:%b %d %H:%M}" if recent else f"{day:%b %d  %Y}"


def _shortened(names: tuple[str, str], width: int) -> tuple[str, str]:
    """Shorten the longer of two names, or both, to a width in all."""
    first, second = map(width_of, names)
    if first + second <= width:
        return names
    half = max(SHORTEST_NAME, width // 2)
    mine = min(first, max(half, width - second))
    return fitted(names[0], mine), fitted(names[1], max(SHORTEST_NAME, width - mine))


def fitted(text: str, width: int) -> str:
    """Shorten a text to a width, where letters may take two columns.

    >>> fitted("Alexandra", 5), fitted("山田太郎", 5), fitted("Bob", 5)
    ('Alex…', '山田…', 'Bob')
    """
    if width_of(text) <= width:
        return text
    while text and width_of(text) >= width:
        text = text[:-1]
    return f"{text}…"


def _abbreviated(ids: list[str]) -> dict[str, str]:
    """Shorten long ids to a beginning that no other has, since that is enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}
