"""A walk over rules that may be broken: what is wrong, and the shortest line of moves to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from msgspec.structs import replace

from zerosum.errors import Nonconforming
from zerosum.lab.audit.document import Fault
from zerosum.limits import QUICK_POSITIONS, Limits
from zerosum.protocol import Game, Move
from zerosum.registry.loading import blame
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph
from zerosum.states import walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import check_play, check_position, check_start, check_state, check_turns
from zerosum.text import counted


class RuleFaults(NamedTuple):
    """What is wrong with the rules; and if that was not checked to the end, how far it got."""

    found: tuple[Fault, ...]
    unfinished: str = ""


def explore(game: Game[Any], limit: int, seconds: float | None = None) -> RuleFaults:
    """Check the rules in up to `limit` positions, breadth first, and go on after every fault.

    `seconds` is for rules that are slow.

    >>> import zerosum
    >>> explore(zerosum.game("even-steven"), limit=1_000)
    RuleFaults(found=(), unfinished='')
    """
    explorer = Explorer(game, seconds)
    unfinished, count = "", 0
    try:
        with numbers_of_any_length():
            first = explorer.start()
            states = () if first is None else walk(game, first, limit=limit, after=explorer.after)
            for count, _ in enumerate(states, 1):
                if count >= QUICK_POSITIONS and explorer.found:
                    break
            explorer.finish(count)
    except Late:
        done = counted(max(0, count - 1), "position")  # the last one is not done
        unfinished = f"The rules were checked in only {done} within {seconds:g} seconds."
    return RuleFaults(tuple(explorer.found.values()), unfinished)


def first_difference(
    game: Game[Any], table: StateGraph[Any], limits: Limits, step: int = 1
) -> int | None:
    """Ask the rules again in the positions of a table; return the first that is not as it was.

    Only every `step`th position is asked about. Raises Late once the seconds are over.

    >>> import zerosum
    >>> from zerosum.solver.table import build_table
    >>> game = zerosum.game("even-steven")
    >>> first_difference(game, build_table(game), Limits()) is None
    True
    """
    known, canonical, play = table.index.get, game.canonical, game.play
    deadline = limits.deadline()
    try:
        for number, state in islice(enumerate(table.states()), 0, None, step):
            if monotonic() > deadline:
                raise Late
            outcome = game.outcome(state)
            if outcome is not None:
                won = WON if outcome.winner == state.player else LOST
                if table.ends[number] != (DRAWN if outcome.winner is None else won):
                    return number
                continue
            leads = [known(canonical(play(state, move))) for move in game.moves(state)]
            then = table.targets[table.offsets[number] : table.offsets[number + 1]]
            if table.ends[number] != OPEN or leads != then.tolist():
                return number
    except (Exception, SystemExit):  # they failed now, and did not before
        return number
    return None


class Explorer:
    """A walk in progress: how each position was reached first, and the faults by code."""

    def __init__(self, game: Game[Any], seconds: float | None = None) -> None:
        """Take the game, and the time for its rules."""
        self.game = game
        self.found: dict[str, Fault] = {}
        self._check = Checker(game, seconds)
        self._came: dict[Any, tuple[Any, Move] | None] = {}
        self._ends: set[Any] = set()

    def lines_to(self, wanted: Iterable[Any], limit: int) -> dict[Any, tuple[Move, ...]]:
        """Return a shortest line of moves to each of some states, where one is found."""

        def after(state: Any) -> Iterator[Any]:
            with suppress(Exception):  # what lies beyond a broken position is not looked for
                for move in self.game.moves(state):
                    yield self._reach(self.game.play(state, move), state, move)

        left = set(wanted)
        lines: dict[Any, tuple[Move, ...]] = {}
        with suppress(Exception):
            first = self.game.initial()
            self._came[first] = None
            for state in walk(self.game, first, limit=limit, after=after):
                if state in left:
                    lines[state] = self._line(state)
                if len(lines) == len(left):
                    break
        return lines

    def start(self) -> Any:
        """Return the start; None, with a fault, if there is nothing to go on from."""
        with suppress(Exception, SystemExit):
            state = self.game.initial()
            check_state(self._check, state, "initial()")
            self._came[state] = None
            return state
        with self._noting(None):
            check_start(self._check)
        return None

    def after(self, state: Any) -> list[Any]:
        """Check a position, and return those after it that are sound."""
        with self._noting(state):
            if self._came[state] is None:
                check_start(self._check)
            following = check_position(self._check, state)
            for move, then in zip(self.game.moves(state), following, strict=True):
                self._reach(then, state, move)
            if not following:
                self._ends.add(state)
            return following
        return list(self._beyond(state))

    def finish(self, count: int) -> None:
        """Check what all positions show together, if these are all and nothing else is wrong."""
        if not self.found and count == len(self._came) > 0:
            with self._noting(None):
                check_turns(self._check, self._came, self._ends)
            # It is about the whole game: no line shows it.
            for code, fault in self.found.items():
                self.found[code] = replace(fault, witness=None, positions=None)

    def _reach(self, then: Any, state: Any, move: Move) -> Any:
        """Remember how a state was reached first, and return it."""
        self._came.setdefault(then, (state, move))
        return then

    def _beyond(self, state: Any) -> Iterator[Any]:
        """Yield what follows a position that has a fault, as far as it can be played."""
        with suppress(Exception, SystemExit):
            for move in dict.fromkeys(self.game.moves(state)):
                with suppress(Exception, SystemExit):
                    yield self._reach(check_play(self._check, state, move), state, move)

    @contextmanager
    def _noting(self, state: Any) -> Iterator[None]:
        """Note what is wrong with a position, and go on: the first of each code, and how often."""
        try:
            yield
        except Nonconforming as error:
            self._note(error.code, str(error).removeprefix(f"{self._check.name}: "), state)
        except Exception as error:  # what rules return may fail too, as soon as it is looked at
            self._note("crash", f"The rules fail in {blame(error)}.", state)
        self._check.position = self._check.move = None

    def _note(self, code: str, message: str, state: Any) -> None:
        """Remember the first fault of each code, and how many positions have it."""
        # A sentence that begins with the name of a method keeps it as it is.
        if message.partition(" ")[0].isalpha():
            message = message[0].upper() + message[1:]
        fault = self.found.get(code)
        if fault is None:
            move = () if self._check.move is None else (self._check.move,)
            witness = (*self._line(state), *move)
            self.found[code] = Fault(code, message, witness, "error", 1)  # type: ignore[arg-type]
        else:
            self.found[code] = replace(fault, positions=(fault.positions or 0) + 1)

    def _line(self, state: Any) -> tuple[Move, ...]:
        """Return the moves from the start to a position, as few as possible."""
        moves: list[Move] = []
        while (step := self._came.get(state)) is not None:
            state, move = step
            moves.append(move)
        return tuple(reversed(moves))
