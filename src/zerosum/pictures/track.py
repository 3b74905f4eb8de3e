"""One game of a match as the values it went through, seen from the seat that moved first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from zerosum.errors import ZerosumError
from zerosum.match import NAMES
from zerosum.protocol import Move, Value
from zerosum.solver.solution import OTHER
from zerosum.text import brief, either
from zerosum.wording import spoken

# The verdicts of a review; where a player had no real choice, the last two.
Label = Literal["best", "good", "mistake", "blunder", "only", "forced"]
LABELS: tuple[Label, ...] = get_args(Label)
BAD: tuple[Label, ...] = ("mistake", "blunder")
NO_CHOICE: tuple[Label, ...] = ("only", "forced")
SAID: dict[Label, str] = {
    "best": "best",
    "good": "good",
    "mistake": "a mistake",
    "blunder": "a blunder",
    "only": "the only move",
    "forced": "forced",
}


class Track(NamedTuple):
    """The values of all positions from the first on, and the moves between them."""

    values: tuple[Value, ...]
    moves: tuple[Move, ...]
    labels: tuple[Label | None, ...]
    movers: tuple[int, ...]
    names: tuple[str, str]
    title: str

    @property
    def turn(self) -> int | None:
        """The turning point: the last move that changed the result; None where none did."""
        return max(self.changes, default=None)

    @property
    def changes(self) -> list[int]:
        """The moves that changed the result, numbered from 1."""
        results = [value.result for value in self.values]
        return [at for at in range(1, len(results)) if results[at] != results[at - 1]]

    @property
    def slowest(self) -> int:
        """The most plies of any value."""
        return max((value.plies or 0 for value in self.values), default=0)

    def nearness(self, at: int) -> float:
        """Tell how soon the end comes at a position: 1 is at once, 0 as late as it gets."""
        plies = self.values[at].plies
        return 0.5 if plies is None else 1 - plies / max(1, self.slowest)

    @property
    def legend(self) -> dict[Label, str]:
        """The words for the labels that occur; those without a real choice share one."""
        words: dict[Label, str] = {
            label: "good (same result)" if label == "good" else label
            for label in LABELS
            if label in self.labels and label not in NO_CHOICE
        }
        if any(label in NO_CHOICE for label in self.labels):
            words["only"] = "no real choice"
        return words

    def worth(self, value: Value) -> str:
        """Say a value with the name of the one who wins."""
        return spoken(value, self.names[value.result == "loss"])

    def result(self, value: Value) -> str:
        """Say the result of a value, whatever it takes."""
        if value.result == "draw":
            return "an endless draw" if value.endless else "a draw"
        return f"a win for {self.names[value.result == 'loss']}"

    def move(self, at: int) -> str:
        """Say a move: its number, who made it, and what it was."""
        label = self.labels[at - 1]
        said = f"Move {at}, {self.names[self.movers[at - 1]]} plays {brief(self.moves[at - 1])}"
        return said + (f", {SAID[label]}" if label else "")

    def position(self, at: int) -> str:
        """Say a position: the move that led there, and its value."""
        return f"{self.move(at) if at else 'Start'}: {self.worth(self.values[at])}"

    def sentences(self) -> list[str]:
        """Say the first value, every change of the result, the turning point and the last value."""
        said = [f"{self.position(0)}."]
        for at in self.changes:
            before, after = self.values[at - 1], self.values[at]
            said.append(f"{self.move(at)}: from {self.result(before)} to {self.result(after)}.")
        if not self.changes and self.moves:
            said.append("No move changed the result.")
        elif self.turn:
            said.append(f"The turning point is move {self.turn}.")
        if self.moves:
            many = "move" if len(self.moves) == 1 else "moves"
            said.append(f"After {len(self.moves)} {many}: {self.worth(self.values[-1])}.")
        return said


def track(
    values: Sequence[Value],
    moves: Sequence[Move] = (),
    labels: Sequence[Label | None] | None = None,
    names: tuple[str, str] = NAMES,
    movers: Sequence[int] | None = None,
    title: str | None = None,
) -> Track:
    """Check what a history is made of; without movers, the seats take turns."""
    labels = [None] * len(moves) if labels is None else labels
    movers = [at % 2 for at in range(len(moves))] if movers is None else movers
    if len(values) != len(moves) + 1:
        raise ZerosumError(
            f"A history of {len(moves)} moves has {len(moves) + 1} values, not {len(values)}."
        )
    if len(labels) != len(moves) or len(movers) != len(moves):
        raise ZerosumError("A history has one label and one mover for every move.")
    for label in labels:
        if label is not None and label not in LABELS:
            raise ZerosumError(f"A label is {either(list(LABELS))}, not '{brief(label)}'.")
    for value in values:
        if value.result not in OTHER:
            raise ZerosumError(f"A result is {either(list(OTHER))}, not '{brief(value.result)}'.")
    title = title or f"{names[0]} against {names[1]}: the values, move by move"
    return Track(tuple(values), tuple(moves), tuple(labels), tuple(movers), names, title)
