"""A game as arrays: one walk over the rules, after which only numbers are known."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zerosum.game import Game, GameError, ZerosumError, brief
from zerosum.sources import blame

LIMIT = 2_000_000
STEP = 1 << 14
NOBODY = -1


class TooLarge(ZerosumError):
    """A game with more positions than a table may have."""


@dataclass
class Table:
    """Every reachable state, and a sparse graph of the moves between them.

    The edges of state i are those from offsets[i] to offsets[i + 1]; each has the state that
    it leads to and the move that does it. `winners` is the seat that has won, or -1.
    """

    states: list[Any]
    index: dict[Any, int]
    offsets: array[int]
    targets: array[int]
    moves: array[int] | list[int]
    winners: array[int]
    players: bytearray

    @property
    def edges(self) -> int:
        """How many moves there are between all states."""
        return len(self.targets)


def walk(
    game: Game[Any], limit: int = LIMIT, progress: Callable[[int], None] | None = None
) -> Table:
    """Visit every state that can be reached, once, and write the moves between them down.

    >>> import zerosum
    >>> table = walk(zerosum.game("even-steven"))
    >>> len(table.states), table.edges
    (23, 31)
    """
    try:
        return _walk(game, limit, progress)
    except ZerosumError:
        raise
    except Exception as error:
        raise GameError(
            f"{type(game).__name__} breaks the protocol of a game: {blame(error)} "
            "(zerosum.testing.check_game says more)."
        ) from error


def _walk(game: Game[Any], limit: int, progress: Callable[[int], None] | None) -> Table:
    """Walk breadth first; the list of states grows while it is gone through."""
    moves_of, play, outcome_of = game.moves, game.play, game.outcome
    lists_all = getattr(game, "lists_all", None)
    first = game.initial()
    states, index = [first], {first: 0}
    offsets, targets = array("q", [0]), array("i")
    labels: array[int] | list[int] = array("q")
    winners, players = array("b"), bytearray()
    seen = index.setdefault
    for state in states:
        players.append(state.player)
        outcome = outcome_of(state)
        if outcome is not None:
            winners.append(outcome.winner)
            offsets.append(len(targets))
            continue
        winners.append(NOBODY)
        moves = moves_of(state)
        if not moves:
            raise GameError(
                f"{type(game).__name__} breaks the protocol of a game: at {brief(state, 80)} "
                "there are no moves, and no outcome."
            )
        if lists_all is not None and not lists_all(state):
            raise TooLarge(f"Not every move can be listed at {brief(state, 80)}.")
        for move in moves:
            after = play(state, move)
            place = seen(after, len(states))
            if place == len(states):
                states.append(after)
            targets.append(place)
        try:
            labels.extend(moves)
        except OverflowError:  # a move that fits into no array
            labels = [*labels[: offsets[-1]], *moves]
        offsets.append(len(targets))
        if progress is not None and not len(players) % STEP:
            progress(len(players))
        if len(states) > limit:
            raise TooLarge(
                f"The game has more than {limit:,} positions, the limit for a table; "
                "a higher limit can be given, and takes more time and memory."
            )
    return Table(states, index, offsets, targets, labels, winners, players)
