"""What a player answers in the positions of a table, once or several times; kept in a journal."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

import msgspec
import numpy as np
from msgspec import Struct

from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.documents import to_dict
from zerosum.errors import IllegalMove, UnreadableMove, ZerosumError
from zerosum.lab.journal import Journal
from zerosum.lab.measure.measurement import Basis, Contradiction, MoveChance
from zerosum.lab.measure.players import FaultKind, Player, PlayerFault, is_deterministic
from zerosum.options import option_values
from zerosum.players.move_chances import check_answer
from zerosum.protocol import Game, Move
from zerosum.registry.fingerprint import fingerprint
from zerosum.text import brief

# The most positions in which a player that declares itself deterministic is asked twice.
CHECKED = 8
# What an answer may be, from the one that says most to the one that says least.
BASES = get_args(Basis)
# The kind of fault, and a sentence.
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
        self._bases: set[Basis] = set()
        self.questions = self.replies = 0
        self.contradiction: Contradiction | None = None

    def take_all(self, policy: Floats) -> None:
        """Take the chance of every edge from a player that knows them all."""
        self.chances = policy
        self.known[:] = True

    def take(self, index: int, replies: list[Reply]) -> None:
        """Take the answers to a position."""
        self.known[index] = True
        self.questions += 1
        self.replies += len(replies)
        self._bases.add(replies[0].basis)
        if replies[0].basis == "drawn":
            self.samples[index] = len(replies)
        if faults := [(reply.kind, reply.message) for reply in replies if reply.kind]:
            self.faults[index] = faults
            self.lost[index] = len(faults) / len(replies)
        answered = [dict(reply.moves) for reply in replies]
        for edge, move in self._edges_at(index):
            total = sum(moves.get(move, 0.0) for moves in answered)
            self.chances[edge] = total / len(replies)

    def moves_at(self, index: int) -> tuple[MoveChance, ...]:
        """Return the moves that were answered in a position, with their chances."""
        pairs = ((move, float(self.chances[edge])) for edge, move in self._edges_at(index))
        return played(pair for pair in pairs if pair[1])

    def _edges_at(self, index: int) -> list[tuple[int, Move]]:
        """Return the edges of a position with their moves."""
        begin, end = self.table.offsets[index : index + 2].tolist()
        return [(n, self.table.actions[self.table.moves[n]]) for n in range(begin, end)]

    @property
    def drawn(self) -> bool:
        """Whether some answers were drawn."""
        return "drawn" in self._bases

    @property
    def basis(self) -> Basis:
        """What the answers are."""
        return max(self._bases, key=BASES.index, default="chances")


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
        self._answers = answers
        self._player = player
        self._game = answers.table.game
        self._samples, self._budget = samples, budget
        self._journal = journal
        self._progress = progress or (lambda done, total: None)
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
        answers = self._answers
        new = [state for state in states if not answers.known[state]]
        total = answers.questions + len(new)
        if new and not self._checked:
            self._progress(0, total)
            self._check(new[:: -(-len(new) // CHECKED)])
        for state in new:
            if answers.questions == self._budget:
                raise OverBudget
            answers.take(state, self._replies(state))
            self._progress(answers.questions, total)

    def _check(self, states: Iterable[int]) -> None:
        """Ask twice about some positions, if the player declares itself deterministic."""
        for state in states:
            first = self._checked[state] = self._reply(state, 1)
            if first.basis != "deterministic":
                continue
            second = self._reply(state, 2)
            kinds = (first.kind, second.kind)
            # No answer at all contradicts nothing.
            if "missing" not in kinds and (kinds[0] != kinds[1] or first.moves != second.moves):
                table = self._answers.table
                self._answers.contradiction = Contradiction(
                    Lines(table).moves_to(state),
                    table.state(state),
                    played(first.moves),
                    played(second.moves),
                )
                return

    def _replies(self, index: int) -> list[Reply]:
        """Return the answers to a position: several if they are, or may be, drawn."""
        first = self._checked.get(index) or self._reply(index, 1)
        if first.basis == "deterministic" and self._answers.contradiction is not None:
            first = msgspec.structs.replace(first, basis="drawn")
        if first.basis != "drawn":
            return [first]
        return [first, *(self._reply(index, sample) for sample in range(2, self._samples + 1))]

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
        try:
            return msgspec.convert(self._journal.get(key), Reply)
        except msgspec.ValidationError:
            reply = self._ask(state, sample)
        # Ask again next time: the machine may have been busy, or the player mended since.
        if reply.kind != "missing":
            self._journal.add(key, {"state": state, **to_dict(reply)})
        return reply

    def _ask(self, state: Any, sample: int) -> Reply:
        """Ask the player, and check its answer."""
        try:
            said = self._player.ask(state, sample)
            moves = tuple(moves_of(self._game, state, said).items())
        except PlayerFault as fault:
            return Reply(self._basis, (), fault.kind, str(fault))
        return Reply("chances" if isinstance(said, Mapping) else self._basis, moves)

    @property
    def _basis(self) -> Basis:
        """What an answer without chances is: the player may have declared it by now."""
        return "deterministic" if is_deterministic(self._player) else "drawn"


def moves_of(game: Game[Any], state: Any, answer: object) -> dict[Move, float]:
    """Return the moves of an answer with their chances; a wrong one is a fault."""
    try:
        return check_answer(game, state, answer)
    except UnreadableMove as error:
        raise PlayerFault("unreadable", str(error)) from error
    except IllegalMove as error:
        message = f"The answer is {brief(answer, 60)}. {error.reason}"
        raise PlayerFault("illegal", message) from error


def played(moves: Iterable[tuple[Move, float]]) -> tuple[MoveChance, ...]:
    """List the moves of an answer: JSON has no integers as keys."""
    return tuple(MoveChance(*pair) for pair in moves)
