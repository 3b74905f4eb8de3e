"""`zerosum explain`: how to win a game."""

from __future__ import annotations

from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document, write_file
from zerosum.cli.solution import limit_option, solution_of, start_value
from zerosum.coach.advice import Coach
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.protocol import Game
from zerosum.wording.words import variant_title


@flags.game_command()
@flags.game_argument
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def explain(
    settings: Settings, game: Game[Any], limit: int, svg: str | None, as_json: bool
) -> None:
    """Explain how to win GAME: the theory, the value of the start, and a map of all values."""
    solution = solution_of(settings, game, limit)
    coach, state = Coach(solution), game.initial()
    if svg is not None:
        write_file(svg, map_svg(solution))
    out = settings.out
    if as_json:
        value = solution.value(state)._asdict()
        contents = {"theory": coach.statement, "why": coach.why(state), "value": value}
        out.line(document("explanation", **about(game), **contents))
        return
    out.line(f"How to win {variant_title(game)}", "strong")
    out.line()
    if coach.statement:
        out.paragraph(f"{coach.statement}\n")
    for line in (start_value(solution), *coach.reasons(state)):
        out.paragraph(line)
    out.line()
    out.line(map_text(solution, width=out.width, plain=settings.plain))
