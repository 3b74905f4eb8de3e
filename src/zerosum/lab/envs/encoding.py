"""A fixed number for every move of a game, and a fixed vector for every state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.bulk.table import Table
from zerosum.errors import NotEncoded, ZerosumError
from zerosum.lab.envs.columns import Column, Content
from zerosum.limits import PERSON
from zerosum.protocol import Game, Move, check_is_game
from zerosum.solver.table import calling_rules
from zerosum.states import LARGE, largest, walk
from zerosum.text import brief

Mask = NDArray[np.int8]
Vector = NDArray[np.floating[Any]]
# A game that is not over after this many plies is cut off: some could go on forever.
MAX_PLIES = 1_000
# Long numbers take time: of games that start with one, this many positions are visited.
FEW = 50
# If not all positions are visited, this many moves of random games are made.
RANDOM_MOVES = 20_000
# Up to here, float32 has every integer.
EXACT = 2**24
# The numbers of the seats, so that no vector has zeros alone.
SEATS = {0: 1, 1: 2}


@dataclass(frozen=True)
class Encoding:
    """The numbers of a game's moves and the vectors of its states, the same everywhere.

    >>> import zerosum
    >>> from zerosum.envs import Encoding
    >>> game = zerosum.game("docs/examples/noughts_and_crosses.py")
    >>> encoding = Encoding.of(game)
    >>> encoding.actions
    ('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3')
    >>> state = game.play(game.initial(), "b1")
    >>> encoding.mask(state)
    array([1, 1, 1, 0, 1, 1, 1, 1, 1], dtype=int8)
    >>> encoding.vector(state)
    array([1., 3., 1., 1., 1., 1., 1., 1., 1., 2.], dtype=float32)
    >>> encoding.columns[0]
    Column(name='marks[0]', low=0, high=3, meaning=('nothing', "''", "'O'", "'X'"))
    """

    game: Game[Any]
    actions: tuple[Move, ...]
    fields: tuple[Content | None, ...]  # None for the player to move
    complete: bool  # whether every position was visited

    def __reduce__(self) -> tuple[type[Encoding], tuple[Any, ...]]:
        """Pickle without what is derived."""
        return Encoding, (self.game, self.actions, self.fields, self.complete)

    def __deepcopy__(self, memo: Any) -> Encoding:
        """Return the same, which never changes."""
        return self

    @classmethod
    def of(
        cls,
        game: Game[Any] | Table[Any],
        actions: Sequence[Move] | None = None,
        limit: int = PERSON.positions,
    ) -> Encoding:
        """Find the moves and states of a game: those of its table, or by visiting its positions.

        All of them if there are at most `limit`; else the first ones and those of random games,
        always the same. `actions` are the moves, in the order of their numbers.
        """
        named = None if actions is None else tuple(actions)
        if named is not None and (not named or len(set(named)) < len(named)):
            raise ZerosumError("actions: name every move once.")
        if isinstance(game, Table):
            return _encoding(game.game, game.states, named or game.actions, complete=True)
        check_is_game(game)
        return _by_visiting(game, named, limit)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each number of the vector is."""
        columns: list[Column] = []
        for name, content in zip(self._kind._fields, self.fields, strict=True):
            seats = Column(name, 1, 2, ("nothing", "seat 0", "seat 1"))
            columns += [seats] if content is None else content.columns(name)
        return tuple(columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number of the vector."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def dtype(self) -> Any:
        """float32 if it has every number exactly, else float64."""
        exact = all(c.low >= -EXACT and c.high <= EXACT for c in self.columns)
        return np.float32 if exact else np.float64

    @property
    def low(self) -> Vector:
        """The least value of each number of the vector."""
        return self._array([column.low for column in self.columns])

    @property
    def high(self) -> Vector:
        """The largest value of each number of the vector."""
        return self._array([column.high for column in self.columns])

    @cached_property
    def seen(self) -> dict[Any, Any]:
        """What environments remember about the states; those of equal games share it."""
        return {}

    @cached_property
    def _numbers(self) -> dict[Move, int]:
        """The number of each move."""
        return {move: number for number, move in enumerate(self.actions)}

    @cached_property
    def _kind(self) -> type[Any]:
        """The class of the game's states."""
        return type(self.game.initial())

    def number_of(self, move: Move) -> int:
        """Return the number of a move."""
        try:
            return self._numbers[move]
        except KeyError:
            raise NotEncoded(
                f"The move {brief(move)} has no number: it was not seen in any position visited. "
                "Name every move with encoding=Encoding.of(game, actions=[...]), "
                "or visit more positions with limit=."
            ) from None

    def mask(self, state: Any) -> Mask:
        """Return 1 for every legal move and 0 for the others."""
        mask: Mask = np.zeros(len(self.actions), np.int8)
        mask[[self.number_of(move) for move in moves_before_end(self.game, state)]] = 1
        return mask

    def vector(self, state: Any) -> Vector:
        """Return the vector of a state, whose columns are described in `columns`."""
        vector: list[int] = []
        try:
            if type(state) is not self._kind:
                raise LookupError
            for content, value in zip(self.fields, state, strict=True):
                if content is None:
                    vector.append(SEATS[value])
                else:
                    content.encode(value, vector)
        except (LookupError, TypeError):
            raise NotEncoded(
                f"{brief(state, 80)} has no vector: no position visited was like it. "
                "Visit more positions with encoding=Encoding.of(game, limit=...)."
            ) from None
        return self._array(vector)

    def _array(self, numbers: list[int]) -> Vector:
        """Return numbers as an array; an integer that is too long for NumPy is rounded."""
        return np.array(list(map(float, numbers)), self.dtype)


def moves_before_end(game: Game[Any], state: Any) -> tuple[Move, ...]:
    """List the legal moves; careless rules list some after the end, which are not legal."""
    return game.moves(state) if game.outcome(state) is None else ()


@lru_cache(maxsize=16)
def _by_visiting(game: Game[Any], actions: tuple[Move, ...] | None, limit: int) -> Encoding:
    """Make the encoding of a variant by visiting its positions."""
    with calling_rules(game):
        states, moves, complete = _visit(game, limit)
    ordered = sorted(moves, key=lambda move: (isinstance(move, str), move))
    return _encoding(game, states, actions or tuple(ordered), complete)


def _encoding(
    game: Game[Any], states: Sequence[Any], actions: tuple[Move, ...], complete: bool
) -> Encoding:
    """Make the encoding of a variant from its states, or some of them."""
    fields = zip(states[0]._fields, zip(*states, strict=True), strict=True)
    contents = (None if name == "player" else Content.of(part, complete) for name, part in fields)
    return Encoding(game, actions, tuple(contents), complete)


def _visit(game: Game[Any], limit: int) -> tuple[list[Any], set[Move], bool]:
    """Return some states, the moves in them, and whether these are all."""
    first = game.initial()
    if largest(first) > LARGE:
        limit = min(limit, FEW)
    found, moves = {first}, set[Move]()
    listed = True

    def after(state: Any) -> list[Any]:
        nonlocal listed
        legal = moves_before_end(game, state)
        moves.update(legal)
        listed = listed and game.lists_all(state)
        following = [game.play(state, move) for move in legal]
        found.update(following)
        return following

    for _ in walk(game, after=after):
        if len(found) > limit:
            break
    else:
        return list(found), moves, listed
    rng = Random(0)  # noqa: S311
    for _ in range(min(limit, RANDOM_MOVES) // MAX_PLIES + 1):
        state = first
        for _ in range(MAX_PLIES):
            legal = moves_before_end(game, state)
            moves.update(legal)
            found.add(state)
            state = game.play(state, rng.choice(legal)) if legal else first
    return list(found), moves, False
