"""`zerosum solve`, `explain`, `starts` and `levels`: the truth about a game."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.flags import GameCommand, Numbers, Whole, complete_game, variant
from zerosum.cli.settings import Settings, as_json, common, write_file
from zerosum.cli.solving import limit_option, solved, tabled
from zerosum.coach.advice import GLYPHS, Coach, after, praise, spoken
from zerosum.game import Game, OptionError, Value, ZerosumError, variant_of
from zerosum.match import Match
from zerosum.registry import entry_of, title_of
from zerosum.solve.solution import LONGEST_LINE, Solution
from zerosum.wording import MOST_LISTED, short

SHOWN_LINE = 24
MOST_STARTS = 100_000

svg_option = click.option("--svg", metavar="FILE", help="Write the picture to this file.")


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@click.option("--moves", type=Numbers(), default=(), help="The moves so far, such as 3,2,4.")
@limit_option
@svg_option
@as_json
@common
def solve(
    settings: Settings,
    game: str,
    moves: tuple[int, ...],
    limit: int,
    svg: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Tell the exact value of a position of GAME, of every move, a best line and the law.

    A win in 7 takes seven moves, of both players together, when the winner hurries and the
    loser holds out. A draw is a position from which neither player can force a win.
    """
    made = variant(click.get_current_context(), options)
    state = _position(made, moves)
    solution = solved(settings, made, limit)
    if svg is not None:
        from zerosum.pictures.values import map_svg

        write_file(svg, map_svg(solution))
    if as_json:
        from zerosum.record import dumps

        settings.out.say(dumps(_document(solution, state, moves)))
        return
    _tell(settings, solution, state, moves)


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@limit_option
@svg_option
@as_json
@common
def explain(
    settings: Settings, game: str, limit: int, svg: str | None, as_json: bool, **options: Any
) -> None:
    """Explain how to win GAME: its law, the start, and a map of its values."""
    made = variant(click.get_current_context(), options)
    solution = solved(settings, made, limit)
    coach = Coach(solution)
    state = made.initial()
    law = coach.law
    if svg is not None:
        from zerosum.pictures.values import map_svg

        write_file(svg, map_svg(solution))
    if as_json:
        from zerosum.record import dumps

        document = {**_head("explanation", made), "law": law, "why": coach.why(state)}
        settings.out.say(dumps({**document, "value": _value(solution.value(state))}))
        return
    out = settings.out
    out.say(f"How to win {title_of(made)}", "strong")
    out.say()
    if law:
        out.remark(law, "")
        out.say()
    out.remark(f"At the start, for whoever moves first: {spoken(solution.value(state))}.", "")
    for line in coach.why(state):
        out.remark(line, "")
    out.say()
    from shutil import get_terminal_size

    from zerosum.pictures.values import map_text

    width = get_terminal_size().columns if out.terminal else 80
    out.say(map_text(solution, width=min(width, 100), plain=settings.plain))


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
        settings.out.say(dumps({**_head("levels", made), "levels": list(LEVELS), "pairs": listed}))
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


def _position(game: Game[Any], moves: tuple[int, ...]) -> Any:
    """Play the moves that led to a position."""
    match = Match.new(game)
    for ply, move in enumerate(moves, 1):
        try:
            match = match.play(move)
        except ZerosumError as error:
            raise ZerosumError(
                f"--moves, ply {ply}: {short(str(move))} is no move. {error}"
            ) from error
    return match.state


def _tell(settings: Settings, solution: Solution, state: Any, moves: tuple[int, ...]) -> None:
    """Tell the value of a position to a person."""
    out, game = settings.out, solution.game
    coach = Coach(solution)
    value = solution.value(state)
    played = f" after {','.join(map(str, moves))}" if moves else ""
    out.remark(
        f"{title_of(game)}{short(played)}: {spoken(value)} for the player to move.", "strong"
    )
    if game.outcome(state) is not None:
        out.say("The game is over.")
        return
    best = solution.best(state)
    rows = [
        (
            short(str(move)),
            short(coach.words.label(state, move)),
            after(one) if settings.plain else f"{GLYPHS[one.result]} {after(one)}",
            praise(solution, state) if move in best else "",
        )
        for move, one in list(solution.moves(state).items())[:MOST_LISTED]
    ]
    out.table("Moves", ("Move", "What it does", "Leads to", ""), rows)
    if len(game.moves(state)) > MOST_LISTED:
        out.say(f"… and {len(game.moves(state)) - MOST_LISTED} more moves; --json has all of them.")
    line = solution.line(state, SHOWN_LINE)
    more = " …" if len(line) == SHOWN_LINE or value.result == "draw" else ""
    out.remark(f"A best line: {short(', '.join(map(str, line)))}{more}", "")
    if coach.law:
        out.remark(f"The law: {coach.law}", "")
    for sentence in coach.why(state):
        out.remark(sentence, "")


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

        listed = [{"start": start, **_value(value)} for start, value in rows]
        out.say(dumps({**_head("starts", game), "starts": listed}))
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


def _head(kind: str, game: Game[Any]) -> dict[str, Any]:
    """Begin a document about a variant."""
    about = {"format": f"zerosum-{kind}", "version": 1, "game": entry_of(game).name}
    return {**about, "options": variant_of(game)}


def _value(value: Value) -> dict[str, Any]:
    """Write a value down."""
    return {"result": value.result, "plies": value.plies}


def _document(solution: Solution, state: Any, moves: tuple[int, ...]) -> dict[str, Any]:
    """Write the truth about a position down."""
    best = solution.best(state)
    return {
        **_head("solution", solution.game),
        "played": list(moves),
        "state": list(state),
        "player": state.player,
        "value": _value(solution.value(state)),
        "moves": [
            {"move": move, **_value(one), "best": move in best}
            for move, one in solution.moves(state).items()
        ],
        "line": list(solution.line(state, _longest(solution.value(state)))),
        "law": Coach(solution).law or None,
    }


def _longest(value: Value) -> int:
    """Say how much of a line is worth working out: all of it, unless that takes too long."""
    known = value.result == "draw" or (value.plies is not None and value.plies <= LONGEST_LINE)
    return LONGEST_LINE if known else SHOWN_LINE


def _odds(odds: tuple[float, float, float]) -> str:
    """Write a probability, and how often nobody wins where that happens."""
    first, _, endless = odds
    return f"{first:.3f}" + (f" ({endless:.3f} endless)" if endless > 5e-4 else "")
