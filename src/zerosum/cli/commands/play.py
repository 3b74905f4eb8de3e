"""`zerosum play` and `zerosum resume`."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.playing.loop import play_match, why_computer_begins
from zerosum.cli.playing.match_setup import AUTO, NOBODY, new_match, summary_of_match
from zerosum.cli.playing.saver import Saver
from zerosum.errors import StoreError
from zerosum.protocol import Game
from zerosum.registry import find

# Written out, since loading the levels would delay the first prompt; a test compares.
LEVELS_HELP = "random, easy, medium, hard or perfect"


def complete_level(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a level."""
    from zerosum.players.levels import LEVELS

    return [level for level in LEVELS if level.startswith(incomplete)]


@flags.game_command()
@flags.game_argument
@click.option("--names", nargs=2, metavar="A B", help="Names of the two players.")
@click.option(
    "--first",
    type=flags.Chosen((AUTO, "1", "2", "random")),
    default=AUTO,
    show_default=True,
    help="Who moves first: auto is 1, or the computer if moving first loses.",
)
@flags.number("--games", "Play a match of N games; players take turns going first.", 1)
@click.option("--clock", type=flags.Seconds(), metavar="SECONDS", help="Time for each turn.")
@click.option(
    "--vs",
    metavar="LEVEL",
    shell_complete=complete_level,
    help=f"Play against the computer: {LEVELS_HELP}.",
)
@click.option(
    "--watch",
    nargs=2,
    metavar="A B",
    shell_complete=complete_level,
    help="Watch two levels play each other.",
)
@click.option("--quiet", is_flag=True, help="With --watch, print only the final score.")
@flags.coach_option
@flags.seed_option
@flags.json_option
@flags.common
def play(
    settings: Settings,
    game: Game[Any],
    quiet: bool,
    coach: bool,
    as_json: bool,
    **flagged: Any,
) -> None:
    """Play GAME: a name (see `zerosum games`), or the path of a file with a game of your own.

    At every prompt, 'help' lists the commands. With --json, the conversation goes
    to standard error and the record of the match to standard output.
    """
    ctx = click.get_current_context()
    match, first = new_match(ctx, game, flagged), flagged["first"]
    if quiet and None in match.bots:
        raise flags.bad_value(ctx, "quiet", "works only with --watch.")
    opening = f"Coin toss: {match.players[match.mover]} moves first." if first == "random" else ""
    if first == AUTO and match.bots != NOBODY and match.bots[0] is None:
        from zerosum.cli.playing.analysis import Analysis

        opening = why_computer_begins(Analysis.of(settings, game))
        if opening:
            match = new_match(ctx, game, {**flagged, "first": "2"})
    play_match(match, Saver(settings, coach=coach), as_json, opening, quiet)


@flags.command()
@flags.match_argument
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
    wanted = match_id or store.latest(find(game).name if game else None, unfinished=True)
    if wanted is None:
        raise settings.no_match("unfinished", game)
    saved = settings.load(store, wanted, game)
    match = saved.match
    if match.over:
        show = settings.match_command("show", saved)
        raise StoreError(f"Match {saved.id} is over. Show it with: {show}")
    if store.is_live(saved.id):
        raise StoreError(f"Match {saved.id} is being played in the browser; continue there.")
    coached = saved.coach if coach is None else coach
    if game is not None or coached != saved.coach:
        saved = saved._replace(coach=coached)
        store.save_about(saved)
    if match.round.end:
        match = match.next_game()
    opening = f"Match {saved.id}: {summary_of_match(match)}"
    play_match(match, Saver(settings, store, saved, coached), as_json, opening)
