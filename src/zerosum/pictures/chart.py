"""The chart of one game: the values it went through, seen from the seat that moved first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zerosum.coach.review import Review
from zerosum.coach.verdicts import NO_CHOICE, VERDICTS, Verdict
from zerosum.errors import ZerosumError
from zerosum.match import NAMES, Round
from zerosum.protocol import Move, Value
from zerosum.solver.solution import OTHER
from zerosum.text import brief, counted, either
from zerosum.wording.words import spoken

PHRASES: dict[Verdict, str] = {
    "best": "best",
    "good": "good",
    "mistake": "a mistake",
    "blunder": "a blunder",
    "only": "the only move",
    "forced": "forced",
}


@dataclass(frozen=True)
class Chart:
    """The values of all positions, one more than the moves between them.

    `verdicts` are those of a review on each move; `names` are in the order of the seats; `movers`
    are the seats that moved, where they did not simply take turns.
    """

    values: Sequence[Value]
    moves: Sequence[Move] = ()
    verdicts: Sequence[Verdict | None] = ()
    names: tuple[str, str] = NAMES
    movers: Sequence[int] = ()
    title: str = ""

    def __post_init__(self) -> None:
        """Fill in what was left out, and check the rest."""
        count = len(self.moves)
        title = f"{self.names[0]} against {self.names[1]}: the values, move by move"
        object.__setattr__(self, "title", self.title or title)
        object.__setattr__(self, "verdicts", self.verdicts or [None] * count)
        object.__setattr__(self, "movers", self.movers or [at % 2 for at in range(count)])
        if len(self.values) != count + 1:
            raise ZerosumError(
                f"A chart of {count} moves has {count + 1} values, not {len(self.values)}."
            )
        if len(self.verdicts) != count or len(self.movers) != count:
            raise ZerosumError("A chart has one verdict and one mover for every move.")
        for verdict in self.verdicts:
            if verdict is not None and verdict not in VERDICTS:
                allowed = either(list(VERDICTS))
                raise ZerosumError(f"A verdict is {allowed}, not '{brief(verdict)}'.")
        for value in self.values:
            if value.result not in OTHER:
                results = either(list(OTHER))
                raise ZerosumError(f"A result is {results}, not '{brief(value.result)}'.")

    @classmethod
    def reviewed(
        cls, names: tuple[str, str], played: Round[Any], review: Review, title: str = ""
    ) -> Chart:
        """Return the chart of a game that was reviewed."""
        verdicts = [move.verdict for move in review.moves]
        movers = [move.seat for move in review.moves]
        return cls(review.history, played.moves, verdicts, names, movers, title)

    @property
    def turning_point(self) -> int | None:
        """The last move that changed the result; None if no move did."""
        return max(self.changes, default=None)

    @property
    def changes(self) -> list[int]:
        """The moves that changed the result, counted from 1."""
        results = [value.result for value in self.values]
        return [at for at in range(1, len(results)) if results[at] != results[at - 1]]

    def nearness(self, ply: int) -> float:
        """Return how soon the end comes at a position: 1 is at once, 0 the latest of this game."""
        plies = self.values[ply].plies
        return 0.5 if plies is None else 1 - plies / self._longest

    @property
    def legend(self) -> dict[Verdict, str]:
        """The words for the verdicts that occur; those without a real choice share an entry."""
        words: dict[Verdict, str] = {
            verdict: "good (same result)" if verdict == "good" else verdict
            for verdict in VERDICTS
            if verdict in self.verdicts and verdict not in NO_CHOICE
        }
        if any(verdict in NO_CHOICE for verdict in self.verdicts):
            words["only"] = "no real choice"
        return words

    def move(self, ply: int) -> str:
        """Describe a move: its number, who made it, and what it was."""
        name, verdict = self.names[self.movers[ply - 1]], self.verdicts[ply - 1]
        text = f"Move {ply}, {name} plays {brief(self.moves[ply - 1])}"
        return f"{text}, {PHRASES[verdict]}" if verdict else text

    def position(self, ply: int) -> str:
        """Describe a position: the move that led there, and its value."""
        return f"{self.move(ply) if ply else 'Start'}: {self._value(self.values[ply])}"

    def sentences(self) -> list[str]:
        """Describe the first value, every change of the result, and the last value."""
        lines = [f"{self.position(0)}."]
        for ply in self.changes:
            before, after = self.values[ply - 1], self.values[ply]
            lines.append(f"{self.move(ply)}: from {self._result(before)} to {self._result(after)}.")
        lines += self.conclusion()
        if self.moves:
            count = counted(len(self.moves), "move")
            lines.append(f"After {count}: {self._value(self.values[-1])}.")
        return lines

    def conclusion(self) -> list[str]:
        """Name the turning point, or say that there was none."""
        if self.turning_point:
            return [f"The turning point is move {self.turning_point}."]
        return ["No move changed the result."] if self.moves else []

    @cached_property
    def _longest(self) -> int:
        """The most plies of any value, at least 1."""
        return max(value.plies or 1 for value in self.values)

    def _value(self, value: Value) -> str:
        """Describe a value with the winner's name."""
        return spoken(value, self.names[value.result == "loss"])

    def _result(self, value: Value) -> str:
        """Describe the result of a value, however long it takes."""
        if value.result == "draw":
            return "an endless draw" if value.endless else "a draw"
        return f"a win for {self.names[value.result == 'loss']}"
