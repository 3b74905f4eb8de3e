"""A game as arrays: one walk over its rules, and after that only numbers."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic

from zerosum.errors import TooLarge, ZerosumError, broken_game
from zerosum.protocol import Game, S
from zerosum.registry.loading import blame
from zerosum.states import largest
from zerosum.text import brief

LIMIT = 2_000_000
STEP = 1 << 14
# For the player to move, at the end of a game or by analysis: lost, won, drawn, or undecided.
LOST, WON, DRAWN, OPEN = 0, 1, 2, -1

Progress = Callable[[int], None]


@dataclass
class StateGraph(Generic[S]):
    """Every reachable state, and a sparse graph of the moves between them.

    The edges of state i are those from offsets[i] to offsets[i + 1], in the order of its moves;
    `targets` has the state that each leads to. States that are equal by symmetry have one entry.
    Symmetry may exchange the seats too, so `ends` is about the player to move, and `turned` has a
    1 for each edge that passes the turn. It is empty without symmetry, where `players` says the
    same.
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
        """Return a function that tells the state after a move, for a game without symmetry."""
        states = list(self.index)

        def after(state: S, move: Any) -> S:
            place = self.offsets[self.index[state]] + game.moves(state).index(move)
            return states[self.targets[place]]

        return after

    def states(self) -> Iterator[S]:
        """Iterate over all states in order."""
        return iter(self.index)


def build_table(
    game: Game[S],
    limit: int = LIMIT,
    progress: Progress | None = None,
    symmetry: bool = True,
) -> StateGraph[S]:
    """Visit every reachable state once, and tabulate the moves between them.

    Without `symmetry`, positions that the game declares equal are kept apart.

    >>> import zerosum
    >>> table = build_table(zerosum.game("even-steven"))
    >>> len(table), len(table.targets)
    (16, 22)
    """
    try:
        with without_gc():
            return _build(game, limit, progress, symmetry and is_symmetric(game))
    except ZerosumError:
        raise
    except MemoryError as error:
        raise TooLarge(f"{_title(game)} has more positions than fit into memory.") from error
    except Exception as error:
        raise broken_game(game, blame(error)) from error


def _build(game: Game[S], limit: int, progress: Progress | None, symmetric: bool) -> StateGraph[S]:
    """Walk breadth first; the list of states grows while the loop runs over it."""
    # The one walk beside states.walk: numbering states as they come is what makes a table fast.
    moves_of, play, outcome_of, canonical = game.moves, game.play, game.outcome, game.canonical
    partial = type(game).lists_all is not Game.lists_all
    first = canonical(game.initial()) if symmetric else game.initial()
    # Long numbers take the time and the memory of many short ones.
    most = limit // (1 + largest(first).bit_length() // 256)
    states, index = [first], {first: 0}
    offsets, ends = array("q", [0]), array("b")
    targets: list[int] = []
    turned = bytearray()
    known, leads_to = index.get, targets.append
    for state in states:
        outcome = outcome_of(state)
        if outcome is None:
            moves = moves_of(state)
            if not moves:
                raise broken_game(game, f"at {brief(state, 80)} there are no moves, and no outcome")
            if partial and not game.lists_all(state):
                raise TooLarge(f"Not every move can be listed at {brief(state, 80)}.")
            for move in moves:
                after = play(state, move)
                if symmetric:
                    turned.append(after.player != state.player)
                    after = canonical(after)
                target = known(after)
                if target is None:
                    target = index[after] = len(states)
                    states.append(after)
                    if target >= most:
                        long = " with numbers this long" if most < limit else ""
                        raise TooLarge(
                            f"{_title(game)} has more than {most:,} positions, "
                            f"the limit for a table{long}.",
                            limit,
                        )
                    if progress is not None and not target % STEP:
                        progress(target)
                leads_to(target)
            ends.append(OPEN)
        else:
            ends.append(_end(game, state, outcome))
        offsets.append(len(targets))
    table = StateGraph(index, offsets, array("i", targets), ends, turned)
    if max(table.players) > 1:
        state = next(state for state in states if state.player > 1)
        raise broken_game(game, f"the player to move must be 0 or 1: {brief(state, 80)}")
    return table


def _end(game: Game[S], state: S, outcome: Any) -> int:
    """Encode an outcome from the side of the player to move."""
    if outcome.winner is None:
        return DRAWN
    if outcome.winner not in (0, 1):
        raise broken_game(game, f"the winner must be 0, 1 or None at {brief(state, 80)}")
    return WON if outcome.winner == state.player else LOST


def is_symmetric(game: Game[Any]) -> bool:
    """Return whether a game defines which of its positions are equal."""
    return type(game).canonical is not Game.canonical


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
