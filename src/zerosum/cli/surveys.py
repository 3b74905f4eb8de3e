"""`zerosum starts` and `zerosum levels`: many starts, many players."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.analysis import head_of, value_of
from zerosum.cli.flags import GameCommand, Whole, complete_game, variant
from zerosum.cli.settings import Settings, as_json, common
from zerosum.cli.solving import limit_option, solved, tabled
from zerosum.game import Game, OptionError, Value, ZerosumError, variant_of
from zerosum.registry import entry_of, title_of
from zerosum.wording import short

MOST_STARTS = 100_000


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@click.option("--from", "first", type=Whole(), default=1, show_default=True, help="First start.")
@click.option("--to", "last", type=Whole(), default=50, show_default=True, help="Last start.")
@limit_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@as_json
@common
def starts(
    settings: Settings,
    game: str,
    first: int,
    last: int,
    limit: int,
    as_csv: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Tell for a range of starts of GAME who wins, and how fast."""
    ctx = click.get_current_context()
    base = variant(ctx, options)
    if "start" not in variant_of(base):
        raise click.UsageError(f"{entry_of(base).name} has no option 'start'.", ctx)
    if as_csv and as_json:
        raise click.UsageError("--csv and --json contradict each other: choose one.", ctx)
    if last < first:
        raise click.UsageError("--to must be no smaller than --from.", ctx)
    if last - first >= MOST_STARTS:
        raise click.UsageError(f"That is more than {MOST_STARTS:,} starts.", ctx)
    rows, code = [], 0
    quiet = settings._replace(plain=True)  # one counter for each start would only flicker
    try:
        for start in range(first, last + 1):
            try:
                made = entry_of(base).variant(**{**variant_of(base), "start": start})
            except OptionError:
                continue  # a start that the game does not have, such as 1 in Divisor Duel
            rows.append((start, solved(quiet, made, limit, cache=False).value(made.initial())))
    except KeyboardInterrupt:
        code = 130  # what was found until now is told all the same
    if not rows and not code:
        raise ZerosumError(f"{entry_of(base).name} has none of these starts.")
    _tell_starts(settings, base, rows, as_csv, as_json)
    return code


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@limit_option
@as_json
@common
def levels(settings: Settings, game: str, limit: int, as_json: bool, **options: Any) -> None:
    """Tell the exact strength of every level of computer players of GAME against every other.

    The row moves first, the column second. Nothing is sampled: the probabilities are the
    solution of a linear system over all positions.
    """
    from zerosum.players.levels import LEVELS
    from zerosum.players.strength import strengths

    made = variant(click.get_current_context(), options)
    found = strengths(tabled(settings, made, limit))
    pairs = [(one, other) for one in LEVELS for other in LEVELS]
    if as_json:
        from zerosum.record import dumps

        listed = [
            {
                "first": one,
                "second": other,
                "first_wins": found.chances[one, other].first,
                "second_wins": found.chances[one, other].second,
                "endless": found.chances[one, other].endless,
            }
            for one, other in pairs
        ]
        settings.out.say(
            dumps({**head_of("levels", made), "levels": list(LEVELS), "pairs": listed})
        )
        return
    out = settings.out
    rows = [[one, *(_odds(found.chances[one, other]) for other in LEVELS)] for one in LEVELS]
    columns = ("Moves first", *(f"against {level}" for level in LEVELS))
    _caption(settings, f"{title_of(made)}: how often the row wins, moving first")
    out.table("", columns, rows)
    rows = [[one, *(f"{found.overall(one, other):.3f}" for other in LEVELS)] for one in LEVELS]
    _caption(settings, "What the row scores over both seats: 1 for a win, 1/2 for endless play")
    out.table("", ("Level", *columns[1:]), rows)


def _caption(settings: Settings, text: str) -> None:
    """Say what a table shows, where there are several."""
    settings.out.remark(text, "strong")


def _tell_starts(
    settings: Settings,
    game: Game[Any],
    rows: list[tuple[int, Value]],
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the starts, as a table, as CSV or as JSON."""
    out = settings.out
    if as_json:
        from zerosum.record import dumps

        listed = [{"start": start, **value_of(value)} for start, value in rows]
        out.say(dumps({**head_of("starts", game), "starts": listed}))
    elif as_csv:
        out.say("start,result,plies")
        for start, value in rows:
            out.say(f"{start},{value.result},{'' if value.plies is None else value.plies}")
    else:
        who = {"win": "first", "loss": "second", "draw": "nobody (endless)"}
        table = [(short(str(start)), who[value.result], _length(value)) for start, value in rows]
        out.table(f"Starts of {title_of(game)}", ("Start", "Won by", "Moves"), table)


def _length(value: Value) -> str:
    """Write how long a game takes: a number, '?' where it is not known, '-' where it is endless."""
    if value.result == "draw":
        return "-"
    return "?" if value.plies is None else short(str(value.plies))


def _odds(odds: tuple[float, float, float]) -> str:
    """Write a probability, and how often nobody wins where that happens."""
    first, _, endless = odds
    return f"{first:.3f}" + (f" ({endless:.3f} endless)" if endless > 5e-4 else "")
