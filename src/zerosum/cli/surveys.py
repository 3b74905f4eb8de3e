"""`zerosum starts` and `zerosum levels`: many starts, many players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.analysis import head_of
from zerosum.cli.flags import GameCommand, Whole, complete_game, variant
from zerosum.cli.settings import Settings, as_json, common
from zerosum.cli.solving import limit_option, solved, tabled
from zerosum.errors import OptionError, ZerosumError
from zerosum.options import variant_of
from zerosum.protocol import Game, Value
from zerosum.registry import entry_of
from zerosum.text import short
from zerosum.wording import title_of

if TYPE_CHECKING:
    from zerosum.players.strength import Chances

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
    """Show who wins from each start of GAME in a range, and how fast."""
    ctx = click.get_current_context()
    base = variant(ctx, options)
    if "start" not in variant_of(base):
        raise click.UsageError(
            f"{title_of(base)} has no option named start, which this command varies.", ctx
        )
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
        raise ZerosumError(f"{title_of(base)} has none of these starts.")
    _tell_starts(settings, base, rows, as_csv, as_json)
    return code


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@limit_option
@as_json
@common
def levels(settings: Settings, game: str, limit: int, as_json: bool, **options: Any) -> None:
    """Show the exact strength of every level of the computer at GAME against every other.

    The row moves first, the column second; draws and endless games are shown in brackets.
    Nothing is sampled: the probabilities are the solution of a linear system over all positions.
    """
    from zerosum.players.levels import LEVELS
    from zerosum.players.strength import strengths

    made = variant(click.get_current_context(), options)
    found = strengths(tabled(settings, made, limit))
    if as_json:
        from zerosum.record import dumps

        listed = [
            {
                "first": first,
                "second": second,
                "first_wins": chances.first,
                "second_wins": chances.second,
                "draw": chances.draw,
                "endless": chances.endless,
            }
            for (first, second), chances in found.chances.items()
        ]
        settings.out.say(
            dumps({**head_of("levels", made), "levels": list(LEVELS), "pairs": listed})
        )
        return
    out = settings.out
    rows = [[level, *(_odds(found.chances[level, other]) for other in LEVELS)] for level in LEVELS]
    columns = ("Moves first", *(f"against {level}" for level in LEVELS))
    _caption(settings, f"{title_of(made)}: how often the row wins, moving first")
    out.table("", columns, rows)
    scores = {level: [f"{found.overall(level, other):.3f}" for other in LEVELS] for level in LEVELS}
    _caption(settings, "What the row scores over both seats: 1 for a win, ½ for a draw")
    out.table("", ("Level", *columns[1:]), [[level, *scores[level]] for level in LEVELS])


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

        listed = [{"start": start, **value._asdict()} for start, value in rows]
        out.say(dumps({**head_of("starts", game), "starts": listed}))
    elif as_csv:
        out.say("start,result,plies,endless")
        for start, value in rows:
            plies = "" if value.plies is None else value.plies
            out.say(f"{start},{value.result},{plies},{str(value.endless).lower()}")
    else:
        table = [(short(str(start)), _winner(value), _length(value)) for start, value in rows]
        out.table(f"Starts of {title_of(game)}", ("Start", "Won by", "Moves"), table)


def _winner(value: Value) -> str:
    """Say who wins a start: whoever moves first or second, or nobody."""
    if value.result == "draw":
        return "nobody (endless)" if value.endless else "nobody (draw)"
    return "first" if value.result == "win" else "second"


def _length(value: Value) -> str:
    """Write how long a game takes: a number, '?' where it is not known, '-' for a draw."""
    if value.result == "draw":
        return "-"
    return "?" if value.plies is None else short(str(value.plies))


def _odds(chances: Chances) -> str:
    """Write how often whoever moves first wins, and how often nobody does where that happens."""
    nobody = (("draw", chances.draw), ("endless", chances.endless))
    told = ", ".join(f"{chance:.3f} {word}" for word, chance in nobody if chance > 5e-4)
    return f"{chances.first:.3f}" + (f" ({told})" if told else "")
