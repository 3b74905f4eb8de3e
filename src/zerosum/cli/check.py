"""`zerosum check`: the conformance kit, for a game of one's own."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.analysis import start_of
from zerosum.cli.flags import META, GameCommand, variant
from zerosum.cli.settings import Settings, common
from zerosum.errors import MissingExtra, TooLarge
from zerosum.protocol import Game

# So many positions are solved while somebody waits.
QUICKLY = 100_000


@click.command(cls=GameCommand)
@click.argument("game", metavar="FILE", type=click.Path())
@common
def check(settings: Settings, game: str, **options: Any) -> None:
    """Check that the game in FILE follows the protocol, and say what is wrong with it if not.

    Its default variant is checked, and the one that the flags of the game describe.
    """
    ctx = click.get_current_context()
    usual, chosen = ctx.meta[META][0].variant(), variant(ctx, options)
    for made in (usual, chosen)[: 1 if usual == chosen else 2]:
        settings.out.remark(report(made), "")


def report(game: Game[Any]) -> str:
    """Check one variant, and say in a line what it was found to be."""
    from zerosum.pictures.words import variant_title
    from zerosum.testing import check_game

    seen = check_game(game)
    return f"{variant_title(game)} conforms ({seen:,} positions checked). {_solved(game)}"


def _solved(game: Game[Any]) -> str:
    """Say how many positions there are, and who wins, where that can be found out quickly."""
    from zerosum.solver import solve, solve_table
    from zerosum.solver.table import is_symmetric
    from zerosum.solver.theory import theory_of

    count = ""
    try:
        solution = solve_table(game, QUICKLY)
    except (TooLarge, MissingExtra) as error:
        if theory_of(game) is None:
            return f"It was not solved: {error}"
        solution = solve(game)
        count = "Its theory was compared with itself, move by move, but with no table. "
    if solution.solved is not None:
        equal = ", equal ones counted once" if is_symmetric(game) else ""
        count = f"Solved, with {len(solution.solved.table):,} positions{equal}. "
    return f"{count}{start_of(solution)}"
