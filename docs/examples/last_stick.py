from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class LastStick(Game[State]):
    """Take one, two or three sticks; whoever takes the last one loses."""

    start: int = option(11, "sticks at the start", least=2)

    def initial(self) -> State:
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        return tuple(n for n in (1, 2, 3) if n <= state.sticks)

    def play(self, state: State, move: int) -> State:
        return State(state.sticks - move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        return None if state.sticks else Outcome(state.player, "whoever takes the last stick loses")
