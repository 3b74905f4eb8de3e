"""`zerosum completion`."""

from __future__ import annotations

import click

from zerosum.cli import flags


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
