"""The command `zerosum`: its flags, settings and commands, each loaded when called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

import zerosum
from zerosum.cli.config import Settings, bad_setting, check_values, read_config
from zerosum.cli.flags import COMMON, asks_for_help, common
from zerosum.registry import BUILT_IN, games
from zerosum.text import brief, did_you_mean

# What `zerosum --help` says about each command without loading it, by module.
MODULES = {
    "play": {
        "play": "Play against a friend at this keyboard, or the computer.",
        "resume": "Resume a match where it stopped.",
    },
    "web": {"web": "Play in the browser, or invite a friend by link."},
    "mcp": {"mcp": "Let an assistant play, explain and write games (MCP)."},
    "learn": {"learn": "Learn a game step by step, from its goal to a match."},
    "puzzle": {"puzzle": "Solve puzzles: find the one winning move, three every day."},
    "solve": {"solve": "Show the exact value of a position and its moves."},
    "explain": {"explain": "Explain how to play a game well."},
    "starts": {"starts": "Show who wins from each start, and how fast."},
    "levels": {"levels": "Show how strong the computer players are."},
    "review": {"review": "Review a match: accuracy, key moments, every move."},
    "author": {
        "new": "Create a game of your own: a small file to start from.",
        "check": "Check that a game of your own follows the protocol.",
    },
    "lab.audit": {"audit": "Audit a game: who wins, fairness, skill, faults."},
    "lab.measure": {"measure": "Measure how well a player or a program of yours plays."},
    "lab.arena": {"arena": "Let players play against each other, and rate them."},
    "lab.questions": {"questions": "Write questions about decisions, for language models."},
    "history": {"history": "List saved matches."},
    "stats": {"stats": "Count games and wins, and show how well people play."},
    "saved_matches": {
        "show": "Show a match, move by move.",
        "export": "Export a match as a JSON record.",
        "import": "Import a match from a JSON record.",
        "delete": "Delete matches.",
    },
    "about": {
        "games": "List the games and their options.",
        "rules": "Show the rules of a game.",
        "completion": "Print a shell completion script.",
        "help": "Show the help of a command.",
    },
}
COMMANDS = {name: about for group in MODULES.values() for name, about in group.items()}
EPILOG = (
    "Try: zerosum play even-steven\n\n"
    "Exit codes: 0 success (also after 'quit': the match is saved), 1 error, 2 wrong command "
    "line or configuration, 130 stopped by Ctrl-C."
)


def load_command(name: str) -> click.Command:
    """Load a command from its module."""
    module = next(module for module, group in MODULES.items() if name in group)
    function = f"{name}_" if name in ("import", "help") else name
    command: click.Command = getattr(import_module(f"zerosum.cli.commands.{module}"), function)
    return command


def check_tables(config: dict[str, Any]) -> None:
    """Refuse a table that nothing reads, and a value in its place."""
    for name, value in config.items():
        known, table = name in COMMANDS or name in BUILT_IN, isinstance(value, dict)
        if known and not table:
            raise bad_setting(f"{name} must be a table: [{name}].")
        if table and not known and name not in games():
            hint = did_you_mean(name, (*COMMANDS, *games()))
            end = f"; {hint}" if hint else "."
            raise bad_setting(f"[{brief(name)}] is not a command or a game{end}")


class Commands(click.Group):
    """A group that loads a command when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the configuration file first: it has the flags' defaults."""
        try:
            config = read_config()
            check_tables(config)
            values = {key: config[key] for key in config if not isinstance(config[key], dict)}
            known = {str(param.name): param for param in self.params if param.name in COMMON}
            ctx.default_map = config | check_values("", values, known)
        except click.UsageError:
            if not asks_for_help(ctx, args):
                raise
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, most useful first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or suggest the one that was probably meant."""
        name = args[0]
        if name in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if name.startswith("-"):
            raise click.NoSuchOption(name, ctx=ctx)
        if name.lower() in BUILT_IN or name.endswith(".py"):
            hint = f"did you mean: zerosum play {name}?"
            raise click.UsageError(f"'{name[:40]}' is a game, not a command; {hint}", ctx)
        hint = did_you_mean(name, COMMANDS) or "zerosum --help lists the commands."
        raise click.UsageError(f"There is no command '{name[:40]}'; {hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Describe the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(zerosum.__version__, prog_name="zerosum")
@common
def app(settings: Settings) -> None:
    """Play, solve and study two-player games.

    Without a command, opens a menu (in a terminal).
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        from zerosum.cli.menu import Menu

        Menu(ctx, settings, ctx.obj or "").run()
    else:
        with settings.paged() as out:
            out.line(ctx.get_help())
