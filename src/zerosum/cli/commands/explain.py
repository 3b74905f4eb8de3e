"""`zerosum explain`: how to play a game well."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import ExplanationDocument, about
from zerosum.cli.files import write_file
from zerosum.cli.solving import limit_option, solution_of
from zerosum.coach.advice import Coach
from zerosum.coach.strategy import strategy
from zerosum.documents import StatedValue, to_json
from zerosum.errors import TooLarge
from zerosum.protocol import Game
from zerosum.registry import entry_of, short_path
from zerosum.wording.words import variant_title, words_of


@flags.game_command()
@flags.game_argument
@click.option("--map", "with_map", is_flag=True, help="Draw a map of the values of all positions.")
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def explain(
    settings: Settings,
    game: Game[Any],
    with_map: bool,
    limit: int,
    svg: str | None,
    as_json: bool,
) -> None:
    """Explain how to play GAME well, by its theory or by the law found in its values.

    All counts are exact. A draw is a position from which neither player can force a win.
    """
    solution = solution_of(settings, game, limit)
    if svg is not None:
        from zerosum.pictures.map_svg import map_svg

        write_file(svg, map_svg(solution))
    tell, kept = partial(strategy, solution), solution.cache
    advice = tell() if kept is None else kept.once("advice", tell)
    if as_json:
        settings.out.line(to_json(_document(Coach(solution), advice)))
        return
    with settings.paged() as out:
        out.line(f"How to play {variant_title(game)} well", "strong")
        out.paragraph(f"{words_of(game).goal()}\n".lstrip())
        for line in advice:
            out.paragraph(line if settings.plain else f"- {line}", indent="  ")
        out.line()
        if with_map:
            from zerosum.pictures.map_text import map_text

            out.line(map_text(solution, width=out.width, plain=settings.plain))
        else:
            out.paragraph(f"A map of all values: add --map.{_practice(settings, game)}", "aside")


def _practice(settings: Settings, game: Game[Any]) -> str:
    """Name the command with puzzles of a game, which are of its usual variant."""
    entry = entry_of(game)
    if game != entry.variant():
        return ""
    name = short_path(entry.file) if entry.file else entry.name
    return f" Practise with: {settings.command_line('puzzle', name)}"


def _document(coach: Coach[Any], advice: list[str]) -> ExplanationDocument:
    """Describe a game for a program: its theory, or the law found."""
    state, law = coach.game.initial(), coach.law
    return ExplanationDocument(
        **about(coach.game),
        goal=coach.words.goal(),
        theory=coach.theory_statement,
        searched=coach.theory is None and not isinstance(coach.searched_law, TooLarge),
        law=None if law is None else law.document,
        why=coach.why(state),
        value=StatedValue(*coach.solution.value(state)),
        advice=advice,
    )
