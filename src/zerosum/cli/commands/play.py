"""`zerosum play`."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.saver import Saver
from zerosum.cli.session import bot_name, play_match
from zerosum.errors import OptionError
from zerosum.match import NAMES, Match
from zerosum.protocol import Game

Bots = tuple[str | None, str | None]
NOBODY: Bots = (None, None)
# Where --vs and --watch may come from; an earlier source beats a later one.
SOURCES: tuple[ParameterSource | None, ...] = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
)
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
    type=flags.Chosen(("1", "2", "random")),
    default="1",
    show_default=True,
    help="Who moves first; random tosses a coin.",
)
@click.option(
    "--games",
    type=flags.Whole(),
    default=1,
    metavar="N",
    show_default=True,
    help="Play a match of N games; players take turns going first.",
)
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
@flags.coach_option
@flags.seed_option
@flags.json_option
@flags.common
def play(
    settings: Settings,
    game: Game[Any],
    names: tuple[str, str] | None,
    first: str,
    games: int,
    clock: float | None,
    vs: str | None,
    watch: tuple[str, str] | None,
    coach: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play GAME: a name (see `zerosum games`), or the path of a file with a game of your own.

    At every prompt, 'help' lists the commands. With --json, the conversation goes
    to standard error and the record of the match to standard output.
    """
    ctx = click.get_current_context()
    bots = _bots(ctx, vs, watch)
    players = names or _names(bots)
    if seed is None and bots != NOBODY:
        from os import urandom

        seed = int.from_bytes(urandom(4), "big")
    try:
        match = Match.new(game, players, _first(first, seed), games, clock, bots, seed)
    except OptionError as error:
        raise flags.bad_value(ctx, error.option, error.message) from error
    toss = f"Coin toss: {players[match.mover]} moves first." if first == "random" else ""
    play_match(match, Saver(settings), as_json, coach, toss)


def _bots(ctx: click.Context, vs: str | None, watch: tuple[str, str] | None) -> Bots:
    """Read which players are bots, and of which level."""
    if vs is None and not watch:
        return NOBODY
    if vs is not None and watch:
        vs_rank, watch_rank = (SOURCES.index(ctx.get_parameter_source(n)) for n in ("vs", "watch"))
        if vs_rank == watch_rank:
            raise flags.bad_value(ctx, "vs", "cannot be combined with --watch.")
        watch = watch if watch_rank < vs_rank else None
    from zerosum.errors import UnknownLevel
    from zerosum.players.levels import check_level

    try:
        if watch:
            return check_level(watch[0]), check_level(watch[1])
        return None, check_level(vs or "")
    except UnknownLevel as error:
        raise flags.bad_value(ctx, "watch" if watch else "vs", str(error)) from error


def _names(bots: Bots) -> tuple[str, str]:
    """Return the default names of the players."""
    first, second = bots
    if second is None:
        return NAMES
    if first is None:
        return NAMES[0], bot_name(second)
    same = first == second
    return first.title() + " 1" * same, second.title() + " 2" * same


def _first(choice: str, seed: int | None) -> int:
    """Decide who moves first."""
    if choice != "random":
        return int(choice) - 1
    from random import Random

    return Random(seed).randrange(2)  # noqa: S311 (a coin, not a secret)
