"""`zerosum levels`: the strength of the computer players, exact or estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.documents import LevelPair, LevelScore, LevelsDocument, about
from zerosum.cli.solving import counting, limit_option, patience, solution_of
from zerosum.documents import to_json
from zerosum.errors import TooLarge
from zerosum.limits import PATIENCE, Limits
from zerosum.players.autoplay import Tournament
from zerosum.players.levels import LEVELS, describe_level, levels_at, soon_known
from zerosum.players.strength import Chances, Strengths, strengths
from zerosum.protocol import Game
from zerosum.reports import Grid, Piece, Report, Section, Sentence
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution
from zerosum.text import counted
from zerosum.wording.words import title_of

BETWEEN = "What the row scores over both seats: 1 for a win, ½ for a draw"


@flags.game_command()
@flags.game_argument
@click.option(
    "--games",
    type=flags.Whole(least=2, most=1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Games between every two levels, for an estimate.",
)
@flags.seed_option
@limit_option
@flags.json_option
@flags.common
def levels(
    settings: Settings, game: Game[Any], games: int, seed: int | None, limit: int, as_json: bool
) -> None:
    """Show how strong each level of the computer is at GAME, against every other.

    If the levels know the value of every position, nothing is sampled: the probabilities are the
    solution of a linear system. The row moves first, the column second; draws and endless
    games are in brackets.

    In a larger game, the levels play each other, and what they score is an estimate with its
    95% confidence interval. Ctrl-C stops, and shows what was found so far.
    """
    with counting(settings):
        known = soon_known(game, cache=cache_dir())
        refusal = known.refusal
    document, reason = None, str(refusal)
    if refusal is None:
        try:
            document = _exact(game, strengths(solution_of(settings, game, limit, solve_table)))
        except TooLarge as error:
            reason = str(error)
    elif refusal.limit is not None:
        many = f"{title_of(game)} has more than {known.limits.positions:,} positions"
        reason = f"{many}; until few are left, every level except perfect searches for its moves."
    if document is None:
        with counting(settings):
            perfect = Solution(game, Limits(limit, patience(PATIENCE)), cache=cache_dir())
            tournament = Tournament(known, levels_at(perfect, game.initial()), seed or 0, perfect)
        settings.err.paragraph(f"{reason} They play each other for an estimate.")
        document = _estimate(settings, tournament, games)
    if as_json:
        settings.out.line(to_json(document))
    else:
        settings.out.show(levels_report(document, title_of(game), known.is_whole))
    if document.games is not None and document.games < tournament.total(games):
        click.get_current_context().exit(130)


def _exact(game: Game[Any], found: Strengths) -> LevelsDocument:
    """Describe the exact strengths."""
    return LevelsDocument(
        **about(game),
        exact=True,
        games=None,
        seed=None,
        levels=list(LEVELS),
        pairs=[LevelPair(*pair, None, *ends) for pair, ends in found.chances.items()],
        scores=[
            LevelScore(*pair, score, score, score, None)
            for pair in found.chances
            for score in [found.overall(*pair)]
        ],
    )


def _estimate(settings: Settings, tournament: Tournament, games: int) -> LevelsDocument:
    """Let the levels play each other, and describe what they score; Ctrl-C keeps what was played.

    Pairs that did not play are left out.
    """
    played, total = 0, tournament.total(games)
    line = StatusLine(settings.err)
    try:
        line.show(f"0 of {total:,} games …")
        for played in tournament.play(games):
            line.show(f"{played:,} of {total:,} games …")
    except KeyboardInterrupt:
        line.clear()
        settings.err.paragraph(f"Stopped after {played:,} of {total:,} games.")
    finally:
        line.clear()
    estimates = {pair: tournament.estimate(*pair) for pair in tournament.tallies}
    return LevelsDocument(
        **about(tournament.solution.game),
        exact=False,
        games=played,
        seed=tournament.seed,
        levels=list(tournament.levels),
        pairs=[
            LevelPair(*pair, tally.games, *Chances.of(tally))
            for pair, tally in tournament.tallies.items()
            if tally.games
        ],
        scores=[
            LevelScore(*pair, found.score, found.low, found.high, found.games)
            for pair, found in estimates.items()
            if found
        ],
    )


def levels_report(document: LevelsDocument, title: str, known: bool) -> Report:
    """Write the strengths as tables; estimates have intervals, and say how the levels play.

    That depends on whether they have `known` all values.
    """
    levels = document.levels
    if not document.exact:
        scores = {(score.level, score.other): _bounds(score) for score in document.scores}
        unplayed = {(level, level): "" for level in levels}
        rows = [
            [row, *({**scores, **unplayed}.get((row, other), "not played") for other in levels)]
            for row in levels
        ]
        pieces: list[Piece] = [
            Sentence(f"{BETWEEN}; 95% confidence intervals in brackets", "strong"),
            _table("Level", "scores", levels, rows),
            *(f"{level}: {describe_level(level, known)}" for level in levels),
        ]
        games = counted(document.games or 0, "game")
        return Report(f"{title}: an estimate from {games}", [Section("", pieces)])
    odds = {(pair.first, pair.second): _odds(pair) for pair in document.pairs}
    exact = {(score.level, score.other): f"{score.score:.3f}" for score in document.scores}
    wins, means = (
        [[row, *(figures[row, o] for o in levels)] for row in levels] for figures in (odds, exact)
    )
    pieces = [
        _table("Moves first", "moves first: wins", levels, wins),
        Sentence(BETWEEN, "strong"),
        _table("Level", "scores", levels, means),
    ]
    return Report(f"{title}: how often the row wins, moving first", [Section("", pieces)])


def _table(heading: str, verb: str, levels: Sequence[str], rows: list[list[str]]) -> Grid:
    """Make a table of what each level does against the others, which is also told in sentences."""
    against = [f"against {level}" for level in levels]
    figures = [
        ", ".join(f"{cell} {other}" for cell, other in zip(cells, against, strict=True) if cell)
        for _, *cells in rows
    ]
    spoken = [
        f"{row[0].capitalize()} {verb} {said}." for row, said in zip(rows, figures, strict=True)
    ]
    return Grid((heading, *against), rows, spoken=spoken)


def _odds(pair: LevelPair) -> str:
    """Write how often the first player wins, and how often nobody does, if that happens."""
    nobody = (("draw", pair.draw), ("endless", pair.endless))
    listed = ", ".join(f"{chance:.3f} {word}" for word, chance in nobody if chance > 5e-4)
    return f"{pair.first_wins:.3f}" + (f" ({listed})" if listed else "")


def _bounds(found: LevelScore) -> str:
    """Write an estimate with its interval."""
    return f"{found.score:.2f} ({found.low:.2f} to {found.high:.2f})"
