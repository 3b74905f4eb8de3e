"""`zerosum review`: every move of a match, judged."""

from __future__ import annotations

import os
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document, read_record, write_file
from zerosum.cli.solution import limit_option, solution_of
from zerosum.coach import review as coach_review
from zerosum.coach.advice import Coach
from zerosum.coach.review import MARKS, Review, ReviewedMove, shares, turning_point
from zerosum.errors import ZerosumError
from zerosum.match import Match, Round
from zerosum.record import from_record
from zerosum.registry import entry_of
from zerosum.wording.words import ending, spoken, title_of


@flags.command()
@click.argument("match", metavar="ID|FILE|-", shell_complete=flags.complete_match)
@click.option("--number", type=flags.Whole(), metavar="N", help="Only game N of a match.")
@flags.record_game_option
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def review(
    settings: Settings,
    match: str,
    number: int | None,
    game: str | None,
    limit: int,
    svg: str | None,
    as_json: bool,
) -> None:
    """Judge every move of a match: by its ID, from a record in FILE, or from standard input.

    A best move keeps the result and wins soonest; one that wins later is good too. A mistake
    turns a win into a draw, or a draw into a loss; a blunder turns a win into a loss. Where every
    move has the same result, the review says so instead: only move, all moves lose, longest
    defence.
    """
    ctx = click.get_current_context()
    found = _match(settings, match, game)
    chosen = _chosen(ctx, found, number)
    solution = solution_of(settings, found.game, limit)
    judged = [(n, played, coach_review.review(solution, played)) for n, played in chosen]
    if svg is not None:
        if len(judged) > 1:
            message = "the picture shows one game: choose it with --number N."
            raise flags.bad_value(ctx, "svg", message)
        from zerosum.pictures.chart import Chart
        from zerosum.pictures.chart_svg import chart_svg

        _, played, reviewed = judged[0]
        title = f"{title_of(found.game)}: the values"
        chart = Chart.reviewed(found.names_of(played), played, reviewed, title)
        write_file(svg, chart_svg(chart))
    if as_json:
        settings.out.line(_document(found, judged))
        return
    for n, played, reviewed in judged:
        if found.games > 1:
            settings.out.line(f"Game {n} of {found.games}", "strong")
        _print(settings, found, played, reviewed, Coach(solution))


def _match(settings: Settings, match: str, game: str | None) -> Match[Any]:
    """Find a match: a file, standard input, or one of the database."""
    if match == "-" or os.path.exists(match) or "/" in match or match.endswith(".json"):
        return from_record(read_record(match), game)
    return settings.load(settings.store(write=False), match, game).match


def _chosen(
    ctx: click.Context, match: Match[Any], number: int | None
) -> list[tuple[int, Round[Any]]]:
    """Choose the games of a match that have moves in them."""
    numbered = list(enumerate(match.rounds, 1))
    if number is not None:
        if not 1 <= number <= len(numbered):
            games = "one game" if len(numbered) == 1 else f"games 1 to {len(numbered)}"
            raise flags.bad_value(ctx, "number", f"the match has {games}.")
        numbered = [numbered[number - 1]]
    played = [(n, game) for n, game in numbered if game.moves]
    if not played:
        raise ZerosumError("There is nothing to review: no move was made.")
    return played


def _print(
    settings: Settings, match: Match[Any], played: Round[Any], reviewed: Review, coach: Coach[Any]
) -> None:
    """Print the review of a game."""
    out, names = settings.out, match.names_of(played)
    out.line(f"{title_of(match.game)}: {' against '.join(names)}", "strong")
    rows = [
        (
            str(move.ply),
            names[move.seat],
            coach.named(played.states[move.ply - 1], move.move),
            _verdict(move, settings.plain),
            spoken(move.value),
            move.better,
        )
        for move in reviewed.moves
    ]
    out.table("Moves", ("Ply", "Player", "Move", "Verdict", "Value", "Better"), rows)
    if not settings.plain:  # the table has just said it all
        from zerosum.pictures.chart import Chart
        from zerosum.pictures.chart_text import chart_text

        out.line(chart_text(Chart.reviewed(names, played, reviewed), width=out.width))
        out.line()
    explained = turning_point(coach, names, played, reviewed)
    for line in filter(None, (ending(match, played), *explained, *shares(names, reviewed))):
        out.paragraph(line)


def _verdict(move: ReviewedMove, plain: bool) -> str:
    """Write the verdict on a move: a word, and a mark where it was a mistake."""
    word = move.word or move.verdict
    return word if plain else f"{word} {MARKS.get(move.verdict, '')}".strip()


def _document(match: Match[Any], judged: list[tuple[int, Round[Any], Review]]) -> str:
    """Write a review as a document."""
    games = []
    for number, played, reviewed in judged:
        moves = [
            {
                "ply": move.ply,
                "player": played.player(move.seat),
                "move": move.move,
                "verdict": move.verdict,
                "word": move.word,
                "before": move.before._asdict(),
                "value": move.value._asdict(),
                "best": list(move.best),
                "decision": move.decision,
            }
            for move in reviewed.moves
        ]
        decisions = [reviewed.decisions(played.player(player)) for player in (0, 1)]
        games.append(
            {
                "game": number,
                "first": played.first,
                "moves": moves,
                "turning_point": reviewed.turning_point,
                "good": [good for good, _ in decisions],
                "decisions": [every for _, every in decisions],
            }
        )
    name, players = entry_of(match.game).name, list(match.players)
    return document("review", game=name, players=players, games=games)
