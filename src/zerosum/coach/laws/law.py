"""A law of a game: which positions are lost, won and drawn, by a few clauses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.coach.laws.conditions import Clause, clause_cost
from zerosum.protocol import Game, Result
from zerosum.solver.retrograde import SolvedTable
from zerosum.solver.table import LOST, OPEN, WON

if TYPE_CHECKING:
    from zerosum.bulk.table import Longs

RESULTS: tuple[Result, ...] = ("loss", "win", "draw")


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
        """How much there is to remember; of two laws, the cheaper one is the more beautiful."""
        clauses = sum(clause_cost(clause) for part in self.parts for clause in part.clauses)
        return round(float(clauses + len(self.parts)), 3)

    @cached_property
    def statement(self) -> str:
        """The law in words."""
        from zerosum.coach.laws.sentences import statement

        return statement(self)

    @cached_property
    def reach(self) -> str:
        """Where the law holds, in words."""
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
