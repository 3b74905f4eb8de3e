"""Mark a free cell with X or O, whichever you like. Once in the game, a turn may be passed."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, Words, option


class State(NamedTuple):
    marks: tuple[str, ...]
    passes: int
    player: int


@dataclass(frozen=True)
class WildRow(Game[State]):
    goal: str = option("win", "what three in a row do", choices=("win", "lose"))

    def initial(self) -> State:
        return State(("",) * 3, 1, 0)

    def moves(self, state: State) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        free = [place for place, mark in enumerate(state.marks) if not mark]
        marks = tuple(f"{mark}{place + 1}" for place in free for mark in "xo")
        return (*marks, "pass") if state.passes else marks

    def play(self, state: State, move: str) -> State:
        marks, passes, player = list(state.marks), state.passes, 1 - state.player
        if move == "pass":
            return State(state.marks, passes - 1, player)
        marks[int(move[1]) - 1] = move[0].upper()
        return State(tuple(marks), passes, player)

    def outcome(self, state: State) -> Outcome | None:
        if "" in state.marks:
            return None
        if len(set(state.marks)) > 1:
            return Outcome(None, "the row is full")
        return Outcome(state.player if self.goal == "lose" else 1 - state.player, "three in a row")


class WildRowWords(Words[State]):
    def board(self, state: State) -> list[tuple[str, ...]]:
        return [state.marks]

    def cell(self, state: State, move: str) -> tuple[int, int] | None:
        return None if move == "pass" else (0, int(move[1]) - 1)
