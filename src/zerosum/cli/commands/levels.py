"""`zerosum levels`: the exact strength of the computer players."""

from __future__ import annotations

from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document
from zerosum.cli.solution import limit_option, solution_of
from zerosum.players.levels import LEVELS
from zerosum.players.strength import Chances, strengths
from zerosum.protocol import Game
from zerosum.solver import solve_table
from zerosum.wording.words import title_of


@flags.game_command()
@flags.game_argument
@limit_option
@flags.json_option
@flags.common
def levels(settings: Settings, game: Game[Any], limit: int, as_json: bool) -> None:
    """Show exactly how strong each level of the computer is at GAME, against every other.

    The row moves first, the column second; draws and endless games are in brackets. Nothing is
    sampled: the probabilities are the solution of a linear system over all positions.
    """
    found = strengths(solution_of(settings, game, limit, solve_table))
    out = settings.out
    if as_json:
        pairs = [
            {"first": first, "second": second, **chances.document()}
            for (first, second), chances in found.chances.items()
        ]
        out.line(document("levels", **about(game), levels=list(LEVELS), pairs=pairs))
        return
    against = [f"against {level}" for level in LEVELS]
    rows = [[level, *(_odds(found.chances[level, other]) for other in LEVELS)] for level in LEVELS]
    out.paragraph(f"{title_of(game)}: how often the row wins, moving first", "strong")
    out.table("", ("Moves first", *against), rows)
    rows = [[row, *(f"{found.overall(row, other):.3f}" for other in LEVELS)] for row in LEVELS]
    out.paragraph("What the row scores over both seats: 1 for a win, ½ for a draw", "strong")
    out.table("", ("Level", *against), rows)


def _odds(chances: Chances) -> str:
    """Write how often the first player wins, and how often nobody does where that happens."""
    nobody = (("draw", chances.draw), ("endless", chances.endless))
    listed = ", ".join(f"{chance:.3f} {word}" for word, chance in nobody if chance > 5e-4)
    return f"{chances.first:.3f}" + (f" ({listed})" if listed else "")
