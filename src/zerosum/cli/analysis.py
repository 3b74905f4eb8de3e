"""`zerosum solve`, `explain`, `starts` and `levels`: the truth about a game."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.flags import GameCommand, Numbers, complete_game, variant
from zerosum.cli.settings import Settings, as_json, common, write_file
from zerosum.cli.solving import limit_option, solved
from zerosum.coach.advice import GLYPHS, Coach, after, praise, spoken
from zerosum.game import Game, Value, ZerosumError, variant_of
from zerosum.match import Match
from zerosum.registry import entry_of, title_of
from zerosum.solve.solution import LONGEST_LINE, Solution
from zerosum.wording import MOST_LISTED, short

SHOWN_LINE = 24

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

        document = {**head_of("explanation", made), "law": law, "why": coach.why(state)}
        settings.out.say(dumps({**document, "value": value_of(solution.value(state))}))
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


def head_of(kind: str, game: Game[Any]) -> dict[str, Any]:
    """Begin a document about a variant."""
    about = {"format": f"zerosum-{kind}", "version": 1, "game": entry_of(game).name}
    return {**about, "options": variant_of(game)}


def value_of(value: Value) -> dict[str, Any]:
    """Write a value down."""
    return {"result": value.result, "plies": value.plies}


def _document(solution: Solution, state: Any, moves: tuple[int, ...]) -> dict[str, Any]:
    """Write the truth about a position down."""
    best = solution.best(state)
    return {
        **head_of("solution", solution.game),
        "played": list(moves),
        "state": list(state),
        "player": state.player,
        "value": value_of(solution.value(state)),
        "moves": [
            {"move": move, **value_of(one), "best": move in best}
            for move, one in solution.moves(state).items()
        ],
        "line": list(solution.line(state, _longest(solution.value(state)))),
        "law": Coach(solution).law or None,
    }


def _longest(value: Value) -> int:
    """Say how much of a line is worth working out: all of it, unless that takes too long."""
    known = value.result == "draw" or (value.plies is not None and value.plies <= LONGEST_LINE)
    return LONGEST_LINE if known else SHOWN_LINE
