"""`zerosum show`."""

from __future__ import annotations

from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Console
from zerosum.cli.files import local_time, record_of
from zerosum.match import Match
from zerosum.store import Saved
from zerosum.text import score
from zerosum.wording.words import ending, title_of, transcript


@flags.command()
@flags.match_argument
@flags.own_game_option
@flags.json_option
@flags.common
def show(settings: Settings, match_id: str | None, game: str | None, as_json: bool) -> None:
    """Show the match with this ID, or else the latest one, move by move.

    The beginning of an ID is enough; without one, --game shows the latest match of that game.
    """
    store = settings.store(write=False)
    saved = settings.load(store, match_id, game)
    match = saved.match
    if as_json:
        settings.out.line(record_of(saved))
        return
    if match.over:
        end = _end(match) if match.games > 1 else ending(match, match.round)
    elif store.is_live(saved.id):
        end = "Unfinished. It is being played in the browser."
    else:
        end = f"Unfinished. Resume with: {settings.match_command('resume', saved)}"
    with settings.paged() as out:
        _print(out, saved)
        out.line(f"\n{end}", "aside")


def _print(out: Console, saved: Saved) -> None:
    """Print the games of a match as they looked when played."""
    match, started = saved.match, local_time(saved.started)
    out.line(f"Match {saved.id}, {title_of(match.game)}, started {started}.\n", "aside")
    for number, played in enumerate(match.rounds, 1):
        if match.games > 1:
            out.line(f"Game {number} of {match.games}.\n", "aside")
        for block in transcript(match, played):
            out.game_text(block)
        if match.games > 1:
            out.line()


def _end(match: Match[Any]) -> str:
    """Describe how a match of several games ended."""
    points = score(sorted(match.score, reverse=True))
    if match.champion is None:
        return f"The match was tied, {points}."
    return f"{match.players[match.champion]} won the match, {points}."
