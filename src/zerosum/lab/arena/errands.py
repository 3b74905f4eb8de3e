"""What a process of the arena does: judge a player in a game, or let two play some games."""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from zerosum.bulk.policies import check_policy
from zerosum.bulk.table import Floats, Table
from zerosum.lab.arena.entrants import Entrant, asked_player
from zerosum.lab.arena.exact import KnownPlayer
from zerosum.lab.arena.leaderboard import JudgedPlayer, SeatEnds
from zerosum.lab.audit.document import FileRow
from zerosum.lab.audit.processes.one_game import Stop, refusal_of
from zerosum.lab.journal import open_journal
from zerosum.lab.measure.measurement import Measurement
from zerosum.lab.measure.measuring import measured_answers
from zerosum.limits import Limits
from zerosum.match import Match
from zerosum.players.asked import FaultKind, PlayerFailed, PlayerFault, moves_of
from zerosum.players.autoplay import ENDLESS_PLIES, LONGEST_GAME, REPEATS, play_out
from zerosum.players.level_policies import PolicyPlayer, level_policy
from zerosum.players.levels import LevelBot, sample, soon_known
from zerosum.players.programs import GamePlace
from zerosum.protocol import Game, Move
from zerosum.registry import find
from zerosum.solver.solution import Solution

# What a player answers in a position, for the number of the question: moves with their chances.
Ask = Callable[[Any, int], Mapping[Move, float]]


class Task(Struct, frozen=True, kw_only=True):
    """What a process does: one player is judged, and two play the games with some numbers.

    In a game with an even number, the first of the two moves first. Instead of a `player`, each
    has its chances as text, if these are known.
    """

    options: dict[str, Any]
    folder: str
    players: tuple[Entrant, ...]
    seed: int
    samples: int
    budget: int | None
    seconds: float | None
    table: bool
    begin: int = 0
    end: int = 0


class ArenaRow(FileRow, frozen=True, kw_only=True, tag_field="format", tag="arena"):
    """What became of a task; `failed` says why nothing did, because of `guilty`."""

    failed: str = ""
    guilty: str = ""
    judgement: JudgedPlayer | None = None
    known: tuple[str, str] | None = None
    first: SeatEnds | None = None
    second: SeatEnds | None = None
    faults: tuple[dict[FaultKind, int], ...] = ()

    @property
    def lasting(self) -> bool:
        """Whether another try would come to the same: no player failed, or was late."""
        kinds = {kind for counts in self.faults for kind, count in counts.items() if count}
        if self.judgement is not None:
            kinds |= {kind for kind, count in self.judgement.faults.items() if count}
        return self._complete and not kinds & {"late", "crash"}

    @property
    def _complete(self) -> bool:
        """Whether a player was judged, or two have played; a damaged row may say neither."""
        seats = (self.first, self.second)
        played = len(self.faults) == 2 and all(ends is not None and ends.games for ends in seats)
        with suppress(ValueError):
            sound = all(len(unpacked(text)) for text in self.known or ())
            return sound and not self.failed and (self.judgement is not None or played)
        return False


def packed(values: Floats) -> str:
    """Write numbers as text.

    >>> unpacked(packed(np.array([0.25, 0.75]))).tolist()
    [0.25, 0.75]
    """
    return base64.b85encode(zlib.compress(values.astype("<f8").tobytes())).decode()


def unpacked(text: str) -> Floats:
    """Read numbers that were written as text."""
    try:
        content = zlib.decompress(base64.b85decode(text))
    except zlib.error as error:
        raise ValueError(error) from error
    return np.frombuffer(content, "<f8").astype(np.float64)


def worked(
    target: str, positions: int, name: str, file: str, text: str, saved: str = ""
) -> Iterator[ArenaRow | Stop]:
    """Do a task; nothing is raised. Answers are saved in a file, if there is one."""
    try:
        task = msgspec.json.decode(text, type=Task)
        game = find(target).variant(**task.options)
        with suppress(OSError):  # another machine may not have the folder
            os.chdir(task.folder)
        row = ArenaRow(name=name, file=file)
        table = Table(game, Limits(positions)) if task.table else None
        if len(task.players) == 1:
            assert table is not None  # noqa: S101 (nobody is judged without one)
            yield _judged(row, table, task, saved)
        else:
            yield _played(row, game, table, task)
    except PlayerFailed as failure:
        (guilty,) = failure.args[1:] or [task.players[0].name]
        yield msgspec.structs.replace(row, failed=str(failure.args[0]), guilty=guilty)
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield refusal_of(error, solved=False)


