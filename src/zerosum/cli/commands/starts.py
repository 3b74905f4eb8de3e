"""`zerosum starts`: who wins from each start, and which starts and options are fair."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import EndChances, StartRow, StartsDocument, about
from zerosum.cli.solving import MORE_TIME, limit_option, patience, solution_of
from zerosum.documents import to_json
from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.lab.audit.fairness import fairness, handicaps, variants
from zerosum.limits import PATIENCE, SHORT_PATIENCE
from zerosum.options import option_values, written
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS, Level
from zerosum.protocol import Game, Value
from zerosum.reports import Grid
from zerosum.solver import solve, solve_table
from zerosum.solver.solution import Solution
from zerosum.text import counted, plain_name, runs, short
from zerosum.wording.words import title_of

MOST_STARTS = 100_000


@flags.game_command()
@flags.game_argument
@click.option(
    "--from", "first", type=flags.Whole(), default=1, show_default=True, help="First start."
)
@click.option("--to", "last", type=flags.Whole(), default=50, show_default=True, help="Last start.")
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
@flags.json_option
@flags.common
def starts(
    settings: Settings,
    game: Game[Any],
    first: int,
    last: int,
    fair: bool,
    handicap: tuple[Level, Level] | None,
    limit: int,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show who wins from each start of GAME in a range, and how fast.

    With --fair or --handicap: the exact chances from each start, with each combination of the
    options that are on or off or have choices (those that you set stay as they are), the fairest
    first.
    """
    ctx = click.get_current_context()
    if "start" not in option_values(game) and not (fair or handicap):
        message = f"{title_of(game)} has no option 'start' for this command to vary."
        raise click.UsageError(message, ctx)
    if fair and handicap:
        raise click.UsageError("--fair and --handicap cannot be combined.", ctx)
    if as_csv and as_json:
        raise click.UsageError("--csv and --json cannot be combined.", ctx)
    if last < first:
        raise click.UsageError("--to must not be less than --from.", ctx)
    if last - first >= MOST_STARTS:
        raise click.UsageError(f"At most {MOST_STARTS:,} starts can be listed at once.", ctx)
    quiet = settings._replace(plain=True)  # one counter for each start would only flicker
    deadline = monotonic() + (patience(PATIENCE) or inf)
    asked = StartList(quiet, game, range(first, last + 1), limit, deadline, _fixed(ctx))
    if handicap:
        weaker, stronger = handicap
        if LEVELS.index(weaker) >= LEVELS.index(stronger):
            between = "A handicap is between a weaker and a stronger level"
            raise ZerosumError(f"{between}; {weaker} is not weaker than {stronger}.")
        ways = asked.rows(lambda solution: _handicap_rows(solution, weaker, stronger))
        document = StartsDocument(
            **about(game), kind="handicap", weaker=weaker, stronger=stronger, starts=ways
        )
    elif fair:
        document = StartsDocument(**about(game), kind="fair", starts=asked.rows(_fair_rows))
    else:
        asked.fixed = list(option_values(game))
        document = StartsDocument(**about(game), kind="values", starts=asked.rows(_value_rows))
    if as_json:
        settings.out.line(to_json(document))
    elif as_csv:
        settings.out.line(starts_csv(document))
    else:
        settings.out.table(f"{_title(document)} of {title_of(game)}", *starts_grid(document)[:2])
    for sentence in asked.left_out:
        settings.err.paragraph(sentence)
    if asked.stopped:
        ctx.exit(130)


@dataclass
class StartList:
    """What the command was asked for, and what it had to leave out."""

    settings: Settings
    game: Game[Any]
    starts: range
    limit: int
    deadline: float  # of all tables together
    fixed: list[str]  # the options that stay as they are
    left_out: list[str] = field(default_factory=list)
    stopped: bool = False

    def rows(self, judge: Callable[[Solution[Any]], Iterable[StartRow]]) -> list[StartRow]:
        """Judge every variant that is not too large, the fairest first if that is asked for."""
        has_starts, title = "start" in option_values(self.game), title_of(self.game)
        fixed = [name for name in self.fixed if name != "start"]
        games = list(variants(self.game, self.starts, fixed))
        found: list[StartRow] = []
        large: list[Game[Any]] = []
        reason: TooLarge | None = None
        # Starts have values by a theory too, and the first that is too large is the last.
        alone = judge is _value_rows
        try:
            for number, game in enumerate(games):
                try:
                    found += judge(self._solve(game, solve if alone else solve_table))
                except TooLarge as error:
                    reason = error
                    large += games[number:] if alone else [game]
                    if alone:
                        break
        except KeyboardInterrupt:
            self.stopped = True  # what was found so far is printed all the same
        if not found and not self.stopped:
            raise reason or ZerosumError(f"{title} has none of these starts.")
        if large:
            starts = [option_values(game)["start"] for game in large if has_starts]
            named = runs(list(dict.fromkeys(starts)))
            self._leave_out(named or counted(len(large), "variant"), reason)
        made = {option_values(game).get("start") for game in games}
        missing = [start for start in self.starts if has_starts and start not in made]
        if missing and not self.stopped:
            self._leave_out(runs(missing), f"{title} has no such start")
        return sorted(found, key=lambda row: round(row.bias or 0.0, 12))

    def _solve(self, game: Game[Any], solver: Callable[..., Solution[Any]]) -> Solution[Any]:
        """Solve a variant, unless the time is up."""
        left = self.deadline - monotonic()
        if left < 0:
            raise TooLarge(f"{TooSlow('The list', PATIENCE)} {MORE_TIME}")
        seconds = min(PATIENCE, max(left, SHORT_PATIENCE))
        return solution_of(self.settings, game, self.limit, solver, cache=False, most=seconds)

    def _leave_out(self, named: str, reason: object) -> None:
        """Note the starts without a row, and why."""
        self.left_out.append(f"Left out: {short(named)} ({str(reason).rstrip('.')}).")


