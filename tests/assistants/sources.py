"""A rule book of gg-bench (number 37) in our own words, as a game: with a fault, and mended."""

PRIME_DUEL = '''"""One number grows, and must stay prime."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    number: int
    player: int


def is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, number))


@dataclass(frozen=True)
class PrimeDuel(Game[State]):
    """Add 1 or 2 to the number; whoever makes it a number that is not prime loses."""

    start: int = option(1, "the number at the start", least=1)

    def initial(self) -> State:
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        return (1, 2)

    def play(self, state: State, move: int) -> State:
        return State(state.number + move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        if state.number == self.start or is_prime(state.number):
            return None
        return Outcome(state.player, f"{state.number} is not prime")
'''
# Rules that go on after the end: what a check finds first.
FAULTY = PRIME_DUEL
MENDED = PRIME_DUEL.replace(
    "        return (1, 2)\n",
    "        return (1, 2) if self.outcome(state) is None else ()\n",
)
