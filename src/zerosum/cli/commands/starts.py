"""`zerosum starts`: who wins from each start, and which starts and options are fair."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document
from zerosum.cli.solution import (
    MORE_TIME,
    PATIENCE,
    SHORT_PATIENCE,
    limit_option,
    patience,
    solution_of,
)
from zerosum.errors import OptionError, TooLarge, TooSlow, ZerosumError
from zerosum.lab.audit.fairness import (
    Comparison,
    F,
    Fairness,
    Handicap,
    check_handicap,
    fairest_first,
    fairness,
    handicaps,
    variants,
)
from zerosum.options import option_values, written
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game, Value
from zerosum.registry import entry_of
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
    handicap: tuple[str, str] | None,
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
    asked = Asked(quiet, game, range(first, last + 1), limit, deadline)
    if handicap:
        weaker, stronger = check_handicap(*handicap)
        ways = _compared(asked, lambda solution: handicaps(solution, weaker, stronger))
        listing = handicap_listing(game, weaker, stronger, ways)
    elif fair:
        listing = fair_listing(game, _compared(asked, lambda solution: [fairness(solution)]))
    else:
        listing = value_listing(_values(asked))
    if as_json:
        settings.out.line(document("starts", **about(game), **listing.contents))
    elif as_csv:
        settings.out.line(listing.csv())
    else:
        settings.out.table(f"{listing.title} of {title_of(game)}", listing.columns, listing.rows)
    for sentence in asked.left_out:
        settings.err.paragraph(sentence)
    if asked.stopped:
        ctx.exit(130)


@dataclass
class Asked:
    """What the command was asked for, and what it had to leave out."""

    settings: Settings
    game: Game[Any]
    starts: range
    limit: int
    deadline: float  # of all tables together
    left_out: list[str] = field(default_factory=list)
    stopped: bool = False

    def solve(self, game: Game[Any], solver: Callable[..., Solution[Any]] = solve) -> Solution[Any]:
        """Solve a variant, unless the time is up."""
        left = self.deadline - monotonic()
        if left < 0:
            raise TooLarge(f"{TooSlow('The list', PATIENCE)} {MORE_TIME}")
        seconds = min(PATIENCE, max(left, SHORT_PATIENCE))
        return solution_of(self.settings, game, self.limit, solver, cache=False, most=seconds)

    def leave_out(self, named: str, reason: object) -> None:
        """Note the starts without a row, and why."""
        self.left_out.append(f"Left out: {short(named)} ({str(reason).rstrip('.')}).")


def _values(asked: Asked) -> list[tuple[int, Value]]:
    """Return the value of every start that the game has."""
    rows: list[tuple[int, Value]] = []
    left_out, reason = [], ""
    try:
        for start in asked.starts:
            try:
                options = {**option_values(asked.game), "start": start}
                made = entry_of(asked.game).variant(**options)
            except OptionError as error:  # a start that the game does not have
                left_out.append(start)
                reason = str(error)
                continue
            try:
                rows.append((start, asked.solve(made).value(made.initial())))
            except TooLarge as error:
                if not rows:
                    raise
                asked.leave_out(runs(range(start, asked.starts.stop)), error)
                break
    except KeyboardInterrupt:
        asked.stopped = True  # the starts found so far are printed all the same
    if not rows and not asked.stopped:
        raise ZerosumError(f"{title_of(asked.game)} has none of these starts.")
    if left_out:
        asked.leave_out(runs(left_out), reason)
    return rows


def _compared(asked: Asked, judge: Callable[[Solution[Any]], Iterable[F]]) -> list[F]:
    """Judge every variant that is not too large, and sort them, the fairest first."""
    has_starts = "start" in option_values(asked.game)
    games = list(variants(asked.game, asked.starts, _fixed(click.get_current_context())))
    comparison: Comparison[F] = Comparison()
    try:
        comparison.extend(games, judge, lambda game: asked.solve(game, solve_table))
    except KeyboardInterrupt:
        asked.stopped = True  # what was found so far is printed all the same
    if not comparison.found and not asked.stopped:
        none = ZerosumError(f"{title_of(asked.game)} has none of these starts.")
        raise comparison.reason or none
    if comparison.too_large:
        large = [option_values(game)["start"] for game in comparison.too_large if has_starts]
        named = runs(list(dict.fromkeys(large)))
        named = named or counted(len(comparison.too_large), "variant")
        asked.leave_out(named, comparison.reason)
    made = {option_values(game).get("start") for game in games}
    missing = [start for start in asked.starts if has_starts and start not in made]
    if missing and not asked.stopped:
        asked.leave_out(runs(missing), f"{title_of(asked.game)} has no such start")
    return fairest_first(comparison.found)


def _fixed(ctx: click.Context) -> list[str]:
    """Return the options of the game that the user has set."""
    names = [str(flag.name) for flag in ctx.meta[flags.META][1]]
    given = [name for name in names if ctx.get_parameter_source(name) != ParameterSource.DEFAULT]
    return [name.removeprefix(flags.PREFIX) for name in given if name != f"{flags.PREFIX}start"]


class Listing(NamedTuple):
    """What the command prints: a table, records for CSV, or the contents of a document."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    header: Sequence[str]
    records: Sequence[Sequence[Any]]
    contents: dict[str, Any]

    def csv(self) -> str:
        """Write the records as comma-separated values."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.records])
        return text.getvalue().rstrip("\n")


def value_listing(rows: Sequence[tuple[int, Value]]) -> Listing:
    """List who wins each start, and how fast."""
    return Listing(
        "Starts",
        ("Start", "Won by", "Moves"),
        [(short(str(start)), _winner(value), _length(value)) for start, value in rows],
        ("start", "result", "plies", "endless"),
        [(start, value.result, value.plies, str(value.endless).lower()) for start, value in rows],
        {"kind": "values", "starts": [{"start": start, **v._asdict()} for start, v in rows]},
    )


def fair_listing(game: Game[Any], rows: Sequence[Fairness]) -> Listing:
    """List the expected scores of the first player between equals, from the fairest on."""
    names = _varied(rows)
    scores = [[row.chances[level].score for level in LEVELS] for row in rows]
    texts = [
        [f"{score:.3f}" for score in (*of, row.bias)] for row, of in zip(rows, scores, strict=True)
    ]
    records = [(*map(repr, of), repr(row.bias)) for row, of in zip(rows, scores, strict=True)]
    listed = [
        {
            "options": option_values(row.game),
            "bias": row.bias,
            "levels": {
                level: {**ends.document(), "score": ends.score}
                for level, ends in row.chances.items()
            },
        }
        for row in rows
    ]
    return Listing(
        "What the first player scores between equals: fairest variants",
        (*map(str.capitalize, map(plain_name, names)), *map(str.capitalize, LEVELS), "Bias"),
        [(*map(short, _chosen(row, names)), *text) for row, text in zip(rows, texts, strict=True)],
        (*option_values(game), *LEVELS, "bias"),
        [
            (*_chosen(row, option_values(game)), *record)
            for row, record in zip(rows, records, strict=True)
        ],
        {"kind": "fair", "starts": listed},
    )


def handicap_listing(
    game: Game[Any], weaker: str, stronger: str, rows: Sequence[Handicap]
) -> Listing:
    """List what the weaker level scores, from the variant in which that is nearest to ½ on."""
    names = _varied(rows)
    listed = [
        {
            "options": option_values(row.game),
            "first": row.first,
            "score": row.score,
            "bias": row.bias,
            **row.chances.document(),
        }
        for row in rows
    ]
    return Listing(
        f"What {weaker} scores against {stronger}: fairest variants",
        (*map(str.capitalize, map(plain_name, names)), "Moves first", "Score", "Bias"),
        [
            (*map(short, _chosen(row, names)), row.first, f"{row.score:.3f}", f"{row.bias:.3f}")
            for row in rows
        ],
        (*option_values(game), "first", "score", "bias"),
        [
            (*_chosen(row, option_values(game)), row.first, repr(row.score), repr(row.bias))
            for row in rows
        ],
        {"kind": "handicap", "weaker": weaker, "stronger": stronger, "starts": listed},
    )


def _varied(rows: Sequence[Fairness] | Sequence[Handicap]) -> list[str]:
    """Return the options in which some rows differ."""
    values = [option_values(row.game) for row in rows]
    names = values[0] if values else ()
    return [name for name in names if any(v[name] != values[0][name] for v in values)]


def _chosen(row: Fairness | Handicap, names: Iterable[str]) -> list[str]:
    """Write some options of a row's variant."""
    return [written(getattr(row.game, name)) for name in names]


def _winner(value: Value) -> str:
    """Name who wins a start: the first or the second player, or nobody."""
    if value.result == "draw":
        return "nobody (endless)" if value.endless else "nobody (draw)"
    return "first" if value.result == "win" else "second"


def _length(value: Value) -> str:
    """Write how long a game takes: a number, '?' where it is unknown, '-' for a draw."""
    if value.result == "draw":
        return "-"
    return "?" if value.plies is None else short(str(value.plies))
