"""A game as arrays: one walk over its rules, and after that only numbers."""

from __future__ import annotations

import gc
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from operator import attrgetter
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic

from zerosum.errors import BrokenGame, NotSolved, OptionError, TooLarge, TooSlow, ZerosumError
from zerosum.limits import NONE, SLOW_POSITIONS, SLOW_SECONDS, Limits, progress
from zerosum.protocol import MOVE_TYPES, Game, Outcome, Result, S, Value, fault_of_moves
from zerosum.registry.loading import broken_by
from zerosum.solver.size import surely_larger
from zerosum.states import fault_at, largest
from zerosum.text import brief, counted

if TYPE_CHECKING:
    from zerosum.solver.retrograde import Ints, Small

STEP = 1 << 14
# A game with this many positions may have far too many: a sample tells first.
SAMPLED = 10_000
# For the player to move, at the end of a game or by analysis: lost, won, drawn, or undecided.
LOST, WON, DRAWN, OPEN = 0, 1, 2, -1
RESULTS: tuple[Result, ...] = ("loss", "win", "draw")


@dataclass
class StateGraph(Generic[S]):
    """Every reachable state, and a sparse graph of the moves between them.

    The edges of state i are offsets[i] to offsets[i + 1], in the order of its moves; `targets` has
    the state that each leads to. States equal by symmetry have one entry. Symmetry may exchange
    the seats too: `ends` is about the player to move, and `turned` has a 1 for each edge that
    passes the turn. It is empty without symmetry, where `players` says the same.
    """

    index: dict[S, int]
    offsets: array[int]
    targets: array[int]
    ends: array[int]
    turned: bytearray

    def __len__(self) -> int:
        """Count the states."""
        return len(self.index)

    @property
    def players(self) -> bytes:
        """The player to move in every state."""
        return bytes(map(attrgetter("player"), self.index))

    def after(self, game: Game[S]) -> Callable[[S, Any], S]:
        """Return a function for the state after a move, without symmetry.

        Before the root of the table, it asks the rules.
        """
        states = list(self.index)

        def after(state: S, move: Any) -> S:
            number = self.index.get(state)
            if number is None:
                return game.play(state, move)
            place = self.offsets[number] + game.moves(state).index(move)
            return states[self.targets[place]]

        return after


def build_table(
    game: Game[S],
    limits: Limits = NONE,
    symmetry: bool = True,
    root: S | None = None,
) -> StateGraph[S]:
    """Visit every reachable state once, and tabulate the moves.

    Without `symmetry`, equal positions are kept apart. With a `root`, only what can be reached
    from there counts. Very slow rules are given up after five seconds.

    >>> import zerosum
    >>> table = build_table(zerosum.game("even-steven"))
    >>> len(table), len(table.targets)
    (16, 22)
    """
    with calling_rules(game), without_gc():
        first = game.initial() if root is None else root
        return _build(game, first, limits, symmetry and is_symmetric(game))


@dataclass(frozen=True, eq=False)
class SolvedTable(Generic[S]):
    """A table with the values of its states, by their index.

    `worth` is WON, LOST or DRAWN for the player to move, or OPEN for endless play; `plies` counts
    the moves to the end, and is -1 for a draw.
    """

    graph: StateGraph[S]
    worth: Small
    plies: Ints

    def __len__(self) -> int:
        """Count the positions."""
        return len(self.graph)

    def value(self, index: int) -> Value:
        """Return the value of a state by its index."""
        return value_by(int(self.worth[index]), int(self.plies[index]))

    def at(self, state: S) -> Value:
        """Return the value of a state that stands for those equal to it; or raise KeyError."""
        return self.value(self.graph.index[state])


def value_by(worth: int, plies: int) -> Value:
    """Return the value that a table describes by two numbers.

    >>> value_by(WON, 5), value_by(OPEN, -1)
    (Value(result='win', plies=5), Value(result='draw', endless=True))
    """
    if worth in (DRAWN, OPEN):
        return Value("draw", endless=worth == OPEN)
    return Value(RESULTS[worth], plies)


