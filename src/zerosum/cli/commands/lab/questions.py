"""`zerosum questions`: decisions as questions for language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.long_tasks import (
    OneOrMany,
    check_results,
    games_argument,
    outcomes,
    run_many,
    workers_for,
)
from zerosum.cli.players import SUITE, parts_of
from zerosum.cli.solving import counting, limit_option, more
from zerosum.cli.user_files import write_lines
from zerosum.errors import ZerosumError
from zerosum.lab.ids import name_of
from zerosum.lab.models.many_games import (
    Asking,
    QuestionsRow,
    ask_in_process,
    prose_of,
    question_jobs,
)
from zerosum.lab.models.prompts import PromptOptions
from zerosum.lab.models.questions import Question, questions_of, to_line
from zerosum.lab.models.suites import SUITES, suite_named, suite_questions
from zerosum.limits import BATCH, PATIENCE, Limits
from zerosum.protocol import Game
from zerosum.text import counted
from zerosum.wording.words import title_of

NO_DECISIONS = "In every position, all moves have the same result."


class QuestionsCommand(OneOrMany):
    """A command with one GAME and its options, with many games, or with a suite."""

    also = tuple(SUITES)

    def are_many(self, typed: dict[str, Any], names: Sequence[str]) -> bool:
        """Return whether the command is about many games, or those of a suite."""
        suites = any(name.startswith(SUITE) for name in names)
        return suites or super().are_many(typed, names)


@flags.game_command(cls=QuestionsCommand)
@games_argument
@click.option("--out", metavar="FILE", default="-", help="Write to this file (default: print).")
@flags.number(
    "--count", "Ask at most N questions about each game (default: all decisions).", least=1
)
@flags.number("--seed", "Random seed, for the sample.", 0)
@click.option("--legal", is_flag=True, help="List the legal moves in every prompt.")
@click.option("--history", is_flag=True, help="Add the moves that led to the position.")
@click.option("--no-rules", is_flag=True, help="Leave out the rules.")
@click.option(
    "--rules",
    "prose",
    metavar="FILE",
    multiple=True,
    help="Use these rules: a text file, or a folder with one named after each game.",
)
@limit_option
@flags.number("--jobs", "Games at a time (default: one per core).", least=1)
@click.option(
    "--seconds",
    type=flags.seconds(0.001, 1_000_000),
    help="Processor time for each of many games (default: 10).",
)
@click.option("--fresh", is_flag=True, help="Solve all games again, even those already done.")
@flags.common
def questions(
    settings: Settings,
    game: Game[Any] | tuple[str, ...],
    out: str,
    count: int | None,
    seed: int,
    legal: bool,
    history: bool,
    no_rules: bool,
    prose: Sequence[str],
    limit: int,
    jobs: int | None,
    seconds: float | None,
    fresh: bool,
) -> None:
    """Write the decisions of GAME as questions for language models: a JSON line each, with the
    prompt, every legal move and its exact regret.

    A decision is a position in which some move throws away a result. With --count, the sample has
    decisions of every difficulty and phase, and a weight says how many each stands for.
    zerosum measure --answers reads the answers.

    GAME may be a suite, whose questions are the same for everybody: zerosum-1, about variants of
    ten games, or zerosum-sizes, about starts of up to 10^40.

    Several games, or a folder of games, need --out: each is solved in a process of its own, and
    after Ctrl-C the same command continues. Games that are not solved are named.
    """
    if no_rules and prose:
        raise click.UsageError("--no-rules and --rules cannot be combined.")
    check_results(out)
    options = PromptOptions(legal, history, not no_rules)
    if not isinstance(game, Game) and any(name.startswith(SUITE) for name in game):
        if len(game) > 1 or count is not None or seed or prose:
            raise click.UsageError(
                "Name a suite alone, without --count, --seed and --rules: its questions are always "
                "the same."
            )
        parts_of(game[0])
        asked = suite_questions(game[0], options)
        write_lines(out, map(to_line, asked))
        if out != "-":
            about = f"the suite {game[0]}, {suite_named(game[0]).hash}"
            settings.out.line(f"{counted(len(asked), 'question')} in {out}: {about}.")
        return
    asking = Asking(count=count, seed=seed, options=options)
    if isinstance(game, Game):
        with counting(settings), more(PATIENCE) as time:
            options = asking.options._replace(prose=prose_of(name_of(game), prose))
            found = questions_of(
                game, count=count, seed=seed, options=options, limits=Limits(limit, time)
            )
        if not found:
            raise ZerosumError(f"{title_of(game)} has no decisions: no move can go wrong.")
        rows = []
    else:
        if out == "-":
            raise click.UsageError("Name a file for the questions: --out questions.jsonl.")
        limits = BATCH._replace(positions=limit, seconds=seconds or BATCH.seconds)
        tasks = question_jobs(game, limits, asking, prose)
        workers = workers_for(jobs)
        rows = run_many(
            settings, QuestionsRow, ask_in_process, tasks, workers, out, "questions", fresh
        )
        found = [question for row in rows for question in row.questions]
    write_lines(out, map(to_line, found))
    for row in rows:
        if row.status != "solved" or not row.questions:
            message = row.message if row.status != "solved" else NO_DECISIONS
            settings.err.line(f"{row.file}: {row.status}: {message}")
    if out != "-":
        _summarise(settings, out, found, rows, all_of_one=not rows and (count or 0) > len(found))


def _summarise(
    settings: Settings,
    out: str,
    found: Sequence[Question],
    rows: Sequence[QuestionsRow],
    all_of_one: bool,
) -> None:
    """Say how many questions there are, and what became of many games."""
    if rows:
        settings.out.line(outcomes(rows))
    games = len({question.id.partition("#")[0] for question in found})
    about = f" about {counted(games, 'game')}" if rows else ""
    whole = ", all that this game has" * all_of_one
    settings.out.line(f"{counted(len(found), 'question')}{about} in {out}{whole}.")
