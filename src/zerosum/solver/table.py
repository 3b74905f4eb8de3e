"""A game as arrays: one walk over the rules, after which only numbers are known."""

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
# What `ends` says of a state, and an analysis of every state: the player to move has lost or won,
# the game is drawn, or it goes on.
LOST, WON, DRAWN, OPEN = 0, 1, 2, -1

Progress = Callable[[int], None]


@dataclass
class Table(Generic[S]):
    """Every reachable state, and a sparse graph of the moves between them.

    The edges of state i are those from offsets[i] to offsets[i + 1], in the order of its moves;
    each has the state that it leads to. Of states that are equal by symmetry there is one, and
    what `ends` says is about the player to move, so that symmetry may exchange the seats too:
    `turned` then tells of each edge whether it passes the turn to the other player. Where it is
    empty, the players of the states tell.
    """

    index: dict[S, int]
    offsets: array[int]
    targets: array[int]
    ends: array[int]
    players: bytes
    turned: bytearray

    def __len__(self) -> int:
        """How many states there are."""
        return len(self.index)

    @property
    def edges(self) -> int:
        """How many moves there are between all states."""
        return len(self.targets)

    def states(self) -> Iterator[S]:
        """Give all states, in the order of their places."""
        return iter(self.index)


def walk(game: Game[S], limit: int = LIMIT, progress: Progress | None = None) -> Table[S]:
    """Visit every state that can be reached, once, and write the moves between them down.

    >>> import zerosum
    >>> table = walk(zerosum.game("even-steven"))
    >>> len(table), table.edges
    (16, 22)
    """
    try:
        with _uncollected():
            return _walk(game, limit, progress)
    except ZerosumError:
        raise
    except MemoryError as error:
        raise TooLarge(f"{_title(game)} has more positions than fit into memory.") from error
    except Exception as error:
        raise broken_game(game, blame(error)) from error


def _walk(game: Game[S], limit: int, progress: Progress | None) -> Table[S]:
    """Walk breadth first; the list of states grows while it is gone through."""
    moves_of, play, outcome_of, canonical = game.moves, game.play, game.outcome, game.canonical
    symmetric, partial = is_symmetric(game), type(game).lists_all is not Game.lists_all
    first = canonical(game.initial())
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
                place = known(after)
                if place is None:
                    place = index[after] = len(states)
                    states.append(after)
                    if place >= most:
                        long = " with numbers this long" if most < limit else ""
                        raise TooLarge(
                            f"{_title(game)} has more than {most:,} positions, "
                            f"the limit for a table{long}."
                        )
                    if progress is not None and not place % STEP:
                        progress(place)
                leads_to(place)
            ends.append(OPEN)
        else:
            ends.append(_end(game, state, outcome))
        offsets.append(len(targets))
    players = bytes(map(attrgetter("player"), states))
    if max(players) > 1:
        state = next(state for state in states if state.player > 1)
        raise broken_game(game, f"the player to move must be 0 or 1: {brief(state, 80)}")
    return Table(index, offsets, array("i", targets), ends, players, turned)


def _end(game: Game[S], state: S, outcome: Any) -> int:
    """Write an outcome down from the side of the player to move."""
    if outcome.winner is None:
        return DRAWN
    if outcome.winner not in (0, 1):
        raise broken_game(game, f"the winner must be 0, 1 or None at {brief(state, 80)}")
    return WON if outcome.winner == state.player else LOST


def is_symmetric(game: Game[Any]) -> bool:
    """Tell whether a game says which of its positions are equal."""
    return type(game).canonical is not Game.canonical


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from going through millions of states that will all stay."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _title(game: Game[Any]) -> str:
    """Name a game in a sentence."""
    from zerosum.wording import title_of

    return title_of(game)
