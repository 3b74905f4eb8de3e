"""What a player answers in the positions of a table, once or several times; kept in a journal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import Struct

from zerosum.bulk.lines import Lines
from zerosum.documents import to_dict
from zerosum.errors import ZerosumError
from zerosum.lab.measure.measurement import Basis, Contradiction, MoveChance
from zerosum.lab.measure.players import (
    FaultKind,
    PlayerFault,
    answer_or_fault,
    is_deterministic,
)
from zerosum.options import option_values
from zerosum.protocol import Move
from zerosum.registry.fingerprint import fingerprint

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs, Table
    from zerosum.lab.journal import Journal
    from zerosum.lab.measure.players import Player
    from zerosum.players.answers import Answer

# How far from 1 the sum of the chances in a journal may be.
ROUNDING = 1e-6
# The most positions in which a player that declares itself deterministic is asked twice.
CHECKED = 8

# In which way an answer is faulty, and a sentence.
Faulty = tuple[FaultKind, str]
# Called with how many positions were answered, and how many there are to ask about so far.
OnAnswer = Callable[[int, int], None]


class Reply(Struct, frozen=True):
    """What was answered once: moves with their chances, or a fault, and what the answer is.

    The journal has such rows too.
    """

    basis: Basis
    moves: tuple[tuple[Move, float], ...] = ()
    kind: FaultKind | None = None
    message: str = ""


class OverBudget(Exception):
    """There are more questions than the budget allows."""


class Answers:
    """The chance of every edge in the positions where it is known, or how often it was drawn.

    `lost` is the share of faulty answers, and the chances add up to the rest. `samples`
    counts the answers where they were drawn, and is 0 where the chances are known. A position with
    one legal move needs no question.
    """

    def __init__(self, table: Table[Any]) -> None:
        """Begin with the moves that need no question."""
        self.table = table
        self.choices: Longs = np.diff(table.offsets)
        self.chances: Floats = (self.choices[table.sources] == 1).astype(float)
        self.known: Flags = self.choices < 2
        self.lost: Floats = np.zeros(len(table))
        self.samples: Longs = np.zeros(len(table), np.int64)
        self.faults: dict[int, list[Faulty]] = {}
        self.declared = False  # whether some answer is only known to be the same every time

    def take_all(self, policy: Floats) -> None:
        """Take the chance of every edge from a player that knows them all."""
        self.chances = policy
        self.known[:] = True

    @property
    def drawn(self) -> bool:
        """Whether some answers were drawn."""
        return bool(self.samples.any())

    @property
    def basis(self) -> Basis:
        """What the answers are."""
        return "drawn" if self.drawn else "deterministic" if self.declared else "chances"

    @property
    def noise(self) -> Floats:
        """1 / K where K answers were drawn, and 0 where the chances are known."""
        samples = self.samples
        noise: Floats = np.where(samples > 0, 1 / np.maximum(samples, 1), 0.0)
        return noise

    def seated(self, seat: int) -> tuple[Table[Any], Floats, Longs]:
        """Return a table in which faulty answers on a seat lose, and the policy on that seat.

        It is random if there is no answer. Return also the numbers of the edges of this table.
        """
        table, sources = self.table, self.table.sources
        forfeits = (self.lost > 0) & (table.player == seat)
        seated, number = table.forfeiting(forfeits, 1 - seat)
        unknown = ~self.known | (table.player != seat)
        chances = np.where(unknown[sources], 1 / self.choices[sources], self.chances)
        policy: Floats = np.zeros(len(seated.targets))
        policy[number] = chances
        policy[seated.targets == len(table)] = self.lost[forfeits]
        return seated, policy, number

    def moves_at(self, index: int) -> Answer:
        """Return the moves that were answered in a position, with their chances."""
        table = self.table
        edges = slice(*table.offsets[index : index + 2].tolist())
        pairs = zip(table.moves[edges].tolist(), self.chances[edges].tolist(), strict=True)
        return {table.actions[move]: chance for move, chance in pairs if chance}


class Interview:
    """Asks a player about positions, within a budget; what is in the journal is not asked again.

    A position is asked about several times if the answer is a move that may have been drawn. A
    player that contradicts itself is not believed to be deterministic.
    """

    def __init__(
        self,
        answers: Answers,
        player: Player,
        samples: int,
        budget: int | None,
        journal: Journal | None,
        progress: OnAnswer | None,
    ) -> None:
        """Take where the answers go, whom to ask, and how often."""
        self._answers, self._player, self._game = answers, player, answers.table.game
        self._samples, self._budget = samples, budget
        self._journal, self._progress = journal, progress
        self._questions = self._replies_kept = 0
        self._contradiction: Contradiction | None = None
        self._checked: dict[int, Reply] = {}
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
        total = self._questions + len(new)
        if new and self._progress is not None and not self._questions:
            self._progress(0, total)
        if new and not self._checked:
            self._check(new[:: -(-len(new) // CHECKED)])
        for state in new:
            if self._questions == self._budget:
                raise OverBudget
            self._keep(state, self._replies(state))
            self._questions += 1
            if self._progress is not None:
                self._progress(self._questions, total)

    def counts(self) -> dict[str, Any]:
        """Return how many positions were asked about, and what came of it."""
        return {
            "questions": self._questions,
            "replies": self._replies_kept,
            "contradiction": self._contradiction,
        }

    def _check(self, states: Iterable[int]) -> None:
        """Ask twice about some positions, if the player declares itself deterministic."""
        for state in states:
            first = self._checked[state] = self._reply(state, 1)
            if first.basis == "drawn":
                return
            if first.basis == "chances":
                continue
            second = self._reply(state, 2)
            if _contradict(first, second):
                table, both = self._answers.table, (played(first.moves), played(second.moves))
                line = Lines(table).moves_to(state)
                self._contradiction = Contradiction(line, table.state(state), *both)
                return

    def _replies(self, index: int) -> list[Reply]:
        """Return the answers to a position: several if they are, or may be, drawn."""
        first = self._checked.get(index) or self._reply(index, 1)
        if first.basis == "deterministic" and self._contradiction is not None:
            first = msgspec.structs.replace(first, basis="drawn")
        if first.basis != "drawn":
            return [first]
        return [first, *(self._reply(index, sample) for sample in range(2, self._samples + 1))]

    def _keep(self, index: int, replies: list[Reply]) -> None:
        """Write the answers to a position into the arrays."""
        answers = self._answers
        answers.known[index] = True
        self._replies_kept += len(replies)
        answers.declared |= replies[0].basis == "deterministic"
        if replies[0].basis == "drawn":
            answers.samples[index] = len(replies)
        if faults := [(reply.kind, reply.message) for reply in replies if reply.kind]:
            answers.faults[index] = faults
            answers.lost[index] = len(faults) / len(replies)
        begin, chances = int(answers.table.offsets[index]), [dict(reply.moves) for reply in replies]
        for edge, move in enumerate(self._game.moves(answers.table.state(index)), begin):
            total = sum(chosen.get(move, 0.0) for chosen in chances)
            answers.chances[edge] = total / len(replies)

    def _reply(self, index: int, sample: int) -> Reply:
        """Return the answer in the journal; without one, ask, and write it there."""
        state = self._answers.table.state(index)
        if self._journal is None:
            return self._ask(state, sample)
        try:
            about = (*self._about, tuple(state), sample)
            key = hashlib.sha256(repr(about).encode()).hexdigest()
        except ValueError as error:  # a very long number
            raise ZerosumError("The numbers of this game are too long for a journal.") from error
        reply = self._read(state, self._journal.get(key))
        if reply is None:
            reply = self._ask(state, sample)
            # It may have been the machine that was busy, or the player is mended.
            if reply.kind != "missing":
                self._journal.add(key, {"state": state, **to_dict(reply)})
        return reply

    def _ask(self, state: Any, sample: int) -> Reply:
        """Ask the player, and check its answer, whatever kind of player it is."""
        try:
            answer = answer_or_fault(self._game, state, self._player.ask(state, sample))
        except PlayerFault as fault:
            return Reply(self._basis, (), fault.kind, str(fault))
        if isinstance(answer, dict):
            return Reply("chances", tuple(answer.items()))
        return Reply(self._basis, ((answer, 1.0),))

    @property
    def _basis(self) -> Basis:
        """What an answer without chances is: the player may have declared it by now."""
        return "deterministic" if is_deterministic(self._player) else "drawn"

    def _read(self, state: Any, row: Any) -> Reply | None:
        """Read an answer from a row of the journal; None if it has none that could be one."""
        try:
            saved = msgspec.convert(row, Reply)
        except msgspec.ValidationError:
            return None
        if saved.kind is not None:
            return saved if saved.kind != "missing" else None
        moves = dict(saved.moves)
        known = abs(sum(moves.values()) - 1) < ROUNDING and min(moves.values()) > 0
        legal = known and moves.keys() <= set(self._game.moves(state))
        return saved if legal else None


def played(moves: Iterable[tuple[Move, float]]) -> tuple[MoveChance, ...]:
    """List the moves of an answer: JSON has no integers as keys."""
    return tuple(MoveChance(*pair) for pair in moves)


def _contradict(first: Reply, second: Reply) -> bool:
    """Return whether two answers differ; no answer at all contradicts nothing."""
    kinds = (first.kind, second.kind)
    return "missing" not in kinds and (kinds[0] != kinds[1] or first.moves != second.moves)
