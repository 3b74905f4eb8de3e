"""Take one, two or three sticks from a heap; whoever takes the last stick loses."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import Outcome, check_whole, option


class State(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class LastStick:
    start: int = option(11, "the sticks in the heap at the start, from 2 up")

    def __post_init__(self) -> None:
        check_whole("start", self.start, least=2)

    def initial(self) -> State:
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        return tuple(n for n in (1, 2, 3) if self.objection(state, n) is None)

    def play(self, state: State, move: int) -> State:
        return State(state.sticks - move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        return None if state.sticks else Outcome(state.player, "the other took the last stick")

    def objection(self, state: State, move: int) -> str | None:
        if move not in (1, 2, 3):
            return "Take 1, 2 or 3 sticks."
        return "There are not so many sticks." if move > state.sticks else None
