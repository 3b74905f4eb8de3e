"""`zerosum review`: every move of a match, judged."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import cache, partial
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import click
from msgspec import convert

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.documents import JudgedGame, JudgedMove, KeyMoment, ReviewDocument, value_of
from zerosum.cli.files import read_record, write_file
from zerosum.cli.solving import counting, limit_option, patience
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
    share_right,
    total_decisions,
    where_exact,
)
from zerosum.documents import to_json
from zerosum.errors import ZerosumError
from zerosum.limits import PERSON, SHORT_PATIENCE, Limits
from zerosum.match import Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_text import chart_text
from zerosum.record import from_record
from zerosum.registry import entry_of
from zerosum.reports import Grid, Picture, Report, Section, Sentence
from zerosum.solver.cache import Cache
from zerosum.solver.solution import Solution
from zerosum.text import half_points
from zerosum.wording.words import Names, ending, spoken, title_of

# In a game that is too large: for all tables of what can follow a position together with all
# searches, and for one search.
ONWARD_SECONDS, SEARCH = 10.0, PERSON
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
    turns a win into a draw, or a draw into a loss; a blunder turns a win into a loss. If every
    move has the same result, the review says so instead: only move, all moves lose, longest
    defence.
    """
    ctx = click.get_current_context()
    found = _match(settings, match, game)
    chosen = _chosen(ctx, found, number)
    with counting(settings):
        limits = Limits(limit, patience(SHORT_PATIENCE))
        solution = Solution(found.game, limits, search=SEARCH, cache=cache_dir())
        kept = Cache(found.game, cache_dir())
        judged = _judged(solution, chosen, kept)
    if svg is not None:
        if len(judged) > 1:
            message = "the picture shows one game: choose it with --number N."
            raise flags.bad_value(ctx, "svg", message)
        from zerosum.pictures.chart_svg import chart_svg

        _, played, one = judged[0]
        title = f"{title_of(found.game)}: the values"
        write_file(svg, chart_svg(Chart.reviewed(found.names_of(played), played, one, title)))
    reviewed = MatchReview(found, judged, Coach(solution), kept)
    document = reviewed.document()
    if as_json:
        settings.out.line(to_json(document))
        return
    with settings.paged() as out:
        out.show(reviewed.report(document, settings.plain))


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
    solution: Solution[Any], chosen: Sequence[tuple[int, Round[Any]]], kept: Cache
) -> Judged:
    """Review some games, each once: what is kept in the cache is not computed again.

    Without a table of the whole game, they share the time.
    """

    @cache
    def end() -> float:
        return inf if solution.is_whole else monotonic() + ONWARD_SECONDS

    def compute(played: Round[Any], left: int) -> Review:
        return coach_review.review(solution, played, (end() - monotonic()) / left)

    judged = []
    for left, (n, played) in zip(range(len(chosen), 0, -1), chosen, strict=True):
        found = kept.once(_kind(solution.limits.positions, played), partial(compute, played, left))
        judged.append((n, played, convert(found, Review)))
    solution.here = solution.here.in_seconds(LAST_SECONDS)
    return judged


def _kind(limit: int, played: Round[Any], *about: object) -> str:
    """Name the cached review of a game, by everything that limits what is found."""
    what = json.dumps([limit, patience(SHORT_PATIENCE), *about, *played.moves]).encode()
    return f"review-{hashlib.sha256(what).hexdigest()[:32]}"


