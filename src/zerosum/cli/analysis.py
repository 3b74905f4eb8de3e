"""`zerosum solve` and `zerosum explain`: the truth about a game."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.flags import GameCommand, Moves, complete_game, variant
from zerosum.cli.settings import Settings, as_json, common, write_file
from zerosum.cli.solving import limit_option, solved
from zerosum.coach.advice import GLYPHS, Coach
from zerosum.coach.review import judge
from zerosum.errors import ZerosumError
from zerosum.match import Match, Round
from zerosum.options import variant_of
from zerosum.pictures.words import variant_title
from zerosum.protocol import Game, Move, Result, Value, read_move
from zerosum.registry import entry_of
from zerosum.solver.solution import LONGEST_LINE, Solution
from zerosum.text import short
from zerosum.wording import MOST_LISTED, spoken

SHOWN_LINE = 24
OVER: dict[Result, str] = {
    "win": "the player to move has won",
    "loss": "the player to move has lost",
    "draw": "it is a draw",
}

svg_option = click.option("--svg", metavar="FILE", help="Write the picture to this file.")


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=complete_game)
@click.option("--moves", type=Moves(), default=(), help="The moves so far, such as 3,2,4.")
@limit_option
@svg_option
@as_json
@common
def solve(
    settings: Settings,
    game: str,
    moves: tuple[str, ...],
    limit: int,
    svg: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show the exact value of a position of GAME and of every move, a line of play and the law.

    A win in 7 takes seven moves, of both players together, when the winner hurries and the
    loser holds out. A draw is a position from which neither player can force a win; it is
    endless where neither can force an end.
    """
    made = variant(click.get_current_context(), options)
    played = _played(made, moves)
    solution = solved(settings, made, limit)
    if svg is not None:
        from zerosum.pictures.values import map_svg

        write_file(svg, map_svg(solution))
    if as_json:
        from zerosum.record import dumps

        settings.out.say(dumps(_document(solution, played)))
        return
    _tell(settings, solution, played)


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
    theory = coach.statement
    if svg is not None:
        from zerosum.pictures.values import map_svg

        write_file(svg, map_svg(solution))
    if as_json:
        from zerosum.record import dumps

        document = {**head_of("explanation", made), "theory": theory, "why": coach.why(state)}
        settings.out.say(dumps({**document, "value": solution.value(state)._asdict()}))
        return
    out = settings.out
    out.say(f"How to win {variant_title(made)}", "strong")
    out.say()
    if theory:
        out.remark(theory, "")
        out.say()
    out.remark(start_of(solution), "")
    for line in coach.why(state):
        out.remark(line, "")
    out.say()
    from shutil import get_terminal_size

    from zerosum.pictures.values import map_text

    width = get_terminal_size().columns if out.terminal else 80
    out.say(map_text(solution, width=min(width, 100), plain=settings.plain))


def start_of(solution: Solution[Any]) -> str:
    """Say what the start of a variant is worth."""
    value = solution.value(solution.game.initial())
    whose = "" if value.result == "draw" else " for whoever moves first"
    return f"The start is a {spoken(value)}{whose}."


def _played(game: Game[Any], moves: tuple[str, ...]) -> Round[Any]:
    """Play the moves that lead to a position, each read in the position before it."""
    match = Match.new(game)
    for ply, typed in enumerate(moves, 1):
        try:
            match = match.play(read_move(game, match.state, typed))
        except ZerosumError as error:
            raise click.UsageError(f"--moves, ply {ply}: {error}") from error
    return match.round


def _tell(settings: Settings, solution: Solution[Any], played: Round[Any]) -> None:
    """Tell the value of a position to a person."""
    out, game, state = settings.out, solution.game, played.states[-1]
    coach = Coach(solution)
    value = solution.value(state)
    after = f" after {','.join(map(str, played.moves))}" if played.moves else ""
    title = short(f"{variant_title(game)}{after}")
    if game.outcome(state) is not None:
        out.remark(f"{title}. The game is over: {OVER[value.result]}.", "strong")
        return
    out.remark(f"{title}: {spoken(value)} for the player to move.", "strong")
    _tell_moves(settings, coach, state)
    line = solution.line(state, SHOWN_LINE)
    end = state
    for move in line:
        end = game.play(end, move)
    more = " …" if game.outcome(end) is None else ""
    out.remark(f"{_line_name(value)}: {short(', '.join(map(str, line)))}{more}", "")
    if coach.statement:
        out.remark(f"The theory: {coach.statement}", "")
    for sentence in coach.why(state):
        out.remark(sentence, "")


def _tell_moves(settings: Settings, coach: Coach[Any], state: Any) -> None:
    """List the moves of a position; what would be the same in every row is said once."""
    out, judged = settings.out, judge(coach.solution, state)
    listed = list(judged.items())[:MOST_LISTED]
    columns = {"Move": [short(str(move)) for move, _ in listed]}
    deeds = [_deed(coach, state, move) for move, _ in listed]
    if any(deeds):
        columns["What it does"] = deeds
    columns["Value"] = [
        spoken(worth) if settings.plain else f"{GLYPHS[worth.result]} {spoken(worth)}"
        for _, (worth, _, _) in listed
    ]
    verdicts = {(verdict, word) for _, verdict, word in judged.values()}
    alike = len(judged) > 1 and len(verdicts) == 1
    if not alike:
        columns["Verdict"] = [judgement.word for _, judgement in listed]
    out.table("Moves", tuple(columns), list(zip(*columns.values(), strict=True)))
    if len(judged) > MOST_LISTED:
        out.say(f"… and {len(judged) - MOST_LISTED} more moves; --json has all of them.")
    if alike:
        ((verdict, word),) = verdicts
        out.remark(
            f"{word.capitalize()}." if verdict == "forced" else f"Each of these: {word}.", ""
        )


def _deed(coach: Coach[Any], state: Any, move: Move) -> str:
    """Say what a move does, unless its name says it all."""
    label = coach.words.label(state, move)
    return "" if label == str(move) else short(label)


def _line_name(value: Value) -> str:
    """Name the line that is shown, by no more than is known of it."""
    if value.result == "draw":
        return "A drawing line"
    if value.plies is None:
        return "A winning line" if value.result == "win" else "One line"
    return "The fastest win" if value.result == "win" else "The longest defence"


def head_of(kind: str, game: Game[Any]) -> dict[str, Any]:
    """Begin a document about a variant."""
    version = 3 if kind in ("explanation", "solution") else 2
    about = {"format": f"zerosum-{kind}", "version": version, "game": entry_of(game).name}
    return {**about, "options": variant_of(game)}


def _document(solution: Solution[Any], played: Round[Any]) -> dict[str, Any]:
    """Write the truth about a position down."""
    state = played.states[-1]
    value = solution.value(state)
    return {
        **head_of("solution", solution.game),
        "played": list(played.moves),
        "state": list(state),
        "player": state.player,
        "value": value._asdict(),
        "moves": [
            {"move": move, **worth._asdict(), "verdict": verdict, "word": word}
            for move, (worth, verdict, word) in judge(solution, state).items()
        ],
        "line": list(solution.line(state, _longest(value))),
        "theory": Coach(solution).statement or None,
    }


def _longest(value: Value) -> int:
    """Say how much of a line is worth working out: all of it, unless that takes too long."""
    known = value.result == "draw" or (value.plies is not None and value.plies <= LONGEST_LINE)
    return LONGEST_LINE if known else SHOWN_LINE
