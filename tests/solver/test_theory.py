"""Theories: when they answer, when a table does, and what is said of a broken one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.games import Pile, Sides, Sticks
from zerosum.errors import NotSolved
from zerosum.limits import QUICK, Limits, reporting
from zerosum.protocol import Value
from zerosum.solver import table_of
from zerosum.solver.theory import Theory, theory_of


@dataclass(frozen=True)
class TakeAway(Sticks):
    """Sticks with a theory that knows who wins, but not how fast."""


class TakeAwayTheory(Theory[Any]):
    def value(self, state: Any) -> Value | None:
        return Value("win" if state.number % 3 else "loss")


@dataclass(frozen=True)
class Pastime(Sides):
    """A game with a theory that knows it for a draw."""


class PastimeTheory(Theory[Pile]):
    def value(self, state: Pile) -> Value:
        return Value("draw")


@dataclass(frozen=True)
class Beginning(Sticks):
    """Sticks with a theory of the start alone."""


class BeginningTheory(Theory[Any]):
    def value(self, state: Any) -> Value | None:
        return Value("win", 3) if state == self.game.initial() else None


@dataclass(frozen=True)
class Nothing(Sticks):
    """Sticks with a theory of everything but the start."""


class NothingTheory(Theory[Any]):
    def value(self, state: Any) -> Value | None:
        return None if state == self.game.initial() else Value("win", 3)


def test_a_table_adds_plies_to_a_theory_without_them(tmp_path: Path) -> None:
    game = TakeAway(start=10)
    solution = zerosum.solve(game, cache=str(tmp_path))
    assert solution.value(game.initial()) == Value("win", 7)
    assert solution.solved is not None
    assert list(tmp_path.iterdir())
    reports: list[int] = []
    with reporting(reports.append):
        zerosum.solve(TakeAway(start=9_000))
    assert reports


@pytest.mark.parametrize(
    ("start", "limit"), [(QUICK.positions - 2, 10**6), (QUICK.positions + 1, 10**6), (10, 5)]
)
def test_a_theory_answers_where_a_table_would_be_large(start: int, limit: int) -> None:
    game = TakeAway(start=start)
    solution = zerosum.solve(game, Limits(limit))
    assert solution.solved is None
    assert solution.value(Pile(4, 1)) == Value("win")


def test_a_table_of_a_game_solved_by_its_theory_is_made_when_needed() -> None:
    solution = zerosum.solve(Pastime(size=3))
    solved = table_of(solution)
    assert [solved.value(number) for number in range(len(solved.graph))] == [Value("draw")] * 4


def test_positions_outside_a_theory_are_refused_and_one_without_the_start_is_not_used() -> None:
    solution = zerosum.solve(Beginning())
    assert solution.value(Pile(5, 0)) == Value("win", 3)
    with pytest.raises(
        NotSolved, match=r"BeginningTheory does not cover Pile\(number=4, player=1\)"
    ):
        solution.value(Pile(4, 1))
    game = Nothing(start=5)
    assert theory_of(game) is None
    assert zerosum.solve(game).value(Pile(3, 1)) == Value("loss", 2)
