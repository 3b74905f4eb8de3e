"""What a player answers in the positions of a table, once or several times; kept in a journal."""

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, get_args

import msgspec
import numpy as np
from msgspec import Struct

from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.documents import to_dict
from zerosum.errors import ZerosumError
from zerosum.lab.journal import Journal
from zerosum.lab.measure.at_once import AskingThreads
from zerosum.lab.measure.far import lines_of
from zerosum.lab.measure.measurement import Basis, Contradiction, MoveChance, Spending
from zerosum.options import option_values
from zerosum.players.asked import (
    PASSING,
    FaultKind,
    Player,
    PlayerFault,
    is_deterministic,
    moves_of,
)
from zerosum.protocol import Move
from zerosum.registry.fingerprint import fingerprint
from zerosum.text import brief

# The most characters of an answer that are kept.
LONGEST_SAID = 10_000
# The most positions in which a player that declares itself deterministic is asked twice.
CHECKED = 8
# What an answer may be, from the one that says most to the one that says least.
BASES = get_args(Basis)
# The kind of fault, and a sentence.
Faulty = tuple[FaultKind, str]
# A position, by its number in the table, and which question about it this is, from 1.
Asked = tuple[int, int]
# Called with how many questions were answered, and how many there are so far.
OnAnswer = Callable[[int, int], None]


class Reply(Struct, frozen=True):
    """What was answered once: moves with their chances, or a fault, and what the answer is.

    The journal has such rows too, but not what an answer took, which differs between two runs.
    """

    basis: Basis
    moves: tuple[tuple[Move, float], ...] = ()
    kind: FaultKind | None = None
    message: str = ""
    said: str = ""
    prompt_hash: str = ""
    spent: Spending | None = None


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
        self.given: dict[int, list[Reply]] = {}
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
        self.given[index] = replies
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
        threads: AskingThreads,
    ) -> None:
        """Take where the answers go, whom to ask, how often, and how many questions at once."""
        self._answers = answers
        self._player = player
        self._game = answers.table.game
        self._samples, self._budget = samples, budget
        self._journal = journal
        self._progress = progress or (lambda done, total: None)
        self._threads = threads
        self._done = self._total = 0
        self._checked: dict[Asked, Reply] = {}
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
        if new and not self._checked:
            self._check(new[:: -(-len(new) // CHECKED)])
        room = len(new) if self._budget is None else self._budget - answers.questions
        asked = new[:room]
        first = dict(zip(asked, self._replies([(state, 1) for state in asked]), strict=True))
        if answers.contradiction is not None:
            for state, reply in first.items():
                if reply.basis == "deterministic":
                    first[state] = msgspec.structs.replace(reply, basis="drawn")
        drawn = [state for state, reply in first.items() if reply.basis == "drawn"]
        samples = range(2, self._samples + 1)
        more = iter(self._replies([(state, sample) for state in drawn for sample in samples]))
        for state, reply in first.items():
            others = len(samples) if reply.basis == "drawn" else 0
            answers.take(state, [reply, *islice(more, others)])
        if len(asked) < len(new):
            raise OverBudget

    def _check(self, states: Sequence[int]) -> None:
        """Ask twice about some positions, if the player declares itself deterministic."""
        first = dict(zip(states, self._replies([(state, 1) for state in states]), strict=True))
        sure = [state for state, reply in first.items() if reply.basis == "deterministic"]
        second = dict(zip(sure, self._replies([(state, 2) for state in sure]), strict=True))
        self._checked = {(state, 1): reply for state, reply in first.items()}
        self._checked |= {(state, 2): reply for state, reply in second.items()}
        for state, again in second.items():
            before = first[state]
            if PASSING & {before.kind, again.kind}:  # no answer at all contradicts nothing
                continue
            if before.kind != again.kind or before.moves != again.moves:
                table = self._answers.table
                self._answers.contradiction = Contradiction(
                    lines_of(table).moves_to(state),
                    table.state(state),
                    played(before.moves),
                    played(again.moves),
                )
                return

    def _replies(self, questions: Sequence[Asked]) -> list[Reply]:
        """Return the answers to questions, those that are known without asking again."""
        keys = {question: self._key(*question) for question in questions}
        replies = {question: self._known(question, key) for question, key in keys.items()}
        missing = [question for question, reply in replies.items() if reply is None]
        self._total += len(missing)
        if missing and not self._done:
            self._progress(0, self._total)

        def take(question: Asked, reply: Reply) -> None:
            replies[question] = reply
            # Ask again next time: the machine may have been busy, or the player mended since.
            if self._journal is not None and reply.kind not in PASSING:
                state = self._answers.table.state(question[0])
                row = to_dict(msgspec.structs.replace(reply, spent=None))
                self._journal.add(keys[question], {"state": state, **row})
            self._done += 1
            self._progress(self._done, self._total)

        self._threads.ask_all(self._ask, missing, take)
        return [reply for reply in replies.values() if reply is not None]

    def _key(self, index: int, sample: int) -> str:
        """Return what the journal calls a question; without one, nothing."""
        if self._journal is None:
            return ""
        try:
            about = (*self._about, tuple(self._answers.table.state(index)), sample)
            return hashlib.sha256(repr(about).encode()).hexdigest()
        except ValueError as error:  # a very long number
            raise ZerosumError("The numbers of this game are too long for a journal.") from error

    def _known(self, question: Asked, key: str) -> Reply | None:
        """Return an answer that was given before, if it is known and legal."""
        if question in self._checked or self._journal is None:
            return self._checked.get(question)
        with suppress(msgspec.ValidationError, PlayerFault):
            reply = msgspec.convert(self._journal.get(key), Reply)
            if reply.kind is not None:
                return None if reply.moves else reply
            # A damaged row is asked again; a sound one is taken to the last digit.
            moves, state = dict(reply.moves), self._answers.table.state(question[0])
            return reply if moves_of(self._game, state, moves).keys() == moves.keys() else None
        return None

    def _ask(self, question: Asked) -> Reply:
        """Ask the player, and check its answer."""
        index, sample = question
        state = self._answers.table.state(index)
        said, begun = None, time.monotonic()
        moves: dict[Move, float] = {}
        kind: FaultKind | None = None
        message = ""
        try:
            said = self._player.ask(state, sample)
            moves = moves_of(self._game, state, said)
        except PlayerFault as fault:
            kind, message = fault.kind, str(fault)
        spent = Spending(None, time.monotonic() - begun, None)
        known = kind is None and isinstance(said, Mapping)
        basis: Basis = "chances" if known else self._basis
        text = brief(said, LONGEST_SAID) if said is not None else ""
        return Reply(basis, tuple(moves.items()), kind, message, text, spent=spent)

    @property
    def _basis(self) -> Basis:
        """What an answer without chances is: the player may have declared it by now."""
        return "deterministic" if is_deterministic(self._player) else "drawn"


def played(moves: Iterable[tuple[Move, float]]) -> tuple[MoveChance, ...]:
    """List the moves of an answer: JSON has no integers as keys."""
    return tuple(MoveChance(*pair) for pair in moves)
