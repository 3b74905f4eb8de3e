"""`zerosum explain`: how to play a game well."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, variant_words
from zerosum.cli.console import Findings
from zerosum.cli.solving import limit_option, solution_of
from zerosum.coach.advice import Coach
from zerosum.coach.laws.law import LawDocument
from zerosum.coach.strategy import strategy
from zerosum.documents import Document, StatedValue, about, described, read, to_dict
from zerosum.errors import TooLarge
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.map_text import map_text
from zerosum.protocol import Game
from zerosum.reports import Picture, Piece, Report, Section, Sentence
from zerosum.solver.solution import Solution
from zerosum.wording.words import variant_title


class ExplanationDocument(Document, frozen=True, kw_only=True, tag="zerosum-explanation"):
    """How to win a game."""

    version: Literal[5] = 5
    game: str
    options: dict[str, Any]
    goal: Annotated[str, described("the goal of the game in a sentence, or an empty string")]
    theory: Annotated[str, described("what the theory of the game says; empty if it has none")]
    searched: Annotated[bool, described("whether a law was looked for")]
    law: Annotated[LawDocument | None, described("the law found, if there is no theory")]
    why: list[str]
    value: StatedValue
    advice: Annotated[list[str], described("what the command prints")]


@flags.game_command()
@flags.game_argument
@click.option("--map", "with_map", is_flag=True, help="Draw a map of the values of all positions.")
@limit_option
@flags.svg_option
@flags.printed
def explain(settings: Settings, game: Game[Any], with_map: bool, limit: int) -> Findings:
    """Explain how to play GAME well, by its theory or by the law found in its values.

    All counts are exact. A draw is a position from which neither player can force a win.
    """
    solution = solution_of(settings, game, limit)
    find, kept = partial(_explained, solution), solution.cache
    found = find() if kept is None else kept.once("explanation", find)
    document = read(ExplanationDocument, found)
    advice = document.advice
    practise = settings.command_line("puzzle", *variant_words(game, ()))
    hint = f"A map of all values: add --map. Practise with: {practise}"
    last: Piece = Sentence(hint, "aside")
    if with_map:
        last = Picture("", text=lambda width: map_text(solution, width=width))
        if settings.plain:
            last = map_text(solution, plain=True)
    sections = [
        Section("", [document.goal]),
        Section("", advice if settings.plain else [f"- {line}" for line in advice]),
        Section("", [last]),
    ]
    report = Report(f"How to play {variant_title(game)} well", sections)
    return Findings(document, report, partial(map_svg, solution))


def _explained(solution: Solution[Any]) -> dict[str, Any]:
    """Describe a game for a program: its theory, or the law found."""
    coach = Coach(solution)
    state, law = coach.game.initial(), coach.law
    return to_dict(
        ExplanationDocument(
            **about(coach.game),
            goal=coach.words.goal(),
            theory=coach.theory_statement,
            searched=coach.theory is None and not isinstance(coach.searched_law, TooLarge),
            law=None if law is None else law.document,
            why=coach.why(state),
            value=StatedValue(*solution.value(state)),
            advice=strategy(solution),
        )
    )
