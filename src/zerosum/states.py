"""States as nested tuples: read from JSON, walked through, sampled, checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zerosum.errors import ZerosumError
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.protocol import Game, S

Leaf = int | str | None
# How far a sample of a game's states goes; less far where moves may take time to find.
STATES, PLAYS, PLIES = 60, 4, 80
LARGE, LARGE_STATES, LARGE_PLIES = 10**9, 4, 8


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Leaf]]:
    """Name everything in a state that is not a tuple; what is inside one is named by its place.

    >>> from zerosum.books.even_steven.rules import State
    >>> dict(leaves(State(15, 0)))
    {'number': 15, 'player': 0}
    >>> list(leaves((4, ("x", None)), "heap"))
    [('heap[0]', 4), ('heap[1][0]', 'x'), ('heap[1][1]', None)]
    """
    if not isinstance(value, tuple):
        yield name, value
    elif hasattr(value, "_fields") and not name:
        for field, part in zip(value._fields, value, strict=True):
            yield from leaves(part, field)
    else:
        for place, part in enumerate(value):
            yield from leaves(part, f"{name}[{place}]")


def is_plain(value: Any) -> bool:
    """Tell whether a value may stand in a state: an integer, a text, None, or tuples of these."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return value is None or type(value) in (int, str)


def read_state(game: Game[S], data: Any) -> S:
    """Make a state of a game from its JSON array.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> read_state(EvenSteven(), [7, 1])
    State(number=7, player=1)
    """
    kind: Any = type(game.initial())
    state: S = kind(*map(tuples, data))
    return state


def tuples(value: Any) -> Any:
    """Turn JSON's lists into tuples, all the way down."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def largest(state: Any) -> int:
    """Give the size of the largest number in a state; a long number makes every move slow."""
    return max((abs(leaf) for _, leaf in leaves(state) if isinstance(leaf, int)), default=0)


def sample_states(game: Game[Any]) -> Iterator[Any]:
    """Give the states near the start, and those of a few games at random, always the same."""
    from random import Random

    first, rng = game.initial(), Random(0)  # noqa: S311
    large = largest(first) > LARGE
    states, seen = [first], {first}
    for state in states:
        yield state
        if len(states) < (LARGE_STATES if large else STATES):
            after = dict.fromkeys(game.play(state, move) for move in game.moves(state))
            states += [then for then in after if then not in seen]
            seen.update(after)
    for _ in range(PLAYS):
        state = first
        for _ in range(LARGE_PLIES if large else PLIES):
            yield state
            moves = game.moves(state)
            if not moves:
                break
            state = game.play(state, rng.choice(moves))


def check_seat(player: object) -> None:
    """Refuse a player to move who is neither 0 nor 1."""
    if type(player) is not int or player not in (0, 1):
        raise ZerosumError(f"The player must be 0 or 1, not {brief(player)}.")


def check_number(number: object, least: int = 0, most: int | None = None) -> None:
    """Refuse what cannot be a number of a position."""
    if type(number) is not int or number < least:
        raise ZerosumError(f"A number must be a whole number from {least} up, not {brief(number)}.")
    if most is not None and number > most:
        raise ZerosumError(f"A game from {brief(most)} never comes to {brief(number)}.")
