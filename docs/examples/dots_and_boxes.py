"""Draw a line between two dots; whoever closes more boxes wins.

Whoever draws the fourth side of a box gets the box, and moves again. The game is over when all
lines are drawn; if both players have the same number of boxes, it is a draw.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zerosum import Game, Outcome, Words, option

DOT, ALONG, UP, BOX = "•━┃■"


class State(NamedTuple):
    # The rows of the picture, with spaces where nothing is drawn yet. Nothing says who closed
    # which box: the rules need only the number that each player has.
    rows: tuple[str, ...]
    first_boxes: int
    second_boxes: int
    player: int


@dataclass(frozen=True)
class DotsAndBoxes(Game[State]):
    width: int = option(3, "the number of boxes in a row", least=1, most=5)
    height: int = option(3, "the number of rows of boxes", least=1, most=5)

    def initial(self) -> State:
        dots, boxes = DOT + f" {DOT}" * self.width, " " * (2 * self.width + 1)
        return State((*(dots, boxes) * self.height, dots), 0, 0, 0)

    def moves(self, state: State) -> tuple[str, ...]:
        rows = state.rows
        return tuple([line for line, (row, at) in self.lines.items() if rows[row][at] == " "])

    def play(self, state: State, move: str) -> State:
        (old, first, second, player), (row, at), closed = state, self.lines[move], 0
        rows = list(old)
        draw(rows, row, at, UP if row % 2 else ALONG)
        for y, x in ((row, at - 1), (row, at + 1)) if row % 2 else ((row - 1, at), (row + 1, at)):
            inside = 0 < y < len(rows) and 0 < x < len(rows[0])
            if inside and " " not in rows[y - 1][x] + rows[y + 1][x] + rows[y][x - 1 : x + 2 : 2]:
                draw(rows, y, x, BOX)
                closed += 1
        first, second = (first, second + closed) if player else (first + closed, second)
        return State(tuple(rows), first, second, player if closed else 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        if self.moves(state):
            return None
        _, first, second, _ = state
        winner = None if first == second else int(second > first)
        return Outcome(winner, f"the score is {max(first, second)} to {min(first, second)}")

    def objection(self, state: State, move: str) -> str:
        return "That line is drawn." if move in self.lines else "Name a free line, such as b1."

    def canonical(self, state: State) -> State:
        rows, first, second, player = state
        mirrored = tuple([row[::-1] for row in rows])
        rows = min(rows, rows[::-1], mirrored, mirrored[::-1])
        return State(rows, second, first, 0) if player else State(rows, first, second, 0)

    @cached_property
    def lines(self) -> dict[str, tuple[int, int]]:
        rows, columns = range(2 * self.height + 1), range(2 * self.width + 1)
        cells = [(row, at) for row in rows for at in columns if (row + at) % 2]
        return {f"{'abcdefghijk'[at]}{row + 1}": (row, at) for row, at in cells}


def draw(rows: list[str], row: int, at: int, mark: str) -> None:
    rows[row] = rows[row][:at] + mark + rows[row][at + 1 :]


class DotsAndBoxesWords(Words[State]):
    lattice = True
    game: DotsAndBoxes

    def board(self, state: State) -> tuple[str, ...]:
        return state.rows

    def cell(self, state: State, move: str) -> tuple[int, int]:
        return self.game.lines[move]

    def moved(self, state: State, move: str, after: State, names: tuple[str, str]) -> str:
        closed = sum(after[1:3]) - sum(state[1:3])
        result = ("", " and closes a box", " and closes two boxes")[closed]
        return f"{names[state.player]} plays {move}{result}.\n"
