"""`zerosum solve`: the exact value of a position."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import about, document, write_file
from zerosum.cli.solution import limit_option, solution_of
from zerosum.coach.advice import GLYPHS, Coach
from zerosum.coach.verdicts import judge
from zerosum.errors import ZerosumError
from zerosum.match import Match, Round
from zerosum.protocol import Game, Move, Result, Value, read_move
from zerosum.solver.solution import LONGEST_LINE, Solution
from zerosum.text import short
from zerosum.wording.words import MOST_LISTED, spoken, variant_title

PRINTED_LINE = 24
OVER: dict[Result, str] = {
    "win": "the player to move has won",
    "loss": "the player to move has lost",
    "draw": "it is a draw",
}


@flags.game_command()
@flags.game_argument
@click.option(
    "--moves", type=flags.Several("moves"), default=(), help="Moves already played, such as 3,2,4."
)
@limit_option
@flags.svg_option
@flags.json_option
@flags.common
def solve(
    settings: Settings,
    game: Game[Any],
    moves: tuple[str, ...],
    limit: int,
    svg: str | None,
    as_json: bool,
) -> None:
    """Show the exact value of a position of GAME and of each move, a line of play, and the theory.

    A win in 7 takes seven moves, those of both players together, when the winner hurries and
    the loser holds out. A draw is a position from which neither player can force a win; it is
    endless where neither can force an end.
    """
    played = _played(game, moves)
    solution = solution_of(settings, game, limit)
    if svg is not None:
        from zerosum.pictures.map_svg import map_svg

        write_file(svg, map_svg(solution))
    if as_json:
        settings.out.line(_document(solution, played))
    else:
        _print(settings, solution, played)


def _played(game: Game[Any], moves: tuple[str, ...]) -> Round[Any]:
    """Play the moves that lead to a position, each read in the position before it."""
    match = Match.new(game)
    for ply, typed in enumerate(moves, 1):
        try:
            match = match.play(read_move(game, match.state, typed))
        except ZerosumError as error:
            ctx = click.get_current_context()
            raise flags.bad_value(ctx, "moves", f"ply {ply}: {error}") from error
    return match.round


def _print(settings: Settings, solution: Solution[Any], played: Round[Any]) -> None:
    """Print the value of a position, its moves, a line of play, and the reasons."""
    out, game, state = settings.out, solution.game, played.states[-1]
    coach = Coach(solution)
    value = solution.value(state)
    after = f" after {','.join(map(str, played.moves))}" if played.moves else ""
    title = short(f"{variant_title(game)}{after}")
    if game.outcome(state) is not None:
        out.paragraph(f"{title}. The game is over: {OVER[value.result]}.", "strong")
        return
    out.paragraph(f"{title}: {spoken(value)} for the player to move.", "strong")
    _print_moves(settings, coach, state)
    line = solution.line(state, PRINTED_LINE)
    end = state
    for move in line:
        end = game.play(end, move)
    more = " …" if game.outcome(end) is None else ""
    out.paragraph(f"{_line_name(value)}: {short(', '.join(map(str, line)))}{more}")
    if coach.statement:
        out.paragraph(f"{'Law' if coach.law else 'Theory'}: {coach.statement}")
    for sentence in coach.why(state):
        out.paragraph(sentence)


def _print_moves(settings: Settings, coach: Coach[Any], state: Any) -> None:
    """List the moves of a position; what would be the same in every row is said once."""
    out, judged = settings.out, judge(coach.solution, state)
    listed = list(judged.items())[:MOST_LISTED]
    columns = {"Move": [short(str(move)) for move, _ in listed]}
    effects = [_effect(coach, state, move) for move, _ in listed]
    if any(effects):
        columns["What it does"] = effects
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
        out.line(f"… and {len(judged) - MOST_LISTED} more moves; --json lists them all.")
    if alike:
        ((verdict, word),) = verdicts
        out.paragraph(f"{word.capitalize()}." if verdict == "forced" else f"Each of these: {word}.")


def _effect(coach: Coach[Any], state: Any, move: Move) -> str:
    """Describe what a move does, unless its name says it all."""
    label = coach.words.label(state, move)
    return "" if label == str(move) else short(label)


def _line_name(value: Value) -> str:
    """Name a line of play, by no more than is known of it."""
    if value.result == "draw":
        return "A drawing line"
    if value.plies is None:
        return "A winning line" if value.result == "win" else "One line"
    return "The fastest win" if value.result == "win" else "The longest defence"


def _document(solution: Solution[Any], played: Round[Any]) -> str:
    """Write the value of a position as a document."""
    state = played.states[-1]
    value = solution.value(state)
    # All of a line, unless it would take too long to find.
    known = value.result == "draw" or (value.plies is not None and value.plies <= LONGEST_LINE)
    return document(
        "solution",
        **about(solution.game),
        played=list(played.moves),
        state=list(state),
        player=state.player,
        value=value._asdict(),
        moves=[
            {"move": move, **worth._asdict(), "verdict": verdict, "word": word}
            for move, (worth, verdict, word) in judge(solution, state).items()
        ],
        line=list(solution.line(state, LONGEST_LINE if known else PRINTED_LINE)),
        theory=Coach(solution).theory_statement or None,
    )
