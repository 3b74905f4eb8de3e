"""`zerosum games`, `rules`, `completion` and `help`: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.errors import ZerosumError
from zerosum.options import option_values, options_of, written
from zerosum.registry import Entry, find
from zerosum.registry import games as names
from zerosum.wording.rulebook import rulebook_of, summary_of
from zerosum.wording.words import title_of

if TYPE_CHECKING:
    from zerosum.cli.documents import GameListing


@flags.command()
@flags.json_option
@flags.common
def games(settings: Settings, as_json: bool) -> None:
    """List the games, built in or added by other packages, and their options."""
    rows, options, entries = [], [], []
    for name in names():
        try:
            entry = find(name)
        except ZerosumError as error:
            rows.append((name, f"could not be loaded: {error}"))
            continue
        entries.append(entry)
        rows.append((name, summary_of(entry.variant())))
        options += [
            (name, f"--{option.flag}", written(option.default), option.about)
            for option in options_of(entry.game)
        ]
    if as_json:
        from zerosum.cli.documents import GamesDocument
        from zerosum.documents import to_json

        settings.out.line(to_json(GamesDocument(games=list(map(_listing, entries)))))
        return
    with settings.paged() as out:
        out.table("Games", ("Game", "What it is"), rows)
        out.table("Options", ("Game", "Option", "Default", "What it is"), options)


def _listing(entry: Entry) -> GameListing:
    """Describe a game and its options."""
    from zerosum.cli.documents import GameListing, OptionListing

    variant = entry.variant()
    defaults = option_values(variant)
    options = [
        OptionListing(**option._asdict() | {"default": defaults[option.name]}, kind=option.kind)
        for option in options_of(entry.game)
    ]
    return GameListing(entry.name, title_of(variant), summary_of(variant), options)


@flags.command()
@flags.game_argument
@flags.json_option
@flags.common
def rules(settings: Settings, game: str, as_json: bool) -> None:
    """Show the rules of GAME, a name or a file."""
    entry = find(game)
    made = entry.variant()
    text = rulebook_of(made)
    if as_json:
        from zerosum.cli.documents import RulesDocument
        from zerosum.documents import to_json

        rules = RulesDocument(game=entry.name, title=title_of(made), text=text)
        settings.out.line(to_json(rules))
        return
    with settings.paged() as out:
        out.page(text)


@flags.command()
@click.argument("shell", metavar="SHELL", type=flags.Chosen(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    \b
    In ~/.bashrc: eval "$(zerosum completion bash)"
    In ~/.zshrc:  eval "$(zerosum completion zsh)"
    For fish:     zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """  # noqa: D301 (click keeps the lines after \b)
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 (click has all three)
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "zerosum", "_ZEROSUM_COMPLETE").source())


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
    words = [word for word in (command, game) if word]
    app = click.get_current_context().find_root().command
    app.main([*words, "--help"], "zerosum", standalone_mode=False)
