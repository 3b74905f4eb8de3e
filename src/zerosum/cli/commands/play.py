"""`zerosum play` and `zerosum resume`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.cli.config import Settings, tokens_folder
from zerosum.cli.playing.loop import play_match, why_computer_begins
from zerosum.cli.playing.match_setup import (
    AUTO,
    NOBODY,
    called,
    first_among,
    new_match,
    summary_of_match,
    to_you,
)
from zerosum.cli.playing.saver import Saver
from zerosum.errors import StoreError
from zerosum.match import is_engine
from zerosum.registry import find
from zerosum.text import either

if TYPE_CHECKING:
    from zerosum.store import Saved

# In the `meta` of a click context: the server to play on, and the id of a match on it.
SERVER = "zerosum.server"
# Written out, since loading the levels would delay the first prompt; a test compares.
LEVELS_HELP = "random, easy, medium, hard or perfect"
OWN_HELP = "or your own, exec:./my-engine or ./mine.py:choose (docs/engines.md)"


def complete_level(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a level."""
    from zerosum.players.levels import LEVELS

    return [level for level in LEVELS if level.startswith(incomplete)]


class PlayCommand(flags.GameCommand):
    """A command whose game may be on a server: then its options are asked for there."""

    def defaults(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Find the server first; the link of a match names no game."""
        parser, own = self.make_parser(ctx), flags.Command.defaults(self, ctx, args)
        parser.ignore_unknown_options = True
        param = next(param for param in self.params if param.name == "server")
        url = parser.parse_args(list(args))[0].get("server")
        if url is None:
            url = param.resolve_envvar_value(ctx) or own.get("server")
        if url is None or ctx.resilient_parsing:
            return super().defaults(ctx, args)
        from zerosum.web.client import ServerClient, ServerError, read_address

        try:
            origin, match = read_address(str(url))
        except ServerError as error:
            raise click.BadParameter(str(error), ctx, param) from error
        ctx.meta[SERVER] = ServerClient(origin, tokens_folder()), match
        if match:
            return {"game": "", **own}
        found = super().defaults(ctx, args)
        if flags.META not in ctx.meta:
            games = either(list(ctx.meta[SERVER][0].games()))
            raise click.UsageError(f"Choose a game of {origin}: {games}.", ctx)
        return found

    def entry(self, ctx: click.Context, name: str) -> Any:
        """Find a game, on the server if there is one."""
        if SERVER in ctx.meta:
            return ctx.meta[SERVER][0].game(name)
        return super().entry(ctx, name)


@click.command(cls=PlayCommand)
@flags.game_argument
@click.option(
    "--server",
    metavar="URL",
    help="Play on a server: its address for a new match, or the link of a match.",
)
@click.option("--names", type=flags.NAME, nargs=2, metavar="A B", help="Names of the two players.")
@click.option(
    "--first",
    type=flags.Chosen((AUTO, "1", "2", "random"), me="me", computer="computer"),
    default=AUTO,
    show_default=True,
    help="Who moves first: 1 (or me), 2 (or computer); auto is 1, or 2 if moving first loses.",
)
@flags.number("--games", "Play a match of N games; players take turns going first.", 1)
@click.option("--clock", type=flags.seconds(), metavar="SECONDS", help="Time for each turn.")
@click.option(
    "--vs",
    metavar="PLAYER",
    shell_complete=complete_level,
    help=f"Play against the computer: {LEVELS_HELP}; {OWN_HELP}.",
)
@click.option(
    "--watch",
    nargs=2,
    metavar="A B",
    shell_complete=complete_level,
    help="Watch two levels or programs play each other.",
)
@click.option("--quiet", is_flag=True, help="With --watch, print only the final score.")
@flags.coach_option
@flags.seed_option
@flags.json_option
@flags.common
def play(
    settings: Settings,
    game: Any,
    quiet: bool,
    coach: bool,
    as_json: bool,
    server: str | None,
    **flagged: Any,
) -> None:
    """Play GAME: a name (see `zerosum games`), or the path of a file with a game of your own.

    With --server, you play on a server; with the link of a match, you join, resume or watch it.

    At every prompt, 'help' lists the commands. With --json, the conversation goes
    to standard error and the record of the match to standard output.
    """
    ctx = click.get_current_context()
    if server is not None:
        flagged |= {"quiet": quiet, "coach": coach, "as_json": as_json}
        _play_at_server(ctx, settings, game, flagged)
        return
    match, first = new_match(ctx, game, flagged), flagged["first"]
    if quiet and None in match.bots:
        raise flags.bad_value(ctx, "quiet", "works only with --watch.")
    mover = called(match.players)[match.mover]
    opening = to_you(f"Coin toss: {mover} moves first.") if first == "random" else ""
    if first == AUTO and match.bots != NOBODY and match.bots[0] is None:
        from zerosum.cli.playing.analysis import Analysis

        opening = why_computer_begins(Analysis.of(settings, game))
        if opening:
            match = new_match(ctx, game, {**flagged, "first": "2"})
    play_match(match, Saver(settings, coach=coach), as_json, opening, quiet)


def _play_at_server(ctx: click.Context, settings: Settings, game: Any, flagged: Any) -> None:
    """Play at a table of a server; refuse flags that do not apply there."""
    from zerosum.cli.playing.server_session import play_at_server

    server, match = ctx.meta[SERVER]
    for name in ("watch", "quiet", "seed"):
        if flagged[name]:
            raise flags.bad_value(ctx, name, "does not work with --server.")
    for name in ("game", "names", "vs", "first", "games", "clock", "coach") if match else ():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise flags.bad_value(ctx, name, "is for a new match, but the link is of one.")
    wanted: dict[str, Any] = {"names": list(flagged["names"] or ())}
    if not match:
        wanted |= {**game, **{name: flagged[name] for name in ("games", "clock")}}
        wanted["first"] = first_among(ctx, flagged["first"], bool(flagged["vs"]))
        wanted["mode"] = "bot" if flagged["vs"] else "friend"
        wanted["coach"] = "on" if flagged["coach"] else "ask" if flagged["vs"] else "off"
    if not match and flagged["vs"]:
        wanted["level"] = flagged["vs"]
    play_at_server(settings, server, match, wanted, flagged["as_json"])


@flags.command()
@flags.match_argument
@flags.own_game_option
@click.option(
    "--vs",
    "named",
    metavar="PLAYER",
    multiple=True,
    help="Start this program again, if the match is against it; nothing else is started.",
)
@click.option(
    "--coach/--no-coach", default=None, help="Show what every move is worth.  [default: as before]"
)
@flags.json_option
@flags.common
def resume(
    settings: Settings,
    match_id: str | None,
    game: str | None,
    named: tuple[str, ...],
    coach: bool | None,
    as_json: bool,
) -> None:
    """Resume the match with this ID, or else the latest unfinished one.

    The beginning of an ID is enough; without one, --game resumes the latest match of that game.
    An interrupted turn gets its full time again.
    """
    store = settings.store()
    name = find(game).name if game else None
    wanted = match_id or store.latest(name, unfinished=True)
    if wanted is None:
        if any(store.is_live(found.id) for found in store.matches(name) if not found.over):
            web = settings.command_line("web")
            raise StoreError(f"Your unfinished matches are in the browser. Open it with: {web}")
        raise settings.no_match("unfinished", game)
    saved = settings.load(store, wanted, game)
    match = saved.match
    if match.over:
        show = settings.match_command("show", saved)
        raise StoreError(f"Match {saved.id} is over. Show it with: {show}")
    if store.is_live(saved.id):
        raise StoreError(f"Match {saved.id} is being played in the browser; continue there.")
    _check_named(settings, saved, named)
    coached = saved.coach if coach is None else coach
    if game is not None or coached != saved.coach:
        saved = saved._replace(coach=coached)
        store.save_about(saved)
    match = match.begun()
    opening = f"Match {saved.id}: {summary_of_match(match)}"
    play_match(match, Saver(settings, store, saved, coached), as_json, opening)


def _check_named(settings: Settings, saved: Saved, named: tuple[str, ...]) -> None:
    """Refuse to start a program because a database says so: the command line must name it too."""
    from shlex import quote  # a command from elsewhere must not read as part of the sentence

    engines = [bot for bot in saved.match.bots if is_engine(bot)]
    typed = list(map(_on_a_line, named))
    if unknown := [name for name in typed if name not in map(_on_a_line, engines)]:
        whose = either(list(map(quote, engines))) if engines else "no program"
        raise StoreError(f"Match {saved.id} is against {whose}, not {quote(unknown[0])}.")
    if missing := [name for name in engines if _on_a_line(name) not in typed]:
        from zerosum.players.engines import check_engine

        check_engine(missing[0])  # which might be a server's own program
        text = f"Match {saved.id} is against {quote(missing[0])}, which starts only if you name it"
        raise StoreError(f"{text}. If you trust it, run: {settings.match_command('resume', saved)}")


def _on_a_line(name: str) -> str:
    """Return a name as it was before a terminal wrapped it."""
    return " ".join(name.split())
