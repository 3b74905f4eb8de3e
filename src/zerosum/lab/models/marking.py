"""Answers of a model marked: checked against their questions, and measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from zerosum.bulk.table import Table
from zerosum.errors import ZerosumError
from zerosum.lab.ids import hash_of
from zerosum.lab.measure.far import FarTable, far_theory, valued
from zerosum.lab.measure.measurement import Measurement, Spending
from zerosum.lab.measure.measuring import Measured, measure_answers
from zerosum.lab.models.answers import AnswerFile, ModelAnswer, answers_in, json_lines
from zerosum.lab.models.prompts import PROMPT_VERSION
from zerosum.lab.models.questions import Question
from zerosum.limits import Limits
from zerosum.protocol import Game
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import Solution
from zerosum.text import brief, counted
from zerosum.wording.words import title_of

FORM = "zerosum questions writes"


def read_questions(path: str) -> dict[str, Question]:
    """Read a file of questions, by their ids, which all differ."""
    found: dict[str, Question] = {}
    for where, question in json_lines(path, Question, FORM):
        if question.id in found:
            raise ZerosumError(f"{where} repeats the question '{brief(question.id, 120)}'.")
        found[question.id] = question
    return found


def check_answers(
    file: AnswerFile, questions: Mapping[str, Question], path: str, prompts: bool = True
) -> None:
    """Refuse answers to other questions than those in a file, or to only some of them.

    Without `prompts`, the questions may have been asked in other words.
    """
    shown, asked = brief(file.path, 200), brief(path, 200)
    for answer in file.answers:
        question = questions.get(answer.id)
        if question is None:
            raise ZerosumError(
                f"{shown} answers '{brief(answer.id, 120)}', which is not a question in {asked}. "
                "Is it the file that the answers are about?"
            )
        version = answer.prompt_version if prompts else None
        prompt = answer.prompt_hash if prompts else None
        if version not in (None, question.prompt_version):
            raise ZerosumError(
                f"{shown} answers prompts of version {version}; those in {asked} have version "
                f"{question.prompt_version}, and are other questions."
            )
        if prompt not in (None, question.prompt_hash):
            raise ZerosumError(
                f"{shown} answers another prompt about '{brief(answer.id, 120)}' than {asked} has."
            )
    answered = {answer.id for answer in file.answers}
    missing = [name for name in questions if name not in answered]
    if missing:
        raise ZerosumError(
            f"{shown} answers {len(questions) - len(missing):,} of the {len(questions):,} "
            f"questions in {asked}; the first without an answer is '{brief(missing[0], 120)}'. "
            "Figures from a part would not stand for all. Answer the rest, or write fewer "
            "questions with --count."
        )
    for variant in file.variants:
        given = next(iter(variant.answers.values()))[0]
        if questions[given.id].rules_hash != hash_of(fingerprint(variant.game)):
            raise ZerosumError(
                f"The rules of {title_of(variant.game)} have changed since {asked} was written."
            )


def table_of_answers(game: Game[Any], files: Iterable[AnswerFile], limits: Limits) -> Table[Any]:
    """Return the table of a game; if it is too large, of the decisions that have an answer."""
    theory = far_theory(game, limits)
    if theory is None:
        return Table(game, limits)
    solution, decisions = Solution.by_theory(game, theory), {}
    for file in files:
        for variant in file.about(game):
            for state, given in variant.answers.items():
                decisions[state] = valued(solution, state)
                if decisions[state] is None:
                    raise ZerosumError(f"'{brief(given[0].id, 120)}' is not a decision.")
    return FarTable(game, [decision for decision in decisions.values() if decision is not None])


def notes_on(file: AnswerFile) -> list[str]:
    """Say what is odd about answers that can be measured all the same."""
    shown, notes = brief(file.path, 200), list(file.notes)
    times = Counter(answer.id for answer in file.answers).values()
    if min(times) < max(times):
        notes.append(
            f"{shown}: some questions have {counted(min(times), 'answer')}, others "
            f"{max(times):,}. Is the file complete?"
        )
    versions = {answer.prompt_version for answer in file.answers} - {None}
    if versions - {PROMPT_VERSION}:
        listed = ", ".join(map(str, sorted(filter(None, versions))))
        notes.append(
            f"{shown}: the prompts have version {listed}; this Zerosum writes version "
            f"{PROMPT_VERSION}, so compare these figures with care."
        )
    return notes


def mark(table: Table[Any], file: AnswerFile) -> Measurement:
    """Measure the answers in a file about the game of a table.

    >>> import zerosum
    >>> from zerosum.lab.models import ModelAnswer, questions_of
    >>> table = Table(zerosum.game("dual-digits"))
    >>> given = [ModelAnswer(id=question.id, move=1) for question in questions_of(table)]
    >>> measured = mark(table, AnswerFile("mine.jsonl", "ones", tuple(given)))
    >>> f"right in {measured.good.value:.1%}, illegal: {measured.faults['illegal']}"
    'right in 27.2%, illegal: 28'
    """
    return marked(table, file).measurement


def marked(
    table: Table[Any], file: AnswerFile, questions: Mapping[str, Question] | None = None
) -> Measured:
    """Measure the answers in a file, and return them too."""
    about = [
        answer
        for variant in file.about(table.game)
        for given in variant.answers.values()
        for answer in given
    ]
    prompts = {
        answer.id: questions[answer.id].prompt_hash if questions else answer.prompt_hash
        for answer in about
    }
    known = sorted(filter(None, prompts.values()))
    prompt = hash_of(" ".join(known)) if len(known) == len(prompts) else ""
    return measure_answers(answers_in(table, file), file.name, prompt, _spent(about))


def _spent(answers: Iterable[ModelAnswer]) -> Spending | None:
    """Add up what answers took, as far as every one of them says so."""
    columns = zip(*((a.tokens, a.seconds, a.cost) for a in answers), strict=True)
    totals: list[Any] = [None if None in values else sum(values) for values in columns]
    return Spending(*totals) if any(total is not None for total in totals) else None
