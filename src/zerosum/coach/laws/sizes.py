"""Try a law at neighbouring sizes: what is true of one size alone may be an accident of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import Any, cast

from zerosum.coach.laws.law import RESULTS, Law, Refutation, positions_of
from zerosum.errors import ZerosumError
from zerosum.limits import Limits
from zerosum.options import options_of
from zerosum.protocol import Game
from zerosum.solver import solved_table

# How far each number is raised, and how many variants are tried.
STEPS, MOST_VARIANTS = (1, 2, 3), 24
# Laws of larger tables are hardly accidents; a variant's table may be this many times as large, and
# this much more.
MOST_POSITIONS, LARGER, MORE = 20_000, 4, 500
SECONDS = 2.0  # for all variants, where rules are slow


def refutation(law: Law, states: Sequence[Any]) -> Refutation | None:
    """Return the first larger variant, of a few, in which a law is wrong; None if it holds."""
    # The options of foreign rules choose a start, not a size.
    if len(states) > MOST_POSITIONS or law.game.adapter.is_foreign:
        return None
    names = type(states[0])._fields
    values = {name: {getattr(state, name) for state in states} for name in names}
    # A law cannot speak of a field that never varies, so another value of it proves nothing.
    fixed = {name: next(iter(seen)) for name, seen in values.items() if len(seen) == 1}
    fixed.pop("player", None)
    limit, until = LARGER * len(states) + MORE, monotonic() + SECONDS
    for option, value, variant in islice(_larger(law.game), MOST_VARIANTS):
        try:
            table = solved_table(variant, Limits(limit, max(0.0, until - monotonic())))
        except ZerosumError:
            continue
        found, results, _ = positions_of(table)
        judged = [
            law.result(state) == RESULTS[result]
            for state, result in zip(found, results.tolist(), strict=True)
            if state not in law.exceptions
            and all(getattr(state, name) == seen for name, seen in fixed.items())
        ]
        if not all(judged):
            return Refutation(option, value, judged.count(False), len(judged))
    return None


def _larger(game: Game[Any]) -> Iterator[tuple[str, Any, Game[Any]]]:
    """List the variants in which one number is a little larger: its option, value and game."""
    for option in options_of(game):
        value = getattr(game, option.name)
        for step in STEPS:
            raised: list[Any] = []
            if option.kind == "number":
                raised = [value + step]
            elif option.kind == "numbers":
                raised = [
                    (*value[:index], number + step, *value[index + 1 :])
                    for index, number in enumerate(value)
                ]
            for new in raised:
                with suppress(Exception):  # a game may refuse a number in any way at all
                    yield option.name, new, replace(cast(Any, game), **{option.name: new})
