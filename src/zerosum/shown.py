"""A state made visible for a page: its fields, and the keys that a game is played with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from zerosum.game import Field, Game, lists_all

LIVES = {"life", "lives", "points", "hearts"}
SEATS = ("first", "second")
# More keys than this are no keyboard; and so far it is worth looking for them.
MOST_KEYS, STATES, PLAYS, PLIES = 12, 60, 4, 80
# The moves of large numbers may take time to find.
LARGE, LARGE_STATES, LARGE_PLIES = 10**9, 4, 8


def fields_of(state: Any) -> tuple[Field, ...]:
    """Show a state by the names of its fields.

    >>> from zerosum.games.number_navigator.rules import State
    >>> fields_of(State(20, 10, 1))[1]
    Field(name='second', title='Number', value=10, seat=1, kind='number')
    """
    return tuple(
        _field(name, value, state._fields)
        for name, value in zip(state._fields, state, strict=True)
        if name != "player"
    )


def _field(name: str, value: Any, among: tuple[str, ...]) -> Field:
    """Show one field of a state."""
    kind = "lives" if LIVES & set(name.split("_")) else "number"
    value = value if isinstance(value, int) else _listed(value)
    for seat, word in enumerate(SEATS):
        rest = name.removeprefix(word)
        if rest != name and f"{SEATS[1 - seat]}{rest}" in among:
            title = spoken(rest).strip() or "number"
            return Field(name, title.capitalize(), value, seat, kind)
    return Field(name, spoken(name).capitalize(), value, None, kind)


def _listed(values: Any) -> str:
    """Write the numbers of a tuple; those of a tuple in it in brackets."""
    parts = [str(v) if isinstance(v, int) else f"({_listed(v)})" for v in values]
    return ", ".join(parts) or "none"


def is_field(one: Any) -> bool:
    """Tell whether a page can show what a game wants to have shown."""
    return (
        isinstance(one, Field)
        and isinstance(one.name, str)
        and isinstance(one.title, str)
        and type(one.value) in (int, str)
        and one.seat in (None, 0, 1)
        and one.kind in ("number", "lives")
    )


def spoken(name: str) -> str:
    """Turn a field's name into words."""
    return name.replace("_", " ")


def keys_of(game: Game[Any]) -> tuple[int, ...]:
    """Gather the moves of a variant, in rising order, if there are few of them in all; else ()."""
    variant: Any = game  # which nearly always can be hashed, though the protocol does not ask it
    try:
        return _kept(variant)
    except TypeError:  # a game that cannot be hashed
        return _keys(game)


@lru_cache(maxsize=256)
def _kept(game: Game[Any]) -> tuple[int, ...]:
    """Keep what was gathered."""
    return _keys(game)


def _keys(game: Game[Any]) -> tuple[int, ...]:
    """Gather the moves of some states."""
    found: set[int] = set()
    for state in _some_states(game):
        found.update(game.moves(state))
        if len(found) > MOST_KEYS or not lists_all(game, state):
            return ()
    return tuple(sorted(found))


def _some_states(game: Game[Any]) -> Iterator[Any]:
    """Give the states near the start, and those of a few games at random, always the same."""
    from random import Random

    first, rng = game.initial(), Random(0)  # noqa: S311
    large = any(isinstance(value, int) and abs(value) > LARGE for value in first)
    states, seen = [first], {first}
    for state in states:
        yield state
        if len(states) < (LARGE_STATES if large else STATES):
            after = dict.fromkeys(game.play(state, move) for move in game.moves(state))
            states += [one for one in after if one not in seen]
            seen.update(after)
    for _ in range(PLAYS):
        state = first
        for _ in range(LARGE_PLIES if large else PLIES):
            yield state
            moves = game.moves(state)
            if not moves:
                break
            state = game.play(state, rng.choice(moves))
