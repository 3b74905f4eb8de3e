"""Answers that `zerosum measure` reads instead of asking a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from zerosum.bulk.table import Table
from zerosum.cli.config import Settings, cache_dir
from zerosum.lab.measure.far import FAR_COUNT
from zerosum.lab.measure.measuring import Measured, table_for
from zerosum.lab.models.answers import read_answers
from zerosum.lab.models.marking import (
    check_answers,
    marked,
    notes_on,
    read_questions,
    table_of_answers,
)
from zerosum.lab.models.suites import SuitePart
from zerosum.limits import Limits
from zerosum.protocol import Game


class GivenAnswers:
    """Answers that were given elsewhere: files of any harness, and logs of Inspect."""

    def __init__(self, settings: Settings, paths: Sequence[str], questions: str | None) -> None:
        """Read the files, check them against their questions, and say what is odd about them."""
        self.files = [read_answers(path) for path in dict.fromkeys(paths)]
        self._questions = None if questions is None else read_questions(questions)
        if self._questions is not None and not self.files:
            raise click.UsageError("--questions needs answers to check: --answers FILE, or a log.")
        self.games()  # a game in a file starts the command again: before anything is said
        for file in self.files:
            if questions is not None and self._questions is not None:
                check_answers(file, self._questions, questions)
            for note in notes_on(file):
                settings.err.line(note)

    def check(self, parts: Sequence[SuitePart]) -> None:
        """Refuse files without answers to all questions of a suite; prompts may differ."""
        if parts and self.files:
            asked = {question.id: question for part in parts for question in part.questions()}
            for file in self.files:
                check_answers(file, asked, "the suite", prompts=False)

    def table(
        self, variant: Game[Any] | SuitePart, limits: Limits, count: int | None, seed: int
    ) -> Table[Any]:
        """Return the table of a variant; too large a game needs a theory, or a table in parts."""
        if isinstance(variant, SuitePart):
            return variant.table
        if any(file.about(variant) for file in self.files):
            return table_of_answers(variant, self.files, limits)
        return table_for(variant, limits, count or FAR_COUNT, seed, cache_dir())

    def games(self) -> list[Game[Any]]:
        """Return the variants that the answers are about, each once."""
        return list(dict.fromkeys(variant.game for file in self.files for variant in file.variants))

    def measured(self, table: Table[Any], all_of_them: bool) -> Iterator[Measured]:
        """Measure the answers about a game, or refuse a file without any."""
        for file in self.files:
            if all_of_them or file.about(table.game):
                yield marked(table, file, self._questions)