def _fixed(ctx: click.Context) -> list[str]:
    """Return the options of the game that the user has set."""
    names = [str(flag.name) for flag in ctx.meta[flags.META][1]]
    given = [name for name in names if ctx.get_parameter_source(name) != ParameterSource.DEFAULT]
    return [name.removeprefix(flags.PREFIX) for name in given]


def _value_rows(solution: Solution[Any]) -> list[StartRow]:
    """Describe the value of a start."""
    value, start = solution.value(solution.game.initial()), option_values(solution.game)["start"]
    made = StartRow(start=start, result=value.result, plies=value.plies, endless=value.endless)
    return [made]


def _fair_rows(solution: Solution[Any]) -> list[StartRow]:
    """Describe how fair a variant is between equals."""
    chances, bias = fairness(chain_of(solution))
    ends = {level: EndChances(*found, found.score) for level, found in chances.items()}
    return [StartRow(options=option_values(solution.game), bias=bias, levels=ends)]


def _handicap_rows(solution: Solution[Any], weaker: Level, stronger: Level) -> Iterator[StartRow]:
    """Describe how a variant ends between two levels, whichever moves first."""
    for way in handicaps(chain_of(solution), weaker, stronger):
        first, second, draw, endless = way.chances
        yield StartRow(
            options=option_values(solution.game),
            first=way.first,
            score=way.score,
            bias=way.bias,
            first_wins=first,
            second_wins=second,
            draw=draw,
            endless=endless,
        )


def _cells(document: StartsDocument) -> tuple[list[str], list[list[Any]]]:
    """Return the columns of a document and its rows: options first, then figures."""
    rows = document.starts
    if document.kind == "values":
        columns = ["start", "result", "plies", "endless"]
        return columns, [[getattr(row, column) for column in columns] for row in rows]
    own = [[written(value) for value in (row.options or {}).values()] for row in rows]
    figures: list[list[Any]] = [[row.first, row.score, row.bias] for row in rows]
    columns = ["first", "score", "bias"]
    if document.kind == "fair":
        columns = [*LEVELS, "bias"]
        ends = [row.levels for row in rows if row.levels]
        scores = [[chances[level].score for level in LEVELS] for chances in ends]
        figures = [[*of, row.bias] for of, row in zip(scores, rows, strict=True)]
    listed = [[*options, *row] for options, row in zip(own, figures, strict=True)]
    return [*document.options, *columns], listed


def starts_csv(document: StartsDocument) -> str:
    """Write the rows as comma-separated values."""
    columns, rows = _cells(document)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows([str(c).lower() if isinstance(c, bool) else c for c in row] for row in rows)
    return text.getvalue().rstrip("\n")


def starts_grid(document: StartsDocument) -> Grid:
    """Write the rows as a table; an option in which none of them differ is left out."""
    columns, rows = _cells(document)
    if document.kind == "values":
        values = [(str(start), Value(*value)) for start, *value in rows]
        listed = [(short(start), _winner(value), _length(value)) for start, value in values]
        return Grid(("Start", "Won by", "Moves"), listed)
    kept = [
        index
        for index, column in enumerate(columns)
        if column not in document.options or len({row[index] for row in rows}) > 1
    ]
    named = {"first": "Moves first"}
    return Grid(
        [named.get(columns[n]) or plain_name(columns[n]).capitalize() for n in kept],
        [
            [f"{row[n]:.3f}" if isinstance(row[n], float) else short(row[n]) for n in kept]
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


def _winner(value: Value) -> str:
    """Name who wins a start: the first or the second player, or nobody."""
    if value.result == "draw":
        return "nobody (endless)" if value.endless else "nobody (draw)"
    return "first" if value.result == "win" else "second"


def _length(value: Value) -> str:
    """Write how long a game takes: a number, '?' if it is unknown, '-' for a draw."""
    if value.result == "draw":
        return "-"
    return "?" if value.plies is None else short(str(value.plies))
