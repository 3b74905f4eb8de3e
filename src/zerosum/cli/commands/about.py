"""`zerosum games`, `rules`, `completion` and `help`: what there is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.errors import ZerosumError
from zerosum.options import option_values, options_of, written
from zerosum.registry import Entry, find
from zerosum.registry import games as names
from zerosum.reports import Grid, Report, Section
from zerosum.wording.texts import rulebook_of, summary_of
from zerosum.wording.words import title_of

if TYPE_CHECKING:
    from zerosum.cli.listings import GamesDocument, RulesDocument


@flags.command()
@flags.printed
def games(settings: Settings) -> Findings:
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
        own = options_of(entry.game)
        options += [(name, f"--{o.flag}", written(o.default), o.about) for o in own]
    sections = [
        Section("Games", [Grid(("Game", "What it is"), rows)]),
        Section("Options", [Grid(("Game", "Option", "Default", "What it is"), options)]),
    ]
    return Findings(partial(_games_document, entries), Report("", sections))


def _games_document(entries: list[Entry]) -> GamesDocument:
    """Describe the games and their options."""
    from zerosum.cli.listings import GameListing, GamesDocument, OptionListing

    listings = []
    for entry in entries:
        variant = entry.variant()
        values = option_values(variant)
        listed = [
            OptionListing(**option._asdict() | {"default": values[option.name]}, kind=option.kind)
            for option in options_of(entry.game)
        ]
        summary = summary_of(variant)
        listings.append(GameListing(entry.name, title_of(variant), summary, listed))
    return GamesDocument(games=listings)


@flags.command()
@flags.game_argument
@flags.printed
def rules(settings: Settings, game: str) -> Findings:
    """Show the rules of GAME, a name or a file."""
    entry = find(game)
    made = entry.variant()
    text = rulebook_of(made)

    def document() -> RulesDocument:
        from zerosum.cli.listings import RulesDocument

        return RulesDocument(game=entry.name, title=title_of(made), text=text)

    return Findings(document, text)


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
