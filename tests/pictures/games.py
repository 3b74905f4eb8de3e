"""Games of a user's own, of shapes that the built-in ones do not have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import Outcome, option


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Nim:
    """Take any number from one heap; a move is 100 times the heap plus the number."""

    heaps: tuple[int, ...] = option((3, 4, 2), "the heaps")
    shrink: bool = option(False, "empty heaps are put away")

    def initial(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def moves(self, state: Heaps) -> tuple[int, ...]:
        heaps = enumerate(state.heaps)
        return tuple(100 * at + n for at, heap in heaps for n in range(1, heap + 1))

    def play(self, state: Heaps, move: int) -> Heaps:
        heaps = list(state.heaps)
        heaps[move // 100] -= move % 100
        left = tuple(heap for heap in heaps if heap or not self.shrink)
        return Heaps(left, 1 - state.player)

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if any(state.heaps) else Outcome(1 - state.player, "the heaps are empty")

    def objection(self, state: Heaps, move: int) -> str | None:
        return None if move in self.moves(state) else "No."


class Turn(NamedTuple):
    player: int


@dataclass(frozen=True)
class Hotseat:
    """A game without numbers: the first player passes, the second wins."""

    def initial(self) -> Turn:
        return Turn(0)

    def moves(self, state: Turn) -> tuple[int, ...]:
        return () if state.player else (1,)

    def play(self, state: Turn, move: int) -> Turn:
        return Turn(1)

    def outcome(self, state: Turn) -> Outcome | None:
        return Outcome(1, "the seat is hot") if state.player else None

    def objection(self, state: Turn, move: int) -> str | None:
        return None if move in self.moves(state) else "No."


class Sum(NamedTuple):
    sum: int
    player: int


@dataclass(frozen=True)
class Climb:
    """Double or add one; whoever goes past a number that fits into no array wins."""

    goal: int = option(2**70, "the goal")

    def initial(self) -> Sum:
        return Sum(2**66, 0)

    def moves(self, state: Sum) -> tuple[int, ...]:
        return (2, 3) if state.sum < self.goal else ()

    def play(self, state: Sum, move: int) -> Sum:
        return Sum(state.sum * move, 1 - state.player)

    def outcome(self, state: Sum) -> Outcome | None:
        return Outcome(1 - state.player, "past the goal") if state.sum >= self.goal else None

    def objection(self, state: Sum, move: int) -> str | None:
        return None if move in self.moves(state) else "No."
