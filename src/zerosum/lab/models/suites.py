"""Suites: questions with a name, the same for everybody, and frozen by their hash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.table import Flags, Table
from zerosum.errors import ZerosumError
from zerosum.lab.ids import example_file, hash_of
from zerosum.lab.measure.decisions import Decisions
from zerosum.lab.measure.far import FarTable
from zerosum.lab.measure.measuring import table_for
from zerosum.lab.measure.sampling import stratified
from zerosum.lab.models.prompts import USUAL, PromptOptions
from zerosum.lab.models.questions import Question, questions_of
from zerosum.limits import NONE, Limits
from zerosum.protocol import Game
from zerosum.registry import find
from zerosum.text import brief

# What is too large for a table here: every start of a suite of sizes, so that theories answer.
NO_TABLE = Limits(positions=1)
LAST_STICK, NIM = "examples/last_stick.py", "examples/nim_with_a_pass.py"
CONNECT, DOTS = "examples/connect_four.py", "examples/dots_and_boxes.py"
TERRITORY = "examples/territory.py"


@dataclass(frozen=True)
class SuitePart:
    """The questions of a suite about one variant."""

    name: str
    options: dict[str, Any]
    count: int
    seed: int = 0
    limits: Limits = NONE

    @property
    def game(self) -> Game[Any]:
        """The variant."""
        return find(example_file(self.name)).variant(**self.options)

    @property
    def table(self) -> Table[Any]:
        """The table of the variant, or of the decisions that its theory can value."""
        return table_for(self.game, self.limits, self.count, self.seed)

    def sample(self, table: Table[Any]) -> Flags | None:
        """Mark the decisions that are asked about; None if it is all that the table has."""
        if isinstance(table, FarTable):
            return None
        decisions = Decisions(table)
        marks: Flags = np.zeros(len(decisions), bool)
        asked = stratified(decisions.strata, self.count, self.seed)
        marks[[number for number, _ in asked]] = True
        return marks

    def questions(self, options: PromptOptions = USUAL) -> list[Question]:
        """Return the questions about the variant."""
        return questions_of(
            self.table, count=self.count, seed=self.seed, options=options, name=self.name
        )


class Suite(NamedTuple):
    """Questions with a name: what it stands for, its parts, and the hash of all questions."""

    about: str
    parts: tuple[SuitePart, ...]
    hash: str


# Variants of the five rule books and of the examples.
UNUSUAL: dict[str, list[dict[str, Any]]] = {
    "even-steven": [
        {"start": 137},
        {"start": 1001},
        {"start": 90, "subtract_two": True},
        {"start": 333, "subtract_two": True},
    ],
    "divisor-duel": [{"start": 60}, {"start": 97}, {"start": 144}],
    "dual-digits": [
        {"start": 80},
        {"start": 61, "numbers": (1, 3, 4, 6)},
        {"start": 45, "numbers": (2, 3, 5, 7)},
        {"start": 33, "numbers": (1, 2, 3, 4, 5, 6)},
        {"start": 70, "numbers": (1, 4, 9)},
    ],
    "number-navigator": [{"start": 50}, {"start": 60}, {"start": 75}, {"start": 90}],
    "digit-battle": [
        {"lives": 3, "target": 10},
        {"lives": 3, "target": 13, "limit": 17},
        {"lives": 4, "target": 9, "limit": 12, "target_penalty": 2},
        {"lives": 3, "target": 21, "limit": 27, "target_reset": 7, "limit_reset": 14},
        {"lives": 5, "target": 11, "limit": 19, "negative_penalty": 2, "limit_reset": 5},
    ],
    LAST_STICK: [{"start": 31}, {"start": 50}],
    NIM: [
        {"heaps": (7, 8, 9)},
        {"heaps": (4, 6, 9), "passes": 2},
        {"heaps": (3, 3, 4, 5), "passes": 0},
    ],
    CONNECT: [{"width": 4, "height": 3}],
    DOTS: [{"width": 2, "height": 1}, {"width": 2, "height": 2}, {"width": 3, "height": 1}],
    TERRITORY: [{"size": 3}, {"size": 4}],
}
SUITES = {
    "zerosum-1": Suite(
        "Variants of the five rule books and of the examples, none with its usual options.",
        tuple(SuitePart(name, each, 40) for name, listed in UNUSUAL.items() for each in listed),
        "18b1ddd9d8aad6fb",
    ),
    "zerosum-sizes": Suite(
        "Starts from 10 to 10^40, valued by theories: nobody can have seen them all.",
        tuple(
            SuitePart(name, {"start": 10**power, **options}, 10, power, NO_TABLE)
            for name, options, most in (
                ("even-steven", {}, 40),
                ("even-steven", {"subtract_two": True}, 40),
                ("divisor-duel", {}, 12),
                ("dual-digits", {}, 40),
                ("number-navigator", {}, 40),
            )
            for power in (1, 2, 3, 4, 6, 9, 12, 20, 30, 40)
            if power <= most
        ),
        "7d1d12d5dc6d346e",
    ),
}


def suite_named(name: str) -> Suite:
    """Return a suite.

    >>> len(suite_named("zerosum-1").parts)
    32
    >>> suite_named("zerosum-2")
    Traceback (most recent call last):
    ...
    zerosum.errors.ZerosumError: There is no suite 'zerosum-2'. The suites are zerosum-1, \
zerosum-sizes.
    """
    if name not in SUITES:
        raise ZerosumError(
            f"There is no suite '{brief(name)}'. The suites are {', '.join(SUITES)}."
        )
    return SUITES[name]


def suite_questions(name: str, options: PromptOptions = USUAL) -> list[Question]:
    """Return the questions of a suite, with these prompts."""
    return [asked for part in suite_named(name).parts for asked in part.questions(options)]


def suite_hash(questions: list[Question]) -> str:
    """Return the hash of questions: their prompts, and what every answer is worth."""
    told = [
        (asked.id, asked.prompt_hash, asked.value, asked.stratum, f"{asked.weight:.6f}")
        for asked in questions
    ]
    prices = [[(move.move, move.regret) for move in asked.moves] for asked in questions]
    return hash_of(repr((told, prices)))
