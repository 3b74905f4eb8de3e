"""A walk over rules that may be broken: what is wrong, and the shortest line of moves to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from zerosum.errors import Nonconforming
from zerosum.lab.audit.document import Fault
from zerosum.limits import QUICK_POSITIONS
from zerosum.protocol import Game, Move
from zerosum.registry.loading import blame
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph, is_symmetric
from zerosum.states import walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import (
    check_legality,
    check_moves,
    check_outcome,
    check_start,
    check_state,
    check_symmetry,
    check_turns,
)


class Exploration(NamedTuple):
    """What a walk found, in how many positions, and whether these were too many in time."""

    faults: tuple[Fault, ...]
    positions: int
    late: bool = False


def explore(game: Game[Any], limit: int, seconds: float | None = None) -> Exploration:
    """Check the rules in up to `limit` positions, breadth first, and go on after every fault.

    `seconds` is for rules that are slow.

    >>> import zerosum
    >>> explore(zerosum.game("even-steven"), limit=1_000)
    Exploration(faults=(), positions=23, late=False)
    """
    explorer = _Explorer(game, seconds)
    count, late = 0, False
    try:
        with numbers_of_any_length():
            first = explorer.start()
            states = () if first is None else walk(game, first, limit=limit, after=explorer.after)
            for count, _ in enumerate(states, 1):
                if count >= QUICK_POSITIONS and explorer.found:
                    break
            explorer.finish(count)
    except Late:
        count, late = max(0, count - 1), True  # the last one is not done
    faults = tuple(
        Fault(code, message, line, "error", len(states) or None)  # type: ignore[arg-type]
        for code, (message, line, states) in explorer.found.items()
    )
    return Exploration(faults, count, late)


def first_difference(
    game: Game[Any],
    table: StateGraph[Any],
    seconds: float | None = None,
    most: int | None = None,
) -> int | None:
    """Ask the rules again in all positions of a table; return the first that is not as it was.

    Raises Late once the seconds are over. With `most`, at most that many positions are asked
    about, spread evenly.

    >>> import zerosum
    >>> from zerosum.solver.table import build_table
    >>> game = zerosum.game("even-steven")
    >>> first_difference(game, build_table(game)) is None
    True
    """
    known, canonical, play = table.index.get, game.canonical, game.play
    deadline = inf if seconds is None else monotonic() + seconds
    step = 1 if most is None else -(-len(table) // most)
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


def lines_to(game: Game[Any], wanted: Iterable[Any], limit: int) -> dict[Any, tuple[Move, ...]]:
    """Return a shortest line of moves to each of some states, where one is found."""
    left = set(wanted)
    found: dict[Any, tuple[Move, ...]] = {}
    explorer = _Explorer(game)

    def after(state: Any) -> list[Any]:
        following = []
        with suppress(Exception):  # what lies beyond a broken position is not looked for
            for move in game.moves(state):
                then = game.play(state, move)
                explorer.came.setdefault(then, (state, move))
                following.append(then)
        return following

    with suppress(Exception):
        explorer.came[game.initial()] = None
        for state in walk(game, limit=limit, after=after):
            if state in left:
                found[state] = explorer.line(state)
                left.remove(state)
            if not left:
                break
    return found


class _Explorer:
    """A walk in progress: how each position was reached first, and the faults by code."""

    def __init__(self, game: Game[Any], seconds: float | None = None) -> None:
        self.game = game
        self.check = Checker(game, seconds)
        self.came: dict[Any, tuple[Any, Move] | None] = {}
        self.ends: set[Any] = set()
        self.found: dict[str, tuple[str, tuple[Move, ...] | None, set[Any]]] = {}
        # Without rules of its own about legality, a game cannot contradict itself.
        kind = type(game)
        self.judges = kind.is_legal is not Game.is_legal or kind.objection is not Game.objection
        self.symmetric = is_symmetric(game)

    def start(self) -> Any:
        """Check the start, and return it; None if there is nothing to go on from."""
        state: Any = None
        with suppress(Exception, SystemExit):
            state = self.game.initial()
            hash(state)
            self.came[state] = None
        first = state if self.came else None
        with self.noting(first):
            check_start(self.check)
        with suppress(Exception):  # which was noted
            check_state(self.check, first, "initial()")
            return first
        return None

    def finish(self, count: int) -> None:
        """Check what all positions show together, if these are all and nothing else is wrong."""
        if not self.found and count == len(self.came) > 0:
            try:
                check_turns(self.check, self.came, self.ends)
            except Nonconforming as error:
                self.found[error.code] = self._sentence(error), None, set()

    def after(self, state: Any) -> list[Any]:
        """Check a position, and return those after it that are sound."""
        moves = self._moves(state)
        if moves is None:
            return []
        if not moves:
            self.ends.add(state)
        with self.noting(state):
            check_outcome(self.check, state, moves)
        if moves and self.judges:
            with self.noting(state):
                check_legality(self.check, state, moves)
        if self.symmetric:
            with self.noting(state):
                check_symmetry(self.check, state)
        following = []
        for move in moves:
            with self.noting(state, move):
                after = self._play(state, move)
                self.came.setdefault(after, (state, move))
                following.append(after)
        return following

    def _moves(self, state: Any) -> tuple[Move, ...] | None:
        """Return the moves of a position, as far as they are moves at all; None if none is."""
        with self.noting(state):
            return check_moves(self.check, state)
        with suppress(Exception, SystemExit):  # which was noted
            found = dict.fromkeys(m for m in self.game.moves(state) if type(m) in (int, str))
            return tuple(found) or None
        return None

    def _play(self, state: Any, move: Move) -> Any:
        """Play a move; a state that was checked before is not checked again."""
        after = self.check.call_twice(self.game.play, state, move)
        if type(after) is not type(state) or not self._is_known(after):
            check_state(self.check, after, "play()", state, move)
        return after

    def _is_known(self, state: Any) -> bool:
        """Return whether a state was reached before; one that has no hash was not."""
        try:
            return state in self.came
        except TypeError:
            return False

    @contextmanager
    def noting(self, state: Any, *moves: Move) -> Iterator[None]:
        """Note what is wrong with a position, or with a move there, and go on."""
        try:
            yield
        except Nonconforming as error:
            self._note(error.code, self._sentence(error), state, moves)
        except Exception as error:  # what rules return may fail too, as soon as it is looked at
            self._note("crash", f"The rules fail in {blame(error)}.", state, moves)

    def _sentence(self, error: Nonconforming) -> str:
        """Return what is wrong as a sentence, without the name of the game."""
        message = str(error).removeprefix(f"{self.check.name}: ")
        # A sentence that begins with the name of a method keeps it as it is.
        if message.partition(" ")[0].isalpha():
            message = message[0].upper() + message[1:]
        return message

    def _note(self, code: str, message: str, state: Any, moves: tuple[Move, ...]) -> None:
        """Remember the first fault of each code, and the positions that have it."""
        if code not in self.found:
            self.found[code] = message, (*self.line(state), *moves), set()
        self.found[code][2].add(state)

    def line(self, state: Any) -> tuple[Move, ...]:
        """Return the moves from the start to a position, as few as possible."""
        moves: list[Move] = []
        while (step := self.came.get(state)) is not None:
            state, move = step
            moves.append(move)
        return tuple(reversed(moves))
