"""A fixed number for every move of a game, and a fixed observation of every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import chain
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.bulk.table import Table
from zerosum.errors import NotEncoded, ZerosumError
from zerosum.lab.envs.layout import BoardGrid, Column, Content, Filled, Layout
from zerosum.limits import PERSON
from zerosum.protocol import Game, Move, check_is_game
from zerosum.solver.table import calling_rules
from zerosum.states import LARGE, largest, read_state, walk
from zerosum.text import brief
from zerosum.wording.words import title_of, words_of

Mask = NDArray[np.int8]
Vector = NDArray[np.floating[Any]]
# A game that is not over after this many plies is cut off: some could go on forever.
MAX_PLIES = 1_000
# Long numbers take time: of games that start with one, this many positions are visited.
FEW = 50
# If not all positions are visited, this many moves of random games are made.
RANDOM_MOVES = 20_000
# The numbers of the seats, so that no vector has zeros alone.
SEATS = {0: 1, 1: 2}


@dataclass(frozen=True)
class Encoding:
    """The numbers of a game's moves and the vectors of its states, the same everywhere.

    With `one_hot`, a vector has a place for every value of each number, if these are few; with
    a `grid`, a plane for every sign of the game's board.

    >>> import zerosum
    >>> from zerosum.envs import Encoding
    >>> game = zerosum.game("docs/examples/noughts_and_crosses.py")
    >>> encoding = Encoding.of(game)
    >>> encoding.actions
    ('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3')
    >>> state = game.play(game.initial(), "b1")
    >>> encoding.mask(state)
    array([1, 1, 1, 0, 1, 1, 1, 1, 1], dtype=int8)
    >>> vector = encoding.vector(state)
    >>> [name for name, number in zip(encoding.names, vector) if number][:2]
    ["marks[0]=''", "marks[1]='X'"]
    >>> Encoding.of(game, one_hot=False).vector(state)
    array([1., 3., 1., 1., 1., 1., 1., 1., 1., 2.], dtype=float32)
    """

    game: Game[Any]
    actions: tuple[Move, ...]
    fields: tuple[Content | None, ...]  # None for the player to move
    complete: bool  # whether every position was visited
    one_hot: bool = True
    grid: BoardGrid | None = None

    def __reduce__(self) -> tuple[type[Encoding], tuple[Any, ...]]:
        """Pickle without what is derived."""
        return Encoding, tuple(getattr(self, field.name) for field in fields(self))

    def __deepcopy__(self, memo: Any) -> Encoding:
        """Return the same, which never changes."""
        return self

    @classmethod
    def of(
        cls,
        game: Game[Any] | Table[Any],
        actions: Sequence[Move] | None = None,
        limit: int = PERSON.positions,
        *,
        one_hot: bool = True,
        planes: bool | None = None,
    ) -> Encoding:
        """Find the moves and states of a game: those of its table, or by visiting its positions.

        All of them if there are at most `limit`; else the first ones and those of random games,
        always the same. `actions` are the moves, in the order of their numbers. `planes` takes
        the board from the game's words; by default it does where a number could not be spread.
        """
        named = None if actions is None else tuple(actions)
        if named is not None and (not named or len(set(named)) < len(named)):
            raise ZerosumError("actions: name every move once.")
        if isinstance(game, Table):
            found = game.states, named or game.actions, True
            return _encoding(game.game, *found, one_hot, planes)
        check_is_game(game)
        return _by_visiting(game, named, limit, one_hot, planes)

    @cached_property
    def layout(self) -> Layout:
        """Where everything stands in a vector, and its shape, type and bounds."""
        columns: list[Column] = []
        for name, content in self._shown:
            seats = Column(name, 1, 2, ("nothing", "seat 0", "seat 1"))
            columns += [seats] if content is None else content.columns(name)
        return Layout(columns, self.one_hot, self.grid)

    @cached_property
    def _shown(self) -> tuple[tuple[str, Content | None], ...]:
        """The fields that a vector has columns for: on a grid, those that the board lacks."""
        named = zip(self._kind._fields, self.fields, strict=True)
        beside = self.grid and {"player", *self.grid.beside}
        return tuple(pair for pair in named if beside is None or pair[0] in beside)

    @property
    def columns(self) -> tuple[Column, ...]:
        """What each number of the vector is, or each plane."""
        return self.layout.columns

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number of the vector, or of each plane."""
        return tuple(column.name for column in self.columns)

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
        """Return the vector of a state, or its planes, which are described in `columns`."""
        return self.layout.spread(*self.filled(state))

    def filled(self, state: Any) -> Filled:
        """Return the places of the vector that are not 0, and what they have."""
        numbers: list[int] = []
        try:
            if type(state) is not self._kind:
                raise LookupError
            for name, content in self._shown:
                value = getattr(state, name)
                if content is None:
                    numbers.append(SEATS[value])
                else:
                    content.encode(value, numbers)
            cells = self._cells(state) if self.grid else ()
        except (LookupError, TypeError):
            raise NotEncoded(
                f"{brief(state, 80)} has no vector: no position visited was like it. "
                "Visit more positions with encoding=Encoding.of(game, limit=...)."
            ) from None
        return self.layout.filled(numbers, cells)

    def position(self, given: Any) -> Any:
        """Return a position by its fields, in order or by name; refuse one like no other."""
        names = self._kind._fields
        if isinstance(given, Mapping):
            given = [given.get(name) for name in names] if set(given) == set(names) else None
        try:
            state = read_state(self.game, given)
        except TypeError:
            said = f"A position of this game has the fields {', '.join(names)}."
            raise ZerosumError(said) from None
        self.filled(state)
        return state

    @cached_property
    def _signs(self) -> dict[str, int]:
        """The number of each sign of the board."""
        return {sign: number for number, sign in enumerate(self.grid.signs if self.grid else ())}

    def _cells(self, state: Any) -> list[int]:
        """Return the numbers of the signs on the board."""
        rows = words_of(self.game).board(state)
        cells = [self._signs[sign] for sign in chain.from_iterable(rows or ())]
        if len(cells) != self.layout.area:
            raise LookupError
        return cells


