"""`zerosum help`."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings


def complete_command(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a command."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)  # noqa: S101 (for the type checker)
    return [name for name in root.command.list_commands(root) if name.startswith(incomplete)]


@flags.command(name="help")
@click.argument("command", required=False, shell_complete=complete_command)
@click.argument("game", required=False, shell_complete=flags.complete_game)
@flags.common
def help_(settings: Settings, command: str | None, game: str | None) -> None:
    """Show the help of COMMAND, or list the commands; with GAME, its options too."""
    root = click.get_current_context().find_root()
    assert isinstance(root.command, click.Group)  # noqa: S101 (for the type checker)
    if command is None:
        text = root.get_help()
    else:
        name, found, _ = root.command.resolve_command(root, [command])
        assert found is not None  # noqa: S101 (an unknown one is an error)
        args = [game, "--help"] if game else ["--help"]
        text = _help(found, name or command, args, root)
    with settings.paged() as out:
        out.line(text)


def _help(command: click.Command, name: str, args: list[str], root: click.Context) -> str:
    """Return what a command would print with --help."""
    ctx = command.context_class(command, info_name=name, parent=root, resilient_parsing=True)
    command.parse_args(ctx, args)
    return command.get_help(ctx)
