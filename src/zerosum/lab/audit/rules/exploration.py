"""A walk over rules that may be broken: the faults, and the shortest way to each."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from zerosum.errors import Nonconforming, RulesTooSlow
from zerosum.lab.audit.document import Fault
from zerosum.limits import FAULTY_POSITIONS, Limits
from zerosum.protocol import Game, Move
from zerosum.registry.loading import blame
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph
from zerosum.states import next_states, walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import check_play, check_position, check_start, check_turns
from zerosum.text import counted, upper_first

# The moves of a position, each with the position that it leads to.
Steps = list[tuple[Move, Any]]


class RuleFaults(NamedTuple):
    """What is wrong with the rules; and how far an unfinished check got."""

    found: tuple[Fault, ...]
    unfinished: str = ""


def explore(game: Game[Any], limits: Limits) -> RuleFaults:
    """Check positions up to the limits, breadth first; keep the first fault of each code.

    The seconds are for rules that are slow.

    >>> import zerosum
    >>> explore(zerosum.game("even-steven"), Limits(1_000))
    RuleFaults(found=(), unfinished='')
    """
    explorer = _Explorer(game, limits.seconds)
    try:
        with numbers_of_any_length():
            explorer.explore(limits.positions)
    except Late:
        if not explorer.found:
            some = f"only {counted(max(0, explorer.done - 1), 'position')}"  # the last is not done
            time = f"within {limits.seconds:g} seconds"
            return RuleFaults((), f"The rules were checked in {some} {time}.")
    return RuleFaults(tuple(explorer.found.values()))


def lines_to(game: Game[Any], wanted: Iterable[Any], limit: int) -> dict[Any, tuple[Move, ...]]:
    """Return a shortest line of moves to each state for which one is found."""
    walked, left = RuleWalk(game), set(wanted)
    lines: dict[Any, tuple[Move, ...]] = {}

    def after(state: Any) -> Steps:
        with suppress(Exception):  # what lies beyond a broken position is not looked for
            return list(zip(game.moves(state), next_states(game, state), strict=False))
        return []

    with suppress(Exception):
        for state in walked.walk(limit, after):
            if state in left:
                lines[state] = walked.line_to(state)
            if len(lines) == len(left):
                break
    return lines


class RuleWalk:
    """A walk over the rules, breadth first: how positions were reached."""

    def __init__(self, game: Game[Any]) -> None:
        """Take the game."""
        self.game = game
        self.came: dict[Any, tuple[Any, Move] | None] = {}

    def walk(self, limit: int, after: Callable[[Any], Steps]) -> Iterator[Any]:
        """Yield up to `limit` positions; `after` lists the moves of one, and what they lead to."""

        def following(state: Any) -> list[Any]:
            steps = after(state)
            for move, then in steps:
                self.came.setdefault(then, (state, move))
            return [then for _, then in steps]

        first = self.game.initial()
        self.came[first] = None
        return walk(self.game, first, limit=limit, after=following)

    def line_to(self, state: Any) -> tuple[Move, ...]:
        """Return the fewest moves from the start to a position."""
        moves: list[Move] = []
        while (step := self.came.get(state)) is not None:
            state, move = step
            moves.append(move)
        return tuple(reversed(moves))


class _Explorer:
    """A check of all positions: the first fault of each code."""

    def __init__(self, game: Game[Any], seconds: float | None) -> None:
        """Take the game."""
        self.game = game
        self.check = Checker(game, seconds)
        self.walked = RuleWalk(game)
        self.found: dict[str, Fault] = {}
        self.done = 0

    def explore(self, limit: int) -> None:
        """Check up to `limit` positions, or fewer if something is wrong."""
        with self.noting():
            check_start(self.check)
        if self.found:
            return
        for _ in self.walked.walk(limit, self.after):
            self.done += 1
            if self.found and self.done >= FAULTY_POSITIONS:
                return
        came = self.walked.came
        if self.done == len(came) and not self.found:  # these are all
            ends = [state for state in came if not self.game.moves(state)]
            with self.noting(whole=True):
                check_turns(self.check, came, ends)

    def after(self, state: Any) -> Steps:
        """Check a position, and list its moves as far as they work."""
        with self.noting():
            after = check_position(self.check, state)
            return list(zip(self.game.moves(state), after, strict=False))
        with suppress(Exception):  # which was noted
            if self.game.outcome(state) is not None:
                return []
        steps = []
        with suppress(Exception):
            for move in self.check.call(self.game.moves, state):
                if isinstance(move, int | str):
                    with self.noting():
                        steps.append((move, check_play(self.check, state, move)))
        return steps

    @contextmanager
    def noting(self, whole: bool = False) -> Iterator[None]:
        """Note what is wrong here, or with the whole game, and go on."""
        try:
            yield
        except Exception as error:  # what rules return may fail too, as soon as it is looked at
            code = "crash"
            message = f"The rules fail in {blame(error)}."
            if isinstance(error, Nonconforming):
                code = error.code
                message = str(error).removeprefix(f"{self.check.name}: ")
            move = () if self.check.move is None else (self.check.move,)
            self.check.move = None
            # No line shows what is about the whole game.
            witness = None
            if not whole:
                witness = (*self.walked.line_to(self.check.position), *move)
            fault = Fault(code, upper_first(message), witness, "error")  # type: ignore[arg-type]
            self.found.setdefault(code, fault)
            if isinstance(error.__cause__, RulesTooSlow):  # and would be, again and again
                raise Late from error


def first_difference(
    game: Game[Any], table: StateGraph[Any], limits: Limits, step: int = 1
) -> int | None:
    """Ask the rules again in a table's positions; return the first that has changed.

    Only every `step`th position is asked about. Raises Late once the seconds are over.

    >>> import zerosum
    >>> from zerosum.solver.table import build_table
    >>> game = zerosum.game("even-steven")
    >>> first_difference(game, build_table(game), Limits()) is None
    True
    """
    known = table.index.get
    canonical = game.canonical
    play = game.play
    deadline = limits.deadline()
    try:
        for number, state in islice(enumerate(table.index), 0, None, step):
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
