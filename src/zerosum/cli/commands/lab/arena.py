"""`zerosum arena`: players against each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings, StatusLine
from zerosum.cli.long_tasks import SavedWork, workers_for
from zerosum.cli.players import (
    PlayersCommand,
    check_program,
    players_and_games,
    samples_option,
    timeout_option,
)
from zerosum.cli.solving import limit_option, patience
from zerosum.cli.user_files import read_record, write_file
from zerosum.documents import read
from zerosum.errors import UnreadableMove, ZerosumError
from zerosum.lab.arena.arena import Arena
from zerosum.lab.arena.entrants import POLICY, check_name, is_answers, named
from zerosum.lab.arena.leaderboard import Leaderboard
from zerosum.lab.arena.report import (
    absence_sentences,
    leaderboard_page,
    leaderboard_report,
    leaderboard_svg,
)
from zerosum.lab.arena.venues import ArenaSettings
from zerosum.lab.models.answers import read_answers
from zerosum.lab.models.marking import notes_on
from zerosum.limits import PATIENCE
from zerosum.players.asked import digest
from zerosum.players.engines import is_program
from zerosum.protocol import Game
from zerosum.text import brief

USING = "Using what is saved; --fresh plays again."


class ArenaCommand(PlayersCommand):
    """A command with games and players, which may have names: Ada=./mine.py:choose."""

    def is_player(self, word: str) -> bool:
        """Return whether a word names a player."""
        plain = named(word)[1]
        return plain.endswith(POLICY) or is_answers(plain) or super().is_player(plain)

    def is_answers(self, word: str) -> bool:
        """Return whether a word names a file of answers, or a log."""
        return is_answers(named(word)[1])

    def check(self, word: str) -> None:
        """Refuse what is not a player."""
        name, plain = named(word)
        if plain != word:
            check_name(name)
        if is_program(plain):
            check_program(plain)
        elif not (plain.endswith(POLICY) or is_answers(plain)):
            super().check(plain)


def _width(value: Any) -> float:
    """Read how far an interval may reach to either side."""
    try:
        width = float(str(value))
    except ValueError as error:
        raise UnreadableMove(f"'{brief(value)}' is not a number such as 0.05.") from error
    if not 0.001 <= width <= 0.5:
        raise UnreadableMove("must be from 0.001 to 0.5.")
    return width


@flags.game_command(cls=ArenaCommand)
@players_and_games
@click.option(
    "--within",
    type=flags.Typed("share", _width),
    default=0.05,
    show_default=True,
    help="Play until a score is known to within this, with 95% confidence.",
)
@samples_option
@flags.number("--budget", "Judge by a sample of at most N positions (default: all).", least=1)
@flags.number("--seed", "Random seed, for games, functions and programs.", 0)
@timeout_option
@limit_option
@flags.number("--jobs", "Processes at a time (default: one per core).", least=1)
@click.option("--cluster", metavar="ADDRESS", help="Judge and play on this Dask cluster.")
@click.option("--journal", metavar="FILE", help="Save progress in this file, and keep it.")
@click.option("--fresh", is_flag=True, help="Ignore what is saved, and play again.")
@click.option(
    "--add-to", "earlier", metavar="FILE", help="Add to this leaderboard (what --json printed)."
)
@click.option("--html", "page", metavar="FILE", help="Write a page with pictures to this file.")
@flags.svg_option
@flags.printed
def arena(
    settings: Settings,
    players: Sequence[str],
    game: Game[Any] | Sequence[Game[Any]],
    answer_files: Sequence[str],
    jobs: int | None,
    cluster: str | None,
    journal: str | None,
    fresh: bool,
    earlier: str | None,
    page: str | None,
    **how: Any,
) -> Findings | None:
    """Let PLAYERs play GAMEs against each other and against every level, and rate them.

    PLAYER is a level; a function such as ./mine.py:choose; a program such as exec:./my-engine; a
    policy, the chances of all moves in a NumPy file such as ./policy.npy; or answers to zerosum
    questions in a .jsonl file or a log of Inspect, which are judged, but cannot play. NAME=PLAYER
    gives it a name. GAME may have options, as in 'dual-digits?start=9'; without one, all five are
    played.

    If the chances of both players are known, their pairing is exact. Otherwise they play from
    both seats until their score is known well enough: see --within. In a game too large for a
    table, only levels that are named take part. A faulty answer is counted, and loses
    the game.

    After Ctrl-C, run the same command to continue. To add players later without playing the old
    games again, use the same --journal, or --add-to. The exit code is 1 if a player could not be
    asked to the end.
    """
    pool = workers_for(jobs, cluster)
    params = click.get_current_context().params
    variants = [game] if isinstance(game, Game) else game
    words = [*players, *answer_files]
    files = [read_answers(plain) for _, plain in map(named, words) if is_answers(plain)]
    for note in (note for file in files for note in notes_on(file)):
        settings.err.line(note)
    variants = variants or [variant.game for file in files for variant in file.variants]
    about = ArenaSettings(
        seed=how["seed"],
        samples=how["samples"],
        budget=how["budget"],
        seconds=how["timeout"],
        within=how["within"],
        positions=how["limit"],
    )
    saved = SavedWork(settings, "arena", journal, fresh)
    with StatusLine(settings.err) as line:
        held = Arena(variants, words, about, seconds=patience(PATIENCE), progress=line.show)
        if earlier is not None:
            held.take(read(Leaderboard, read_record(earlier)))
        line.clear()
        try:
            with (
                saved.journal(digest(about, variants), USING) as rows,
                pool as workers,
            ):
                board = held.run(workers, rows, "" if cluster else saved.folder, fresh)
        except (KeyboardInterrupt, ZerosumError):
            saved.tell_how_to_continue(answers=bool(saved.folder and os.listdir(saved.folder)))
            raise
    command = settings.command_line("arena", *words, *(venue.id for venue in held.venues))
    if page is not None:
        write_file(page, leaderboard_page(board, command))
        if page == "-":
            return None
        settings.err.line(f"Wrote {page}.")
    failures = [f"Error: {said}" for said in absence_sentences(board)]
    if params["picture"] == "-" and params["as_json"]:
        raise click.UsageError("--svg - and --json cannot be combined.")
    return Findings(
        board,
        leaderboard_report(board),
        partial(leaderboard_svg, board),
        failures,
        1 if failures else 0,
        after=saved.remove_finished,
    )
