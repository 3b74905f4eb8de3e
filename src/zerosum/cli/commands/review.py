"""`zerosum review`: every move of a match, judged."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache, partial
from math import inf
from time import monotonic
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import Console
from zerosum.cli.documents import document, read_record, value_fields, write_file
from zerosum.cli.solution import SHORT_PATIENCE, PositionCounter, limit_option, patience
from zerosum.coach import review as coach_review
from zerosum.coach.advice import Coach
from zerosum.coach.review import (
    MARKS,
    Review,
    ReviewedMove,
    accuracies,
    accuracy,
    describe_moment,
    exactness,
    key_moments,
    known_before,
    no_turn,
    read_review,
    share_right,
    total_decisions,
    where_exact,
)
from zerosum.errors import ZerosumError
from zerosum.limits import Limits
from zerosum.match import Match, Round
from zerosum.record import from_record
from zerosum.registry import entry_of
from zerosum.solver.cache import Cache
from zerosum.solver.knowledge import Knowledge
from zerosum.text import half_points
from zerosum.wording.words import ending, spoken, title_of

# In a game that is too large: for all tables of what can follow a position together with all
# searches, and for one search.
ONWARD_SECONDS, BUDGET = 10.0, Limits(nodes=20_000, seconds=1.0)
# For another such table, once all games are judged.
LAST_SECONDS = 0.1
Judged = Sequence[tuple[int, Round[Any], Review]]


@flags.command()
@click.argument("match", metavar="[ID|FILE|-]", required=False, shell_complete=flags.complete_match)
@click.option("--number", type=flags.Whole(), metavar="N", help="Only game N of a match.")
@flags.record_game_option
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def review(
    settings: Settings,
    match: str | None,
    number: int | None,
    game: str | None,
    limit: int,
    svg: str | None,
    as_json: bool,
) -> None:
    """Judge every move of a match: by its ID, from a record in FILE, or from standard input.

    Without an ID, the latest match that you played is reviewed; with --game, the latest of that
    game.

    A best move keeps the result and wins soonest; one that wins later is good too. A mistake
    turns a win into a draw, or a draw into a loss; a blunder turns a win into a loss. Where every
    move has the same result, the review says so instead: only move, all moves lose, longest
    defence.
    """
    ctx = click.get_current_context()
    found = _match(settings, match, game)
    chosen = _chosen(ctx, found, number)
    with PositionCounter(settings):
        knowledge = Knowledge(
            found.game,
            limit,
            cache=cache_dir(),
            seconds=patience(SHORT_PATIENCE),
            budget=BUDGET,
        )
        kept = Cache(found.game, cache_dir())
        judged = _judged(knowledge, chosen, kept)
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
    coach = Coach(knowledge)
    if as_json:
        settings.out.line(_document(found, judged, coach, kept))
        return
    with settings.paged() as out:
        if len(judged) > 1:
            _print_series(out, found, judged, coach)
        for n, played, reviewed in judged:
            if found.games > 1:
                out.line(f"Game {n} of {found.games}", "strong")
            _print(out, found, played, reviewed, coach, kept)


def _match(settings: Settings, match: str | None, game: str | None) -> Match[Any]:
    """Find a match: a file, standard input, or one of the database."""
    if match is not None and _is_record(match):
        return from_record(read_record(match), game)
    return settings.load(settings.store(write=False), match, game, reviewable=True).match


def _is_record(match: str) -> bool:
    """Return whether a record is meant rather than an id."""
    return match == "-" or os.path.exists(match) or "/" in match or match.endswith(".json")


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


def _judged(
    knowledge: Knowledge[Any], chosen: Sequence[tuple[int, Round[Any]]], kept: Cache
) -> Judged:
    """Review some games, each once: what is kept in the cache is not computed again.

    Where there is no table of the whole game, each has its share of time.
    """

    @cache
    def end() -> float:
        return inf if knowledge.solution is not None else monotonic() + ONWARD_SECONDS

    def compute(played: Round[Any], left: int) -> Review:
        return coach_review.review(knowledge, played, (end() - monotonic()) / left)

    judged = []
    for left, (n, played) in zip(range(len(chosen), 0, -1), chosen, strict=True):
        found = kept.once(_kind(knowledge.limit, played), partial(compute, played, left))
        judged.append((n, played, read_review(found)))
    knowledge.onward_seconds = LAST_SECONDS
    return judged


def _kind(limit: int, played: Round[Any], *about: object) -> str:
    """Name what is kept of the review of a game, by all that limits what is found."""
    what = json.dumps([limit, patience(SHORT_PATIENCE), *about, *played.moves]).encode()
    return f"review-{hashlib.sha256(what).hexdigest()[:32]}"


def _print_series(out: Console, match: Match[Any], judged: Judged, coach: Coach[Any]) -> None:
    """Print the review of the games of a match as a whole."""
    out.line(f"{title_of(match.game)}: {' against '.join(match.players)}", "strong")
    standing = "Final score" if match.over else "Score so far"
    points = zip(match.players, map(half_points, match.score), strict=True)
    out.paragraph(f"{standing}: {', '.join(map(' '.join, points))}.")
    reviews = [reviewed for _, _, reviewed in judged]
    if any(reviewed.exact_from for reviewed in reviews):
        totals = total_decisions((played, reviewed) for _, played, reviewed in judged)
        for name, decisions in zip(match.players, totals, strict=True):
            out.paragraph(accuracy(name, *decisions, where_exact(reviews)))
    moments = key_moments(reviews)
    for index, move in moments:
        number, played, _ = judged[index]
        named = coach.named(played.states[move.ply - 1], move.move)
        player = match.names_of(played)[move.seat]
        out.paragraph(f"Game {number}, move {move.ply}: {player} played {named}, a {move.verdict}.")
    if not moments:
        unknown = any(None in reviewed.history for reviewed in reviews)
        changed = "is known to have changed" if unknown else "changed"
        out.paragraph(f"No move {changed} the result of a game.")
    out.line()


def _print(
    out: Console,
    match: Match[Any],
    played: Round[Any],
    reviewed: Review,
    coach: Coach[Any],
    kept: Cache,
) -> None:
    """Print the review of a game: accuracy and key moments first, then every move."""
    names = match.names_of(played)
    out.line(f"{title_of(match.game)}: {' against '.join(names)}", "strong")
    known = exactness(reviewed)
    for line in filter(None, (ending(match, played), known, *accuracies(names, reviewed))):
        out.paragraph(line)
    moments = key_moments([reviewed])
    for _, move in moments:
        out.line()
        first, *rest = _moment(match, played, reviewed, move, coach, kept)
        out.paragraph(first, "strong")
        for line in rest:
            out.paragraph(line)
    if not moments:
        out.paragraph(no_turn(reviewed))
    out.line()
    rows = [
        (
            str(move.ply),
            names[move.seat],
            coach.named(played.states[move.ply - 1], move.move),
            _verdict(move, out.plain),
            spoken(move.value),
            move.better,
        )
        for move in reviewed.moves
    ]
    out.table("Moves", ("Ply", "Player", "Move", "Verdict", "Value", "Better"), rows)
    if not out.plain:  # the table has just said it all
        from zerosum.pictures.chart import Chart
        from zerosum.pictures.chart_text import chart_text

        out.line()
        out.line(chart_text(Chart.reviewed(names, played, reviewed), width=out.width))
        out.line()


def _moment(
    match: Match[Any],
    played: Round[Any],
    reviewed: Review,
    move: ReviewedMove,
    coach: Coach[Any],
    kept: Cache,
) -> list[str]:
    """Return what is said about a key moment, which is kept in the cache too."""
    names = match.names_of(played)
    kind = _kind(coach.knowledge.limit, played, names, move.ply)
    said: list[str] = kept.once(kind, lambda: describe_moment(coach, names, played, reviewed, move))
    return said


def _verdict(move: ReviewedMove, plain: bool) -> str:
    """Write the verdict on a move: a word, and a mark where it was a mistake."""
    return move.word if plain else f"{move.word} {MARKS.get(move.verdict, '')}".strip()


def _document(match: Match[Any], judged: Judged, coach: Coach[Any], kept: Cache) -> str:
    """Write a review as a document."""
    games = []
    for number, played, reviewed in judged:
        exact_from = reviewed.exact_from or len(played.states) + 1
        moves = [
            {
                "ply": move.ply,
                "player": played.player(move.seat),
                "move": move.move,
                "label": coach.words.label(played.states[move.ply - 1], move.move),
                "verdict": move.verdict,
                "word": move.word,
                "before": value_fields(move.before, exact=move.ply >= exact_from),
                "value": value_fields(move.value, exact=move.ply >= exact_from - 1),
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
                "exact_from": reviewed.exact_from,
                "turning_point": reviewed.turning_point,
                "good": [good for good, _ in decisions],
                "decisions": [every for _, every in decisions],
                "accuracy": [share_right(*found) for found in decisions],
                "known_before": known_before(reviewed),
            }
        )
    totals = total_decisions((played, reviewed) for _, played, reviewed in judged)
    moments = key_moments([reviewed for _, _, reviewed in judged])
    return document(
        "review",
        game=entry_of(match.game).name,
        players=list(match.players),
        good=[good for good, _ in totals],
        decisions=[every for _, every in totals],
        accuracy=[share_right(*found) for found in totals],
        score=list(match.score),
        match_games=match.games,
        key_moments=[
            {
                "game": judged[index][0],
                "ply": move.ply,
                "text": _moment(match, *judged[index][1:], move, coach, kept),
            }
            for index, move in moments
        ],
        games=games,
    )
