"""The command and its parts, each loaded when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

import zerosum
from zerosum.cli.dirs import config_file
from zerosum.cli.settings import Settings, common, read_config
from zerosum.registry import BUILT_IN, games

# Where each command is, and what `zerosum --help` says of it without loading it.
COMMANDS = {
    "play": ("zerosum.cli.play:play", "Play a game, two at one keyboard or against the computer."),
    "resume": ("zerosum.cli.play:resume", "Resume a match where it stopped."),
    "web": ("zerosum.cli.web:web", "Play in the browser, or invite a friend by link."),
    "solve": ("zerosum.cli.analysis:solve", "Show the exact value of a position and its moves."),
    "explain": ("zerosum.cli.analysis:explain", "Explain how to win a game, with a map."),
    "starts": ("zerosum.cli.surveys:starts", "Show who wins from each start, and how fast."),
    "levels": ("zerosum.cli.surveys:levels", "Show how strong the computer players are."),
    "review": ("zerosum.cli.study:review", "Review a match: mistakes and the turning point."),
    "puzzle": ("zerosum.cli.study:puzzle", "Solve puzzles: find the one winning move."),
    "new": ("zerosum.cli.new:new", "Create a game of your own: a small file to start from."),
    "check": ("zerosum.cli.check:check", "Check that a game of your own follows the protocol."),
    "games": ("zerosum.cli.books:games", "List the games and their options."),
    "rules": ("zerosum.cli.books:rules", "Show the rules of a game."),
    "history": ("zerosum.cli.archive:history", "List the matches that were played."),
    "show": ("zerosum.cli.archive:show", "Show a match again, move by move."),
    "stats": ("zerosum.cli.archive:stats", "Count games and wins, by player and by seat."),
    "export": ("zerosum.cli.archive:export", "Write a match as a JSON record."),
    "import": ("zerosum.cli.archive:import_", "Read a JSON record into the history."),
    "completion": ("zerosum.cli.books:completion", "Print the completion script of a shell."),
}
KEYS = ("db", "plain", "no_color")
EPILOG = (
    "Exit codes: 0 done (also when you quit; the match is saved), 1 an error, 2 a wrong command "
    "line, 130 stopped by Ctrl-C. Try: zerosum play even-steven"
)


class Commands(click.Group):
    """A group whose commands are loaded one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order in which they are useful."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or offer the one that was probably meant."""
        name = args[0]
        if name in COMMANDS or ctx.resilient_parsing:
            found = super().resolve_command(ctx, args)
            check_table(name, ctx.default_map or {}, found[1])
            return found
        if name.startswith("-"):
            raise click.NoSuchOption(name, ctx=ctx)
        if name.lower() in BUILT_IN or name.endswith(".py"):
            raise click.UsageError(f"Did you mean: zerosum play {name}?", ctx)
        from difflib import get_close_matches

        close = get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean: zerosum {close[0]}?" if close else ""
        raise click.UsageError(f"There is no command '{name[:40]}'.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Describe the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def check_config(config: dict[str, Any]) -> None:
    """Refuse settings that nothing reads: a misspelt one would be ignored in silence."""
    for name, value in config.items():
        known = name in (COMMANDS if isinstance(value, dict) else KEYS)
        if not known and isinstance(value, dict):
            known = name in BUILT_IN or name in games()
        if not known:
            raise click.UsageError(
                f"{config_file()}: '{name[:40]}' is not a setting; the settings are "
                f"{', '.join(KEYS)}, and tables with the name of a command or of a game."
            )


def check_table(name: str, tables: Mapping[str, Any], command: click.Command | None) -> None:
    """Refuse a setting of a command that it does not have."""
    known = {param.name for param in command.params} if command else set()
    for key in tables.get(name, {}):
        if command and key not in known:
            raise click.UsageError(f"{config_file()}: zerosum {name} has no setting '{key[:40]}'.")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(zerosum.__version__, prog_name="zerosum")
@common
def app(settings: Settings) -> None:
    """Two-player games: play, solve and study them.

    Without a command, on a terminal: a short menu.
    """
    ctx = click.get_current_context()
    config = read_config()
    check_config(config)
    named = os.environ.get("ZEROSUM_PLAIN", "").lower()
    plain = config.get("plain", False) if not named else named not in ("0", "false", "no", "off")
    plain = settings.plain or plain
    color = settings.no_color or config.get("no_color", False)
    ctx.obj = Settings(config, settings.db, plain, color)
    ctx.default_map = {name: table for name, table in config.items() if isinstance(table, dict)}
    if ctx.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from zerosum.cli.menu import menu

            ctx.exit(menu(ctx.obj))
        click.echo(ctx.get_help())
