"""Hexapawn, on boards of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    cells: tuple[str, ...]
    player: int


@dataclass(frozen=True)
class Hexapawn(Game[State]):
    """State move and capture as in chess; whoever reaches the far side or blocks the other wins."""

    width: int = option(3, "the columns", least=1, most=9)
    height: int = option(3, "the rows", least=3, most=9)

    def initial(self) -> State:
        empty = ("",) * (self.width * (self.height - 2))
        return State((*"x" * self.width, *empty, *"o" * self.width), 0)

    def moves(self, state: State) -> tuple[str, ...]:
        if self._has_arrived(state):
            return ()
        own, other = "xo"[state.player], "ox"[state.player]
        ahead = -self.width if state.player else self.width
        found = []
        for at in (cell for cell, pawn in enumerate(state.cells) if pawn == own):
            for side in (-1, 0, 1):
                to, column = at + ahead + side, at % self.width + side
                if 0 <= column < self.width and state.cells[to] == (other if side else ""):
                    found.append(f"{at}-{to}")
        return tuple(found)

    def play(self, state: State, move: str) -> State:
        cells = list(state.cells)
        at, to = map(int, move.split("-"))
        cells[at], cells[to] = "", cells[at]
        return State(tuple(cells), 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        if self._has_arrived(state):
            return Outcome(1 - state.player, "a pawn arrived")
        return None if self.moves(state) else Outcome(1 - state.player, "no pawn can move")

    def _has_arrived(self, state: State) -> bool:
        last = state.cells[: self.width] if state.player == 0 else state.cells[-self.width :]
        return "ox"[state.player] in last

    def canonical(self, state: State) -> State:
        """Let the first player be to move, with either side to the left."""
        cells = state.cells
        if state.player:
            cells = tuple({"x": "o", "o": "x"}.get(cell, "") for cell in reversed(cells))
        rows = [cells[at : at + self.width] for at in range(0, len(cells), self.width)]
        mirrored = tuple(cell for row in rows for cell in reversed(row))
        return State(min(cells, mirrored), 0)
