"""What a player answers in the positions of a table: asked once each, and kept in a journal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.measure.asking.players import FaultKind, PlayerFault, read_answer
from zerosum.options import option_values
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs, Table
    from zerosum.journal import Journal
    from zerosum.measure.asking.players import Player
    from zerosum.players.answers import Answer

# How far from 1 the sum of the chances in a journal may be.
ROUNDING = 1e-6
# A missing answer is asked for again: the machine may have been busy, or the player mended.
SAVED: tuple[FaultKind, ...] = ("illegal", "unreadable")

Progress = Callable[[int, int], None]


class FaultyAnswer(NamedTuple):
    """A question that was not answered with legal moves: in which way, and a sentence."""

    kind: FaultKind
    message: str


class OverBudget(Exception):
    """There are more questions than the budget allows."""


class Answers:
    """The chance of every edge in the positions where it is known; 0 where a fault was answered.

    A position with one legal move needs no question.
    """

    def __init__(self, table: Table[Any]) -> None:
        """Begin with the moves that need no question."""
        np = load_numpy()
        self.table = table
        self.choices: Longs = np.diff(table.offsets)
        self.chances: Floats = (self.choices[table.sources] == 1).astype(float)
        self.known: Flags = self.choices < 2
        self.faults: dict[int, FaultyAnswer] = {}

    def take_all(self, policy: Floats) -> None:
        """Take the chance of every edge from a player that knows them all."""
        self.chances = policy
        self.known[:] = True

    @property
    def faulty(self) -> Flags:
        """Marks the positions that were asked about in vain."""
        marks: Flags = load_numpy().zeros(len(self.table), bool)
        marks[list(self.faults)] = True
        return marks

    @property
    def policy(self) -> Floats:
        """The chance of every edge, at random where there is no answer."""
        np, sources = load_numpy(), self.table.sources
        unknown = ~self.known | self.faulty
        chances: Floats = np.where(
            unknown[sources], 1 / self.choices[sources].astype(float), self.chances
        )
        return chances

    def moves_at(self, index: int) -> Answer:
        """Return the moves that were answered in a position, with their chances."""
        table = self.table
        edges = slice(*table.offsets[index : index + 2].tolist())
        pairs = zip(table.moves[edges].tolist(), self.chances[edges].tolist(), strict=True)
        return {table.actions[move]: chance for move, chance in pairs if chance}


class Interview:
    """Asks a player about positions, within a budget; what is in the journal is not asked again."""

    def __init__(
        self,
        answers: Answers,
        player: Player,
        budget: int | None,
        journal: Journal | None,
        progress: Progress | None,
    ) -> None:
        """Take where the answers go, and whom to ask."""
        self._answers, self._player, self._game = answers, player, answers.table.game
        self._budget, self._journal, self._progress = budget, journal, progress
        self.questions = 0
        # All that an answer depends on, but for the position.
        self._about: tuple[object, ...] = ()
        if journal is not None:
            if not player.identity:
                raise ZerosumError(
                    "A function can only have a journal if its file is named, as in "
                    "./mine.py:choose: saved answers could be those of another function."
                )
            kind = type(self._game).__qualname__
            options = sorted(option_values(self._game).items())
            self._about = (fingerprint(self._game), kind, options, player.identity)

    def ask(self, states: Iterable[int]) -> None:
        """Ask about the positions in which the answer is not known yet."""
        known = self._answers.known
        new = [state for state in states if not known[state]]
        total = self.questions + len(new)
        for state in new:
            if self.questions == self._budget:
                raise OverBudget
            self._keep(state, self._answer(state))
            self.questions += 1
            if self._progress is not None:
                self._progress(self.questions, total)

    def _keep(self, index: int, answer: Answer | FaultyAnswer) -> None:
        """Write an answer into the arrays."""
        answers = self._answers
        answers.known[index] = True
        if isinstance(answer, FaultyAnswer):
            answers.faults[index] = answer
            return
        begin = int(answers.table.offsets[index])
        for edge, move in enumerate(self._game.moves(answers.table.state(index)), begin):
            answers.chances[edge] = answer.get(move, 0.0)

    def _answer(self, index: int) -> Answer | FaultyAnswer:
        """Return the answer in the journal; without one, ask, and write it there."""
        state = self._answers.table.state(index)
        if self._journal is None:
            return self._ask(state)
        try:
            key = hashlib.sha256(repr((*self._about, tuple(state))).encode()).hexdigest()
        except ValueError as error:  # a very long number
            raise ZerosumError("The numbers of this game are too long for a journal.") from error
        answer = self._read(state, self._journal.get(key))
        if answer is None:
            answer = self._ask(state)
            if not isinstance(answer, FaultyAnswer):
                self._journal.add(key, {"state": state, "moves": list(answer.items())})
            elif answer.kind in SAVED:
                self._journal.add(key, {"state": state, **answer._asdict()})
        return answer

    def _ask(self, state: Any) -> Answer | FaultyAnswer:
        """Ask the player; whoever it is, its answer is checked."""
        try:
            return read_answer(self._game, state, self._player.ask(state))
        except PlayerFault as fault:
            return FaultyAnswer(fault.kind, str(fault))

    def _read(self, state: Any, row: Any) -> Answer | FaultyAnswer | None:
        """Read an answer from a row of the journal; None if it has none that could be one."""
        try:
            if "kind" in row:
                return FaultyAnswer(row["kind"], row["message"]) if _is_fault(row) else None
            moves = {move: chance for move, chance in row["moves"] if type(chance) is float}
        except (TypeError, ValueError, KeyError):
            return None
        known = abs(sum(moves.values()) - 1) < ROUNDING and min(moves.values()) > 0
        return moves if known and moves.keys() <= set(self._game.moves(state)) else None


def _is_fault(row: dict[str, Any]) -> bool:
    """Return whether a row of the journal is a fault as it was written."""
    return row["kind"] in SAVED and isinstance(row["message"], str)
