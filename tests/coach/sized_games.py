"""Small games in many sizes, whose laws are known: Nim, Chomp, Kayles."""

from dataclasses import dataclass
from typing import NamedTuple

from tests.games import Heaps, Nim
from zerosum import Game, Outcome, option


@dataclass(frozen=True)
class OwnHeaps(Nim):
    """Take from your own heap; whoever cannot loses."""

    heaps: tuple[int, ...] = (4, 6)

    def moves(self, state: Heaps) -> tuple[int, ...]:
        return tuple(move for move in super().moves(state) if move // 100 == state.player)

    def outcome(self, state: Heaps) -> Outcome | None:
        empty = not state.heaps[state.player]
        return Outcome(1 - state.player, "the heap is empty") if empty else None


class Bar(NamedTuple):
    top: int
    low: int
    player: int


@dataclass(frozen=True)
class Chomp(Game[Bar]):
    """Bite two rows of chocolate off from the right; whoever eats the first square loses."""

    columns: int = option(12, "squares in a row", least=1)

    def initial(self) -> Bar:
        return Bar(self.columns, self.columns, 0)

    def moves(self, state: Bar) -> tuple[str, ...]:
        return (*(f"t{n}" for n in range(state.top)), *(f"l{n}" for n in range(state.low)))

    def play(self, state: Bar, move: str) -> Bar:
        left = int(move[1:])
        rows = (left, min(state.low, left)) if move[0] == "t" else (state.top, left)
        return Bar(*rows, 1 - state.player)

    def outcome(self, state: Bar) -> Outcome | None:
        over = not (state.top or state.low)
        return Outcome(state.player, "the first square is eaten") if over else None


class Rows(NamedTuple):
    rows: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Kayles(Game[Rows]):
    """Knock down a pin, or two neighbours; whoever knocks down the last one wins."""

    pins: int = option(9, "pins in the row", least=1)

    def initial(self) -> Rows:
        return Rows((self.pins,), 0)

    def moves(self, state: Rows) -> tuple[str, ...]:
        return tuple(
            f"{row}:{at}:{hit}"
            for row, pins in enumerate(state.rows)
            for hit in (1, 2)
            for at in range(pins - hit + 1)
        )

    def play(self, state: Rows, move: str) -> Rows:
        row, at, hit = map(int, move.split(":"))
        rows = list(state.rows)
        pins = rows.pop(row)
        rows += [at, pins - at - hit]
        return Rows(tuple(sorted(filter(None, rows), reverse=True)), 1 - state.player)

    def outcome(self, state: Rows) -> Outcome | None:
        return None if state.rows else Outcome(1 - state.player, "the last pin is down")
