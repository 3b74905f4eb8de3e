"""The answers in a log of Inspect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ModelOutput

from zerosum.errors import ZerosumError
from zerosum.lab.models.answers import AnswerFile, ModelAnswer
from zerosum.text import brief, counted

TASKS = ("zerosum/decisions", "decisions")
# What it means that an answer did not end by itself.
STOPS: dict[str, Any] = {
    "max_tokens": "cut-off",
    "model_length": "cut-off",
    "content_filter": "refused",
}


def read_log(path: str) -> AnswerFile:
    """Return the answers in a log of zerosum/decisions; epochs are samples.

    A sample that ended with an error of the harness has no answer of the model.
    """
    shown = brief(path, 200)
    try:
        log = read_eval_log(path, resolve_attachments="core")
    except Exception as error:  # whatever is in the file
        raise ZerosumError(f"{shown} is not a log of Inspect that can be read.") from error
    if log.eval.task not in TASKS:
        raise ZerosumError(
            f"{shown} is a log of the task {brief(log.eval.task)}. Only those of zerosum/decisions "
            "have answers to questions."
        )
    samples = log.samples or []
    try:
        answers = tuple(_checked(answer) for answer in _answers(samples))
    except (msgspec.ValidationError, ValueError) as error:
        reason = str(error).replace("`", "'")
        raise ZerosumError(f"An answer in {shown} cannot be read: {reason}.") from error
    if not answers:
        raise ZerosumError(f"{shown} has no answers: {_state(log)}.")
    asked, questions = len(log.eval.dataset.sample_ids or []), log.eval.dataset.samples or 0
    notes = []
    if missing := max(asked * (log.eval.config.epochs or 1), len(samples)) - len(answers):
        notes.append(
            f"{shown}: {counted(missing, 'sample')} without an answer, for the evaluation "
            f"{_state(log)}; not counted against the model. inspect eval-retry completes the log."
        )
    if 0 < asked < questions:
        notes.append(
            f"{shown}: only {asked:,} of its {questions:,} questions were asked, not at random. "
            "-T count=N asks a sample of a game; --limit takes the first."
        )
    return AnswerFile(path, log.eval.model, answers, tuple(notes))


def _state(log: EvalLog) -> str:
    """Say how an evaluation ended."""
    return {
        "started": "was not finished",
        "success": "ended with errors",
        "cancelled": "was cancelled",
        "error": "ended with an error",
    }[log.status]


def _answers(samples: list[EvalSample]) -> Iterator[ModelAnswer]:
    """Return the answers of all samples that have one."""
    for sample in samples:
        if sample.error is None and sample.output.choices:
            yield answer_of(
                str(sample.id),
                sample.output,
                seconds=sample.working_time,
                prompt_version=sample.metadata.get("prompt_version"),
                prompt_hash=sample.metadata.get("prompt_hash"),
            )


def _checked(answer: ModelAnswer) -> ModelAnswer:
    """Return an answer whose fields are what they should be, as if it came from a file."""
    about = msgspec.structs.asdict(answer)
    if any(value != value for value in about.values()):  # NaN passes every bound
        raise ValueError("NaN is not a number")
    return msgspec.convert(about, ModelAnswer)


def answer_of(id: str, output: ModelOutput, **about: Any) -> ModelAnswer:  # noqa: A002
    """Return what a model said as an answer."""
    usage = output.usage
    return ModelAnswer(
        id=id,
        text=output.completion,
        fault=STOPS.get(output.stop_reason),
        tokens=usage.output_tokens if usage else None,
        cost=usage.total_cost if usage else None,
        **about,
    )
