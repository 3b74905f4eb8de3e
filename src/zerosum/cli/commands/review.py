"""`zerosum review`: every move of a match, judged."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import inf
from time import monotonic
from typing import Annotated, Any, Literal, NamedTuple

import click
from msgspec import Struct, convert

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import Findings
from zerosum.cli.playing.match_setup import YOU, called, to_you
from zerosum.cli.solving import counting, limit_option, patience
from zerosum.cli.user_files import read_record
from zerosum.coach import review as coach_review
from zerosum.coach.advice import Coach
from zerosum.coach.review import (
    MARKS,
    Review,
    accuracies,
    accuracy,
    better,
    describe_moment,
    exactness,
    key_moments,
    known_before,
    no_turn,
    share_right,
    total_decisions,
    where_exact,
)
from zerosum.coach.verdicts import Verdict
from zerosum.documents import Document, StatedValue, about, described, value_of
from zerosum.errors import ZerosumError
from zerosum.limits import LAST_TABLE_SECONDS, PERSON, REVIEW_SECONDS, SHORT_PATIENCE, Limits
from zerosum.match import Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.chart_text import chart_text
from zerosum.players.scale import Strength, placed, strength_of
from zerosum.players.slips import decisions_of
from zerosum.protocol import Move
from zerosum.record import from_record
from zerosum.reports import Grid, Picture, Report, Section, Sentence
from zerosum.solver.cache import Cache
from zerosum.solver.solution import Solution
from zerosum.text import against, half_points
from zerosum.wording.words import Names, ending, spoken, title_of


class JudgedMove(Struct, frozen=True):
    """A move of a game, what it was worth, and which moves were best."""

    ply: int
    player: int
    move: Move
    label: Annotated[str, described("what the move does, in the game's words")]
    verdict: Verdict | None
    word: Annotated[str, described("the verdict for people, such as 'longest defence'")]
    before: Annotated[StatedValue | None, described("of the position; null if unknown")]
    value: Annotated[StatedValue | None, described("of the move; null if unknown")]
    best: Annotated[list[Move], described("empty if it is not exact")]
    decision: Annotated[bool, described("whether there was anything to get wrong")]


class JudgedGame(Struct, frozen=True):
    """A game of a match, judged; figures are by player, and count only exact values."""

    game: int
    first: Annotated[int, described("the player who moved first")]
    moves: list[JudgedMove]
    exact_from: Annotated[int | None, described("the first ply from which everything is exact")]
    turning_point: Annotated[int | None, described("the ply that decided the game, if known")]
    good: list[int]
    decisions: Annotated[list[int], described("turns with something to get wrong")]
    accuracy: list[float | None]
    known_before: Annotated[int, described("known values of positions before exact_from")]


class KeyMoment(Struct, frozen=True):
    """A move that mattered, and what the review says about it."""

    game: int
    ply: int
    text: list[str]


class ReviewDocument(Document, frozen=True, kw_only=True, tag="zerosum-review"):
    """A match, judged; figures are by player."""

    version: Literal[3] = 3
    game: str
    options: dict[str, Any]
    players: tuple[str, str]
    good: Annotated[list[int], described("good decisions in all games")]
    decisions: Annotated[list[int], described("all decisions in all games")]
    accuracy: Annotated[list[float | None], described("the share of good decisions; null if none")]
    strength: Annotated[
        list[Strength | None],
        described("by these games alone, if they have ended; null for a computer, or if too large"),
    ]
    score: Annotated[tuple[float, float], described("points; a draw is half a point")]
    match_games: Annotated[int, described("the games of the whole match")]
    key_moments: Annotated[list[KeyMoment], described("at most three, in the order of play")]
    games: list[JudgedGame]


class ReviewedGame(NamedTuple):
    """A game of a match, its review, and what is said of key moments, by ply."""

    number: int
    played: Round[Any]
    names: Names
    review: Review
    moments: dict[int, list[str]]


@flags.command()
@click.argument("match", metavar="[ID|FILE|-]", required=False, shell_complete=flags.complete_match)
@flags.number("--number", "Only game N of a match.")
@flags.record_game_option
@limit_option
@flags.svg_option
@flags.printed
def review(
    settings: Settings, match: str | None, number: int | None, game: str | None, limit: int
) -> Findings:
    """Judge every move of a match: by its ID, from a record in FILE, or from standard input.

    Without an ID, the latest match that you played is reviewed; with --game, the latest of that
    game.

    A best move keeps the result and wins soonest; one that wins later is good too. A mistake
    turns a win into a draw, or a draw into a loss; a blunder turns a win into a loss. If every
    move has the same result, the review says so instead: only move, all moves lose, longest
    defence.
    """
    ctx = click.get_current_context()
    saved = found = _match(settings, match, game)
    if not ctx.params["as_json"]:  # a document is addressed to nobody, and neither is a picture
        found = replace(found, players=called(found.players))
    chosen = _chosen(ctx, found, number)
    with counting(settings):
        limits = Limits(limit, patience(SHORT_PATIENCE))
        solution = Solution(found.game, limits, search=PERSON, cache=cache_dir())
        games = _judged(solution, found, chosen)

    coach = Coach(solution)

    def picture() -> str:
        if len(games) > 1:
            message = "the picture shows one game: choose it with --number N."
            raise flags.bad_value(ctx, "picture", message)
        only, title = games[0], f"{title_of(found.game)}: the values"
        names = saved.names_of(only.played)
        return chart_svg(Chart.reviewed(coach.words, names, only.played, only.review, title))

    document = review_document(coach, found, games)
    report = review_report(coach, found, games, document, settings.plain)
    return Findings(document, report, picture)


def _match(settings: Settings, match: str | None, game: str | None) -> Match[Any]:
    """Find a match: a file, standard input, or one of the database."""
    typed = match or ""
    if typed == "-" or os.path.exists(typed) or "/" in typed or typed.endswith(".json"):
        return from_record(read_record(typed), game)
    return settings.load(settings.store(write=False), match, game, reviewable=True).match


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
    solution: Solution[Any], match: Match[Any], chosen: Sequence[tuple[int, Round[Any]]]
) -> list[ReviewedGame]:
    """Review some games, each once: reviews are kept beside the table.

    Without a table of the whole game, they share the time.
    """
    kept, coach = Cache(match.game, cache_dir()), Coach(solution)

    @cache
    def end() -> float:
        return inf if solution.is_whole else monotonic() + REVIEW_SECONDS

    def judge(played: Round[Any], left: int) -> Review:
        return coach_review.review(solution, played, (end() - monotonic()) / left)

    def explain(names: Names, played: Round[Any], judged: Review) -> list[Any]:
        moves = [move for _, move in key_moments([judged])]
        return [(move.ply, describe_moment(coach, names, played, judged, move)) for move in moves]

    reviews = []
    for left, (_, played) in zip(range(len(chosen), 0, -1), chosen, strict=True):
        found = kept.once(_kind(solution, played), partial(judge, played, left))
        reviews.append(convert(found, Review))
    solution.here = solution.here.in_seconds(LAST_TABLE_SECONDS)
    games = []
    for (number, played), judged in zip(chosen, reviews, strict=True):
        names = match.names_of(played)
        told = partial(explain, names, played, judged)
        moments = dict(kept.once(_kind(solution, played, names), told))
        games.append(ReviewedGame(number, played, names, judged, moments))
    return games


def _kind(solution: Solution[Any], played: Round[Any], names: Sequence[str] = ()) -> str:
    """Name what is kept of a game, by its moves and the limits."""
    limits = (solution.limits.positions, patience(SHORT_PATIENCE))
    what = json.dumps([limits, names, *played.moves]).encode()
    return f"review-{hashlib.sha256(what).hexdigest()[:32]}"


def review_document(
    coach: Coach[Any], match: Match[Any], games: Sequence[ReviewedGame]
) -> ReviewDocument:
    """Describe the games, and the moves that mattered most."""
    totals = total_decisions((game.played, game.review) for game in games)
    moments = key_moments([game.review for game in games])
    return ReviewDocument(
        **about(match.game),
        players=match.players,
        good=[good for good, _ in totals],
        decisions=[every for _, every in totals],
        accuracy=[share_right(*found) for found in totals],
        strength=_strengths(coach.solution, match, games),
        score=match.score,
        match_games=match.games,
        key_moments=[
            KeyMoment(games[index].number, move.ply, games[index].moments[move.ply])
            for index, move in moments
        ],
        games=[_judged_game(coach, game) for game in games],
    )


def _strengths(
    solution: Solution[Any], match: Match[Any], games: Sequence[ReviewedGame]
) -> list[Strength | None]:
    """Place both players on the scale by the moves that stand."""
    if not solution.is_whole:
        return [None, None]
    decisions = decisions_of(solution, match.rounds[0].first, match.games, match.events)
    ended = [decisions[game.number - 1] for game in games if game.number <= len(decisions)]
    return [
        strength_of([decision for each in ended for decision in each[player]], len(ended))
        if not bot
        else None
        for player, bot in enumerate(match.bots)
    ]


def _places(document: ReviewDocument) -> list[str]:
    """Say how well people play, by these games alone, if that is known."""
    known = zip(document.strength, document.players, strict=True)
    return [placed(found, name) for found, name in known if found and found.like]


def _judged_game(coach: Coach[Any], game: ReviewedGame) -> JudgedGame:
    """Describe a game."""
    played, judged = game.played, game.review
    exact_from = judged.exact_from or len(played.states) + 1
    decisions = [judged.decisions(played.player(player)) for player in (0, 1)]
    return JudgedGame(
        game=game.number,
        first=played.first,
        moves=[
            JudgedMove(
                move.ply,
                played.player(move.seat),
                move.move,
                coach.words.label(played.states[move.ply - 1], move.move),
                move.verdict,
                move.word,
                value_of(move.before, exact=move.ply >= exact_from),
                value_of(move.value, exact=move.ply >= exact_from - 1),
                list(move.best),
                move.decision,
            )
            for move in judged.moves
        ],
        exact_from=judged.exact_from,
        turning_point=judged.turning_point,
        good=[good for good, _ in decisions],
        decisions=[every for _, every in decisions],
        accuracy=[share_right(*found) for found in decisions],
        known_before=known_before(judged),
    )


def review_report(
    coach: Coach[Any],
    match: Match[Any],
    games: Sequence[ReviewedGame],
    document: ReviewDocument,
    plain: bool,
) -> Report:
    """Write the review: of a series as a whole first, then game by game."""
    places = _places(document) if len(games) == 1 else []
    sections = [part for game in games for part in _sections(coach, match, game, places, plain)]
    if len(games) == 1:
        return Report("", sections)
    title = f"{title_of(match.game)}: {against(document.players)}"
    return Report(title, [Section("", _series(coach, match, games, document)), *sections])


def _series(
    coach: Coach[Any], match: Match[Any], games: Sequence[ReviewedGame], document: ReviewDocument
) -> list[str]:
    """Sum up the games of a match."""
    names, reviews = document.players, [game.review for game in games]
    standing = "Final score" if match.over else "Score so far"
    points = zip(names, map(half_points, document.score), strict=True)
    lines = [f"{standing}: {', '.join(map(' '.join, points))}."]
    if any(judged.exact_from for judged in reviews):
        counts = zip(names, document.good, document.decisions, strict=True)
        lines += (accuracy(*count, where_exact(reviews)) for count in counts)
    lines += _places(document)
    for index, move in key_moments(reviews):
        game = games[index]
        named = coach.words.button(game.played.states[move.ply - 1], move.move)
        made = f"{game.names[move.seat]} played {named}, a {move.verdict}"
        lines.append(f"Game {game.number}, move {move.ply}: {made}.")
    if not document.key_moments:
        unknown = any(None in judged.history for judged in reviews)
        changed = "is known to have changed" if unknown else "changed"
        lines.append(f"No move {changed} the result of a game.")
    return lines


def _sections(
    coach: Coach[Any], match: Match[Any], game: ReviewedGame, places: Sequence[str], plain: bool
) -> Iterator[Section]:
    """Write the review of a game: accuracy and key moments, then every move."""
    number, played, names, judged, moments = game
    say = to_you if YOU in names else str
    title = f"{title_of(match.game)}: {against(names)}"
    head = f"Game {number} of {match.games}" if match.games > 1 else title
    ended = ending(match, played) or "The game is unfinished."
    said = (ended, exactness(judged), *accuracies(names, judged), *places)
    again = [Sentence(title, "strong")] if match.games > 1 else []
    turn = "" if moments else no_turn(names, played, judged)
    yield Section(head, [*again, *map(say, filter(None, (*said, turn)))])
    for first, *rest in moments.values():
        yield Section(say(first), list(map(say, rest)))
    rows = [
        (
            str(move.ply),
            names[move.seat],
            coach.words.button(played.states[move.ply - 1], move.move),
            move.word if plain else f"{move.word} {MARKS.get(move.verdict, '')}".strip(),
            spoken(move.value),
            better(coach, played.states[move.ply - 1], move),
        )
        for move in judged.moves
    ]
    yield Section("", [Grid(("Move", "Player", "Played", "Verdict", "Value", "Better"), rows)])
    chart = Chart.reviewed(coach.words, names, played, judged)
    if not plain:  # the table has just said it all
        yield Section("", [Picture("", text=lambda width: say(chart_text(chart, width=width)))])
