"""A law of a game: which positions are lost, won and drawn, by a few clauses or by a race."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zerosum.coach.laws.conditions import Clause, clause_cost
from zerosum.protocol import Game, Result
from zerosum.solver.solution import SolvedTable
from zerosum.solver.table import LOST, OPEN, WON

RESULTS: tuple[Result, ...] = ("loss", "win", "draw")


class Part(NamedTuple):
    """The positions with one result: those in which one of the clauses holds."""

    result: Result
    clauses: tuple[Clause, ...]


Pairs = tuple[tuple[str, str], ...]  # fields of both seats
Place = tuple[int, Any]  # a seat, and what it has


def places(state: Any, fields: Pairs, symmetric: bool) -> tuple[Place, Place]:
    """Return what the mover has, and what the opponent has."""
    seat = state.player
    have = [tuple(getattr(state, pair[side]) for pair in fields) for side in (0, 1)]
    seats = (0, 0) if symmetric else (seat, 1 - seat)
    return (seats[0], have[seat]), (seats[1], have[1 - seat])


class Race(NamedTuple):
    """A race: how many moves each seat needs alone, by what it has; None where it cannot finish."""

    fields: Pairs
    needs: dict[Place, int]
    symmetric: bool
    stuck: bool  # whether somebody may be unable to finish

    def needed(self, state: Any) -> tuple[int | None, int | None]:
        """Return the moves that the mover and the opponent need, each alone."""
        own, other = places(state, self.fields, self.symmetric)
        return self.needs.get(own), self.needs.get(other)

    def result(self, state: Any) -> Result:
        """Return the result for the mover, who wins if both need as many moves."""
        own, other = self.needed(state)
        if own is None or other is None:
            return "win" if own is not None else "loss" if other is not None else "draw"
        return "win" if own <= other else "loss"


class Refutation(NamedTuple):
    """A larger variant in which a law is wrong: its option, and in how many of its positions."""

    option: str
    value: Any
    wrong: int
    positions: int

    def document(self) -> dict[str, Any]:
        """Describe the variant for programs."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {**self._asdict(), "value": value}


@dataclass(frozen=True)
class Law:
    """The result of every position for its mover: that of the first part that covers it.

    `right` counts the positions in which it is; where `exceptions` lists all others, the law with
    its exceptions is exact. `every_size` names the number for which it is proved at any size;
    `refuted` is a larger variant in which it is wrong, if one was found.

    >>> import zerosum
    >>> law = zerosum.find_law(zerosum.solve(zerosum.game("docs/examples/last_stick.py")))
    >>> law.statement
    'The player to move loses exactly if the number of sticks has remainder 1 when divided by 4.'
    >>> law.share, law.positions, law.every_size
    (1.0, 20, 'sticks')
    """

    game: Game[Any]
    parts: tuple[Part, ...]
    otherwise: Result
    positions: int
    right: int
    exceptions: tuple[Any, ...] = ()
    every_size: str = ""
    race: Race | None = None
    refuted: Refutation | None = None

    @property
    def share(self) -> float:
        """The share of positions in which it is right."""
        return self.right / self.positions

    @property
    def exact(self) -> bool:
        """Whether it is right in every position but those that it names."""
        return self.right + len(self.exceptions) == self.positions

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return 1 if self.race else sum(len(part.clauses) for part in self.parts)

    @cached_property
    def cost(self) -> float:
        """How much there is to remember; of two laws, the cheaper one is the more beautiful."""
        if self.race:
            return 3.0
        clauses = sum(clause_cost(clause) for part in self.parts for clause in part.clauses)
        return round(clauses + len(self.parts) + 2.0 * len(self.exceptions), 3)

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
        if self.race:
            return self.race.result(self.game.canonical(state))
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

    def document(self) -> dict[str, Any]:
        """Describe the law for programs."""
        return {
            "statement": self.statement,
            "reach": self.reach,
            "parts": [
                {
                    "result": part.result,
                    "clauses": [[c.document() for c in clause] for clause in part.clauses],
                }
                for part in self.parts
            ],
            "otherwise": None if self.race else self.otherwise,
            "race": self.race is not None,
            "clauses": self.clauses,
            "cost": self.cost,
            "positions": self.positions,
            "right": self.right,
            "share": self.share,
            "exceptions": [list(state) for state in self.exceptions],
            "every_size": self.every_size or None,
            "refuted": None if self.refuted is None else self.refuted.document(),
        }


class Positions(NamedTuple):
    """The positions of a table in which somebody is to move: their states and results."""

    states: list[Any]
    results: Any  # an index into RESULTS for each
    table: SolvedTable[Any]


def positions_of(solved: SolvedTable[Any]) -> Positions:
    """List the positions of a table that are not over."""
    import numpy as np

    ends = np.frombuffer(solved.graph.ends, np.int8)
    states = [s for s, end in zip(solved.graph.states(), ends.tolist(), strict=True) if end == OPEN]
    worth = solved.worth[ends == OPEN]
    results = np.where(worth == LOST, 0, np.where(worth == WON, 1, 2))
    return Positions(states, results, solved)
