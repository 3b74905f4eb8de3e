"""`zerosum web`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.errors import MissingExtra
from zerosum.registry import find, games, is_path, loading
from zerosum.registry.loading import file_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zerosum.web.limits import ServerLimits


@flags.command()
@click.argument("files", nargs=-1, metavar="[GAME_FILES]...", type=click.Path())
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets others on your network in.",
)
@flags.number("--port", "Port to listen on; 0 picks a free one.", 8000, least=0, most=65_535)
@click.option(
    "--trust-proxy",
    is_flag=True,
    help="Trust the X-Forwarded headers of a proxy in front (docs/deploy.md).",
)
@flags.number("--workers", "Number of processes; more than one needs PostgreSQL.", 1, 1, 64)
@click.option("--bots", is_flag=True, help="List bots that are open to challenges (docs/bots.md).")
@click.option(
    "--engine",
    "engines",
    metavar="NAME=COMMAND",
    multiple=True,
    help="Offer a program of yours as an opponent (docs/engines.md); may be repeated.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option(
    "--log/--quiet", default=None, help="Log every request, or only problems (quiet on a terminal)."
)
@flags.common
def web(
    settings: Settings,
    files: tuple[str, ...],
    host: str,
    port: int,
    trust_proxy: bool,
    workers: int,
    bots: bool,
    engines: tuple[str, ...],
    no_open: bool,
    log: bool | None,
) -> None:
    """Play in the browser: all games, and those in GAME_FILES of your own.

    Matches are saved as they are played. To run it for others, see docs/deploy.md.
    """
    ctx = click.get_current_context()
    try:
        from zerosum.web.app import build  # which imports everything else
    except ModuleNotFoundError as error:
        raise MissingExtra("Playing in the browser", "web") from error
    from zerosum.web.http.server import serve
    from zerosum.web.settings import ServerSettings

    loading.before_loading = loading.load_here  # the server has processes of its own for that
    code = serve(
        ServerSettings(
            db=settings.db,
            host=host,
            port=port,
            trust_proxy=trust_proxy,
            workers=workers,
            files=tuple(_own_game(ctx, name) for name in files),
            cache=cache_dir(),
            limits=_limits(ctx),
            open=not no_open and has_desktop(),
            engines=tuple(_engines(ctx, engines).items()),
            bots=bots,
            quiet=not log if log is not None else sys.stderr.isatty(),
            typed=tuple(_typed(ctx)),
        ),
        build,
    )
    if sys.stderr.isatty():
        settings.err.aside("Stopped. Every move is saved.")
    ctx.exit(code)


def _typed(ctx: click.Context) -> Iterator[str]:
    """Return the command line's flags and files, to be typed with another --host."""
    from zerosum.store.address import redacted

    for param in ctx.command.params:
        value, typed = flags.common_value(ctx, str(param.name))
        if param.name == "host" or not typed:
            continue
        if isinstance(param, click.Argument):
            yield from value
        elif isinstance(param, click.Option) and param.multiple:
            for each in value:
                yield from (param.opts[0], each)
        elif isinstance(param, click.Option) and param.is_flag:
            yield (param.opts if value else param.secondary_opts)[0]
        else:
            yield from (param.opts[0], redacted(str(value)))


def _engines(ctx: click.Context, named: tuple[str, ...]) -> dict[str, str]:
    """Read the command lines of the operator's programs by name; refuse what cannot be run."""
    from zerosum.players.asked import UnknownPlayer
    from zerosum.players.engines import check_served
    from zerosum.players.programs import check_command

    found: dict[str, str] = {}
    for text in named:
        name, equals, command = text.partition("=")
        try:
            if not equals:
                raise UnknownPlayer("Name a program and its command line: NAME=COMMAND.")
            check_command(command, f"{name}=")
            if check_served(name).casefold() in map(str.casefold, found):
                raise UnknownPlayer(f"Two programs are called {name}.")
        except UnknownPlayer as error:
            raise flags.bad_value(ctx, "engines", str(error)) from error
        found[name] = command
    return found


def _own_game(ctx: click.Context, name: str) -> str:
    """Check that a game is in a user's own file; other processes run it."""
    if is_path(name):
        file_named(name)
        return name
    known = name if name in games() else find(name).name
    raise click.UsageError(
        f"{known} is built in; name only your own files, such as ./my_game.py.", ctx
    )


def _limits(ctx: click.Context) -> ServerLimits:
    """Read the limits from the environment."""
    from zerosum.web.limits import LimitError, ServerLimits

    try:
        return ServerLimits.read(os.environ)
    except LimitError as error:
        raise click.UsageError(str(error), ctx) from error


def has_desktop() -> bool:
    """Return whether somebody here can see a browser open."""
    if not sys.stdout.isatty() or any(map(os.environ.get, ("SSH_CONNECTION", "SSH_TTY"))):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
