"""`zerosum levels`: the strength of the computer players, exact or estimated."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import StatusLine
from zerosum.cli.documents import about, document
from zerosum.cli.solution import PATIENCE, PositionCounter, limit_option, patience, solution_of
from zerosum.errors import TooLarge
from zerosum.players.estimates import Tournament
from zerosum.players.levels import LEVELS, Level, describe_level, levels_at, soon_known
from zerosum.players.strength import Chances, Strengths, strengths
from zerosum.protocol import Game
from zerosum.solver import solve_table
from zerosum.solver.knowledge import Knowledge
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

    Where the levels know the values of all positions, nothing is sampled: the probabilities are
    the solution of a linear system. The row moves first, the column second; draws and endless
    games are in brackets.

    In a larger game, the levels play each other, and what they score is an estimate with its
    95% confidence interval. Ctrl-C stops, and shows what was found so far.
    """
    with PositionCounter(settings):
        known = soon_known(game, cache=cache_dir())
        refusal = known.refusal
    if refusal is None:
        try:
            found = strengths(solution_of(settings, game, limit, solve_table))
        except TooLarge as error:
            reason = str(error)
        else:
            _exact(settings, game, found, as_json)
            return
    elif refusal.limit is None:
        reason = str(refusal)
    else:
        many = f"{title_of(game)} has more than {known.limit:,} positions"
        reason = f"{many}; until few are left, all levels but perfect search for their moves."
    with PositionCounter(settings):
        seconds = patience(PATIENCE)
        perfect = Knowledge(game, limit, cache=cache_dir(), seconds=seconds)
        tournament = Tournament(known, levels_at(perfect, game.initial()), seed or 0, perfect)
    settings.err.paragraph(f"{reason} They play each other for an estimate.")
    _estimate(settings, tournament, games, as_json)


def _exact(settings: Settings, game: Game[Any], found: Strengths, as_json: bool) -> None:
    """Print the exact strengths."""
    out = settings.out
    if as_json:
        pairs = [
            {"first": first, "second": second, "games": None, **chances.document()}
            for (first, second), chances in found.chances.items()
        ]
        scores = [
            {
                "level": level,
                "other": other,
                "games": None,
                **dict.fromkeys(("score", "low", "high"), found.overall(level, other)),
            }
            for level, other in found.chances
        ]
        contents = {"exact": True, "games": None, "seed": None, "levels": LEVELS, "pairs": pairs}
        out.line(document("levels", **about(game), **contents, scores=scores))
        return
    against = [f"against {level}" for level in LEVELS]
    rows = [[level, *(_odds(found.chances[level, other]) for other in LEVELS)] for level in LEVELS]
    out.paragraph(f"{title_of(game)}: how often the row wins, moving first", "strong")
    out.table("", ("Moves first", *against), rows)
    rows = [[row, *(f"{found.overall(row, other):.3f}" for other in LEVELS)] for row in LEVELS]
    out.paragraph(BETWEEN, "strong")
    out.table("", ("Level", *against), rows)


def _odds(chances: Chances) -> str:
    """Write how often the first player wins, and how often nobody does where that happens."""
    nobody = (("draw", chances.draw), ("endless", chances.endless))
    listed = ", ".join(f"{chance:.3f} {word}" for word, chance in nobody if chance > 5e-4)
    return f"{chances.first:.3f}" + (f" ({listed})" if listed else "")


def _estimate(settings: Settings, tournament: Tournament, games: int, as_json: bool) -> None:
    """Let the levels play each other, and print what they score; Ctrl-C keeps what was played."""
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
    if as_json:
        _print_document(settings, tournament)
    else:
        _print_table(settings, tournament, played)
    if played < total:
        click.get_current_context().exit(130)


def _print_document(settings: Settings, tournament: Tournament) -> None:
    """Print the estimates as a document; what was not played is not in it."""
    pairs = [
        {"first": first, "second": second, "games": tally.games, **tally.document()}
        for (first, second), tally in tournament.tallies.items()
        if tally.games
    ]
    scores = [
        {"level": level, "other": other, **estimate._asdict()}
        for level, other in tournament.tallies
        if (estimate := tournament.estimate(level, other))
    ]
    games = sum(tally.games for tally in tournament.tallies.values())
    contents = {"exact": False, "games": games, "seed": tournament.seed}
    about_game = about(tournament.knowledge.game)
    listed = {"levels": tournament.levels, "pairs": pairs, "scores": scores}
    settings.out.line(document("levels", **about_game, **contents, **listed))


def _print_table(settings: Settings, tournament: Tournament, played: int) -> None:
    """Print the estimates with their intervals, and how each level plays."""
    out, names = settings.out, tournament.levels
    known = tournament.knowledge.solution is not None
    title = title_of(tournament.knowledge.game)
    out.paragraph(f"{title}: an estimate from {counted(played, 'game')}", "strong")
    out.paragraph(f"{BETWEEN}; 95% confidence intervals in brackets", "strong")
    rows = [
        [row, *(_bounds(tournament, row, other) if row != other else "" for other in names)]
        for row in names
    ]
    out.table("", ("Level", *(f"against {level}" for level in names)), rows)
    for level in names:
        out.paragraph(f"{level}: {describe_level(level, known)}")


def _bounds(tournament: Tournament, level: Level, other: Level) -> str:
    """Write an estimate with its interval."""
    found = tournament.estimate(level, other)
    return f"{found.score:.2f} ({found.low:.2f} to {found.high:.2f})" if found else "not played"
