"""States as nested tuples: read from JSON, walked, sampled, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, takewhile
from time import monotonic
from typing import TYPE_CHECKING, Any

from zerosum.errors import MoveError, UnreadableMove, ZerosumError
from zerosum.limits import WORD_SECONDS
from zerosum.protocol import fault_of_moves
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.protocol import Game, S

Leaf = int | str | None
# How far a sample of states goes; less far if moves may take time.
SAMPLE_STATES, SAMPLE_GAMES, SAMPLE_PLIES = 60, 4, 80
LARGE, LARGE_STATES, LARGE_PLIES = 10**9, 4, 8


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Leaf]]:
    """Yield every leaf of a nested value with its name: field, then indices.

    >>> from zerosum.books.even_steven.rules import State
    >>> dict(leaves(State(15, 0)))
    {'number': 15, 'player': 0}
    >>> list(leaves((4, ("x", None)), "heap"))
    [('heap[0]', 4), ('heap[1][0]', 'x'), ('heap[1][1]', None)]
    """
    if isinstance(value, tuple):
        for inner, part in _parts(value, name):
            yield from leaves(part, inner)
    else:
        yield name, value


def map_leaves(change: Callable[[str, Leaf], Leaf], value: Any, name: str = "") -> Any:
    """Rebuild a nested value from its leaves, each changed with its name.

    >>> from zerosum.books.even_steven.rules import State
    >>> map_leaves(lambda name, leaf: 7 if name == "number" else leaf, State(15, 0))
    State(number=7, player=0)
    """
    if not isinstance(value, tuple):
        return change(name, value)
    parts = [map_leaves(change, part, inner) for inner, part in _parts(value, name)]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _parts(value: Any, name: str) -> Iterable[tuple[str, Any]]:
    """Name the parts of a tuple: a state's by field, others by index."""
    if hasattr(value, "_fields") and not name:
        return zip(value._fields, value, strict=True)
    return ((f"{name}[{index}]", part) for index, part in enumerate(value))


def is_plain(value: Any) -> bool:
    """Return whether a value can be in a state: an integer, a string, None, or tuples of these.

    >>> is_plain((1, ("x", None))), is_plain((1, [2]))
    (True, False)
    """
    if type(value) is tuple:
        return all(map(is_plain, value))
    return value is None or type(value) in (int, str)


def text_of_part(value: Any) -> str:
    """Write a part of a state: a tuple's items with commas, nested ones in parentheses.

    >>> text_of_part((3, (4, ""), None)), text_of_part(())
    ('3, (4, empty), none', 'none')
    """
    if not isinstance(value, tuple):
        if value is None:
            return "none"
        return "empty" if value == "" else str(value)
    texts = map(text_of_part, value)
    parts = [f"({t})" if isinstance(p, tuple) else t for p, t in zip(value, texts, strict=True)]
    return ", ".join(parts) or "none"


def fault_at(game: Game[Any], state: Any) -> str:
    """Name what rules return at a position that no game may; or nothing.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> fault_at(EvenSteven(), [7, 0])
    'a state must be a NamedTuple of integers, strings, None and tuples of them, not [7, 0]'
    """
    named = isinstance(state, tuple) and hasattr(state, "_fields")
    if not named or not is_plain(tuple(state)):
        plain = "a state must be a NamedTuple of integers, strings, None and tuples of them"
        return f"{plain}, not {brief(state, 80)}"
    at = f"at {brief(state, 80)}"
    outcome, moves = game.outcome(state), game.moves(state)
    if outcome is not None and not (hasattr(outcome, "winner") and hasattr(outcome, "reason")):
        return f"outcome must return Outcome(winner, reason) or None {at}, not {brief(outcome)}"
    if fault := fault_of_moves(state, moves):
        return fault
    if moves != game.moves(state):
        return f"moves() returns something else when called again {at}"
    return ""


def read_state(game: Game[S], data: Any) -> S:
    """Make a state of a game from its JSON array.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> read_state(EvenSteven(), [7, 1])
    State(number=7, player=1)
    """
    kind: Any = type(game.initial())
    state: S = kind(*tuples(data))
    return state


def tuples(data: Iterable[Any]) -> tuple[Any, ...]:
    """Turn JSON's nested lists into tuples."""
    return tuple([tuples(part) if type(part) is list else part for part in data])


def largest(state: Any) -> int:
    """Return the largest absolute value in a state; long numbers are slow."""
    return max((abs(leaf) for _, leaf in leaves(state) if isinstance(leaf, int)), default=0)


def next_states(game: Game[S], state: S) -> list[S]:
    """List the states that the legal moves lead to, in their order."""
    return [game.play(state, move) for move in game.moves(state)]


def walk(
    game: Game[S],
    *roots: S,
    limit: int | None = None,
    after: Callable[[S], Iterable[S]] | None = None,
    key: Callable[[S], Any] | None = None,
) -> Iterator[S]:
    """Yield the states reachable from the start, or `roots`, once, breadth first.

    `limit` is the most states. `after` replaces `next_states`; it is called right after a state
    was yielded. Among states with the same `key`, only the first counts.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> [state.number for state in walk(EvenSteven(start=6))]
    [6, 5, 3, 4, 2, 2, 1, 1, 0, 0]
    """
    queue = list(roots or (game.initial(),))
    seen = set(map(key, queue) if key else queue)
    for state in queue:
        yield state
        for following in after(state) if after else next_states(game, state):
            same = key(following) if key else following
            if same not in seen and (limit is None or len(queue) < limit):
                seen.add(same)
                queue.append(following)


def sample_states(game: Game[Any]) -> Iterator[Any]:
    """Yield the states near the start, and those of a few random games, always the same."""
    from random import Random

    first, rng = game.initial(), Random(0)  # noqa: S311
    large = largest(first) > LARGE
    yield from walk(game, limit=LARGE_STATES if large else SAMPLE_STATES)
    for _ in range(SAMPLE_GAMES):
        state = first
        for _ in range(LARGE_PLIES if large else SAMPLE_PLIES):
            yield state
            moves = game.moves(state)
            if not moves:
                break
            state = game.play(state, rng.choice(moves))


def is_move(game: Game[Any], state: Any, typed: str) -> bool:
    """Return whether the game has such a move, at a position or at others."""
    end, word = monotonic() + WORD_SECONDS, typed.strip().casefold()
    others = takewhile(lambda _: monotonic() < end, sample_states(game))
    with suppress(Exception):  # a fault of the rules elsewhere is no reason not to go on
        states = chain((state,), others) if word else ()
        moves = (move for state in states for move in game.moves(state))
        return any(word == str(move).casefold() for move in moves)
    return False


def misread(game: Game[Any], state: Any, typed: str, error: MoveError) -> str:
    """Say why a typed word is not a move; it may be one elsewhere."""
    if isinstance(error, UnreadableMove) and is_move(game, state, typed):
        return f"'{brief(typed)}' is not a legal move."
    return str(error)


def check_seat(seat: object, name: str = "player") -> None:
    """Refuse a seat other than 0 or 1, which may be that of the player to move."""
    if type(seat) is not int or seat not in (0, 1):
        raise ZerosumError(f"The {name} must be 0 or 1, not {brief(seat)}.")


def check_number(number: object, least: int = 0, most: int | None = None) -> None:
    """Refuse a number that no position of a game can have."""
    if type(number) is not int or number < least:
        raise ZerosumError(f"A number must be whole and at least {least}, not {brief(number)}.")
    if most is not None and number > most:
        raise ZerosumError(f"A game from {brief(most)} never reaches {brief(number)}.")
