"""A law of a game: which positions are lost, won and drawn, by a few clauses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zerosum.coach.laws.features import Feature
from zerosum.protocol import Game, Result
from zerosum.solver.retrograde import SolvedTable
from zerosum.solver.table import LOST, OPEN, WON

if TYPE_CHECKING:
    from zerosum.bulk.table import Longs

RESULTS: tuple[Result, ...] = ("loss", "win", "draw")
Test = Literal["remainder", "is", "is not", "at most", "at least", "between"]


class Condition(NamedTuple):
    """A test of one feature: `numbers` is (divisor, remainder), (low, high) or what it is."""

    feature: Feature
    test: Test
    numbers: tuple[Any, ...]

    def holds(self, value: Any) -> Any:
        """Test a value, or an array of values.

        >>> odd = Condition(Feature("shared", "number", lambda state: state.number),
        ...                 "remainder", (2, 1))
        >>> odd.holds(7), odd.holds(8)
        (True, False)
        """
        numbers = self.numbers
        if self.test == "remainder":
            return value % numbers[0] == numbers[1]
        if self.test == "is":
            return value == numbers[0]
        if self.test == "is not":
            return value != numbers[0]
        if self.test == "at most":
            return value <= numbers[0]
        if self.test == "at least":
            return value >= numbers[0]
        return (value >= numbers[0]) & (value <= numbers[1])

    def true_of(self, state: Any) -> bool:
        """Return whether a position fulfils the condition."""
        return self.accepts(self.feature.of(state))

    def accepts(self, value: Any) -> bool:
        """Test a value of any kind: only a number has a size or a remainder."""
        plain = self.test in ("is", "is not")
        return (plain or isinstance(value, int)) and bool(self.holds(value))

    @property
    def cost(self) -> float:
        """How much there is to remember: short tests of small numbers are cheap."""
        base = {"remainder": 0.0, "is": 0.1, "is not": 0.3, "between": 0.7}.get(self.test, 0.2)
        numbers = self.numbers[:1] if self.test == "remainder" else self.numbers
        sizes = sum(min(abs(n), 200) / 20 for n in numbers if isinstance(n, int))
        return 1.0 + base + min(sizes, 2.0) + self.feature.weight


Clause = tuple[Condition, ...]


def clause_cost(clause: Clause) -> float:
    """Return the cost of a clause: all of its conditions have to hold."""
    return 1.0 + sum(condition.cost for condition in clause)


class Part(NamedTuple):
    """The positions with one result: those in which one of the clauses holds."""

    result: Result
    clauses: tuple[Clause, ...]


class Refutation(NamedTuple):
    """A larger variant in which a law is wrong: its option, and in how many of its positions."""

    option: str
    value: Any
    wrong: int
    positions: int


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
    parts: tuple[Part, ...]
    otherwise: Result
    positions: int
    every_size: str = ""
    refuted: Refutation | None = None

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return sum(len(part.clauses) for part in self.parts)

    @cached_property
    def cost(self) -> float:
        """How much there is to remember; the cheaper of two laws is the more beautiful."""
        clauses = sum(clause_cost(clause) for part in self.parts for clause in part.clauses)
        return round(float(clauses + len(self.parts)), 3)

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

    def result(self, state: Any) -> Result:
        """Return the result that the law gives a position that is not over."""
        decided = self.clause(state)
        return self.otherwise if decided is None else decided[0]

    def clause(self, state: Any) -> tuple[Result, Clause] | None:
        """Return the clause that decides a position, with its result; None if none does."""
        same = self.game.canonical(state)
        for part in self.parts:
            for clause in part.clauses:
                if all(condition.true_of(same) for condition in clause):
                    return part.result, clause
        return None


def open_positions(solved: SolvedTable[Any]) -> tuple[list[Any], Longs]:
    """Return the states of a table that are not over, and an index into RESULTS for each."""
    import numpy as np

    ends = np.frombuffer(solved.graph.ends, np.int8)
    states = [s for s, end in zip(solved.graph.states(), ends.tolist(), strict=True) if end == OPEN]
    worth = solved.worth[ends == OPEN]
    results = np.where(worth == LOST, 0, np.where(worth == WON, 1, 2))
    return states, results
