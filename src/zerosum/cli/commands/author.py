"""`zerosum new` and `zerosum check`: a game of one's own, to start from and to check."""

from __future__ import annotations

import os
from importlib.resources import files
from keyword import iskeyword
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.supervision import rules_print
from zerosum.cli.user_files import write_file
from zerosum.limits import PATIENCE
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.text import brief

# Names that the file itself uses.
TAKEN = ("Field", "Game", "NamedTuple", "Outcome", "State", "Theory", "Value", "Words")


@flags.command()
@click.argument("file", type=click.Path())
@flags.common
def new(settings: Settings, file: str) -> None:
    """Write a small, commented game to FILE, such as my_game.py, to start your own from."""
    name = class_name(file)
    # The template is a module of ours, so that our checks cover it too.
    template = (files("zerosum") / "cli" / "new_game.py").read_text(encoding="utf-8")
    write_file(file, template.replace("NewGame", name))
    path = file if os.path.dirname(file) else f"./{file}"
    settings.out.line(f"Wrote {file}. Edit it as you like, then:")
    for command_name in ("check", "play"):
        settings.out.line(f"  {settings.command_line(command_name, path)}")


def class_name(file: str) -> str:
    """Name the class after the file.

    >>> class_name("games/knights_duel.py"), class_name("game.py")
    ('KnightsDuel', 'MyGame')
    """
    stem, suffix = os.path.splitext(os.path.basename(file))
    if suffix != ".py" or not stem.isidentifier() or iskeyword(stem):
        raise click.UsageError(
            f"Python cannot import '{brief(file)}'; use letters, digits and _, ending in .py."
        )
    name = "".join(f"{word[:1].upper()}{word[1:]}" for word in stem.split("_"))
    taken = name in TAKEN or iskeyword(name) or not name.isidentifier()
    return f"My{name}" if taken else name


PRINTS = (
    "Your rules print. Only the beginning is shown, on standard error; remove print() when "
    "you no longer need it."
)


@flags.game_command()
@click.argument("game", metavar="FILE", type=click.Path())
@flags.common
def check(settings: Settings, game: Game[Any]) -> None:
    """Check that the game in FILE follows the protocol, or show what is wrong.

    Checks the default variant, and the one set by the flags. If the rules are slow, it
    stops after 20 seconds, and says how far it got.
    """
    from zerosum.testing import conformance

    usual = entry_of(game).variant()
    variants = (usual,) if usual == game else (usual, game)
    for variant in variants:
        found = conformance(variant, PATIENCE / len(variants))
        settings.out.paragraph(found.text)
    if rules_print():
        settings.out.paragraph(PRINTS)
