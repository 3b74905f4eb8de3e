"""A walk over rules that may be broken: what is wrong, and the shortest line of moves to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from zerosum.errors import Nonconforming
from zerosum.lab.audit.document import Fault
from zerosum.limits import Limits
from zerosum.protocol import Game, Move
from zerosum.registry.loading import blame
from zerosum.solver.table import DRAWN, LOST, OPEN, WON, StateGraph
from zerosum.states import next_states, walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import check_position, check_start, check_turns
from zerosum.text import counted


class RuleFaults(NamedTuple):
    """What is wrong with the rules; and if that was not checked to the end, how far it got."""

    found: tuple[Fault, ...]
    unfinished: str = ""


def explore(game: Game[Any], limit: int, seconds: float | None = None) -> RuleFaults:
    """Check the rules in up to `limit` positions, breadth first, up to the first fault.

    `seconds` is for rules that are slow.

    >>> import zerosum
    >>> explore(zerosum.game("even-steven"), limit=1_000)
    RuleFaults(found=(), unfinished='')
    """
    check, walked, done = Checker(game, seconds), RuleWalk(game), 0
    code, whole = "crash", False
    try:
        with numbers_of_any_length():
            check_start(check)
            for _ in walked.walk(limit, partial(check_position, check)):
                done += 1
            if done == len(walked.came):  # these are all
                whole = True
                ends = [state for state in walked.came if not game.moves(state)]
                check_turns(check, walked.came, ends)
        return RuleFaults(())
    except Late:
        some = f"only {counted(max(0, done - 1), 'position')}"  # the last one is not done
        return RuleFaults((), f"The rules were checked in {some} within {seconds:g} seconds.")
    except Nonconforming as error:
        code, message = error.code, str(error).removeprefix(f"{check.name}: ")
    except Exception as error:  # what rules return may fail too, as soon as it is looked at
        message = f"The rules fail in {blame(error)}."
    # A sentence that begins with the name of a method keeps it as it is.
    if message.partition(" ")[0].isalpha():
        message = message[0].upper() + message[1:]
    move = () if check.move is None else (check.move,)
    # No line shows what is about the whole game.
    witness = None if whole else (*walked.line_to(check.position), *move)
    return RuleFaults((Fault(code, message, witness, "error"),))  # type: ignore[arg-type]


def lines_to(game: Game[Any], wanted: Iterable[Any], limit: int) -> dict[Any, tuple[Move, ...]]:
    """Return a shortest line of moves to each of some states, where one is found."""
    walked, left = RuleWalk(game), set(wanted)
    lines: dict[Any, tuple[Move, ...]] = {}

    def after(state: Any) -> list[Any]:
        with suppress(Exception):  # what lies beyond a broken position is not looked for
            return next_states(game, state)
        return []

    with suppress(Exception):
        for state in walked.walk(limit, after):
            if state in left:
                lines[state] = walked.line_to(state)
            if len(lines) == len(left):
                break
    return lines


class RuleWalk:
    """A walk over the rules, breadth first: how each position was reached first."""

    def __init__(self, game: Game[Any]) -> None:
        """Take the game."""
        self.game = game
        self.came: dict[Any, tuple[Any, Move] | None] = {}

    def walk(self, limit: int, after: Callable[[Any], list[Any]]) -> Iterator[Any]:
        """Yield up to `limit` positions; `after` lists those that the moves of one lead to."""

        def following(state: Any) -> list[Any]:
            found = after(state)
            for move, then in zip(self.game.moves(state), found, strict=False):
                self.came.setdefault(then, (state, move))
            return found

        first = self.game.initial()
        self.came[first] = None
        return walk(self.game, first, limit=limit, after=following)

    def line_to(self, state: Any) -> tuple[Move, ...]:
        """Return the moves from the start to a position, as few as possible."""
        moves: list[Move] = []
        while (step := self.came.get(state)) is not None:
            state, move = step
            moves.append(move)
        return tuple(reversed(moves))


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
