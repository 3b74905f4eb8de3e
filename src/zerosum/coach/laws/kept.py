"""Laws as plain data, as they are kept in the cache."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from zerosum.coach.laws.conditions import Clause, Condition
from zerosum.coach.laws.features import features_of
from zerosum.coach.laws.law import Law, Part, Positions, Refutation
from zerosum.coach.laws.race import find_race
from zerosum.protocol import Game
from zerosum.states import tuples

# The fields of a law that are not plain data.
NOT_PLAIN = ("game", "parts", "exceptions", "race")


def plain(laws: Iterable[Law | None]) -> list[dict[str, Any] | None]:
    """Write laws as plain data; a race is only named, as it is found again at once."""
    return [None if law is None else _plain(law) for law in laws]


def _plain(law: Law) -> dict[str, Any]:
    """Write a law as plain data."""
    names = [field.name for field in fields(law) if field.name not in NOT_PLAIN]
    written = {name: getattr(law, name) for name in names}
    written["parts"] = law.document()["parts"]
    return {**written, "exceptions": law.exceptions, "race": law.race is not None}


def read(
    game: Game[Any], positions: Positions, kept: Sequence[dict[str, Any] | None]
) -> list[Law | None]:
    """Make the laws of plain data; their features are found in the positions, by name."""
    features = {}
    if any(kept):
        features = {feature.name: feature for feature in features_of(game, positions.states)}
    state: Any = type(game.initial())

    def clause(conditions: list[dict[str, Any]]) -> Clause:
        return tuple(
            Condition(features[c["feature"]], c["test"], tuple(c["numbers"])) for c in conditions
        )

    def made(law: dict[str, Any]) -> Law:
        parts = [Part(p["result"], tuple(map(clause, p["clauses"]))) for p in law["parts"]]
        exceptions = tuple(state(*tuples(exception)) for exception in law["exceptions"])
        race = find_race(game, positions) if law["race"] else None
        refuted = law["refuted"] and Refutation(*tuples(law["refuted"]))
        read = {"parts": tuple(parts), "exceptions": exceptions, "race": race, "refuted": refuted}
        return Law(**{**law, "game": game, **read})

    return [None if law is None else made(law) for law in kept]
