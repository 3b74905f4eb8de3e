"""`zerosum solve`: the exact value of a position."""

from __future__ import annotations

import time
from typing import Any, Literal, NamedTuple

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.documents import about, document, value_fields, write_file
from zerosum.cli.solution import MORE_TIME, SHORT_PATIENCE, PositionCounter, limit_option, patience
from zerosum.coach.advice import GLYPHS, UNKNOWN, Coach
from zerosum.coach.partial import known_value
from zerosum.coach.verdicts import PartialJudgement, judge_partly
from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.limits import Limits
from zerosum.match import Match, Round
from zerosum.protocol import Game, Move, Result, Value, read_move
from zerosum.solver.knowledge import Knowledge
from zerosum.solver.solution import LONGEST_LINE, Solution
from zerosum.text import short
from zerosum.wording.words import MOST_LISTED, spoken, variant_title

PRINTED_LINE = 24
MOST_SECONDS = 86_400
NO_VALUE = dict.fromkeys(Value._fields)
LATER = "--moves shows a later position, which may be exact."
OVER: dict[Result, str] = {
    "win": "the player to move has won",
    "loss": "the player to move has lost",
    "draw": "it is a draw",
}
Known = Literal["exact", "proved", "unknown"]


class Found(NamedTuple):
    """What a search found out about a position, after how many positions and seconds."""

    value: Value | None
    moves: dict[Move, PartialJudgement]
    positions: int
    seconds: float
    stopped: bool


@flags.game_command()
@flags.game_argument
@click.option(
    "--moves", type=flags.Several("moves"), default=(), help="Moves already played, such as 3,2,4."
)
@limit_option
@click.option(
    "--seconds",
    type=flags.Seconds(),
    default=5.0,
    show_default=True,
    help="Time for a search, if the game is too large for a table.",
)
@flags.svg_option
@flags.json_option
@flags.common
def solve(
    settings: Settings,
    game: Game[Any],
    moves: tuple[str, ...],
    limit: int,
    seconds: float,
    svg: str | None,
    as_json: bool,
) -> None:
    """Show the exact value of a position of GAME and of each move, a line of play, and the theory.

    A win in 7 takes seven moves, those of both players together, when the winner hurries and
    the loser holds out. A draw is a position from which neither player can force a win; it is
    endless where neither can force an end.

    If there are too many positions for a table, a search tries to prove who wins, but not how
    fast. A value that it cannot prove is shown as unknown. Ctrl-C stops the search and shows what
    it has found so far.
    """
    ctx = click.get_current_context()
    if not 0 <= seconds <= MOST_SECONDS:
        raise flags.bad_value(ctx, "seconds", f"must be from 0 to {MOST_SECONDS:,}.")
    played = _played(game, moves)
    state = played.states[-1]
    with PositionCounter(settings) as progress:
        knowledge = Knowledge(
            game,
            limit,
            onward_limit=limit,
            cache=cache_dir(),
            seconds=patience(SHORT_PATIENCE),
            budget=Limits(seconds=seconds),
        )
        whole, solution = knowledge.solution, knowledge.onward(state)
    if svg is not None:
        if whole is None:
            raise TooLarge(f"{knowledge.reason} A picture needs a table of all positions.")
        from zerosum.pictures.map_svg import map_svg

        write_file(svg, map_svg(whole))
    coach = Coach(knowledge)
    if solution is not None:
        if as_json:
            settings.out.line(_document(coach, solution, played))
        else:
            _print(settings, coach, solution, played)
        return
    slow = f" {MORE_TIME}" * isinstance(knowledge.refusal, TooSlow)
    settings.err.aside(f"{knowledge.reason}{slow} Instead, a search tries to prove who wins.")
    with progress:
        found = _search(knowledge, state)
    if as_json:
        settings.out.line(_document_of_search(coach, played, found))
    else:
        _print_search(settings, coach, played, found)
    if found.stopped:
        ctx.exit(130)


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


def _search(knowledge: Knowledge[Any], state: Any) -> Found:
    """Search for the value of a position and of its moves, until Ctrl-C."""
    began, stopped = time.monotonic(), False
    try:
        knowledge.moves(state)
    except KeyboardInterrupt:
        stopped = True
    knowledge.stop()
    took, value = time.monotonic() - began, known_value(knowledge, state)
    return Found(value, judge_partly(knowledge, state), knowledge.searched, took, stopped)


def _title(game: Game[Any], played: Round[Any]) -> str:
    """Name a variant, and the moves that led to a position."""
    after = f" after {', '.join(map(str, played.moves))}" if played.moves else ""
    return short(f"{variant_title(game)}{after}")


