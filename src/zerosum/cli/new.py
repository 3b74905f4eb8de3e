"""`zerosum new`: a game of one's own to start from."""

from __future__ import annotations

import os
from keyword import iskeyword

import click

from zerosum.cli.settings import Settings, common, write_file
from zerosum.text import brief

# Names that the file itself uses.
TAKEN = ("Field", "Game", "NamedTuple", "Outcome", "State", "Theory", "Value", "Words")


@click.command()
@click.argument("file", type=click.Path())
@common
def new(settings: Settings, file: str) -> None:
    """Write a small game to FILE, such as my_game.py: a commented file to start your own from."""
    name = class_name(file)
    # The template is a module of ours, so that whatever checks our code checks it too.
    with open(os.path.join(os.path.dirname(__file__), "template.py"), encoding="utf-8") as template:
        write_file(file, template.read().replace("NewGame", name))
    path = file if os.path.dirname(file) else f"./{file}"
    out = settings.out
    out.say(f"Wrote {file}. Change it as you like, then:")
    out.say(f"  {settings.command('check', path)}")
    out.say(f"  {settings.command('play', path)}")


def class_name(file: str) -> str:
    """Name the class after the file.

    >>> class_name("games/knights_duel.py"), class_name("game.py")
    ('KnightsDuel', 'MyGame')
    """
    stem, suffix = os.path.splitext(os.path.basename(file))
    if suffix != ".py" or not stem.isidentifier() or iskeyword(stem):
        raise click.UsageError(
            f"'{brief(file)}' is not the name of a Python file, such as my_game.py."
        )
    name = "".join(f"{word[:1].upper()}{word[1:]}" for word in stem.split("_"))
    taken = name in TAKEN or iskeyword(name) or not name.isidentifier()
    return f"My{name}" if taken else name
