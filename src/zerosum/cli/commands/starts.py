"""`zerosum starts`: who wins from each start."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document
from zerosum.cli.solution import limit_option, solution_of
from zerosum.errors import OptionError, ZerosumError
from zerosum.options import option_values
from zerosum.protocol import Game, Value
from zerosum.registry import entry_of
from zerosum.text import runs, short
from zerosum.wording.words import title_of

MOST_STARTS = 100_000


@flags.game_command()
@flags.game_argument
@click.option(
    "--from", "first", type=flags.Whole(), default=1, show_default=True, help="First start."
)
@click.option("--to", "last", type=flags.Whole(), default=50, show_default=True, help="Last start.")
@limit_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@flags.json_option
@flags.common
def starts(
    settings: Settings,
    game: Game[Any],
    first: int,
    last: int,
    limit: int,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show who wins from each start of GAME in a range, and how fast."""
    ctx = click.get_current_context()
    options, title = option_values(game), title_of(game)
    if "start" not in options:
        raise click.UsageError(f"{title} has no option 'start' for this command to vary.", ctx)
    if as_csv and as_json:
        raise click.UsageError("--csv and --json cannot be combined.", ctx)
    if last < first:
        raise click.UsageError("--to must not be less than --from.", ctx)
    if last - first >= MOST_STARTS:
        raise click.UsageError(f"At most {MOST_STARTS:,} starts can be listed at once.", ctx)
    rows, stopped, left_out, reason = [], False, [], ""
    quiet = settings._replace(plain=True)  # one counter for each start would only flicker
    try:
        for start in range(first, last + 1):
            try:
                made = entry_of(game).variant(**{**options, "start": start})
            except OptionError as error:  # a start that the game does not have
                left_out.append(start)
                reason = str(error)
                continue
            rows.append((start, solution_of(quiet, made, limit, cache=False).value(made.initial())))
    except KeyboardInterrupt:
        stopped = True  # the starts found so far are printed all the same
    if not rows and not stopped:
        raise ZerosumError(f"{title} has none of these starts.")
    if as_json:
        listed = [{"start": start, **value._asdict()} for start, value in rows]
        settings.out.line(document("starts", **about(game), starts=listed))
    elif as_csv:
        settings.out.line("start,result,plies,endless")
        for start, value in rows:
            plies = "" if value.plies is None else value.plies
            settings.out.line(f"{start},{value.result},{plies},{str(value.endless).lower()}")
    else:
        table = [(short(str(start)), _winner(value), _length(value)) for start, value in rows]
        settings.out.table(f"Starts of {title}", ("Start", "Won by", "Moves"), table)
    if left_out:
        settings.err.paragraph(f"Left out: {short(runs(left_out))} ({reason}).")
    if stopped:
        ctx.exit(130)


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
