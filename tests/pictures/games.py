"""Games of a user's own, of shapes that the built-in ones do not have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from zerosum.options import option
from zerosum.protocol import Game, Outcome

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
STICK = str(EXAMPLES / "last_stick.py")
NOUGHTS = str(EXAMPLES / "noughts_and_crosses.py")
PASS = str(EXAMPLES / "nim_with_a_pass.py")


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Nim(Game[Heaps]):
    """Take any number from one heap; a move is 100 times the heap plus the number."""

    heaps: tuple[int, ...] = option((3, 4, 2), "the heaps")
    shrink: bool = option(False, "empty heaps are put away")

    def initial(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def moves(self, state: Heaps) -> tuple[int, ...]:
        heaps = enumerate(state.heaps)
        return tuple(100 * at + n for at, heap in heaps for n in range(1, heap + 1))

    def play(self, state: Heaps, move: int) -> Heaps:
        heaps = list(state.heaps)
        heaps[move // 100] -= move % 100
        left = tuple(heap for heap in heaps if heap or not self.shrink)
        return Heaps(left, 1 - state.player)

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if any(state.heaps) else Outcome(1 - state.player, "the heaps are empty")


class Turn(NamedTuple):
    player: int


@dataclass(frozen=True)
class Hotseat(Game[Turn]):
    """A game without numbers: the first player passes, the second wins."""

    def initial(self) -> Turn:
        return Turn(0)

    def moves(self, state: Turn) -> tuple[int, ...]:
        return () if state.player else (1,)

    def play(self, state: Turn, move: int) -> Turn:
        return Turn(1)

    def outcome(self, state: Turn) -> Outcome | None:
        return Outcome(1, "the seat is hot") if state.player else None


class Sum(NamedTuple):
    sum: int
    player: int


@dataclass(frozen=True)
class Climb(Game[Sum]):
    """Double or add one; whoever goes past a number that fits into no array wins."""

    goal: int = option(2**70, "the goal")

    def initial(self) -> Sum:
        return Sum(2**66, 0)

    def moves(self, state: Sum) -> tuple[int, ...]:
        return (2, 3) if state.sum < self.goal else ()

    def play(self, state: Sum, move: int) -> Sum:
        return Sum(state.sum * move, 1 - state.player)

    def outcome(self, state: Sum) -> Outcome | None:
        return Outcome(1 - state.player, "past the goal") if state.sum >= self.goal else None


class Light(NamedTuple):
    light: str
    player: int


# Black is lost, grey is drawn, and between the two blues nobody ever comes to an end.
LIGHTS = {
    "": ("amber", "green", "grey", "ultramarine", "blue"),
    "amber": ("green",),
    "green": ("black",),
    "ultramarine": ("blue",),
    "blue": ("ultramarine", "green"),
}


@dataclass(frozen=True)
class Lights(Game[Light]):
    """Switch the light to another colour; whoever makes it black wins, and grey is a draw."""

    def initial(self) -> Light:
        return Light("", 0)

    def moves(self, state: Light) -> tuple[str, ...]:
        return LIGHTS.get(state.light, ())

    def play(self, state: Light, move: str) -> Light:
        return Light(move, 1 - state.player)

    def outcome(self, state: Light) -> Outcome | None:
        if state.light in LIGHTS:
            return None
        return Outcome(None if state.light == "grey" else 1 - state.player, "it is dark")


class Pile(NamedTuple):
    cards: tuple[int | None, ...]
    last: str | None
    player: int


@dataclass(frozen=True)
class Piles(Game[Pile]):
    """Lay a card or stop; whoever lays a third card loses.

    To stop wins on a two, draws on a one, and loses on a blank card and on none.
    """

    blanks: bool = option(False, "a card may be blank")

    def initial(self) -> Pile:
        return Pile((), None, 0)

    def moves(self, state: Pile) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        return ("one", "two", "blank", "stop") if self.blanks else ("one", "two", "stop")

    def play(self, state: Pile, move: str) -> Pile:
        if move == "stop":
            return Pile(state.cards, "stop", 1 - state.player)
        card = {"one": 1, "two": 2, "blank": None}[move]
        return Pile((*state.cards, card), "card", 1 - state.player)

    def outcome(self, state: Pile) -> Outcome | None:
        if state.last == "stop":
            top = state.cards[-1] if state.cards else None
            winner = {1: None, 2: 1 - state.player, None: state.player}[top]
            return Outcome(winner, "they stopped")
        return Outcome(state.player, "three cards") if len(state.cards) == 3 else None
