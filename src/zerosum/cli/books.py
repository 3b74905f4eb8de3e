"""`zerosum games`, `zerosum rules` and `zerosum completion`."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.flags import complete_game
from zerosum.cli.settings import Settings, as_json, common
from zerosum.errors import ZerosumError
from zerosum.options import Option, options_of, variant_of, written
from zerosum.registry import Entry, find
from zerosum.registry import games as names
from zerosum.wording import rulebook_of, summary_of, title_of


@click.command()
@as_json
@common
def games(settings: Settings, as_json: bool) -> None:
    """List the games and their options: built in, or added by other packages."""
    entries = [(name, _try(name)) for name in names()]
    if as_json:
        from zerosum.record import dumps

        listed = [_document(found) for _, found in entries if isinstance(found, Entry)]
        settings.out.say(dumps({"format": "zerosum-games", "version": 2, "games": listed}))
        return
    rows, options = [], []
    for name, found in entries:
        if isinstance(found, Entry):
            rows.append((name, summary_of(found.variant())))
            options += [(name, *_shown(option)) for option in options_of(found.game)]
        else:
            rows.append((name, f"does not load: {found}"))
    settings.out.table("The games", ("Game", "What it is"), rows)
    settings.out.table("Their options", ("Game", "Option", "Default", "What it is"), options)


@click.command()
@click.argument("game", shell_complete=complete_game)
@as_json
@common
def rules(settings: Settings, game: str, as_json: bool) -> None:
    """Show the rules of GAME, a name or a file, as its players need them."""
    made = find(game).variant()
    page = rulebook_of(made)
    if not as_json:
        settings.out.page(page)
        return
    from zerosum.record import dumps

    name = find(game).name
    document = {"format": "zerosum-rules", "version": 1, "game": name, "title": title_of(made)}
    settings.out.say(dumps({**document, "text": page}))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    bash: eval "$(zerosum completion bash)" in ~/.bashrc, zsh: the same with zsh in ~/.zshrc,
    fish: zerosum completion fish > ~/.config/fish/completions/zerosum.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 (click has all three)
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "zerosum", "_ZEROSUM_COMPLETE").source())


def _try(name: str) -> Entry | str:
    """Find a game, or say why it cannot be had."""
    try:
        return find(name)
    except ZerosumError as error:
        return str(error)


def _shown(option: Option) -> tuple[str, str, str]:
    """Write an option as its flag is typed, with its default and what it takes."""
    return f"--{option.name.replace('_', '-')}", written(option.default), option.about


def _document(entry: Entry) -> dict[str, Any]:
    """Describe a game for a program."""
    variant = entry.variant()
    defaults = variant_of(variant)
    options = [
        {**option._asdict(), "kind": option.kind, "default": defaults[option.name]}
        for option in options_of(entry.game)
    ]
    return {
        "name": entry.name,
        "title": title_of(variant),
        "summary": summary_of(variant),
        "options": options,
    }
