"""The task zerosum/matches: whole games against a level, from both seats."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageUser, get_model
from inspect_ai.scorer import (
    Metric,
    Score,
    Scorer,
    Target,
    grouped,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from zerosum.lab.ids import id_of, read_id
from zerosum.lab.models.answers import ReadAnswer, judge
from zerosum.lab.models.inspect.decisions import (
    FAULTS,
    in_a_sentence,
    prompt_options,
    score_key,
    variant_of,
)
from zerosum.lab.models.inspect.logs import answer_of
from zerosum.lab.models.prompts import PromptOptions, prompt_of
from zerosum.match import Match
from zerosum.players.autoplay import is_endless
from zerosum.players.levels import choose_move, prepare, seed_at, soon_known
from zerosum.protocol import Game
from zerosum.solver import Solution
from zerosum.solver.values import RANK, regrets_of

SEATS = ("first", "second")
# What a model is told after a fault, if it may answer again.
AGAIN = "{reason} Answer again, with your move on a line of its own: MOVE: x"


@task
@in_a_sentence()
def matches(
    game: str = "dual-digits",
    level: str = "medium",
    games: int = 10,
    seed: int = 0,
    retries: int = 0,
    legal: bool = False,
    rules: bool | str = True,
    **options: Any,
) -> Task:
    """Play games against a level of the computer, as many from either seat."""
    variant = variant_of(game, options)
    prepare(known(variant), level, variant.initial())
    start = id_of(variant, variant.initial(), game)
    samples = [
        Sample(
            f"Play as the {seat} player against {level}, from {start}.",
            id=f"{seat} {number}",
            metadata={"start": start, "level": level, "seat": seat, "seed": seed + number},
        )
        for number in range(1, games + 1)
        for seat in SEATS
    ]
    how = prompt_options(game, legal, True, rules)
    return Task(
        MemoryDataset(samples, name=f"{game} against {level}"),
        solver=play_game(retries, how),
        scorer=result(),
    )


@lru_cache(maxsize=4)
def known(game: Game[Any]) -> Solution[Any]:
    """Return what is known about a game; its samples share it."""
    return soon_known(game)


@solver
def play_game(retries: int, how: PromptOptions) -> Solver:
    """Play one game; a model without a legal move forfeits it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        about = state.metadata
        game, level = read_id(about["start"]).game, about["level"]
        seat = SEATS.index(about["seat"])
        bots = (level, None) if seat else (None, level)
        match = Match.new(game, bots=bots, seed=about["seed"])
        kept = dict.fromkeys(("regret", "forfeit", *map(score_key, FAULTS)), 0)
        while match.round.end is None:
            if match.mover == seat:
                match = await _answered(match, state, retries, how, kept)
            else:
                move = choose_move(known(game), level, match.state, seed_at(match))
                match = match.play(move)
            if is_endless(match):
                match = match.endless()
        about["result"] = {"points": match.score[seat], **kept}
        about["moves"] = list(match.round.moves)
        return state

    return solve


async def _answered(
    match: Match[Any], state: TaskState, retries: int, how: PromptOptions, kept: dict[str, int]
) -> Match[Any]:
    """Ask for a move and play it, or forfeit; keep count of faults and of what is given away."""
    prompt = prompt_of(match.game, match.state, how, match.round.moves)
    said: list[ChatMessage] = [ChatMessageUser(content=prompt)]
    answer = ReadAnswer()
    for _ in range(retries + 1):
        state.output = await get_model().generate(said)
        state.messages = [*said, state.output.message]
        answer = judge(match.game, match.state, answer_of("", state.output))
        if answer.fault is None:
            break
        kept[score_key(answer.fault)] += 1
        again = ChatMessageUser(content=AGAIN.format(reason=answer.reason))
        said = [*state.messages, again]
    kept["regret"] += _regret(match, answer)
    if answer.move is None:
        kept["forfeit"] = 1
        return match.resign()
    return match.play(answer.move)


def _regret(match: Match[Any], answer: ReadAnswer) -> int:
    """Return what an answer gives away, in half points; 0 where that is unknown."""
    values = known(match.game).known_moves(match.state)
    regrets = regrets_of({move: then for move, then in values.items() if then is not None})
    if len(regrets) < len(values):
        return 0
    if answer.move is not None:
        return regrets[answer.move]
    return max(RANK[then.result] for then in values.values() if then is not None)


@metric
def by_seat() -> Metric:
    """Estimate the mean over the games of each seat."""
    return grouped(mean(), "seat", all=False)


@scorer(metrics={"*": [mean(), stderr(), by_seat()]})
def result() -> Scorer:
    """Score a game: the points, what was given away, whether it was forfeited, and the faults."""

    async def score(state: TaskState, target: Target) -> Score:
        moves = ", ".join(map(str, state.metadata["moves"]))
        return Score(value=state.metadata["result"], explanation=f"The moves: {moves}")

    return score
