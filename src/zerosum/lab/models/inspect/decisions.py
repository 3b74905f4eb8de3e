"""The task zerosum/decisions: one question a decision, and the exact price of each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import sqrt
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    grouped,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState, generate

from zerosum.documents import to_dict
from zerosum.errors import ZerosumError
from zerosum.lab.ids import NamedPosition, read_id, variant_from
from zerosum.lab.models.answers import judge
from zerosum.lab.models.inspect.logs import answer_of
from zerosum.lab.models.many_games import prose_of
from zerosum.lab.models.prompts import PromptOptions
from zerosum.lab.models.questions import Question, questions_of
from zerosum.lab.models.suites import SUITES, suite_questions
from zerosum.options import written
from zerosum.players.asked import FaultKind
from zerosum.protocol import Game

# The faults that the answer of a model can have.
FAULTS: tuple[FaultKind, ...] = ("illegal", "unreadable", "cut-off", "refused")
# What a fault gives away is what there was: half points.
WORTH = {"win": 2, "draw": 1}


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Have Inspect print what is wrong with a task's arguments, without a traceback."""
    try:
        yield
    except ZerosumError as error:
        raise PrerequisiteError(str(error)) from error


@task
@in_a_sentence()
def decisions(
    game: str = "dual-digits",
    count: int | None = None,
    seed: int = 0,
    legal: bool = False,
    history: bool = False,
    rules: bool | str = True,
    **options: Any,
) -> Task:
    """Ask for the move in positions of a game in which some move throws a result away.

    The rules may be those in a file, or in the one of a folder that has the game's name.
    """
    prompt = prompt_options(game, legal, history, rules)
    if game in SUITES:
        if count is not None or seed or options:
            raise ZerosumError(f"{game} has no options: its questions are always the same.")
        asked = suite_questions(game, prompt)
    else:
        variant = variant_of(game, options)
        asked = questions_of(variant, count=count, seed=seed, options=prompt, name=game)
    return Task(
        MemoryDataset([_sample(question) for question in asked], name=game),
        solver=generate(),
        scorer=exact(),
    )


def prompt_options(game: str, legal: bool, history: bool, rules: bool | str) -> PromptOptions:
    """Return what a prompt contains; rules that are a path stand for the game's own."""
    prose = prose_of(game, [rules]) if isinstance(rules, str) else ""
    return PromptOptions(legal, history, bool(rules), prose)


def variant_of(game: str, options: Mapping[str, Any]) -> Game[Any]:
    """Return a variant by options that may be strings or lists, as on a command line."""
    return variant_from(game, {name: written(value) for name, value in options.items()})


def _sample(question: Question) -> Sample:
    """Return a question as a sample; its metadata are all that scoring needs."""
    about = to_dict(question)
    difficulty, _, phase = question.stratum.partition(", ")
    groups = {"difficulty_band": difficulty, "phase": phase or "any"}
    right = [move.move for move in question.moves if not move.regret]
    return Sample(about.pop("prompt"), id=question.id, target=right, metadata=about | groups)


@metric
def weighted_mean() -> Metric:
    """Estimate the mean over all decisions of the game."""
    return _weighted


@metric
def weighted_stderr() -> Metric:
    """Estimate the standard error of the weighted mean, were other decisions drawn."""

    def compute(scores: list[SampleScore]) -> float:
        count, total = len(scores), sum(map(_weight, scores))
        if count < 2 or not total:
            return 0.0
        mean = _weighted(scores)
        off = ((_weight(scored) * (scored.score.as_float() - mean)) ** 2 for scored in scores)
        return sqrt(count / (count - 1) * sum(off)) / total

    return compute


def _weighted(scores: list[SampleScore]) -> float:
    """Return the weighted mean of scores."""
    total = sum(map(_weight, scores))
    return (
        sum(_weight(scored) * scored.score.as_float() for scored in scores) / total
        if total
        else 0.0
    )


def _weight(scored: SampleScore) -> float:
    """Return how many decisions a question stands for."""
    return float((scored.sample_metadata or {}).get("weight", 1.0))


@metric
def by_difficulty() -> Metric:
    """Estimate the mean over the decisions of each difficulty, and its standard error."""
    return _of_each("difficulty_band")


@metric
def by_phase() -> Metric:
    """Estimate the mean over the decisions of each phase, and its standard error."""
    return _of_each("phase")


def _of_each(key: str) -> Metric:
    """Estimate the mean of each group of decisions, and its standard error."""
    means: Any = grouped(weighted_mean(), key, all=False)
    errors: Any = grouped(weighted_stderr(), key, all=False, name_template="{group_name} stderr")

    def compute(scores: list[SampleScore]) -> Value:
        return {**means(scores), **errors(scores)}

    return compute


@scorer(metrics={"*": [weighted_mean(), weighted_stderr(), by_difficulty(), by_phase()]})
def exact() -> Scorer:
    """Score an answer by what the move throws away; a fault throws away all that there is."""

    async def score(state: TaskState, target: Target) -> Score:
        about = state.metadata
        position_id = str(state.sample_id)
        position = _position(position_id)
        answer = judge(position.game, position.state, answer_of(position_id, state.output))
        regrets = {move["move"]: move["regret"] for move in about["moves"]}
        regret = WORTH[about["value"]] if answer.fault else regrets[str(answer.move)]
        right = float(answer.fault is None and not regret)
        faults = {score_key(kind): float(answer.fault == kind) for kind in FAULTS}
        shown = None if answer.move is None else str(answer.move)
        value = {"right": right, "regret": float(regret), **faults}
        return Score(value=value, answer=shown, explanation=answer.reason or None)

    return score


@lru_cache(maxsize=4096)
def _position(id: str) -> NamedPosition:  # noqa: A002
    """Return what an id names; epochs ask about the same position."""
    return read_id(id)


def score_key(kind: FaultKind) -> str:
    """Return the name of a fault among the scores."""
    return kind.replace("-", "_")
