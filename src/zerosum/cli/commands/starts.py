"""`zerosum starts`: who wins from each start, and which starts and options are fair."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import inf, prod
from time import monotonic
from typing import Annotated, Any, Literal

import click
from click.core import ParameterSource
from msgspec import UNSET, Struct, UnsetType

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.cli.solving import MORE_TIME, limit_option, more, patience
from zerosum.documents import Document, about, described
from zerosum.errors import OptionError, TooLarge, TooSlow, ZerosumError
from zerosum.limits import MOST_COMBINATIONS, MOST_STARTS, PATIENCE, SHORT_PATIENCE, Limits
from zerosum.options import option_values, options_of, written
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS, Level
from zerosum.players.strength import chances_between
from zerosum.protocol import Game, Result, Value
from zerosum.registry import entry_of
from zerosum.reports import Grid, Piece, Report, Section, Sentence
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.text import counted, plain_name, runs, short
from zerosum.wording.words import title_of

Kind = Literal["values", "fair", "handicap"]


class EndChances(Struct, frozen=True):
    """How games between equals end, and the first player's expected score."""

    first_wins: float
    second_wins: float
    draw: float
    endless: float
    score: float


class StartRow(Struct, frozen=True, kw_only=True):
    """The value of a start to whoever moves first, or the chances of a variant."""

    start: int | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    plies: int | UnsetType | None = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    first: Annotated[Level | UnsetType, described("the level that moves first")] = UNSET
    score: Annotated[float | UnsetType, described("of the weaker level")] = UNSET
    bias: Annotated[float | UnsetType, described("how far the score is from 1/2")] = UNSET
    levels: Annotated[dict[Level, EndChances] | UnsetType, described("between equals")] = UNSET
    first_wins: float | UnsetType = UNSET
    second_wins: float | UnsetType = UNSET
    draw: float | UnsetType = UNSET
    endless: Annotated[bool | float | UnsetType, described("of a variant: how likely")] = UNSET


class StartsDocument(Document, frozen=True, kw_only=True, tag="zerosum-starts"):
    """Who wins which start, or how fair variants are, the fairest first."""

    version: Literal[3] = 3
    game: str
    options: dict[str, Any]
    kind: Kind
    weaker: Level | UnsetType = UNSET
    stronger: Level | UnsetType = UNSET
    starts: list[StartRow]


@flags.game_command()
@flags.game_argument
@flags.number("--from", "First start.", 1, name="first")
@flags.number("--to", "Last start.", 50, name="last")
@click.option("--fair", is_flag=True, help="Show the fairest starts and options between equals.")
@click.option(
    "--handicap",
    nargs=2,
    type=click.Choice(LEVELS),
    metavar="WEAKER STRONGER",
    help="Show which start makes these two levels equal.",
)
@limit_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@flags.printed
def starts(
    settings: Settings,
    game: Game[Any],
    first: int,
    last: int,
    fair: bool,
    handicap: tuple[Level, Level] | None,
    limit: int,
    as_csv: bool,
) -> Findings:
    """Show who wins from each start of GAME in a range, and how fast.

    With --fair or --handicap: the exact chances from each start, with each combination of the
    options that are on or off or have choices (those that you set stay as they are), the fairest
    first.
    """
    ctx = click.get_current_context()
    refusals = {
        f"{title_of(game)} has no option 'start' for this command to vary.": (
            "start" not in option_values(game) and not (fair or handicap)
        ),
        "--fair and --handicap cannot be combined.": fair and handicap,
        "--csv and --json cannot be combined.": as_csv and ctx.params["as_json"],
        "--to must not be less than --from.": last < first,
        f"At most {MOST_STARTS:,} starts can be listed at once.": last - first >= MOST_STARTS,
    }
    for refusal, applies in refusals.items():
        if applies:
            raise click.UsageError(refusal, ctx)
    weaker, stronger = handicap or (UNSET, UNSET)
    if handicap and LEVELS.index(handicap[0]) >= LEVELS.index(handicap[1]):
        between = "A handicap is between a weaker and a stronger level"
        raise ZerosumError(f"{between}; {weaker} is not weaker than {stronger}.")
    kind: Kind = "handicap" if handicap else "fair" if fair else "values"
    fixed = list(option_values(game)) if kind == "values" else _fixed(ctx)
    found = StartList(game, range(first, last + 1), kind, handicap)
    found.judge(fixed, limit, monotonic() + (patience(PATIENCE) or inf))
    document = StartsDocument(
        **about(game), kind=kind, weaker=weaker, stronger=stronger, starts=found.rows
    )
    report = Report("", [])
    if as_csv:
        settings.out.line(starts_csv(document))
    else:
        title = f"{_title(document)} of {title_of(game)}"
        pieces: list[Piece] = [starts_grid(document)]
        if document.kind != "values":
            mean = ", on average over the levels" * (document.kind == "fair")
            pieces.append(Sentence(f"Bias: how far the score is from 0.5{mean}.", "aside"))
        report = Report(title, [Section("", pieces)])
    return Findings(document, report, notes=found.left_out, code=130 if found.stopped else 0)


