"""`zerosum puzzle`: one after another, or the one of the day."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from random import Random
from typing import Annotated, Any, Literal

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.playing.prompt import Quit
from zerosum.cli.playing.puzzle_session import PuzzleSession
from zerosum.coach import puzzles
from zerosum.coach.puzzles import GRADES, Grade, Puzzle
from zerosum.documents import Document, StatedValue, about, described, to_json
from zerosum.errors import ZerosumError
from zerosum.protocol import Move
from zerosum.registry import BUILT_IN, games
from zerosum.text import counted
from zerosum.wording.words import changed_options, title_of, words_of


class PuzzleDocument(Document, frozen=True, kw_only=True, tag="zerosum-puzzle"):
    """A puzzle."""

    version: Literal[2] = 2
    id: str
    date: Annotated[str | None, described("the day of a daily puzzle, in UTC")]
    game: str
    title: Annotated[str, described("the game's name for people")]
    variant: Annotated[str, described("the options for people, such as 'start 60'")]
    options: dict[str, Any]
    goal: str
    task: str
    state: list[Any]
    value: StatedValue
    moves: list[Move]
    answer: Move
    grade: Literal["easy", "medium", "hard"]
    missed: Annotated[dict[str, float], described("how likely a level is to miss it")]


@flags.command()
@click.argument("game", required=False, shell_complete=flags.complete_game)
@click.option("--grade", type=flags.Chosen(GRADES), help="Difficulty.")
@click.option("--daily", is_flag=True, help="Today's puzzles, the same for everybody.")
@flags.seed_option
@flags.json_option
@flags.common
def puzzle(
    settings: Settings,
    game: str | None,
    grade: Grade | None,
    daily: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Find the one move that keeps the result, in positions of GAME or of any game.

    A won position is played to the end, against the longest defence; every move that keeps the
    win is right. Progress is saved: solved puzzles are not repeated. 'hint', 'why', 'skip' and
    'quit' work at the prompt. With --json, a puzzle is printed with its answer.

    A day has an easy, a medium and a hard puzzle of one game, and begins at midnight UTC; --daily
    asks the easiest that you have not solved. The result is printed as a line to share.
    """
    ctx = click.get_current_context()
    if daily and (game or seed is not None):
        raise click.UsageError("--daily cannot be combined with GAME or --seed.", ctx)
    if daily:
        _daily(settings, puzzles.today(), grade, as_json)
    else:
        _practise(settings, [game] if game else list(games()), grade, seed, as_json)


def _practise(
    settings: Settings, names: list[str], grade: str | None, seed: int | None, as_json: bool
) -> None:
    """Ask until the player quits or every puzzle is solved."""
    session, rng = PuzzleSession(settings, names), Random(seed)  # noqa: S311

    def following() -> Puzzle[Any] | None:
        return puzzles.pick_among(names, session.puzzles_of, session.solved, rng, grade)

    def none_left() -> str:
        found = (puzzle for name in names for puzzle in session.puzzles_of(name))
        return puzzles.none_left(found, grade)

    asked = following()
    if as_json:
        if asked is None:
            raise ZerosumError(none_left())
        settings.out.line(_document(asked, None))
        return
    try:
        while asked is not None:
            session.ask(asked)
            asked = following()
        settings.out.line(none_left())
    except Quit:
        pass
    settings.out.paragraph(session.summary())


def _daily(settings: Settings, day: date, grade: Grade | None, as_json: bool) -> None:
    """Ask a puzzle of a day, once, and print the result."""
    session = PuzzleSession(settings, list(BUILT_IN))

    def unsolved() -> list[Grade]:
        return [each for each in GRADES if puzzles.daily_id(day, each) not in session.solved]

    chosen = grade or [*unsolved(), GRADES[-1]][0]
    id_ = puzzles.daily_id(day, chosen)
    asked = puzzles.daily(day, session.puzzles_of, chosen)
    if as_json:
        settings.out.line(_document(asked, day))
        return
    out = settings.out
    if id_ in session.solved:
        which = f"today's {chosen} puzzle" if unsolved() else "all of today's puzzles"
        out.paragraph(f"You have solved {which}. The next ones come at midnight UTC.")
    else:
        out.paragraph(f"Daily puzzle, {day}", "strong")
        finished = False
        with suppress(Quit):
            finished = session.ask(asked, id_)
        if not finished:
            out.paragraph("You can come back to it until midnight UTC.")
            return
    _, tries, solved = session.progress.get(id_, ("", 0, False))
    out.line()
    out.line(puzzles.daily_result(day, asked, tries, solved))
    streak = puzzles.daily_streak(day, session.solved)
    if streak > 1:
        out.paragraph(f"Solved {counted(streak, 'day')} in a row.")
    following = next((each for each in unsolved() if each != chosen), None)
    if following:
        command = settings.command_line("puzzle", "--daily", "--grade", following)
        out.paragraph(f"Today's {following} puzzle: {command}")


def _document(asked: Puzzle[Any], day: date | None) -> str:
    """Write a puzzle, with its answer, as a document."""
    game = asked.game
    return to_json(
        PuzzleDocument(
            id=asked.id,
            date=None if day is None else str(day),
            **about(game),
            title=title_of(game),
            variant=", ".join(changed_options(game)) or "default",
            goal=words_of(game).goal(),
            task=puzzles.task(asked.value),
            state=list(asked.state),
            value=StatedValue(*asked.value),
            moves=list(game.moves(asked.state)),
            answer=asked.answer,
            grade=asked.grade,
            missed=asked.missed,
        )
    )