def solved_table(
    game: Game[S],
    limits: Limits = NONE,
    symmetry: bool = True,
    root: S | None = None,
) -> SolvedTable[S]:
    """Build the table of a variant and analyse it, with or without `symmetry`.

    The other arguments are those of `build_table`.
    """
    graph = build_table(game, limits, symmetry, root)
    game.confirm(graph.after(game))
    from zerosum.solver.retrograde import analyse  # which loads NumPy

    return SolvedTable(graph, *analyse(graph))


def _build(game: Game[S], first: S, limits: Limits, symmetric: bool) -> StateGraph[S]:
    """Walk breadth first; the list of states grows meanwhile."""
    # The one walk beside states.walk: numbering states on the way makes a table fast.
    moves_of, play = game.moves, game.play
    outcome_of, canonical = game.outcome, game.canonical
    partial = type(game).lists_all is not Game.lists_all
    if symmetric:
        first = canonical(first)
    limit, report = limits.positions, progress()
    most = room(first, limit)
    states, index = [first], {first: 0}
    offsets, ends = array("q", [0]), array("b")
    targets: list[int] = []
    turned = bytearray()
    watch = _TableClock(game, limits, states)
    timed = limits.seconds is not None
    known = index.get
    leads_to = targets.append
    typed = MOVE_TYPES.issuperset
    for state in states:
        if timed and (now := monotonic()) > watch.due:
            watch.look(now)
        outcome = outcome_of(state)
        if outcome is None:
            moves = moves_of(state)
            if type(moves) is not tuple or not moves or not typed(map(type, moves)):
                raise fault_in_moves(game, state, moves)
            if partial and not game.lists_all(state):
                raise unlisted(game)
            for move in moves:
                if timed and (now := monotonic()) > watch.due:
                    watch.look(now)
                after = played = play(state, move)
                if symmetric:
                    turned.append(after.player != state.player)
                    after = canonical(after)
                target = known(after)
                if target is None:
                    target = index[after] = len(states)
                    states.append(after)
                    if not target & (target - 1):
                        if moves_of(state) != moves:
                            other = "moves() returns something else when called again at"
                            fault = fault_at(game, state) or f"{other} {brief(state, 80)}"
                            raise BrokenGame(game, fault)
                        if after != played:
                            check_equal(game, played, after, watch.play)
                    if target >= most:
                        raise too_large(game, most, limit)
                    if target == SAMPLED:
                        ahead = states[len(offsets) :]
                        key = canonical if symmetric else None
                        if surely_larger(game, most, ahead, key, watch.end):
                            raise too_large(game, most, limit)
                    if report is not None and not target % STEP:
                        report(target)
                leads_to(target)
            ends.append(OPEN)
        else:
            ends.append(end_of(game, state, outcome))
        offsets.append(len(targets))
    table = StateGraph(index, offsets, array("i", targets), ends, turned)
    if max(table.players) > 1:
        raise wrong_player(game, next(state for state in states if state.player > 1))
    return table


def fault_in_moves(game: Game[Any], state: Any, moves: Any) -> BrokenGame:
    """Return the error for moves that no position may have: of a wrong type, or none at all."""
    none = f"at {brief(state, 80)} there are no moves, and no outcome"
    return BrokenGame(game, fault_of_moves(state, moves) or none)


def unlisted(game: Game[Any]) -> TooLarge:
    """Return the error for a game that does not list all its moves."""
    return TooLarge(f"Not every move can be listed in {_title(game)}.")


def wrong_player(game: Game[Any], state: Any) -> BrokenGame:
    """Return the error for a position in which nobody is to move."""
    return BrokenGame(game, f"the player to move must be 0 or 1: {brief(state, 80)}")


