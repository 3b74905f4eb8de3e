"""Find the law of a game in its table, try it at other sizes, and cache it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import compress, islice
from time import monotonic
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import MsgspecError, convert

from zerosum.bulk.table import Longs
from zerosum.coach.laws.features import features_of
from zerosum.coach.laws.finder import Finder
from zerosum.coach.laws.law import Law, LawDocument, LawRefutation
from zerosum.documents import to_dict
from zerosum.errors import TooLarge, ZerosumError
from zerosum.limits import LAW_POSITIONS, LAW_SECONDS, TRIED_LAW_POSITIONS, Limits
from zerosum.options import options_of
from zerosum.protocol import Game
from zerosum.solver import solved_table, table_of
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, OPEN, RESULTS, SolvedTable
from zerosum.wording.words import variant_title

# The name of what is kept in the cache.
KEPT = "law"
# How far each number of a variant is raised, and how many variants are tried.
STEPS, MOST_VARIANTS = (1, 2, 3), 24
# A variant's table may be this many times as large, and this much more.
LARGER, MORE = 4, 500

_known: WeakKeyDictionary[Solution[Any], Law | None] = WeakKeyDictionary()


def find_law(solution: Solution[Any]) -> Law | None:
    """Find the simplest law that is true of every position; None if none is found.

    A game solved by its theory gets a table first. TooLarge says that the table is not searched.

    >>> import zerosum
    >>> zerosum.find_law(zerosum.solve(zerosum.game("divisor-duel"))).statement
    'The player to move loses exactly if the number is odd.'
    """
    if solution not in _known:
        positions, solved = solution.whole().positions or 0, None
        if positions <= LAW_POSITIONS:  # else a table in parts is not made again in memory
            solved = table_of(solution)
            positions = len(solved)
        if solved is None or positions > LAW_POSITIONS:
            raise TooLarge(
                f"{variant_title(solution.game)} has {positions:,} positions, too many to "
                f"look for a law in them: the limit is {LAW_POSITIONS:,}."
            )
        cache = solution.cache
        states, results = open_positions(solved)
        try:
            kept = None if cache is None else cache.kept(KEPT)
            law = _read(solution.game, states, kept)
        except (LookupError, TypeError, ValueError, MsgspecError):  # nothing, or another version
            law = Finder(solution.game, states, results).law() if states else None
            if law is not None and not law.every_size:
                law = replace(law, refuted=_refutation(law, states))
            if cache is not None:
                cache.keep(KEPT, [None if law is None else to_dict(law.document)])
        _known[solution] = law
    return _known[solution]


def open_positions(solved: SolvedTable[Any]) -> tuple[list[Any], Longs]:
    """Return the states of a table that are not over, and an index into RESULTS for each."""
    going_on = np.frombuffer(solved.graph.ends, np.int8) == OPEN
    states = list(compress(solved.graph.index, going_on.tolist()))
    worth = solved.worth[going_on].astype(np.int64)
    return states, np.where(worth == OPEN, DRAWN, worth)


def _read(game: Game[Any], states: Sequence[Any], kept: Any) -> Law | None:
    """Read a law from its document; the positions have its features."""
    (document,) = convert(kept, tuple[LawDocument | None])
    if document is None:
        return None
    features = features_of(game, states)
    found = (document.parts, document.otherwise, document.positions, document.every_size)
    law = Law(game, *found, document.refuted, features)
    if law.document != document:
        raise LookupError("another version has other words")
    return law


def _refutation(law: Law, states: Sequence[Any]) -> LawRefutation | None:
    """Return the first larger variant, of a few, in which a law is wrong; None if it holds."""
    # The options of foreign rules choose a start, not a size.
    if len(states) > TRIED_LAW_POSITIONS or law.game.is_foreign:
        return None
    names = type(states[0])._fields
    values = {name: {getattr(state, name) for state in states} for name in names}
    # A law cannot mention a field that never varies, so another value of it proves nothing.
    fixed = {name: next(iter(seen)) for name, seen in values.items() if len(seen) == 1}
    fixed.pop("player", None)
    limit, until = LARGER * len(states) + MORE, monotonic() + LAW_SECONDS
    for option, value, variant in islice(_larger(law.game), MOST_VARIANTS):
        try:
            table = solved_table(variant, Limits(limit, max(0.0, until - monotonic())))
        except ZerosumError:
            continue
        found, results = open_positions(table)
        judged = [
            law.result(state) == RESULTS[result]
            for state, result in zip(found, results.tolist(), strict=True)
            if all(getattr(state, name) == seen for name, seen in fixed.items())
        ]
        if not all(judged):
            return LawRefutation(option, value, judged.count(False), len(judged))
    return None


def _larger(game: Game[Any]) -> Iterator[tuple[str, Any, Game[Any]]]:
    """List variants with one number a little larger: its option, value and game."""
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
