"""Questions about many games, each in a process of its own: its rules may do anything."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from time import process_time

import msgspec
from msgspec import Struct

from zerosum.errors import ZerosumError
from zerosum.lab.audit.auditing import audit_steps
from zerosum.lab.audit.document import GameRow
from zerosum.lab.audit.processes.game_files import AuditJob, jobs_for
from zerosum.lab.audit.processes.one_game import (
    OUT_OF_MEMORY,
    Stop,
    judged,
    refusal_of,
    run_in_process,
)
from zerosum.lab.measure.decisions import Decisions
from zerosum.lab.measure.far import FAR_COUNT, FarTable
from zerosum.lab.measure.measuring import table_for
from zerosum.lab.models.prompts import PromptOptions
from zerosum.lab.models.questions import Question, questions_of
from zerosum.limits import Limits
from zerosum.registry import find
from zerosum.text import brief

TASK = "zerosum.lab.models.many_games:asked"
# The most characters of a text of rules.
LONGEST_RULES = 100_000


class QuestionsRow(GameRow, frozen=True, kw_only=True, tag_field="format", tag="questions"):
    """The questions about one game of many, or why there are none.

    `seconds` is the processor time in which the game was solved.
    """

    message: str
    seconds: float | None = None
    decisions: int = 0
    random: float | None = None
    questions: tuple[Question, ...] = ()


class Asking(Struct, frozen=True, kw_only=True):
    """What is asked about each game."""

    count: int | None = None
    seed: int = 0
    options: PromptOptions = PromptOptions()


def question_jobs(
    names: Iterable[str], limits: Limits, asking: Asking, prose: Sequence[str]
) -> list[AuditJob]:
    """Find the games that are named, each with the texts of its rules."""
    jobs = []
    for job in jobs_for(names, limits):
        options = asking.options._replace(prose=prose_of(job.file, prose))
        how = msgspec.json.encode(msgspec.structs.replace(asking, options=options)).decode()
        jobs.append(job._replace(arguments=(job.name, job.file, how)))
    return jobs


def prose_of(file: str, paths: Sequence[str]) -> str:
    """Return the texts of a game's rules, one after the other."""
    return "\n\n".join(_prose_in(path, file) for path in paths)


def _prose_in(path: str, file: str) -> str:
    """Return the text of a file, or in a folder, of the file that has the name of the game.

    Where no name is the same, the number in it counts: 7.txt is for env_7.py.
    """
    if not os.path.isdir(path):
        return _text(path)
    texts = {os.path.splitext(name)[0]: name for name in sorted(os.listdir(path))}
    stem = os.path.splitext(os.path.basename(file))[0]
    numbers = re.findall(r"\d+", stem)
    name = texts.get(stem) or (texts.get(numbers[-1]) if numbers else None)
    if name is None:
        raise ZerosumError(f"{brief(path, 200)} has no rules for {brief(file, 200)}.")
    return _text(os.path.join(path, name))


def _text(path: str) -> str:
    """Read a text of rules."""
    try:
        with open(path, encoding="utf-8", errors="replace") as source:
            text = source.read(LONGEST_RULES + 1)
    except OSError as error:
        raise ZerosumError(f"{brief(path, 200)} cannot be read: {error.strerror}.") from error
    if len(text) > LONGEST_RULES:
        raise ZerosumError(f"{brief(path, 200)} has more than {LONGEST_RULES:,} characters.")
    return text


def ask_in_process(job: AuditJob) -> QuestionsRow:
    """Write the questions about a game in a process of its own."""
    last: QuestionsRow | Stop = run_in_process(job, TASK, QuestionsRow | Stop)[-1]
    if isinstance(last, QuestionsRow):
        return last
    return QuestionsRow(name=job.name, file=job.file, status=last.status, message=last.message)


def asked(
    target: str, positions: int, name: str, file: str, asking: str
) -> Iterator[QuestionsRow | Stop]:
    """Solve a game and write the questions about it; nothing is raised."""
    begun, solved = process_time(), False
    try:
        game, limits = find(target).variant(), Limits(positions)
        audit = next(step for step in audit_steps(game, limits) if not step.lacks("begun"))
        status, message = judged(audit)
        if status != "solved":
            memory = audit.lacks("memory")
            yield Stop("memory-limit", OUT_OF_MEMORY) if memory else Stop(status, message)
            return
        solved, seconds = True, process_time() - begun
        how = msgspec.json.decode(asking, type=Asking)
        table = table_for(game, limits, how.count or FAR_COUNT, how.seed)
        questions = questions_of(
            table, count=how.count, seed=how.seed, options=how.options, name=file
        )
        decisions, random = len(questions), None
        if questions and not isinstance(table, FarTable):
            all_decisions = Decisions(table)
            decisions, random = len(all_decisions), float(all_decisions.random.good.mean())
        yield QuestionsRow(
            name=name,
            file=file,
            status=status,
            message=message,
            seconds=seconds,
            decisions=decisions,
            random=random,
            questions=tuple(questions),
        )
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield refusal_of(error, solved)
