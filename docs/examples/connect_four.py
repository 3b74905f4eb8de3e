"""Drop a disc into a column; four of your discs in a row win.

A disc falls to the lowest free cell of its column. A row of four may be horizontal, vertical or
diagonal. If the board is full and nobody has four in a row, the game is a draw.
"""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Field, Game, Outcome, Words, option


class State(NamedTuple):
    # The discs of each seat, one bit for a cell: column by column, from the bottom up. Above each
    # column is a bit that stays 0, so that no row of four runs from one column into the next.
    first: int
    second: int
    player: int


@dataclass(frozen=True)
class ConnectFour(Game[State]):
    width: int = option(7, "the number of columns", least=1, most=9)
    height: int = option(6, "the number of rows", least=1, most=9)

    def initial(self) -> State:
        return State(0, 0, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        if self.four(state[1 - state.player]):
            return ()
        taken, step = state.first | state.second, self.height + 1
        columns = range(1, self.width + 1)
        return tuple([column for column in columns if not taken >> (column * step - 2) & 1])

    def play(self, state: State, move: int) -> State:
        (first, second, player), cell = state, self.landing(state, move)
        return State(first, second | cell, 0) if player else State(first | cell, second, 1)

    def outcome(self, state: State) -> Outcome | None:
        if self.four(state[1 - state.player]):
            return Outcome(1 - state.player, "four in a row")
        return None if self.moves(state) else Outcome(None, "the board is full")

    def objection(self, state: State, move: int) -> str:
        known = 1 <= move <= self.width
        return f"Column {move} is full." if known else f"Name a column from 1 to {self.width}."

    def canonical(self, state: State) -> State:
        (first, second, player), step = state, self.height + 1
        column, left, right = (1 << step) - 1, 0, 0
        for _ in range(self.width):
            left, right = left << step | first & column, right << step | second & column
            first, second = first >> step, second >> step
        return min(state, State(left, right, player))

    def four(self, discs: int) -> int:
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = discs & discs >> step
            if four := pairs & pairs >> 2 * step:
                return four | four << step | four << 2 * step | four << 3 * step
        return 0

    def landing(self, state: State, move: int) -> int:
        bottom = 1 << (move - 1) * (self.height + 1)
        # Adding 1 to a column of ones carries it to the first 0 above them.
        return (state.first | state.second) + bottom & (bottom << self.height) - bottom


class ConnectFourWords(Words[State]):
    signs = ("●", "○")
    game: ConnectFour

    def board(self, state: State) -> list[list[str]]:
        rows = [[""] * self.game.width for _ in range(self.game.height)]
        for seat, sign in enumerate(self.signs):
            for row, column in self._cells(state[seat]):
                rows[row][column] = sign
        return rows

    def cell(self, state: State, move: int) -> tuple[int, int]:
        return self._cells(self.game.landing(state, move))[0]

    def taps(self, state: State, move: int) -> list[tuple[int, int]]:
        return [(row, move - 1) for row in range(self.game.height)]

    def highlights(self, state: State) -> list[tuple[int, int]]:
        return self._cells(self.game.four(state[1 - state.player]))

    def _cells(self, discs: int) -> list[tuple[int, int]]:
        top, step = self.game.height - 1, self.game.height + 1
        taken = [cell for cell in range(discs.bit_length()) if discs >> cell & 1]
        return [(top - cell % step, cell // step) for cell in taken]

    def fields(self, state: State) -> tuple[Field, ...]:
        return tuple([Field("discs", "Discs", sign, seat) for seat, sign in enumerate(self.signs)])
