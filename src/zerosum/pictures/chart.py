"""The chart of a game: its values, seen from the seat that moved first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from zerosum.coach.review import Review
from zerosum.coach.verdicts import NO_CHOICE, VERDICTS, Verdict
from zerosum.match import NAMES, Round
from zerosum.protocol import Move, Value
from zerosum.text import against, brief, counted, does, inside
from zerosum.wording.words import Words, spoken

PHRASES: dict[Verdict, str] = {
    "mistake": "a mistake",
    "blunder": "a blunder",
    "only": "the only move",
}


@dataclass(frozen=True)
class Chart:
    """The values of all positions, one more than the moves; None is unknown.

    `verdicts` are those of a review on each move, `words` the same for people; `names` are by
    seat; `movers` are the seats that moved, unless they simply took turns.
    """

    values: Sequence[Value | None]
    moves: Sequence[Move] = ()
    verdicts: Sequence[Verdict | None] = ()
    names: tuple[str, str] = NAMES
    movers: Sequence[int] = ()
    title: str = "The values, move by move"
    words: Sequence[str] = ()

    @classmethod
    def reviewed(
        cls,
        words: Words[Any],
        names: tuple[str, str],
        played: Round[Any],
        review: Review,
        title: str = "",
    ) -> Chart:
        """Return the chart of a game that was reviewed."""
        states = played.states[:-1]
        moves = [words.button(*made) for made in zip(states, played.moves, strict=True)]
        verdicts = [move.verdict for move in review.moves]
        movers = [move.seat for move in review.moves]
        title = title or f"{against(names)}: the values, move by move"
        found = [move.word for move in review.moves]
        return cls(review.history, moves, verdicts, names, movers, title, found)

    @property
    def top(self) -> int:
        """The seat whose wins are above: yours, or that of the first mover."""
        return int(self.names[1] == "You")

    def verdict(self, ply: int) -> Verdict | None:
        """Return the verdict on the move to a position, if there is one."""
        return self.verdicts[ply - 1] if ply and self.verdicts else None

    @property
    def turning_point(self) -> int | None:
        """The last move that changed the result; None if none did, or if unknown."""
        last = max(self.changes, default=None)
        return None if last is None or None in self.values[last:] else last

    @property
    def changes(self) -> list[int]:
        """The moves known to have changed the result, counted from 1."""
        results = [value and value.result for value in self.values]
        pairs = enumerate(pairwise(results), 1)
        return [ply for ply, (before, after) in pairs if before and after and before != after]

    def nearness(self, value: Value) -> float:
        """Return how soon the end comes: 1 is at once, 0 the latest of this game."""
        if value.plies is None:
            return 0.5
        return 1 - value.plies / self._longest

    @property
    def gaps(self) -> list[range]:
        """The runs of positions whose values are unknown."""
        runs = groupby(range(len(self.values)), lambda ply: self.values[ply] is None)
        plies = [list(run) for unknown, run in runs if unknown]
        return [range(run[0], run[-1] + 1) for run in plies]

    @property
    def legend(self) -> dict[Verdict, str]:
        """The words for the verdicts that occur, one for all without a real choice."""
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
        mover = self.movers[ply - 1] if self.movers else 1 - ply % 2
        verdict = self.verdict(ply)
        text = (
            f"Move {ply}, {does(inside(self.names[mover]), 'plays')} {brief(self.moves[ply - 1])}"
        )
        if verdict is None:
            return text
        word = self.words[ply - 1] if self.words else verdict
        return f"{text}, {PHRASES.get(verdict, word)}"

    def position(self, ply: int) -> str:
        """Describe a position: the move that led there, and its value."""
        return f"{self.move(ply) if ply else 'Start'}: {self._value(self.values[ply])}"

    def sentences(self, conclude: bool = True) -> list[str]:
        """Describe the first value, every change and gap, and the last value."""
        said = {} if self.values[0] is None else {0: f"{self.position(0)}."}
        for ply in self.changes:
            before = self._result(ply - 1)
            after = self._result(ply)
            said[ply] = f"{self.move(ply)}: from {before} to {after}."
        end = len(self.values)
        for gap in self.gaps:
            said[gap.start] = self._gap(gap)
            if gap.stop < end - 1:
                said[gap.stop] = f"{self.position(gap.stop)}."
        lines = [said[ply] for ply in sorted(said)] + self.conclusion() * conclude
        if self.moves and self.values[-1] is not None:
            count = counted(len(self.moves), "move")
            lines.append(f"After {count}: {self._value(self.values[-1])}.")
        return lines

    def _gap(self, gap: range) -> str:
        """Say of a run of positions that their values are unknown."""
        first, last = gap.start, gap.stop - 1
        if not first:
            until = f"up to move {last}" if last else "at the start"
            return f"The value is unknown {until}."
        several = f"moves {first} {'to' if first + 1 < last else 'and'} {last}"
        return f"The value is unknown after {several if first < last else f'move {first}'}."

    def conclusion(self) -> list[str]:
        """Name the turning point, or say that there was none, if that is known."""
        if self.turning_point:
            return [f"The turning point is move {self.turning_point}."]
        if not self.moves:
            return []
        if not self.gaps:
            return ["No move changed the result."]
        known = self.gaps[-1].stop + 1
        if known > len(self.moves):
            return ["Whether a move changed the result is unknown."]
        return [f"From move {known} on, no move changed the result."]

    @cached_property
    def _longest(self) -> int:
        """The most plies of any value, at least 1."""
        return max((value.plies or 1 for value in self.values if value), default=1)

    def _value(self, value: Value | None) -> str:
        """Describe a value with the winner's name."""
        return spoken(value, inside(self.names[value is not None and value.result == "loss"]))

    def _result(self, ply: int) -> str:
        """Describe the result at a position, however long it takes."""
        value = self.values[ply]
        if value is None:
            return "unknown"
        if value.result == "draw":
            return "an endless draw" if value.endless else "a draw"
        return f"a win for {inside(self.names[value.result == 'loss'])}"
