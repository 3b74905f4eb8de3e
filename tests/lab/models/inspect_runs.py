"""Runs the tasks of Inspect with its mock of a model, in a process of its own: nothing is fetched.

Called with a folder for logs, it prints the metrics and the samples of each run as JSON.
"""

import json
import random
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import patch

from inspect_ai import eval as run
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import zerosum
from tests.lab.models.inspect_stubs import FAULTS, FEW
from zerosum import LevelBot
from zerosum.lab.models.inspect import decisions as decisions_task
from zerosum.lab.models.suites import SUITES

DUAL = zerosum.game("dual-digits")
STOPS: Any = {"cut_off": "max_tokens", "refused": "content_filter"}
WRONG: list[dict[str, Any]] = [
    {"game": "dual-digit"},
    {"start": -3},
    {"strat": 3},
    {"game": "zerosum-1", "count": 3},
]


def said(text: str, stop: Any = "stop") -> ModelOutput:
    """Return an answer with its own count of tokens, so that no tokenizer is fetched."""
    output = ModelOutput.from_content("mockllm", text, stop_reason=stop)
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def evaluate(
    task: str, answer: Callable[[str], ModelOutput], epochs: int = 1, **args: Any
) -> dict[str, Any]:
    """Run a task by its name with a stub that answers the last message."""

    def outputs(messages: Any, *rest: Any) -> ModelOutput:
        return answer(messages[-1].text)

    model = get_model("mockllm/model", custom_outputs=outputs)
    log = run(
        task,
        model=model,
        task_args=args,
        epochs=epochs,
        display="log",  # others lay out tables that nobody sees
        log_dir=sys.argv[1],
        fail_on_error=False,
    )[0]
    assert log.results is not None, log.error
    assert log.samples is not None
    return {
        "log": log.location,
        "metrics": {
            score.name: {
                name.removeprefix("zerosum/"): found.value for name, found in score.metrics.items()
            }
            for score in log.results.scores
        },
        "samples": [
            {
                "said": sample.output.completion,
                "scores": next((score.value for score in (sample.scores or {}).values()), None),
                "moves": sample.metadata.get("moves"),
            }
            for sample in log.samples
        ],
    }


def position_in(prompt: str) -> Any:
    """Return the position of Dual Digits that a prompt describes."""
    told = prompt.split("## The position")[1]
    number, previous = (
        told.split(f"{name}: ")[1].split("\n")[0] for name in ("Number", "Just subtracted")
    )
    return DUAL.initial()._replace(
        number=int(number),
        previous=int(previous) if previous.isdigit() else 0,
        player=int("Second player to move" in told),
    )


def largest(prompt: str) -> ModelOutput:
    """Play the largest legal move."""
    return said(f"The largest is best.\n**MOVE: {max(DUAL.moves(position_in(prompt)))}**")


def perfect(prompt: str) -> ModelOutput:
    """Play perfectly."""
    bot = LevelBot("perfect", DUAL, random.Random(prompt))
    return said(f"MOVE: {bot.move(position_in(prompt))}")


def refusal(args: dict[str, Any]) -> str:
    """Return why a task is refused."""
    try:
        run("zerosum/decisions", model="mockllm/model", task_args=args, display="log")
    except PrerequisiteError as error:
        return str(error.message)
    return ""


def main() -> None:
    """Run everything."""
    faulty = list(FAULTS.items())
    rng, drawn, held = random.Random(3), list[bool](), list[bool]()
    solution = zerosum.solve(DUAL)

    def fail(prompt: str) -> ModelOutput:
        text, fault = faulty.pop()
        return said(text, STOPS.get(fault, "stop"))

    def draw(prompt: str) -> ModelOutput:
        state = position_in(prompt)
        move = rng.choice(DUAL.moves(state))
        drawn.append(move in solution.best(state))
        return said(f"MOVE: {move}")

    def hard(prompt: str) -> ModelOutput:
        state = position_in(prompt)
        move = LevelBot("hard", DUAL, random.Random(prompt)).move(state)
        held.append(move in solution.best(state))
        return said(f"Let me see. MOVE: 1 would be wrong.\n\nMOVE: {move}")

    def fall(prompt: str) -> ModelOutput:
        if int(position_in(prompt).number) % 2:
            raise ConnectionError("The provider is down.")
        return largest(prompt)

    decisions, matches = "zerosum/decisions", "zerosum/matches"
    found: dict[str, Any] = {
        "largest": evaluate(decisions, largest),
        "faults": evaluate(decisions, fail, count=len(FAULTS)),
        "drawn": evaluate(decisions, draw, epochs=3, start=8),
        "hard": evaluate(decisions, hard, start=12),
        "down": evaluate(decisions, fall, start=9),
        "perfect": evaluate(matches, perfect, level="random", games=3),
        "again": evaluate(matches, perfect, level="random", games=3),
        "stubborn": evaluate(matches, lambda prompt: said("MOVE: 9"), games=1, retries=2),
    }
    found["share drawn right"] = sum(drawn) / len(drawn)
    found["share held"] = sum(held) / len(held)
    with patch.dict(SUITES, FEW):
        found["suite"] = [sample.id for sample in decisions_task(game="zerosum-sizes").dataset]
    text = Path(sys.argv[1], "rules.txt")
    text.write_text("You win by taking a biscuit.")
    found["prose"] = decisions_task(count=1, rules=str(text)).dataset[0].input
    found["refusals"] = [refusal(args) for args in WRONG]
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    # Inspect asks for every task, and each answer reads all packages that are installed.
    once = cache(metadata.packages_distributions)
    with patch("inspect_ai._util.package.packages_distributions", once):
        main()