def judgement_of(game: str, name: str, measured: Measurement) -> JudgedPlayer:
    """Take from a measurement what a leaderboard says about a player in a game."""
    return JudgedPlayer(
        game=game,
        player=name,
        exact=measured.exact,
        right=measured.good,
        slips=measured.slips,
        regret=measured.regret,
        exploitability=None if measured.worst is None else measured.worst.exploitability,
        faults={kind: count for kind, count in measured.faults.items() if count},
    )


def _judged(row: ArenaRow, table: Table[Any], task: Task, saved: str) -> ArenaRow:
    """Ask a player about all that its games depend on."""
    (entrant,) = task.players
    with ExitStack() as stack:
        player = asked_player(entrant, table.game, table.actions, task.seconds, task.seed)
        stack.enter_context(player)
        journal = stack.enter_context(open_journal(saved)) if saved else None
        measured = measured_answers(table, player, task.samples, task.budget, task.seed, journal)
    known = KnownPlayer.of(measured)
    both = None if known is None else (packed(known.chances), packed(known.faulty))
    judged = judgement_of(row.name, entrant.name, measured.measurement)
    return msgspec.structs.replace(row, judgement=judged, known=both)


def _played(row: ArenaRow, game: Game[Any], table: Table[Any] | None, task: Task) -> ArenaRow:
    """Let two players play."""
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    faults: tuple[Counter[FaultKind], Counter[FaultKind]] = (Counter(), Counter())
    limits = {} if table is not None else {"repeats": REPEATS, "plies": LONGEST_GAME}
    with ExitStack() as stack:
        players = [_ReadyPlayer(entrant, game, table, task, stack) for entrant in task.players]
        names = [entrant.name for entrant in task.players]
        turn = 0
        for number in range(task.begin, task.end):
            seat = number % 2
            seeds = [json.dumps([task.seed, number, name, *names]) for name in names]
            rngs = [Random(seed) for seed in seeds]  # noqa: S311

            def choose(match: Match[Any], number: int = number, rngs: Any = rngs) -> Move:
                nonlocal turn
                turn = match.mover ^ number % 2
                return players[turn].move(match, rngs[turn], number)

            try:
                ended = play_out(Match.new(game), choose, **limits).round.end
            except PlayerFault as fault:  # of whoever had to move
                faults[turn][fault.kind] += 1
                counts[seat].update(("wins", "gifts") if turn else ("losses", "forfeits"))
                continue
            if ended is None or ended.by == "endless":
                counts[seat]["endless"] += 1
            elif ended.winner is None:
                counts[seat]["draws"] += 1
            else:
                counts[seat]["wins" if ended.winner == seat else "losses"] += 1
    first, second = (
        SeatEnds(**{name: float(count[name]) for name in SeatEnds.__struct_fields__})
        for count in counts
    )
    return msgspec.structs.replace(row, first=first, second=second, faults=tuple(map(dict, faults)))


class _ReadyPlayer:
    """A player of a task, ready to be asked."""

    def __init__(
        self,
        entrant: Entrant,
        game: Game[Any],
        table: Table[Any] | None,
        task: Task,
        stack: ExitStack,
    ) -> None:
        """Start it if it is a program; a policy needs no asking."""
        self.entrant = entrant
        self._known: Solution[Any] | None = None
        self._policy: PolicyPlayer | None = None
        self._asked: Any = None
        if table is not None and entrant.player is not None:
            self._policy = PolicyPlayer(table, check_policy(table, unpacked(entrant.player)))
        elif table is not None and entrant.kind == "level":
            self._policy = PolicyPlayer(table, level_policy(table, entrant.word))
        elif entrant.kind == "level":
            self._known = Solution(game) if entrant.word == "perfect" else soon_known(game)
        else:
            actions = () if table is None else table.actions
            with _blaming(entrant):
                player = asked_player(entrant, game, actions, task.seconds, task.seed)
            self._asked = stack.enter_context(player)

    def move(self, match: Match[Any], rng: Random, number: int) -> Move:
        """Move in the game with a number; only choices need an answer, and a fault is raised."""
        game, state = match.game, match.state
        if len(moves := game.moves(state)) == 1:
            return moves[0]
        if self._known is not None:
            return LevelBot(self.entrant.word, game, rng, self._known).move(state)
        if self._policy is not None:
            return sample(self._policy(game, state), rng)
        place = GamePlace(number + 1, 1, state.player, tuple(match.round.moves))
        question = 1 + number * ENDLESS_PLIES + match.ply
        with _blaming(self.entrant):
            return sample(moves_of(game, state, self._asked.ask(state, question, place)), rng)


@contextmanager
def _blaming(entrant: Entrant) -> Iterator[None]:
    """Let the failure of a player name it."""
    try:
        yield
    except PlayerFailed as failure:
        raise PlayerFailed(str(failure), entrant.name) from failure
