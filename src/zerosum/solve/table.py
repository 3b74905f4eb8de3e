"""A game as arrays: one walk over the rules, after which only numbers are known."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
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
    except MemoryError as error:
        raise TooLarge("The game has more positions than fit into memory.") from error
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
    # Long numbers take the time and the memory of many short ones.
    most = limit // (1 + max((n.bit_length() for n in _numbers(first)), default=0) // 256)
    for state in states:
        if state.player not in (0, 1):
            raise _broken(game, f"the player to move must be 0 or 1: {brief(state, 80)}")
        players.append(state.player)
        outcome = outcome_of(state)
        if outcome is not None:
            if outcome.winner not in (0, 1):
                raise _broken(game, f"the winner must be 0 or 1 at {brief(state, 80)}")
            winners.append(outcome.winner)
            offsets.append(len(targets))
            continue
        winners.append(NOBODY)
        moves = moves_of(state)
        if not moves:
            raise _broken(game, f"at {brief(state, 80)} there are no moves, and no outcome")
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
        if len(states) > most:
            raise TooLarge(
                f"The game has more than {most:,} positions, the limit for a table"
                f"{' of so long numbers' * (most < limit)}."
            )
    return Table(states, index, offsets, targets, labels, winners, players)


def _numbers(state: Any) -> Iterator[int]:
    """Give all numbers in a state."""
    for value in state:
        if isinstance(value, tuple):
            yield from _numbers(value)
        elif isinstance(value, int):
            yield value


def _broken(game: Game[Any], message: str) -> GameError:
    """Say what a game does that no game may do."""
    return GameError(f"{type(game).__name__} breaks the protocol of a game: {message}.")
