"""`zerosum check`: the conformance kit, for a game of one's own."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.solution import start_value
from zerosum.errors import MissingExtra, TooLarge
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.solver import solve, solve_table
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import theory_of
from zerosum.wording.words import variant_title

# As many positions as are solved while somebody waits.
QUICKLY = 100_000


@flags.game_command()
@click.argument("game", metavar="FILE", type=click.Path())
@flags.common
def check(settings: Settings, game: Game[Any]) -> None:
    """Check that the game in FILE follows the protocol, or show what is wrong.

    Checks the default variant, and the one set by the flags.
    """
    usual = entry_of(game).variant()
    for variant in (usual,) if usual == game else (usual, game):
        settings.out.paragraph(report(variant))


def report(game: Game[Any]) -> str:
    """Check one variant, and return in a line what was found."""
    from zerosum.testing import check_game

    seen = check_game(game)
    return f"{variant_title(game)} conforms ({seen:,} positions checked). {_solved(game)}"


def _solved(game: Game[Any]) -> str:
    """Describe how many positions there are and who wins, where that is found quickly."""
    count = ""
    try:
        solution = solve_table(game, QUICKLY)
    except (TooLarge, MissingExtra) as error:
        if theory_of(game) is None:
            return f"It was not solved: {error}"
        solution = solve(game)
        count = "Its theory agrees with itself from move to move; it was not compared to a table. "
    if solution.solved is not None:
        symmetric = ", symmetric ones counted once" if is_symmetric(game) else ""
        count = f"Solved, with {len(solution.solved.graph):,} positions{symmetric}. "
    return f"{count}{start_value(solution)}"
