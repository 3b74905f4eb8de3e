"""`zerosum games`, `rules`, `completion` and `help`: what there is."""

from __future__ import annotations

from typing import Any, Literal

import click
from msgspec import Struct

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.documents import Document
from zerosum.errors import ZerosumError
from zerosum.options import option_values, options_of, written
from zerosum.registry import Entry, find
from zerosum.registry import games as names
from zerosum.reports import Grid, Report, Section
from zerosum.wording.texts import rulebook_of, summary_of
from zerosum.wording.words import title_of


class OptionListing(Struct, frozen=True):
    """An option of a game; null means no bound, and an empty list means no choices."""

    name: str
    default: Any
    help: str
    least: int | None
    most: int | None
    choices: list[Any]
    kind: Literal["flag", "number", "numbers", "text"]


class GameListing(Struct, frozen=True):
    """A game and its options."""

    name: str
    title: str
    summary: str
    options: list[OptionListing]


class GamesDocument(Document, frozen=True, kw_only=True, tag="zerosum-games"):
    """The games."""

    version: Literal[2] = 2
    games: list[GameListing]


class RulesDocument(Document, frozen=True, kw_only=True, tag="zerosum-rules"):
    """The rules of a game, as a page of Markdown."""

    version: Literal[1] = 1
    game: str
    title: str
    text: str


@flags.command()
@flags.printed
def games(settings: Settings) -> Findings:
    """List the games, built in or added by other packages, and their options."""
    rows, options, listings = [], [], []
    for name in names():
        try:
            entry = find(name)
        except ZerosumError as error:
            rows.append((name, f"could not be loaded: {error}"))
            continue
        listings.append(_listing(entry))
        rows.append((name, listings[-1].summary))
        own = options_of(entry.game)
        options += [(name, f"--{o.flag}", written(o.default), o.about) for o in own]
    sections = [
        Section("Games", [Grid(("Game", "What it is"), rows)]),
        Section("Options", [Grid(("Game", "Option", "Default", "What it is"), options)]),
    ]
    return Findings(GamesDocument(games=listings), Report("", sections))


def _listing(entry: Entry) -> GameListing:
    """Describe a game and its options."""
    variant = entry.variant()
    values = option_values(variant)
    listed = [
        OptionListing(**option._asdict() | {"default": values[option.name]}, kind=option.kind)
        for option in options_of(entry.game)
    ]
    return GameListing(entry.name, title_of(variant), summary_of(variant), listed)


@flags.command()
@flags.game_argument
@flags.printed
def rules(settings: Settings, game: str) -> Findings:
    """Show the rules of GAME, a name or a file."""
    entry = find(game)
    made = entry.variant()
    text = rulebook_of(made)
    return Findings(RulesDocument(game=entry.name, title=title_of(made), text=text), text)


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
