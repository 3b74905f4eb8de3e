"""`zerosum play` and `zerosum resume`."""

from __future__ import annotations

import sys
from typing import Any

import click

from zerosum.cli.answers import COMMANDS
from zerosum.cli.flags import GameCommand, Seconds, Whole, complete_game, variant
from zerosum.cli.keeper import Keeper
from zerosum.cli.minds import Minds
from zerosum.cli.reader import Reader
from zerosum.cli.session import Left, Session, where
from zerosum.cli.settings import Settings, as_json, common, read_config
from zerosum.errors import OptionError, ZerosumError
from zerosum.match import NAMES, Match
from zerosum.store import Saved, Store, StoreError, open_store
from zerosum.store.base import Unwritable

Bots = tuple[str | None, str | None]
NOBODY: Bots = (None, None)
# Written out, since loading the levels would delay the first prompt; a test compares.
LEVELS = "random, easy, medium, hard or perfect"


def complete_level(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the levels for completion."""
    return [level for level in levels() if level.startswith(incomplete)]


def levels() -> tuple[str, ...]:
    """List the levels of the computer."""
    from zerosum.players.levels import LEVELS as KNOWN

    return KNOWN


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@click.option("--names", nargs=2, metavar="A B", help="The names of the two players.")
@click.option(
    "--first",
    type=click.Choice(["1", "2", "random"]),
    default="1",
    show_default=True,
    help="Who moves first; random tosses a coin.",
)
@click.option(
    "--games",
    type=Whole(),
    default=1,
    metavar="N",
    show_default=True,
    help="Play a match of N games; the first move alternates.",
)
@click.option("--clock", type=Seconds(), metavar="SECONDS", help="The time for each turn.")
@click.option(
    "--vs",
    metavar="LEVEL",
    shell_complete=complete_level,
    help=f"Play against the computer: {LEVELS}.",
)
@click.option(
    "--watch", nargs=2, metavar="A B", shell_complete=complete_level, help="Watch two levels play."
)
@click.option("--coach", is_flag=True, help="Show the value and length of every move.")
@click.option("--seed", type=Whole(), metavar="N", help="Random seed, for reproducible games.")
@as_json
@common
def play(
    settings: Settings,
    game: str,
    names: tuple[str, str] | None,
    first: str,
    games: int,
    clock: float | None,
    vs: str | None,
    watch: tuple[str, str] | None,
    coach: bool,
    seed: int | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Play GAME: a name (see `zerosum games`), or the path of a file with a game of your own.

    At every prompt 'help' lists the words that work there. With --json the conversation
    goes to standard error, and the record of the match to standard output.
    """
    ctx = click.get_current_context()
    made = variant(ctx, options)
    look = settings.err if as_json else settings.out
    bots = _bots(ctx, vs, watch)
    players = names or _names(bots)
    seed = seed_for(bots, seed)
    try:
        match = Match.new(made, players, _first(first, seed), games, clock, bots, seed)
    except OptionError as error:
        raise click.UsageError(f"--{error}", ctx) from error
    minds = Minds(settings, match)
    if bots != NOBODY:
        minds.prepare(match)
    keeper = new_keeper(settings)
    if first == "random":
        look.say(f"The coin is tossed: {players[match.mover]} moves first.\n", "aside")
    return drive(settings, match, keeper, as_json, coach, minds)[0]


def seed_for(bots: Bots, seed: int | None) -> int | None:
    """Give programs a seed, if nobody has chosen one."""
    if seed is not None or bots == NOBODY:
        return seed
    import os

    return int.from_bytes(os.urandom(4), "big")


def _bots(ctx: click.Context, vs: str | None, watch: tuple[str, str] | None) -> Bots:
    """Read which players are programs, and of which level."""
    if vs is None and not watch:
        return NOBODY
    if vs is not None and watch:
        raise click.UsageError("--vs and --watch contradict each other: choose one.", ctx)
    from zerosum.errors import UnknownLevel
    from zerosum.players.levels import check_level

    try:
        return (
            (check_level(watch[0]), check_level(watch[1]))
            if watch
            else (None, check_level(vs or ""))
        )
    except UnknownLevel as error:
        raise click.UsageError(str(error), ctx) from error


def computer(level: str) -> str:
    """Name a program by its level."""
    return f"Computer ({level})"


def _names(bots: Bots) -> tuple[str, str]:
    """Name the players whom nobody has named."""
    first, second = bots
    if second is None:
        return NAMES
    if first is None:
        return NAMES[0], computer(second)
    same = first == second
    return first.title() + " 1" * same, second.title() + " 2" * same


def complete_match(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of matches for completion."""
    db = ctx.params.get("db") or (ctx.parent.params.get("db") if ctx.parent else None)
    try:
        store = open_store(Settings(read_config(), db).path, write=False)
        found = store.matches(unfinished=ctx.command.name == "resume")
    except (ZerosumError, click.UsageError):
        return []  # a completion has nobody to complain to
    return [match.id for match in found if match.id.startswith(incomplete)]


@click.command()
@click.argument("match_id", metavar="[ID]", required=False, shell_complete=complete_match)
@click.option("--game", metavar="FILE", help="Where the rules are now, if they have moved.")
@click.option("--coach", is_flag=True, help="Show the value and length of every move.")
@as_json
@common
def resume(
    settings: Settings, match_id: str | None, game: str | None, coach: bool, as_json: bool
) -> int:
    """Resume a match: the unfinished one that was played last, or the one with this ID.

    The beginning of an ID is enough. A turn that was interrupted has its full time again.
    """
    store = open_store(settings.path)
    wanted = match_id or store.latest_open()
    if wanted is None:
        raise StoreError("There is no unfinished match. Start one with: zerosum play GAME")
    saved = store.load(wanted, game)
    if saved.match.over:
        look = settings.command("show", saved.id)
        raise StoreError(f"Match {saved.id} is over. Show it with: {look}")
    if store.live_version(saved.id) is not None:
        raise StoreError(f"Match {saved.id} is being played in the browser; continue there.")
    return go_on(settings, store, saved, as_json, coach)[0]


def go_on(
    settings: Settings,
    store: Store,
    saved: Saved,
    as_json: bool = False,
    coached: bool = False,
) -> tuple[int, Match[Any]]:
    """Resume a saved match."""
    keeper = Keeper(store, _warn(settings), settings.command, saved)
    look = settings.err if as_json else settings.out
    match = saved.match.next_game() if saved.match.round.end else saved.match
    look.remark(f"Match {saved.id}: {standing(match)}\n")
    return drive(settings, match, keeper, as_json, coached)


def drive(
    settings: Settings,
    match: Match[Any],
    keeper: Keeper,
    as_json: bool = False,
    coached: bool = False,
    minds: Minds | None = None,
) -> tuple[int, Match[Any]]:
    """Play a match at this keyboard; give the exit code, and the match as it was left."""
    if minds is None:
        minds = Minds(settings, match)
        if match.bots != NOBODY:
            minds.prepare(match)
    look = settings.err if as_json else settings.out
    session = Session(match, keeper, Reader.stdin(), look, minds, COMMANDS, coached)
    try:
        session.run()
    except Left:
        look.stream.flush()
        settings.err.remark(keeper.farewell(session.match), "")
    except KeyboardInterrupt:
        look.write("\n")
        look.stream.flush()
        settings.err.remark(keeper.farewell(session.match), "")
        return 130, session.match
    if as_json:
        from zerosum.record import dumps, to_record

        about = {"id": keeper.id} if keeper.id else {}
        settings.out.say(dumps(to_record(session.match, **about)))
    sys.stdout.flush()
    return 0, session.match


def _first(choice: str, seed: int | None) -> int:
    """Decide who moves first."""
    if choice != "random":
        return int(choice) - 1
    from random import Random

    return Random(seed).randrange(2)  # noqa: S311 (a coin, not a secret)


def new_keeper(settings: Settings) -> Keeper:
    """Keep a new match, or play without keeping it where nothing can be written."""
    warn = _warn(settings)
    store: Store | None = None
    try:
        store = open_store(settings.path)
    except Unwritable as error:
        warn(f"{error}\nYou can play on, but nothing will be saved.")
    return Keeper(store, warn, settings.command)


def _warn(settings: Settings) -> Any:
    """Say something on standard error, in its place between the lines of the game."""

    def warn(text: str) -> None:
        sys.stdout.flush()
        settings.err.say(f"Note: {text}", "problem")

    return warn


def standing(match: Match[Any]) -> str:
    """Tell where a match stands."""
    from zerosum.text import half_points
    from zerosum.wording import title_of, words_of

    text = f"{title_of(match.game)}, {' against '.join(match.players)}"
    if match.games > 1:
        score = " to ".join(map(half_points, match.score))
        text += f", game {match.number} of {match.games}, {score}"
    at = where(words_of(match.game), match.state, match.seated)
    return f"{text}, after {match.ply} {'move' if match.ply == 1 else 'moves'}. {at}".rstrip()