def _print_search(settings: Settings, coach: Coach[Any], played: Round[Any], found: Found) -> None:
    """Print what a search found of a position, and what might find more."""
    out, title, value = settings.out, _title(coach.game, played), found.value
    searched = f"a search of {found.positions:,} position{'s' * (found.positions != 1)}"
    took = f"{searched} in {found.seconds:.1f} seconds"
    if value is None:
        out.paragraph(f"{title}: the value is unknown.", "strong")
    else:
        who = "" if value.result == "draw" else " for the player to move"
        what = value.result if value.plies is None else spoken(value)
        out.paragraph(f"{title}: {what}{who}, proved by {searched}.", "strong")
    if any(worth is not None for worth, _, _ in found.moves.values()):
        _print_moves(settings, coach, played.states[-1], found.moves)
    if value is None:
        how = "was stopped before it found it" if found.stopped else "did not find it"
        # Where moves cannot be listed, no table is large enough.
        refusal = coach.knowledge.refusal
        larger = refusal is not None and refusal.limit is not None
        table = "--positions N allows a larger table; " * larger
        advice = f"--seconds N searches longer; {table}{LATER}"
        out.paragraph(f"{took[0].upper()}{took[1:]} {how}. {advice}")
    elif value.result != "draw" and value.plies is None:
        out.paragraph("How many moves it takes is unknown.")


def _print(
    settings: Settings, coach: Coach[Any], solution: Solution[Any], played: Round[Any]
) -> None:
    """Print the value of a position, its moves, a line of play, and the reasons."""
    out, game, state = settings.out, solution.game, played.states[-1]
    value, title = solution.value(state), _title(game, played)
    if game.outcome(state) is not None:
        out.paragraph(f"{title}. The game is over: {OVER[value.result]}.", "strong")
        return
    out.paragraph(f"{title}: {spoken(value)} for the player to move.", "strong")
    _print_moves(settings, coach, state, judge_partly(coach.knowledge, state))
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


def _print_moves(
    settings: Settings, coach: Coach[Any], state: Any, judged: dict[Move, PartialJudgement]
) -> None:
    """List the moves of a position; what would be the same in every row is said once."""
    out = settings.out
    listed = list(judged.items())[:MOST_LISTED]
    columns = {"Move": [short(str(move)) for move, _ in listed]}
    effects = [_effect(coach, state, move) for move, _ in listed]
    if any(effects):
        columns["What it does"] = effects
    columns["Value"] = [
        spoken(worth) if settings.plain else f"{_glyph(worth)} {spoken(worth)}"
        for _, (worth, _, _) in listed
    ]
    verdicts = {(verdict, word) for _, verdict, word in judged.values()}
    alike = len(judged) > 1 and len(verdicts) == 1
    told = any(verdict is not None for verdict, _ in verdicts)
    if told and not alike:
        columns["Verdict"] = [judgement.word for _, judgement in listed]
    out.table("Moves", tuple(columns), list(zip(*columns.values(), strict=True)))
    if len(judged) > MOST_LISTED:
        out.line(f"The first {MOST_LISTED} of {len(judged):,} moves; --json lists them all.")
    if told and alike:
        ((verdict, word),) = verdicts
        out.paragraph(f"{word.capitalize()}." if verdict == "forced" else f"Each of these: {word}.")


def _glyph(value: Value | None) -> str:
    """Return the glyph of a value."""
    return UNKNOWN if value is None else GLYPHS[value.result]


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


def _document(coach: Coach[Any], solution: Solution[Any], played: Round[Any]) -> str:
    """Write the exact value of a position as a document."""
    state = played.states[-1]
    value = solution.value(state)
    # All of a line, unless it would take too long to find.
    known = value.result == "draw" or (value.plies is not None and value.plies <= LONGEST_LINE)
    return document(
        "solution",
        **_position(solution.game, played),
        **_values(coach, state, "exact", value, judge_partly(coach.knowledge, state)),
        line=list(solution.line(state, LONGEST_LINE if known else PRINTED_LINE)),
        theory=coach.theory_statement or None,
        law=coach.law_statement or None,
        why=[] if solution.game.outcome(state) is not None else coach.why(state),
        searched=None,
    )


def _document_of_search(coach: Coach[Any], played: Round[Any], found: Found) -> str:
    """Write what a search found as a document."""
    known: Known = "unknown" if found.value is None else "proved"
    searched = {
        "positions": found.positions,
        "seconds": round(found.seconds, 3),
        "stopped": found.stopped,
    }
    return document(
        "solution",
        **_position(coach.game, played),
        **_values(coach, played.states[-1], known, found.value, found.moves),
        line=[],
        theory=None,
        law=None,
        why=[],
        searched=searched,
    )


def _position(game: Game[Any], played: Round[Any]) -> dict[str, Any]:
    """Return what a document says of a position."""
    state = played.states[-1]
    where = {"played": list(played.moves), "state": list(state), "player": state.player}
    return {**about(game), **where}


def _values(
    coach: Coach[Any],
    state: Any,
    known: Known,
    value: Value | None,
    judged: dict[Move, PartialJudgement],
) -> dict[str, Any]:
    """Return what a document says of the values of a position and of its moves."""
    exact = known == "exact"
    moves = [
        {
            "move": move,
            "label": coach.words.label(state, move),
            **(value_fields(worth, exact) or NO_VALUE),
            "verdict": verdict,
            "word": word,
        }
        for move, (worth, verdict, word) in judged.items()
    ]
    return {"known": known, "value": value_fields(value, exact), "moves": moves}
