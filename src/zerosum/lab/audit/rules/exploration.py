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
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph
from zerosum.states import walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import check_play, check_position, check_start, check_state, check_turns


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

    def start(self) -> Any:
        """Check the start, and return it; None if there is nothing to go on from."""
        state: Any = None
        with suppress(Exception, SystemExit):
            state = self.game.initial()
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
            with self.noting(None):
                check_turns(self.check, self.came, self.ends)
            # It is about the whole game: no line shows it.
            self.found = {code: (said, None, set()) for code, (said, *_) in self.found.items()}

    def after(self, state: Any) -> list[Any]:
        """Check a position, and return those after it that are sound."""
        with self.noting(state):
            following = check_position(self.check, state)
            for move, then in zip(self.game.moves(state), following, strict=True):
                self.came.setdefault(then, (state, move))
            if not following:
                self.ends.add(state)
            return following
        return list(self._beyond(state))

    def _beyond(self, state: Any) -> Iterator[Any]:
        """Yield what follows a position that has a fault, as far as it can be played."""
        with suppress(Exception, SystemExit):
            for move in dict.fromkeys(self.game.moves(state)):
                with suppress(Exception, SystemExit):
                    then = check_play(self.check, state, move)
                    self.came.setdefault(then, (state, move))
                    yield then

    @contextmanager
    def noting(self, state: Any) -> Iterator[None]:
        """Note what is wrong with a position, and go on: the first of each code, and how often."""
        try:
            yield
        except Nonconforming as error:
            self._note(error.code, str(error).removeprefix(f"{self.check.name}: "), state)
        except Exception as error:  # what rules return may fail too, as soon as it is looked at
            self._note("crash", f"The rules fail in {blame(error)}.", state)
        self.check.position = self.check.move = None

    def _note(self, code: str, message: str, state: Any) -> None:
        """Remember the first fault of each code, and the positions that have it."""
        # A sentence that begins with the name of a method keeps it as it is.
        if message.partition(" ")[0].isalpha():
            message = message[0].upper() + message[1:]
        if code not in self.found:
            move = () if self.check.move is None else (self.check.move,)
            self.found[code] = message, (*self.line(state), *move), set()
        self.found[code][2].add(state)

    def line(self, state: Any) -> tuple[Move, ...]:
        """Return the moves from the start to a position, as few as possible."""
        moves: list[Move] = []
        while (step := self.came.get(state)) is not None:
            state, move = step
            moves.append(move)
        return tuple(reversed(moves))
