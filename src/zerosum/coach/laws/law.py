"""A law of a game: which positions are lost, won and drawn, in clauses."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Struct

from zerosum.coach.laws.features import Feature
from zerosum.documents import described
from zerosum.protocol import Game, Result

Test = Literal["remainder", "is", "is not", "at most", "at least", "between"]
TESTS: dict[Test, Callable[..., Any]] = {
    "remainder": lambda value, divisor, rest: value % divisor == rest,
    "is": operator.eq,
    "is not": operator.ne,
    "at most": operator.le,
    "at least": operator.ge,
    "between": lambda value, low, high: (value >= low) & (value <= high),
}
# How much there is to remember of a test, before its numbers.
COSTS: dict[Test, float] = {"remainder": 1.0, "is": 1.1, "is not": 1.3, "between": 1.7}


class LawCondition(Struct, frozen=True):
    """A test of one feature."""

    feature: Annotated[str, described("such as number, own lives or nim-sum of heaps")]
    test: Test
    numbers: Annotated[
        tuple[int | str | None, ...],
        described("divisor and remainder, low and high, or the one value"),
    ]

    def holds(self, value: Any) -> Any:
        """Test a value, or an array of values.

        >>> odd = LawCondition("number", "remainder", (2, 1))
        >>> odd.holds(7), odd.holds(8)
        (True, False)
        """
        return TESTS[self.test](value, *self.numbers)

    def accepts(self, value: Any) -> bool:
        """Test a value of any kind: only a number has a size or a remainder."""
        plain = self.test in ("is", "is not")
        return (plain or isinstance(value, int)) and bool(self.holds(value))

    @property
    def cost(self) -> float:
        """How much there is to remember: short tests of small numbers are cheap."""
        numbers = self.numbers[:1] if self.test == "remainder" else self.numbers
        sizes = sum(min(abs(n), 200) / 20 for n in numbers if isinstance(n, int))
        return COSTS.get(self.test, 1.2) + min(sizes, 2.0)


Clause = tuple[LawCondition, ...]


class LawPart(Struct, frozen=True):
    """The positions with one result."""

    result: Result
    clauses: Annotated[
        tuple[Clause, ...], described("one of which has to hold, with all of its conditions")
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


@dataclass(frozen=True)
class Law:
    """The result of every position for its mover: that of the first part that covers it.

    It is true of all `positions`. `every_size` names the number for which it is proved at any size;
    `refuted` is a larger variant in which it is wrong, if one was found.

    >>> import zerosum
    >>> law = zerosum.find_law(zerosum.solve(zerosum.game("docs/examples/last_stick.py")))
    >>> law.statement
    'The player to move loses exactly if the number of sticks has remainder 1 when divided by 4.'
    >>> law.positions, law.every_size
    (20, 'sticks')
    """

    game: Game[Any]
    parts: tuple[LawPart, ...]
    otherwise: Result
    positions: int
    every_size: str | None = None
    refuted: LawRefutation | None = None
    features: Mapping[str, Feature] = field(default_factory=dict, repr=False, compare=False)

    @property
    def conditions(self) -> Iterator[LawCondition]:
        """All conditions, in their order."""
        return (c for part in self.parts for clause in part.clauses for c in clause)

    @cached_property
    def statement(self) -> str:
        """The law in words."""
        from zerosum.coach.laws.sentences import statement

        return statement(self)

    @cached_property
    def reach(self) -> str:
        """The positions in which the law holds, in words."""
        from zerosum.coach.laws.sentences import reach

        return reach(self)

    @cached_property
    def document(self) -> LawDocument:
        """The law for programs."""
        clauses = sum(len(part.clauses) for part in self.parts)
        cost = sum(c.cost + self.features[c.feature].weight for c in self.conditions)
        return LawDocument(
            self.statement,
            self.reach,
            self.parts,
            self.otherwise,
            clauses,
            round(float(clauses + cost + len(self.parts)), 3),
            self.positions,
            self.every_size,
            self.refuted,
        )

    def result(self, state: Any) -> Result:
        """Return the result that the law gives a position that is not over."""
        decided = self.clause(state)
        return self.otherwise if decided is None else decided[0]

    def clause(self, state: Any) -> tuple[Result, Clause] | None:
        """Return the clause that decides a position, with its result; None if none does."""
        same = self.game.canonical(state)
        for part in self.parts:
            for clause in part.clauses:
                if all(c.accepts(self.features[c.feature].of(same)) for c in clause):
                    return part.result, clause
        return None
