"""One game of a match as the values it went through, seen from the seat that moved first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zerosum.game import Value, ZerosumError, brief
from zerosum.match import NAMES
from zerosum.solve.solution import OTHER

LABELS = ("best", "good", "mistake", "blunder")
ARTICLE = {"mistake": "a mistake", "blunder": "a blunder", "best": "best", "good": "good"}


class Track(NamedTuple):
    """The values of all positions from the first on, and the moves between them."""

    values: tuple[Value, ...]
    moves: tuple[int, ...]
    labels: tuple[str | None, ...]
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

    def worth(self, value: Value, plies: bool = True) -> str:
        """Say a value with the name of the one who wins."""
        if value.result == "draw":
            return "draw, endless" if plies else "an endless draw"
        who = f"win for {self.names[value.result == 'loss']}"
        if not plies:
            return f"a {who}"
        if value.plies is None:
            return who
        return f"{who} in {value.plies}" if value.plies else f"{who}, the game is over"

    def move(self, at: int) -> str:
        """Say a move: its number, who made it, and what it was."""
        label = self.labels[at - 1]
        said = f"Move {at}, {self.names[self.movers[at - 1]]} plays {brief(self.moves[at - 1])}"
        return said + (f", {ARTICLE[label]}" if label else "")

    def position(self, at: int) -> str:
        """Say a position: the move that led there, and its value."""
        return f"{self.move(at) if at else 'Start'}: {self.worth(self.values[at])}"

    def sentences(self) -> list[str]:
        """Say the first value, every change of the result, the turning point and the last value."""
        said = [f"{self.position(0)}."]
        for at in self.changes:
            before, after = self.values[at - 1], self.values[at]
            said.append(
                f"{self.move(at)}: from {self.worth(before, False)} to {self.worth(after, False)}."
            )
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
    moves: Sequence[int] = (),
    labels: Sequence[str | None] | None = None,
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
            raise ZerosumError(f"'{brief(label)}' is no label; there are {', '.join(LABELS)}.")
    for value in values:
        if value.result not in OTHER:
            raise ZerosumError(f"'{brief(value.result)}' is no result of a value.")
    title = title or f"{names[0]} against {names[1]}: history of the values"
    return Track(tuple(values), tuple(moves), tuple(labels), tuple(movers), names, title)
