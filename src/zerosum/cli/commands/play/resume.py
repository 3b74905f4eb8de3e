"""`zerosum resume`."""

from __future__ import annotations

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.playing.loop import play_match
from zerosum.cli.playing.saver import Saver
from zerosum.cli.playing.sentences import summary_of_match
from zerosum.errors import StoreError
from zerosum.registry import find


@flags.command()
@click.argument("match_id", metavar="[ID]", required=False, shell_complete=flags.complete_match)
@flags.own_game_option
@click.option(
    "--coach/--no-coach", default=None, help="Show what every move is worth.  [default: as before]"
)
@flags.json_option
@flags.common
def resume(
    settings: Settings, match_id: str | None, game: str | None, coach: bool | None, as_json: bool
) -> None:
    """Resume the match with this ID, or else the latest unfinished one.

    The beginning of an ID is enough; without one, --game resumes the latest match of that game.
    An interrupted turn gets its full time again.
    """
    store = settings.store()
    wanted = match_id or store.latest_open(find(game).name if game else None)
    if wanted is None:
        start = settings.command_line("play", game or "GAME")
        of_game = " of this game" if game else ""
        raise StoreError(f"There is no unfinished match{of_game}. Start one with: {start}")
    saved = settings.load(store, wanted, game)
    match = saved.match
    if match.over:
        show = settings.match_command("show", saved)
        raise StoreError(f"Match {saved.id} is over. Show it with: {show}")
    if store.live_version(saved.id) is not None:
        raise StoreError(f"Match {saved.id} is being played in the browser; continue there.")
    if game is not None:
        store.save_rules(saved)
    coached = saved.coach if coach is None else coach
    if coached != saved.coach:
        store.save_coach(saved, coached)
    if match.round.end:
        match = match.next_game()
    opening = f"Match {saved.id}: {summary_of_match(match)}"
    play_match(match, Saver(settings, store, saved, coached), as_json, coached, opening)
