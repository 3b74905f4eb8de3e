"""A whole game as plain arrays: positions and moves, their values, what they give away."""

from __future__ import annotations

import operator
from functools import cached_property
from itertools import chain
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.bulk.libraries import array_library
from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.strongly_connected import Plan, plan_of
from zerosum.errors import BrokenGame, NotSolved
from zerosum.limits import NONE, Limits
from zerosum.protocol import Game, Move, S, check_is_game
from zerosum.solver import solved_table
from zerosum.solver.retrograde import edges_from, per_seat, turns_of
from zerosum.solver.table import (
    DRAWN,
    LOST,
    OPEN,
    WON,
    SolvedTable,
    calling_rules,
    is_symmetric,
    unknown_state,
)
from zerosum.text import brief

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]
# Libraries share memory that begins at a multiple of this, and copy the rest.
ALIGNED = 64


class Arrays(NamedTuple):
    """The arrays of a table, in the library asked for; docs/bulk.md defines each."""

    offsets: Any
    targets: Any
    moves: Any
    player: Any
    winner: Any
    value: Any
    plies: Any
    regret: Any
    critical: Any


class Table(Generic[S]):
    """Every position of a game and every move, as NumPy arrays.

    The edges of state i are offsets[i] to offsets[i + 1], in the order of its moves.

    >>> import zerosum
    >>> table = Table(zerosum.game("even-steven", start=4))
    >>> table.state(0), table.actions
    (State(number=4, player=0), (1, 2))
    >>> edges = slice(table.offsets[0], table.offsets[1])
    >>> [(table.actions[move], table.state(target)) for move, target in
    ...  zip(table.moves[edges], table.targets[edges])]
    [(1, State(number=3, player=1)), (2, State(number=2, player=1))]
    >>> table.value[0], table.plies[0], table.regret[edges].tolist()
    (np.int8(1), np.int32(3), [2, 0])
    """

    offsets: Ints
    targets: Ints
    player: Small
    winner: Small
    value: Small
    plies: Ints
    symmetric: bool
    game: Game[S]
    _index: dict[S, int]

    def __init__(self, game: Game[S], limits: Limits = NONE) -> None:
        """Visit every position of a game, up to a limit, without symmetry.

        The seconds of the limits are for games whose rules are slow.
        """
        check_is_game(game)
        solved = solved_table(game, limits, symmetry=False)
        self._fill(game, solved, symmetric=False)

    @classmethod
    def of(cls, game: Game[S], solved: SolvedTable[S]) -> Table[S]:
        """Make the arrays of a solved table.

        If states stand for others by symmetry, with either seat to move, each is listed twice:
        as 2i for the first seat to move, and as 2i + 1 for the second.
        """
        table = cls.__new__(cls)
        table._fill(game, solved, is_symmetric(game))
        return table

    def _fill(self, game: Game[S], solved: SolvedTable[S], symmetric: bool) -> None:
        """Turn worths for the player to move into worths for the seats."""
        graph = solved.graph
        self.game = game
        self._index = graph.index
        self.symmetric = symmetric
        offsets = np.frombuffer(graph.offsets, np.int64)
        targets = graph.targets
        ends = np.frombuffer(graph.ends, np.int8)
        worth = solved.worth
        plies = solved.plies
        player = np.frombuffer(graph.players, np.int8)
        if self.symmetric:
            leads = np.frombuffer(targets, np.int32)
            offsets, targets, _ = per_seat(offsets, leads, turns_of(graph))
            player = np.tile([0, 1], len(graph))
            ends = np.repeat(ends, 2)
            worth = np.repeat(worth, 2)
            plies = np.repeat(plies, 2)
        self.offsets = _aligned(offsets, np.int32)
        self.targets = _aligned(targets, np.int32)
        self.player = _aligned(player, np.int8)
        self.plies = _aligned(plies, np.int32)
        winner = np.where(ends < DRAWN, player ^ (ends == LOST), DRAWN)
        self.winner = _aligned(np.where(ends == OPEN, -1, winner), np.int8)
        self.value = _aligned((worth == WON) * 1 - (worth == LOST), np.int8)

    @cached_property
    def _numbered(self) -> tuple[tuple[Move, ...], Ints]:
        """All moves of the game in order, and the number of each edge's move."""
        game = self.game
        ended = self.winner[:: 1 + self.symmetric] >= 0
        with calling_rules(game):
            listed = [
                () if over else game.moves(state)
                for state, over in zip(self._index, ended.tolist(), strict=True)
            ]
        edges = np.diff(self.offsets)[:: 1 + self.symmetric].tolist()
        if list(map(len, listed)) != edges:
            raise BrokenGame(game, "moves() lists other moves when it is asked again")
        different = set(chain.from_iterable(listed))
        actions = sorted(different, key=lambda move: (isinstance(move, str), move))
        number = {move: index for index, move in enumerate(actions)}
        repeated = (moves for moves in listed for _ in range(1 + self.symmetric))
        moves = [number[move] for move in chain.from_iterable(repeated)]
        return tuple(actions), _aligned(moves, np.int32)

    @property
    def actions(self) -> tuple[Move, ...]:
        """Every move of the game, by its number: integers first, then strings, each sorted."""
        return self._numbered[0]

    @property
    def moves(self) -> Ints:
        """The number of the move of every edge."""
        return self._numbered[1]

    @cached_property
    def sources(self) -> Ints:
        """The state that every edge starts from."""
        states = np.arange(len(self.player), dtype=np.int32)
        sources: Ints = np.repeat(states, np.diff(self.offsets))
        return sources

    @cached_property
    def regret(self) -> Small:
        """What every move gives away: 0 nothing, 1 half a point, 2 a win for a loss."""
        then, before = self.targets, self.sources
        same = self.player[then] == self.player[before]
        values = np.where(same, self.value[then], -self.value[then])
        regret: Small = _aligned(self.value[before] - values, np.int8)
        return regret

    @cached_property
    def critical(self) -> Flags:
        """Marks the states in which a move can give something away."""
        critical: Flags = _aligned(np.zeros(len(self.player)), np.bool_)
        critical[self.sources[self.regret > 0]] = True
        return critical

    @cached_property
    def plan(self) -> Plan:
        """The order in which positions are solved; see Plan."""
        return plan_of(self.offsets, self.targets, self.player)

    @cached_property
    def start(self) -> int:
        """The index of the position at the start."""
        return self.index_of(self.game.initial())

    @cached_property
    def states(self) -> tuple[S, ...]:
        """The states in order."""
        return tuple(self._index)

    def __len__(self) -> int:
        """Count the states."""
        return len(self.player)

    def __repr__(self) -> str:
        """Name the game, and the size of the table."""
        return f"<Table of {self.game!r}: {len(self):,} states, {len(self.targets):,} edges>"

    def state(self, index: int) -> S:
        """Return a state by its index."""
        try:
            index = operator.index(index)
            if not 0 <= index < len(self):
                raise LookupError
        except (LookupError, TypeError):
            raise NotSolved(
                f"The table has the states 0 to {len(self) - 1:,}, not {brief(index)}."
            ) from None
        return self.states[index >> self.symmetric]

    def index_of(self, state: S) -> int:
        """Return the index of a state.

        >>> import zerosum
        >>> table = Table(zerosum.game("even-steven", start=4))
        >>> table.index_of(table.state(3))
        3
        """
        try:
            same = self.game.canonical(state) if self.symmetric else state
            index = self._index[same]
            return 2 * index + state.player if self.symmetric else index
        except (KeyError, TypeError):
            raise unknown_state(self.game, state) from None

    def moves_of(self, index: int) -> tuple[Move, ...]:
        """Return the legal moves of a state, in the order of its edges.

        >>> import zerosum
        >>> table = Table(zerosum.game("dual-digits"))
        >>> table.moves_of(0), table.moves_of(1)
        ((1, 2, 3, 4), (2, 3, 4))
        """
        self.state(index)  # which refuses what is not the index of one
        edges = self.moves[self.offsets[index] : self.offsets[index + 1]]
        return tuple([self.actions[move] for move in edges.tolist()])

    def edges_from(self, states: Longs) -> tuple[Longs, Longs]:
        """List the edges of some states, and where those of each begin in the list."""
        return edges_from(self.offsets, states)

    @cached_property
    def reachable(self) -> Flags:
        """Marks the states reachable from the start; under symmetry, for each seat."""
        # Without symmetry, a table has only what can be reached.
        reached: Flags = np.ones(len(self), bool)
        return Lines(self).plies >= 0 if self.symmetric else reached

    @cached_property
    def without_end(self) -> Flags:
        """Marks the states from which no end can be reached."""
        order = self.plan.order
        ending: Flags = self.winner >= 0
        for block in self.plan.blocks:
            states = order[block.begin : block.end]
            edges, begins = self.edges_from(states)
            if len(edges):
                found = np.logical_or.reduceat(ending[self.targets[edges]], begins)
                if block.size:
                    found = found.reshape(-1, block.size).any(axis=1).repeat(block.size)
                ending[states] = found
        return ~ending

    def forfeiting(self, states: Flags, winner: int) -> tuple[Table[S], Longs]:
        """Return a table in which some states have one more edge, their last, to an end of its own.

        Return also the number of every edge in it. It has no values.
        """
        edges = len(self.targets)
        if not states.any():
            return self, np.arange(edges)
        table = Table.__new__(Table)
        table.game = self.game
        table._index = self._index
        table.symmetric = self.symmetric
        number: Longs = np.arange(edges) + (np.cumsum(states) - states)[self.sources]
        targets = np.full(edges + states.sum(), len(self))
        targets[number] = self.targets
        sizes = np.append(np.diff(self.offsets) + states, 0)
        table.offsets = _aligned(np.append(0, np.cumsum(sizes)), np.int32)
        table.targets = _aligned(targets, np.int32)
        table.player = _aligned(np.append(self.player, 0), np.int8)
        table.winner = _aligned(np.append(self.winner, winner), np.int8)
        return table, number

    def arrays(self) -> Arrays:
        """Return all arrays by name."""
        return Arrays(*(getattr(self, name) for name in Arrays._fields))

    def to(self, library: str, device: Any = None) -> Arrays:
        """Return the arrays in another library: numpy, torch, jax or cupy.

        On the CPU they share the table's memory; on another device they are copies.

        >>> import zerosum
        >>> table = Table(zerosum.game("even-steven", start=4))
        >>> table.to("numpy").value is table.value
        True
        """
        return Arrays(*map(array_library(library, device).array, self.arrays()))


def _aligned(values: Any, kind: Any) -> Any:
    """Copy values to memory that begins where other libraries want it."""
    values = np.asarray(values)
    size = values.size * np.dtype(kind).itemsize
    room = np.empty(size + ALIGNED, np.uint8)
    begin = -room.ctypes.data % ALIGNED
    aligned = room[begin : begin + size].view(kind)
    aligned[:] = values
    return aligned