class StartList:
    """The rows of the starts that fit, and what had to be left out."""

    def __init__(
        self, game: Game[Any], starts: range, kind: Kind, levels: tuple[Level, Level] | None
    ) -> None:
        """Take what the command was asked for."""
        self.game, self.starts, self.kind, self.levels = game, starts, kind, levels
        self.rows: list[StartRow] = []
        self.left_out: list[str] = []
        self.stopped = False

    def judge(self, fixed: Sequence[str], limit: int, deadline: float) -> None:
        """Judge every variant before a deadline, the fairest first if asked for."""
        others = [name for name in fixed if name != "start"]
        games = list(variants(self.game, self.starts, others))
        large: list[Game[Any]] = []
        reason: TooLarge | None = None
        try:
            for number, game in enumerate(games):
                try:
                    self.rows += self._judged(game, limit, deadline)
                except TooLarge as error:
                    reason = error
                    large.append(game)
                    if self.kind == "values":  # what follows is larger
                        large = games[number:]
                        break
        except KeyboardInterrupt:
            self.stopped = True  # what was found so far is printed all the same
        if not self.rows and not self.stopped:
            raise reason or ZerosumError(f"{title_of(self.game)} has none of these starts.")
        if large:
            starts = dict.fromkeys(option_values(game).get("start", "") for game in large)
            named = short(runs(list(starts))) or counted(len(large), "variant")
            self.left_out.append(f"Left out: {named} ({str(reason).rstrip('.')}).")
        self.rows.sort(key=lambda row: round(row.bias or 0.0, 12))

    def _judged(self, game: Game[Any], limit: int, deadline: float) -> list[StartRow]:
        """Solve a variant and describe it, unless the time is up."""
        left = deadline - monotonic()
        if left < 0:
            raise TooLarge(f"{TooSlow('The list', PATIENCE)} {MORE_TIME}")
        with more(min(PATIENCE, max(left, SHORT_PATIENCE))) as seconds:
            if self.kind != "values":
                return fair_rows(solve_table(game, Limits(limit, seconds)), self.levels)
            value = solve(game, Limits(limit, seconds)).value(game.initial())
        start, (result, plies, endless) = option_values(game)["start"], value
        return [StartRow(start=start, result=result, plies=plies, endless=endless)]


def variants(
    game: Game[Any], starts: Sequence[int], fixed: Sequence[str] = ()
) -> Iterator[Game[Any]]:
    """Yield a game with every start, and with every combination of its other options, if few.

    Options that are on or off or have choices are tried; `fixed` ones stay.

    >>> import zerosum
    >>> len(list(variants(zerosum.game("even-steven"), (1, 2))))
    4
    """
    now = option_values(game)
    tried: dict[str, Sequence[Any]] = {
        option.name: (False, True) if option.kind == "flag" else option.choices
        for option in options_of(game)
        if option.name not in ("start", *fixed) and (option.kind == "flag" or option.choices)
    }
    if prod(map(len, tried.values())) > MOST_COMBINATIONS:
        tried = {}
    if "start" in now:
        tried = {"start": starts, **tried}
    for chosen in product(*tried.values()):
        with suppress(OptionError):  # a variant that the game does not have
            other = dict(zip(tried, chosen, strict=True))
            yield entry_of(game).variant(**{**now, **other})


