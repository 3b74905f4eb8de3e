"""Claim one free cell a turn; whoever cannot claim one loses.

Your first cell can be anywhere. Every other one must touch a cell of yours, side to side.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from zerosum import Field, Game, Outcome, Words, option

Cells = tuple[int, ...]
MARKS = ("", "■", "□")


class State(NamedTuple):
    cells: Cells  # row by row: 0 is free, 1 is the first player's, 2 the second's
    player: int


@dataclass(frozen=True)
class Territory(Game[State]):
    size: int = option(6, "the number of rows and of columns", least=2, most=9)

    def initial(self) -> State:
        return State((0,) * self.size**2, 0)

    def moves(self, state: State) -> tuple[str, ...]:
        cells, own, names = state.cells, state.player + 1, self.names
        near = [self.near[cell] for cell, owner in enumerate(cells) if owner == own]
        reached = sorted(set().union(*near)) if near else range(len(cells))
        return tuple([names[cell] for cell in reached if not cells[cell]])

    def play(self, state: State, move: str) -> State:
        cells, cell = state.cells, self.names.index(move)
        return State((*cells[:cell], state.player + 1, *cells[cell + 1 :]), 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        return None if self.moves(state) else Outcome(1 - state.player, "their opponent is stuck")

    def objection(self, state: State, move: str) -> str:
        if move not in self.names:
            return f"Name a cell from {self.names[0]} to {self.names[-1]}."
        taken = state.cells[self.names.index(move)]
        return "That cell is taken." if taken else "That cell does not touch one of yours."

    def canonical(self, state: State) -> State:
        cells = state.cells
        if state.player == 1:  # the rules are the same for both players, so swap them
            cells = tuple([(0, 2, 1)[owner] for owner in cells])
        return State(min([turn(cells) for turn in self.turns]), 0)

    @cached_property
    def names(self) -> tuple[str, ...]:
        letters, numbers = "abcdefghi"[: self.size], range(1, self.size + 1)
        return tuple([f"{letter}{number}" for number in numbers for letter in letters])

    @cached_property
    def near(self) -> list[set[int]]:
        # As complex numbers, two cells touch if their distance is 1.
        at = [complex(*divmod(cell, self.size)) for cell in range(self.size**2)]
        return [{cell for cell, there in enumerate(at) if abs(there - here) == 1} for here in at]

    @cached_property
    def turns(self) -> Sequence[Callable[[Cells], Cells]]:
        cells, size = tuple(range(self.size**2)), self.size
        square, turns = [cells[row : row + size] for row in cells[::size]], []
        for rows in (square, square[::-1]):
            for _ in range(4):
                rows = list(zip(*rows[::-1], strict=True))
                turns.append(itemgetter(*sum(rows, ())))
        return turns


class TerritoryWords(Words[State]):
    game: Territory

    def board(self, state: State) -> list[list[str]]:
        marks, size = [MARKS[owner] for owner in state.cells], self.game.size
        return [marks[row * size : (row + 1) * size] for row in range(size)]

    def cell(self, state: State, move: str) -> tuple[int, int]:
        return divmod(self.game.names.index(move), self.game.size)

    def fields(self, state: State) -> tuple[Field, ...]:
        first, second = (f"{MARKS[owner]} {state.cells.count(owner)}" for owner in (1, 2))
        return Field("first", "Cells", first, 0), Field("second", "Cells", second, 1)