def encoding_of(
    game: Game[Any] | Table[Any], encoding: Encoding | None, one_hot: bool, planes: bool | None
) -> Encoding:
    """Return the encoding that an environment was given, or make the one that was asked for."""
    if encoding is None:
        return Encoding.of(game, one_hot=one_hot, planes=planes)
    if (one_hot, planes) != (True, None):
        raise ZerosumError(
            "encoding: it says what is observed; pass one_hot and planes to Encoding.of."
        )
    rules = game.game if isinstance(game, Table) else game
    # That of another variant will do.
    return encoding if encoding.game == rules else replace(encoding, game=rules)


def moves_before_end(game: Game[Any], state: Any) -> tuple[Move, ...]:
    """List the legal moves; careless rules list some after the end, which are not legal."""
    return game.moves(state) if game.outcome(state) is None else ()


@lru_cache(maxsize=16)
def _by_visiting(
    game: Game[Any],
    actions: tuple[Move, ...] | None,
    limit: int,
    one_hot: bool,
    planes: bool | None,
) -> Encoding:
    """Make the encoding of a variant by visiting its positions."""
    with calling_rules(game):
        states, moves, complete = _visit(game, limit)
    ordered = sorted(moves, key=lambda move: (isinstance(move, str), move))
    return _encoding(game, states, actions or tuple(ordered), complete, one_hot, planes)


def _encoding(
    game: Game[Any],
    states: Sequence[Any],
    actions: tuple[Move, ...],
    complete: bool,
    one_hot: bool,
    planes: bool | None,
) -> Encoding:
    """Make the encoding of a variant from its states, or some of them."""
    named = zip(states[0]._fields, zip(*states, strict=True), strict=True)
    contents = (None if name == "player" else Content.of(part, complete) for name, part in named)
    flat = Encoding(game, actions, tuple(contents), complete, one_hot)
    if planes is None:
        draws = words_of(game).board(states[0]) is not None
        planes = one_hot and draws and not flat.layout.is_spread
    return replace(flat, grid=_grid(game, states)) if planes else flat


def _grid(game: Game[Any], states: Sequence[Any]) -> BoardGrid:
    """Return the board of a game, and the fields that tell positions apart beside it."""
    words = words_of(game)
    boards = [words.board(state) or ((),) for state in states]
    rows, columns = len(boards[0]), len(boards[0][0])
    if not columns or {(len(board), len(board[0])) for board in boards} != {(rows, columns)}:
        raise ZerosumError(
            f"planes=True: {title_of(game)} does not draw a board of one size in every position; "
            "leave planes out."
        )
    cells = [tuple(chain.from_iterable(board)) for board in boards]
    every = [name for name in states[0]._fields if name != "player"]
    # The numbers that stand beside a board are rarely in a tuple, and its cells often are.
    plain = [name for name in every if not any(isinstance(getattr(s, name), tuple) for s in states)]
    for beside in ([], plain, every):
        found = zip(cells, states, strict=True)
        told = {(c, s.player, *(getattr(s, name) for name in beside)) for c, s in found}
        if len(told) == len(states):
            break
    return BoardGrid(rows, columns, tuple(sorted(set(chain.from_iterable(cells)))), tuple(beside))


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