def check_equal(game: Game[S], state: S, same: S, play: Callable[[S, Any], S]) -> None:
    """Refuse a canonical() that has made unequal positions equal.

    Only some positions are looked at: a lie seldom comes alone, and the conformance kit looks
    closely. `play` is the game's, with an eye on the time.
    """
    found = []
    for here in (state, same):
        outcome = game.outcome(here)
        after = [play(here, move) for move in (game.moves(here) if outcome is None else ())]
        leads = Counter((game.canonical(then), then.player == here.player) for then in after)
        found.append((OPEN if outcome is None else end_of(game, here, outcome), leads))
    if found[0] != found[1] or game.canonical(same) != same:
        lie = f"canonical() makes {brief(state, 80)} equal to {brief(same, 80)}, which it is not"
        raise BrokenGame(game, lie)


def room(state: Any, limit: int) -> int:
    """Return how many positions a table may have: fewer with long numbers."""
    check_positions(limit)
    # Long numbers take the time and the memory of many short ones.
    return limit // (1 + largest(state).bit_length() // 256)


def check_positions(positions: object) -> None:
    """Refuse what cannot be the most positions of a table."""
    if not isinstance(positions, int) or positions < 0:
        reason = f"must be a whole number from 0 on, not {brief(positions)}"
        raise OptionError("positions", reason)


def unknown_state(game: Game[Any], state: Any) -> NotSolved:
    """Return the error for a state without a value: of another game, or unreachable."""
    first = game.initial()
    if type(state) is not type(first):
        return NotSolved(
            f"{brief(state, 80)} is not a position of this game; one looks like {brief(first, 80)}."
        )
    return NotSolved(f"{brief(state, 80)} cannot be reached from the start of this game.")


def too_large(game: Game[Any], most: int, limit: int) -> TooLarge:
    """Return the error for a game too large for a table."""
    long = " with numbers this long" if most < limit else ""
    many = f"{_title(game)} has more than {counted(most, 'position')}"
    return TooLarge(f"{many}, the limit for a table{long}.", limit)


def too_slow(game: Game[Any], seconds: float, remembered: bool = False) -> TooSlow:
    """Return the error for a table not finished in time, now or when last tried."""
    return TooSlow(f"A table of {_title(game)}", seconds, remembered)


class _TableClock(Generic[S]):
    """Tells when a table takes too long; the clock is read at each position and move."""

    def __init__(self, game: Game[S], limits: Limits, states: list[S]) -> None:
        """Take the time, and the states that are found by now."""
        self._game = game
        self._states = states
        self._began = monotonic()
        self.end = self.due = inf
        if limits.seconds is not None:
            self.end = self._began + limits.seconds
            self.due = min(self.end, self._began + SLOW_SECONDS)

    def look(self, now: float) -> None:
        """Refuse what is late; where the rules are quick, it is not late yet."""
        if now > self.end or len(self._states) < SLOW_POSITIONS:
            raise too_slow(self._game, min(now, self.end) - self._began)
        self.due = self.end

    def play(self, state: S, move: Any) -> S:
        """Play a move, if it is not too late."""
        if (now := monotonic()) > self.due:
            self.look(now)
        return self._game.play(state, move)


def end_of(game: Game[S], state: S, outcome: Outcome) -> int:
    """Encode an outcome from the side of the player to move."""
    if outcome.winner is None:
        return DRAWN
    if outcome.winner not in (0, 1):
        raise BrokenGame(game, f"the winner must be 0, 1 or None at {brief(state, 80)}")
    return WON if outcome.winner == state.player else LOST


def is_symmetric(game: Game[Any]) -> bool:
    """Return whether a game defines which of its positions are equal."""
    return type(game).canonical is not Game.canonical


@contextmanager
def calling_rules(game: Game[Any]) -> Iterator[None]:
    """Report in a sentence what a game's rules raise, or that memory ran out."""
    try:
        yield
    except ZerosumError:
        raise
    except MemoryError as error:
        raise TooLarge(f"{_title(game)} needs more memory than there is.") from error
    except Exception as error:
        raise broken_by(game, error) from error


@contextmanager
def without_gc() -> Iterator[None]:
    """Pause the garbage collector, which would scan millions of states that all stay."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _title(game: Game[Any]) -> str:
    """Return the title of a game for a sentence."""
    from zerosum.wording.words import title_of

    return title_of(game)
