"""`zerosum new` and `zerosum check`: a game of one's own, to start from and to check."""

from __future__ import annotations

import os
from importlib.resources import files
from keyword import iskeyword
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.files import write_file
from zerosum.cli.supervision import rules_print
from zerosum.errors import BrokenGame, TooLarge, ZerosumError
from zerosum.limits import PATIENCE, PERSON, SHORT_PATIENCE, Limits
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.solver import solve, solve_table
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import theory_of
from zerosum.text import brief, counted
from zerosum.wording.words import spoken, variant_title

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
            f"Python cannot import '{brief(file)}'; use letters, digits and _, such as my_game.py."
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
    usual = entry_of(game).variant()
    variants = (usual,) if usual == game else (usual, game)
    for variant in variants:
        settings.out.paragraph(report(variant, PATIENCE / len(variants)))
    if rules_print():
        settings.out.paragraph(PRINTS)


def report(game: Game[Any], seconds: float = PATIENCE) -> str:
    """Check one variant within some seconds, and return what was found."""
    from zerosum.testing import check_within

    title, (positions, complete, ended) = variant_title(game), check_within(game, seconds)
    if complete:
        no_end = "" if ended else "No end was reached, not even by random moves. "
        return f"{title} conforms ({positions:,} positions checked). {no_end}{_solved(game)}"
    done = f"only {counted(positions, 'position')}" if positions else "not even the first position"
    return (
        f"{title}: no fault was found, but {done} could be checked within {seconds:g} seconds. "
        "In Python, zerosum.check_game has no time limit."
    )


def _solved(game: Game[Any]) -> str:
    """Describe how many positions there are and who wins, if that is found quickly."""
    count = ""
    try:
        solution = solve_table(game, PERSON.in_seconds(SHORT_PATIENCE))
    except BrokenGame as error:  # others are told to run this command
        raise ZerosumError(str(error)) from error
    except TooLarge as error:
        if theory_of(game) is None:
            return f"It was not solved: {error}"
        solution = solve(game, Limits(seconds=SHORT_PATIENCE))
        count = "Its theory agrees with itself from move to move; it was not compared to a table. "
    if solution.solved is not None:
        symmetric = ", symmetric ones counted once" if is_symmetric(game) else ""
        count = f"Solved, with {len(solution.solved.graph):,} positions{symmetric}. "
    value = solution.value(game.initial())
    player = "" if value.result == "draw" else " for the player who moves first"
    return f"{count}The start is a {spoken(value)}{player}."