def _fixed(ctx: click.Context) -> list[str]:
    """Return the options of the game that the user has set."""
    names = [str(flag.name) for flag in ctx.meta[flags.META][1]]
    given = [name for name in names if ctx.get_parameter_source(name) != ParameterSource.DEFAULT]
    return [name.removeprefix(flags.PREFIX) for name in given]


def fair_rows(solution: Solution[Any], levels: tuple[Level, Level] | None) -> list[StartRow]:
    """Describe how fair a variant is between equals, or two levels in either order."""
    options = option_values(solution.game)
    if levels is None:
        mirror = [(level, level) for level in LEVELS]
        equals = chances_between(chain_of(solution), mirror)
        ends = {level: EndChances(*found, found.score) for (level, _), found in equals.items()}
        bias = sum(abs(found.score - 0.5) for found in ends.values()) / len(LEVELS)
        return [StartRow(options=options, bias=bias, levels=ends)]
    weaker, stronger = levels
    pairs = chances_between(chain_of(solution), [(weaker, stronger), (stronger, weaker)])
    begins, follows = pairs.values()
    ways = ((weaker, begins, begins.score), (stronger, follows, follows.other_score))
    return [
        StartRow(
            options=options,
            first=first,
            score=score,
            bias=abs(score - 0.5),
            first_wins=chances.first,
            second_wins=chances.second,
            draw=chances.draw,
            endless=chances.endless,
        )
        for first, chances, score in ways
    ]


def _cells(document: StartsDocument) -> list[dict[str, Any]]:
    """Return the rows of a table: options first, then figures."""
    if document.kind == "values":
        columns = ("start", "result", "plies", "endless")
        return [{column: getattr(row, column) for column in columns} for row in document.starts]
    rows = []
    for row in document.starts:
        options = {name: written(value) for name, value in (row.options or {}).items()}
        scores: dict[str, Any] = {"first": row.first, "score": row.score}
        if row.levels:
            scores = {level: chances.score for level, chances in row.levels.items()}
        rows.append({**options, **scores, "bias": row.bias})
    return rows


def starts_csv(document: StartsDocument) -> str:
    """Write the rows as comma-separated values."""
    text, rows = io.StringIO(), _cells(document)
    table = csv.writer(text, lineterminator="\n")
    table.writerows([*map(list, rows[:1])])
    for row in rows:
        table.writerow(str(c).lower() if isinstance(c, bool) else c for c in row.values())
    return text.getvalue().rstrip("\n")


def starts_grid(document: StartsDocument) -> Grid:
    """Write the rows as a table, without the options in which none of them differ."""
    rows = _cells(document)
    if document.kind == "values":
        values = [(str(start), Value(*value)) for start, *value in map(dict.values, rows)]
        listed = [(short(start), *_winner(value)) for start, value in values]
        return Grid(("Start", "Won by", "Moves"), listed)
    options, columns = document.options, [*rows[0]] if rows else []
    kept = [c for c in columns if c not in options or len({row[c] for row in rows}) > 1]
    return Grid(
        ["Moves first" if c == "first" else plain_name(c).capitalize() for c in kept],
        [
            [f"{row[c]:.3f}" if isinstance(row[c], float) else short(row[c]) for c in kept]
            for row in rows
        ],
    )


def _title(document: StartsDocument) -> str:
    """Say what the rows are."""
    if document.kind == "values":
        return "Starts"
    if document.kind == "fair":
        return "What the first player scores between equals: fairest variants"
    return f"What {document.weaker} scores against {document.stronger}: fairest variants"


def _winner(value: Value) -> tuple[str, str]:
    """Name who wins a start, if anyone does, and in how many moves."""
    if value.result == "draw":
        return "nobody (endless)" if value.endless else "nobody (draw)", "-"
    winner = "first" if value.result == "win" else "second"
    return winner, "?" if value.plies is None else short(f"{value.plies:,}")
