"""`zerosum explain`: how to win a game."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document, write_file
from zerosum.cli.solving import limit_option, solved, start_value
from zerosum.coach.advice import Coach
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.wording import variant_title


@flags.game_command()
@flags.game_argument
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def explain(
    settings: Settings, game: str, limit: int, svg: str | None, as_json: bool, **options: Any
) -> None:
    """Explain how to win GAME: the theory, the value of the start, and a map of all values."""
    made = flags.variant(click.get_current_context(), options)
    solution = solved(settings, made, limit)
    coach = Coach(solution)
    state = made.initial()
    theory, why, value = coach.statement, coach.why(state), solution.value(state)
    if svg is not None:
        write_file(svg, map_svg(solution))
    out = settings.out
    if as_json:
        contents = {"theory": theory, "why": why, "value": value._asdict()}
        out.say(document("explanation", **about(made), **contents))
        return
    out.say(f"How to win {variant_title(made)}", "strong")
    out.say()
    if theory:
        out.remark(theory, "")
        out.say()
    for line in (start_value(solution), *why):
        out.remark(line, "")
    out.say()
    out.say(map_text(solution, width=out.width, plain=settings.plain))