class MatchReview(NamedTuple):
    """The games of a match that were judged, and who explains them."""

    match: Match[Any]
    judged: Judged
    coach: Coach[Any]
    kept: Cache

    def document(self) -> ReviewDocument:
        """Describe the games, and the moves that mattered most."""
        match, judged = self.match, self.judged
        totals = total_decisions((played, reviewed) for _, played, reviewed in judged)
        moments = key_moments([reviewed for _, _, reviewed in judged])
        return ReviewDocument(
            game=entry_of(match.game).name,
            players=match.players,
            good=[good for good, _ in totals],
            decisions=[every for _, every in totals],
            accuracy=[share_right(*found) for found in totals],
            score=match.score,
            match_games=match.games,
            key_moments=[
                KeyMoment(judged[index][0], move.ply, self.moment(*judged[index][1:], move))
                for index, move in moments
            ],
            games=[self.game(*found) for found in judged],
        )

    def game(self, number: int, played: Round[Any], reviewed: Review) -> JudgedGame:
        """Describe a game."""
        exact_from = reviewed.exact_from or len(played.states) + 1
        decisions = [reviewed.decisions(played.player(player)) for player in (0, 1)]
        return JudgedGame(
            game=number,
            first=played.first,
            moves=[
                JudgedMove(
                    move.ply,
                    played.player(move.seat),
                    move.move,
                    self.coach.words.label(played.states[move.ply - 1], move.move),
                    move.verdict,
                    move.word,
                    value_of(move.before, exact=move.ply >= exact_from),
                    value_of(move.value, exact=move.ply >= exact_from - 1),
                    list(move.best),
                    move.decision,
                )
                for move in reviewed.moves
            ],
            exact_from=reviewed.exact_from,
            turning_point=reviewed.turning_point,
            good=[good for good, _ in decisions],
            decisions=[every for _, every in decisions],
            accuracy=[share_right(*found) for found in decisions],
            known_before=known_before(reviewed),
        )

    def moment(self, played: Round[Any], reviewed: Review, move: ReviewedMove) -> list[str]:
        """Return what is said about a key moment, which is kept in the cache too."""
        names = self.match.names_of(played)
        kind = _kind(self.coach.solution.limits.positions, played, names, move.ply)
        tell = partial(describe_moment, self.coach, names, played, reviewed, move)
        said: list[str] = self.kept.once(kind, tell)
        return said

    def report(self, document: ReviewDocument, plain: bool) -> Report:
        """Write the review: of a series as a whole first, then game by game."""
        title = f"{title_of(self.match.game)}: {' against '.join(document.players)}"
        games = [section for found in self.judged for section in self.sections(*found, plain)]
        if len(self.judged) > 1:
            return Report(title, [Section("", self.series(document)), *games])
        return Report("", games)

    def series(self, document: ReviewDocument) -> list[str]:
        """Sum up the games of a match."""
        names, reviews = document.players, [reviewed for _, _, reviewed in self.judged]
        standing = "Final score" if self.match.over else "Score so far"
        points = zip(names, map(half_points, document.score), strict=True)
        lines = [f"{standing}: {', '.join(map(' '.join, points))}."]
        if any(game.exact_from for game in document.games):
            counts = zip(names, document.good, document.decisions, strict=True)
            lines += (accuracy(*count, where_exact(reviews)) for count in counts)
        for index, move in key_moments(reviews):
            number, played, _ = self.judged[index]
            named = self.coach.named(played.states[move.ply - 1], move.move)
            player = self.match.names_of(played)[move.seat]
            made = f"{player} played {named}, a {move.verdict}"
            lines.append(f"Game {number}, move {move.ply}: {made}.")
        if not document.key_moments:
            unknown = any(None in reviewed.history for reviewed in reviews)
            changed = "is known to have changed" if unknown else "changed"
            lines.append(f"No move {changed} the result of a game.")
        return lines

    def sections(
        self, number: int, played: Round[Any], reviewed: Review, plain: bool
    ) -> Iterator[Section]:
        """Write the review of a game: accuracy and key moments first, then every move."""
        match, names = self.match, self.match.names_of(played)
        moments = key_moments([reviewed])
        title = f"{title_of(match.game)}: {' against '.join(names)}"
        head = f"Game {number} of {match.games}" if match.games > 1 else title
        said = (ending(match, played), exactness(reviewed), *accuracies(names, reviewed))
        again = [Sentence(title, "strong")] if match.games > 1 else []
        turn = "" if moments else no_turn(reviewed)
        yield Section(head, [*again, *filter(None, (*said, turn))])
        for _, move in moments:
            first, *rest = self.moment(played, reviewed, move)
            yield Section(first, rest)
        yield Section("", [self.table(names, played, reviewed, plain)])
        if not plain:  # the table has just said it all
            chart = Chart.reviewed(names, played, reviewed)
            yield Section("", [Picture("", text=lambda width: chart_text(chart, width=width))])

    def table(self, names: Names, played: Round[Any], reviewed: Review, plain: bool) -> Grid:
        """List the moves of a game; a mistake has a mark unless it is read aloud."""
        rows = [
            (
                str(move.ply),
                names[move.seat],
                self.coach.named(played.states[move.ply - 1], move.move),
                move.word if plain else f"{move.word} {MARKS.get(move.verdict, '')}".strip(),
                spoken(move.value),
                move.better,
            )
            for move in reviewed.moves
        ]
        return Grid(("Ply", "Player", "Move", "Verdict", "Value", "Better"), rows)
