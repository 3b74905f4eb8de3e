"""`zerosum levels`: the strength of the computer players, exact or estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Struct

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import Findings, StatusLine
from zerosum.cli.solving import counting, limit_option, patience, solution_of
from zerosum.documents import Document, about, described
from zerosum.errors import TooLarge
from zerosum.limits import PATIENCE, Limits
from zerosum.players.autoplay import Tournament
from zerosum.players.levels import LEVELS, describe_level, levels_at, soon_known
from zerosum.protocol import Game
from zerosum.reports import Grid, Piece, Report, Section, Sentence
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution
from zerosum.text import counted, upper_first
from zerosum.wording.words import title_of

if TYPE_CHECKING:
    from zerosum.players.strength import Strengths

BETWEEN = "Each row's score against each column, averaged over who moves first (a draw is ½)"
Games = Annotated[int | None, described("the games played; null if figures are exact")]


class LevelPair(Struct, frozen=True):
    """How the games of two levels end; `first` moves first."""

    first: str
    second: str
    games: Games
    first_wins: float
    second_wins: float
    draw: Annotated[float, described("the game ends without a winner")]
    endless: Annotated[float, described("the game never ends, or repeats itself until stopped")]


class LevelScore(Struct, frozen=True):
    """What a level scores against another, moving first half the time."""

    level: str
    other: str
    score: Annotated[float, described("1 for a win, ½ for a draw, endless or not")]
    low: Annotated[float, described("the 95% confidence interval; the score if it is exact")]
    high: float
    games: Games


class LevelsDocument(Document, frozen=True, kw_only=True, tag="zerosum-levels"):
    """The strength of the computer players."""

    version: Literal[3] = 3
    game: str
    options: dict[str, Any]
    exact: Annotated[bool, described("if not, the figures are estimates from games")]
    games: Games
    seed: Annotated[int | None, described("the seed of the games; null if figures are exact")]
    levels: list[str]
    pairs: Annotated[list[LevelPair], described("a pair that has not played is left out")]
    scores: list[LevelScore]


@flags.game_command()
@flags.game_argument
@flags.number(
    "--games", "Games between every two levels, for an estimate.", 20, least=2, most=1_000_000
)
@flags.seed_option
@limit_option
@flags.all_option
@flags.printed
def levels(
    settings: Settings,
    game: Game[Any],
    games: int,
    seed: int | None,
    limit: int,
    everything: bool,
) -> Findings:
    """Show how strong each level of the computer is at GAME, against every other.

    If the levels know the value of every position, nothing is sampled: the probabilities are the
    solution of a linear system. --all adds how often each wins when it moves first, with draws
    and endless games in brackets.

    In a larger game, the levels play each other, and what they score is an estimate with its
    95% confidence interval. Ctrl-C stops, and shows what was found so far.
    """
    from zerosum.players.strength import strengths

    with counting(settings):
        known = soon_known(game, cache=cache_dir())
        refusal = known.refusal
    reason, stopped = str(refusal), False
    if refusal is None:
        try:
            solution = solution_of(settings, game, limit, solve_table)
            document = _exact(game, strengths(solution))
            return Findings(document, levels_report(document, title_of(game), True, everything))
        except TooLarge as error:
            reason = str(error)
    elif refusal.limit is not None:
        many = f"{title_of(game)} has more than {known.limits.positions:,} positions"
        reason = f"{many}; until few are left, every level except perfect searches for its moves."
    with counting(settings):
        perfect = Solution(game, Limits(limit, patience(PATIENCE)), cache=cache_dir())
        tournament = Tournament(known, levels_at(perfect, game.initial()), seed or 0, perfect)
    settings.err.paragraph(f"{reason} The levels play each other for an estimate.")
    played, total = 0, tournament.total(games)
    try:
        with StatusLine(settings.err) as line:
            line.show(f"0 of {total:,} games …")
            for played in tournament.play(games):
                line.show(f"{played:,} of {total:,} games …")
    except KeyboardInterrupt:
        settings.err.paragraph(f"Stopped after {played:,} of {total:,} games.")
        stopped = True
    document = _estimate(tournament, played)
    report = levels_report(document, title_of(game), known.is_whole, everything)
    return Findings(document, report, code=130 if stopped else 0)


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


def _estimate(tournament: Tournament, played: int) -> LevelsDocument:
    """Describe what the levels scored; pairs that did not play are left out."""
    from zerosum.players.strength import Chances

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


def levels_report(document: LevelsDocument, title: str, known: bool, everything: bool) -> Report:
    """Write what the levels score, and all else if `everything` is wanted.

    Estimates have intervals. How the levels play depends on whether they have `known` all values.
    """
    levels, exact = document.levels, document.exact
    scores = {
        (found.level, found.other): f"{found.score:.3f}"
        if exact
        else f"{found.score:.2f} ({found.low:.2f} to {found.high:.2f})"
        for found in document.scores
    }
    head = f"an estimate from {counted(document.games or 0, 'game')}"
    about, rest = f"{BETWEEN}; 95% confidence intervals in brackets", "how each level plays"
    more: list[Piece] = [f"{level}: {describe_level(level, known)}" for level in levels]
    if exact:
        head, about, rest = (
            "what every level scores",
            BETWEEN,
            "how often the row wins, moving first",
        )
        odds = {(pair.first, pair.second): _odds(pair) for pair in document.pairs}
        more = [
            Sentence(upper_first(rest), "strong"),
            _table("Moves first", "moves first: wins", levels, odds),
        ]
    else:
        scores.update({(level, level): "" for level in levels})
    pieces: list[Piece] = [
        *_steps(document),
        Sentence(about, "strong"),
        _table("Level", "scores", levels, scores),
        *(more if everything else [Sentence(f"Add --all for {rest}.", "aside")]),
    ]
    return Report(f"{title}: {head}", [Section("", pieces)])


def _steps(document: LevelsDocument) -> Iterator[str]:
    """Say what the levels score against the next weaker ones."""
    steps = list(zip(document.levels[1:], document.levels, strict=False))
    scores = [found.score for found in document.scores if (found.level, found.other) in steps]
    if scores:
        low, high = (
            f"{score:.{3 if document.exact else 2}f}" for score in (min(scores), max(scores))
        )
        span = low if low == high else f"{low} to {high}"
        does = "level scores" if document.exact else "level scored"
        yield f"Each {does} {span} against the next weaker one."


def _table(
    heading: str, verb: str, levels: Sequence[str], figures: dict[tuple[str, str], str]
) -> Grid:
    """Make a table of what each level does against the others, also told in sentences."""
    rows, spoken = [], []
    for level in levels:
        cells = {other: figures.get((level, other), "not played") for other in levels}
        said = ", ".join(f"{cell} against {other}" for other, cell in cells.items() if cell)
        rows.append([level, *cells.values()])
        spoken.append(f"{level.capitalize()} {verb} {said}.")
    return Grid((heading, *(f"against {level}" for level in levels)), rows, spoken=spoken)


def _odds(pair: LevelPair) -> str:
    """Write how often the first player wins, and how often nobody does, if that happens."""
    nobody = (("draw", pair.draw), ("endless", pair.endless))
    listed = ", ".join(f"{chance:.3f} {word}" for word, chance in nobody if chance > 5e-4)
    return f"{pair.first_wins:.3f}" + (f" ({listed})" if listed else "")
