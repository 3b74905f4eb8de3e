from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, Words

CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
TURN, MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


class State(NamedTuple):
    marks: tuple[str, ...]
    player: int


@dataclass(frozen=True)
class NoughtsAndCrosses(Game[State]):
    """Take turns to mark one of nine cells; three in a row wins, and a full board is a draw."""

    def initial(self) -> State:
        return State(("",) * 9, 0)

    def moves(self, state: State) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        return tuple(cell for cell, mark in zip(CELLS, state.marks, strict=True) if not mark)

    def play(self, state: State, move: str) -> State:
        marks = list(state.marks)
        marks[CELLS.index(move)] = "XO"[state.player]
        return State(tuple(marks), 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        marks = state.marks
        if any(marks[a] and marks[a] == marks[b] == marks[c] for a, b, c in LINES):
            return Outcome(1 - state.player, "three in a row")
        return Outcome(None, "the board is full") if all(marks) else None

    def objection(self, state: State, move: str) -> str:
        return "That cell is taken." if move in CELLS else "Name a free cell, such as b2."

    def canonical(self, state: State) -> State:
        boards = [state.marks]
        for turn in (TURN, TURN, TURN, MIRROR, TURN, TURN, TURN):
            boards.append(tuple(boards[-1][index] for index in turn))
        return State(min(boards), state.player)


class NoughtsAndCrossesWords(Words[State]):
    signs = ("X", "O")

    def board(self, state: State) -> list[tuple[str, ...]]:
        return [state.marks[row : row + 3] for row in (0, 3, 6)]

    def cell(self, state: State, move: str) -> tuple[int, int]:
        return divmod(CELLS.index(move), 3)

    def highlights(self, state: State) -> list[tuple[int, int]]:
        marks = state.marks
        rows = [line for line in LINES if marks[line[0]] and len({marks[c] for c in line}) == 1]
        return [divmod(cell, 3) for line in rows for cell in line]
