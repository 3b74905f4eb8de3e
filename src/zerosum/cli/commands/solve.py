"""`zerosum solve`: the exact value of a position."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import click
from click.core import ParameterSource
from msgspec import Struct
from msgspec.structs import astuple

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.console import Findings
from zerosum.cli.solving import (
    MORE_TIME,
    counting,
    limit_option,
    parts_options,
    patience,
    solved_in_parts,
)
from zerosum.coach.advice import GLYPHS, UNKNOWN, Coach
from zerosum.coach.verdicts import Verdict, judge
from zerosum.documents import Document, StatedValue, about, described, value_of
from zerosum.errors import MoveError, TooLarge, TooSlow, ZerosumError
from zerosum.limits import SHORT_PATIENCE, Limits
from zerosum.match import Match, Round
from zerosum.pictures.map_svg import map_svg
from zerosum.protocol import Game, Move, Result, Value, read_move
from zerosum.reports import Grid, Piece, Report, Section
from zerosum.solver.solution import LONGEST_LINE, Solution
from zerosum.states import misread
from zerosum.text import counted, short
from zerosum.wording.words import MOST_LISTED, spoken, variant_title

PRINTED_LINE = 24
LATER = "--moves shows a later position, which may be exact."
OVER: dict[Result, str] = {
    "win": "the player to move has won",
    "loss": "the player to move has lost",
    "draw": "it is a draw",
}


class MoveValue(Struct, frozen=True):
    """What a move is worth to the player who makes it, the move itself counted."""

    move: Move
    label: Annotated[str, described("what the move does, in the game's words")]
    result: Annotated[Result | None, described("null if it is unknown")]
    plies: int | None
    endless: bool | None
    verdict: Annotated[Verdict | None, described("forced: every move has the same result")]
    word: Annotated[str, described("the verdict for people, such as 'longest defence'")]


class SearchEffort(Struct, frozen=True):
    """What a search did."""

    positions: int
    seconds: float
    stopped: Annotated[bool, described("whether it was stopped by Ctrl-C")]


class SolutionDocument(Document, frozen=True, kw_only=True, tag="zerosum-solution"):
    """The truth about a position."""

    version: Literal[4] = 4
    game: str
    options: dict[str, Any]
    played: list[Move]
    state: list[Any]
    player: int
    known: Annotated[
        Literal["exact", "proved", "unknown"],
        described("proved: by a search, which finds no lengths"),
    ]
    value: Annotated[StatedValue | None, described("null if it is unknown")]
    moves: list[MoveValue]
    line: Annotated[tuple[Move, ...], described("to the end or the first repetition")] = ()
    steps: Annotated[tuple[str, ...], described("what the moves of the line do")] = ()
    theory: str | None = None
    law: Annotated[str | None, described("found in the table of a game without a theory")] = None
    why: tuple[str, ...] = ()
    searched: Annotated[SearchEffort | None, described("null if values are exact")] = None


@flags.game_command()
@flags.game_argument
@click.option("--moves", metavar="MOVES", help="Moves already played, such as 3,2,4.")
@limit_option
@parts_options
@click.option(
    "--seconds",
    type=flags.seconds(0, 86_400),
    default=5.0,
    show_default=True,
    help="Time for a search, if the game is too large for a table.",
)
@flags.svg_option
@flags.printed
def solve(
    settings: Settings,
    game: Game[Any],
    moves: str | None,
    limit: int,
    seconds: float,
    **parts: Any,
) -> Findings:
    """Show the exact value of a position of GAME and of each move, a line of play, and the theory.

    A win in 7 takes seven moves, those of both players together, when the winner hurries and
    the loser holds out. A draw is a position from which neither player can force a win; it is
    endless if neither can force an end.

    If there are too many positions for a table, a search tries to prove who wins, but not how
    fast. A value that it cannot prove is shown as unknown. Ctrl-C stops the search and shows what
    it has found so far.

    With --workers or --cluster, a table of any size is made in parts, on disk: a billion positions
    take hours. Then every command that looks up positions uses it. After Ctrl-C, run the same
    command to continue.
    """
    ctx = click.get_current_context()
    played = _played(game, moves.split(",") if moves else [])
    state = played.states[-1]
    limits = Limits(limit, patience(SHORT_PATIENCE))
    search = Limits(seconds=seconds)
    solution = Solution(game, limits, here=limits, search=search, cache=cache_dir())
    if parts["workers"] or parts["cluster"]:
        solution = solved_in_parts(settings, game, limit, **parts)
    elif ParameterSource.COMMANDLINE in map(ctx.get_parameter_source, ("memory", "parts")):
        raise click.UsageError("--memory and --parts are for tables in parts: add --workers N.")
    with counting(settings):
        whole, exact = solution.is_whole, solution.is_exact(state)
    effort, advice = None, ""
    if not exact:
        slow = f" {MORE_TIME}" * isinstance(solution.refusal, TooSlow)
        settings.err.aside(f"{solution.reason}{slow} Instead, a search tries to prove who wins.")
        with counting(settings):
            effort = _search(solution, state)
        # If moves cannot be listed, no table is large enough.
        larger = solution.refusal is not None and solution.refusal.limit is not None
        table = "--positions N allows a larger table; " * larger
        advice = f"--seconds N searches longer; {table}{LATER}"
    coach = Coach(solution)
    steps = ", ".join(coach.words.steps(played.states[0], played.moves))
    after = f" after {steps}" if steps else ""
    title = short(f"{variant_title(game)}{after}")

    def picture() -> str:
        if not whole:
            raise TooLarge(f"{solution.reason} A picture needs a table of all positions.")
        return map_svg(solution)

    document = _document(coach, played, effort)
    report = solution_report(document, title, settings.plain, advice)
    return Findings(document, report, picture, code=130 if effort and effort.stopped else 0)


def _played(game: Game[Any], moves: list[str]) -> Round[Any]:
    """Play the moves that lead to a position, each read where it is made."""
    match = Match.new(game)
    for number, typed in enumerate(moves, 1):
        try:
            match = match.play(read_move(game, match.state, typed))
        except ZerosumError as error:
            ctx = click.get_current_context()
            told = str(error)
            if isinstance(error, MoveError):
                told = misread(game, match.state, typed, error)
            raise flags.bad_value(ctx, "moves", f"move {number}: {told}") from error
    return match.round


def _search(solution: Solution[Any], state: Any) -> SearchEffort:
    """Search for the value of a position and of its moves, until Ctrl-C."""
    began, stopped = time.monotonic(), False
    try:
        solution.known_moves(state)
    except KeyboardInterrupt:
        stopped = True
    solution.stop()
    return SearchEffort(solution.searched, round(time.monotonic() - began, 3), stopped)


def _document(
    coach: Coach[Any], played: Round[Any], effort: SearchEffort | None
) -> SolutionDocument:
    """Describe a position, its moves, and if its value is exact a line of play and the reasons."""
    solution, state, exact = coach.solution, played.states[-1], effort is None
    value, moves = solution.find(state), []
    told: dict[str, Any] = {}
    for move, (worth, verdict, word) in judge(solution, state).items():
        label, stated = coach.words.label(state, move), value_of(worth, exact)
        result, plies, endless = astuple(stated) if stated else (None, None, None)
        moves.append(MoveValue(move, label, result, plies, endless, verdict, word))
    if exact and value:
        # All of a line, unless it would take too long to find.
        short_enough = value.plies is not None and value.plies <= LONGEST_LINE
        most = LONGEST_LINE if short_enough or value.result == "draw" else PRINTED_LINE
        line = tuple(solution.line(state, most))
        told = {
            "line": line,
            "steps": tuple(coach.words.steps(state, line)),
            "theory": coach.theory_statement or None,
            "law": coach.law_statement or None,
            "why": () if coach.game.outcome(state) is not None else tuple(coach.why(state)),
        }
    return SolutionDocument(
        **about(coach.game),
        **told,
        played=list(played.moves),
        state=list(state),
        player=state.player,
        known="exact" if exact else "unknown" if value is None else "proved",
        value=value_of(value, exact),
        moves=moves,
        searched=effort,
    )


def solution_report(
    document: SolutionDocument, title: str, plain: bool = False, advice: str = ""
) -> Report:
    """Write what was found; `advice` is for an unsuccessful search."""
    value = _value(document.value)
    if document.known == "exact" and value and not document.moves:
        return Report(f"{title}. The game is over: {OVER[value.result]}.", [])
    head, sentences = _searched(document, value, advice)
    if document.searched is None and value:
        head, sentences = _told(document, value)
    listed = any(move.result for move in document.moves)
    pieces = _listed(document.moves, plain) if listed else []
    return Report(f"{title}: {head}.", [Section("", [*pieces, *sentences])])


def _told(document: SolutionDocument, value: Value) -> tuple[str, list[str]]:
    """Say what a position is worth, how play goes on, and why."""
    line = ", ".join(document.steps[:PRINTED_LINE])
    unended = value.plies is None and value.result != "draw" and len(document.line) == PRINTED_LINE
    cut = len(document.line) > PRINTED_LINE or value.endless or unended
    sentences = [f"{_line_name(value)}: {short(line)}{' …' * cut}"]
    if document.law:
        sentences.append(f"Law: {document.law}")
    elif document.theory:
        sentences.append(f"Theory: {document.theory}")
    return f"{spoken(value)} for the player to move", [*sentences, *document.why]


def _searched(
    document: SolutionDocument, value: Value | None, advice: str
) -> tuple[str, list[str]]:
    """Say what a search proved, and what it did not find."""
    effort = document.searched or SearchEffort(0, 0.0, False)
    search = f"search of {counted(effort.positions, 'position')}"
    if value is None:
        how = "did not prove it"
        if effort.stopped:
            how = "was stopped before it proved it"
        tried = f"A {search} in {effort.seconds:.1f} seconds {how}. {advice}"
        return "the value is unknown", [tried]
    drawn, unknown = value.result == "draw", value.plies is None
    what = value.result if unknown else spoken(value)
    who = "" if drawn else " for the player to move"
    length = ["The number of moves is unknown."] * (unknown and not drawn)
    return f"{what}{who}, proved by a {search}", length


def _listed(moves: list[MoveValue], plain: bool) -> list[Piece]:
    """List the moves of a position; what is the same in every row is said once."""
    listed = moves[:MOST_LISTED]
    columns = {"Move": [short(str(row.move)) for row in listed]}
    if any(row.label != str(row.move) for row in listed):
        columns["What it does"] = [
            "" if row.label == str(row.move) else short(row.label) for row in listed
        ]
    columns["Value"] = [_spoken(row, plain) for row in listed]
    verdicts = {(row.verdict, row.word) for row in moves}
    alike = len(moves) > 1 and len(verdicts) == 1
    told = any(verdict is not None for verdict, _ in verdicts)
    if told and not alike:
        columns["Verdict"] = [row.word for row in listed]
    pieces: list[Piece] = [Grid(tuple(columns), list(zip(*columns.values(), strict=True)))]
    if len(moves) > MOST_LISTED:
        pieces.append(f"The first {MOST_LISTED} of {len(moves):,} moves; --json lists them all.")
    if told and alike:
        ((verdict, word),) = verdicts
        said = f"Each of these: {word}."
        if verdict == "forced":
            said = f"{word.capitalize()}."
        pieces.append(said)
    return pieces


def _spoken(row: MoveValue, plain: bool) -> str:
    """Write the value of a move, after its glyph unless it is read aloud."""
    told = spoken(_value(row))
    return told if plain else f"{GLYPHS[row.result] if row.result else UNKNOWN} {told}"


def _value(stated: StatedValue | MoveValue | None) -> Value | None:
    """Return the value that a document states; None if it is unknown."""
    if stated is None or stated.result is None:
        return None
    return Value(stated.result, stated.plies, bool(stated.endless))


def _line_name(value: Value) -> str:
    """Name a line of play, claiming no more than is known."""
    if value.result == "draw":
        return "A drawing line"
    if value.plies is None:
        return "A winning line" if value.result == "win" else "One line"
    return "The fastest win" if value.result == "win" else "The longest defence"
