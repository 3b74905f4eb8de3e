"""A law as a part of JSON documents."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from zerosum.coach.laws.law import Law, Test
from zerosum.documents import described
from zerosum.protocol import Result


class LawCondition(Struct, frozen=True):
    """A test of one feature."""

    feature: Annotated[str, described("such as number, own lives or nim-sum of heaps")]
    test: Test
    numbers: Annotated[
        tuple[int | str | None, ...],
        described("divisor and remainder, low and high, or the one value"),
    ]


class LawPart(Struct, frozen=True):
    """The positions with one result."""

    result: Result
    clauses: Annotated[
        tuple[tuple[LawCondition, ...], ...],
        described("one of which has to hold, with all of its conditions"),
    ]


class LawRefutation(Struct, frozen=True):
    """A larger variant in which a law is wrong."""

    option: Annotated[str, described("the option that is larger")]
    value: Annotated[int | tuple[int, ...], described("its value in that variant")]
    wrong: Annotated[int, described("the positions in which the law is wrong")]
    positions: Annotated[int, described("the positions that were compared")]


class LawDocument(Struct, frozen=True):
    """The law of a game."""

    statement: str
    reach: Annotated[str, described("where it holds, for people")]
    parts: Annotated[
        tuple[LawPart, ...], described("the first one with a clause that holds decides")
    ]
    otherwise: Annotated[Result, described("the result of all other positions")]
    clauses: Annotated[int, described("how many there are")]
    cost: Annotated[float, described("how much there is to remember: less is simpler")]
    positions: Annotated[int, described("positions in which somebody is to move")]
    every_size: Annotated[
        str | None, described("the field for which it is proved at any size; null if it is not")
    ]
    refuted: Annotated[LawRefutation | None, described("null if none was found")]


def law_document(law: Law) -> LawDocument:
    """Describe a law for programs."""
    parts = [
        LawPart(
            part.result,
            tuple(
                tuple(LawCondition(c.feature.name, c.test, c.numbers) for c in clause)
                for clause in part.clauses
            ),
        )
        for part in law.parts
    ]
    return LawDocument(
        law.statement,
        law.reach,
        tuple(parts),
        law.otherwise,
        law.clauses,
        law.cost,
        law.positions,
        law.every_size or None,
        None if law.refuted is None else LawRefutation(*law.refuted),
    )
