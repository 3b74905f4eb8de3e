"""Take as many as you like from one heap; whoever takes the last one wins.

A move names the heap and the number: `b3` takes three from the second heap. Turns can
be passed too, by either player, a limited number of times in the whole game.
"""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Field, Game, OptionError, Outcome, Words, option

HEAPS = "abcdefgh"


class State(NamedTuple):
    heaps: tuple[int, ...]
    passes: int
    player: int


@dataclass(frozen=True)
class NimWithAPass(Game[State]):
    heaps: tuple[int, ...] = option((3, 4, 5), "the sizes of the heaps", least=0, most=99)
    passes: int = option(1, "how often a turn may be passed in the game", least=0)

    def __post_init__(self) -> None:
        if len(self.heaps) > len(HEAPS):
            raise OptionError("heaps", f"must be at most {len(HEAPS)} heaps")
        if not any(self.heaps):
            raise OptionError("heaps", "must hold at least one stick")

    def initial(self) -> State:
        return State(self.heaps, self.passes, 0)

    def moves(self, state: State) -> tuple[str, ...]:
        heaps = zip(HEAPS, state.heaps, strict=False)
        takes = tuple(f"{name}{n}" for name, size in heaps for n in range(1, size + 1))
        return (*takes, "pass") if takes and state.passes else takes

    def play(self, state: State, move: str) -> State:
        heaps, passes, player = state
        if move == "pass":
            return State(heaps, passes - 1, 1 - player)
        left = list(heaps)
        left[HEAPS.index(move[0])] -= int(move[1:])
        return State(tuple(left), passes, 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        return None if any(state.heaps) else Outcome(1 - state.player, "the heaps are empty")

    def objection(self, state: State, move: str) -> str:
        if move == "pass":
            return "No pass is left."
        return "Name a heap and how many to take from it, such as a2."

    def canonical(self, state: State) -> State:
        return State(tuple(sorted(state.heaps)), state.passes, 0)


class NimWithAPassWords(Words[State]):
    def fields(self, state: State) -> tuple[Field, ...]:
        heaps = zip(HEAPS, state.heaps, strict=False)
        left = Field("passes", "Passes left", state.passes)
        return (*(Field(name, f"Heap {name}", size) for name, size in heaps), left)

    def label(self, state: State, move: str) -> str:
        return "Pass" if move == "pass" else f"Take {move[1:]} from heap {move[0]}"
