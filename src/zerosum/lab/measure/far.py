"""Some decisions of a game that is too large for a table in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.bulk.shortest_lines import Follow, Lines
from zerosum.bulk.table import Floats, Longs, Table
from zerosum.lab.measure.sampling import band_name, band_of
from zerosum.limits import NONE, Limits
from zerosum.players.levels import SLIPS
from zerosum.protocol import Game, Move, S, Value
from zerosum.solver import Solution, Theory
from zerosum.solver.table import DRAWN
from zerosum.solver.theory import theory_of
from zerosum.solver.values import regrets_of
from zerosum.states import largest

if TYPE_CHECKING:
    from zerosum.solver.spread.folder import MappedTable

# Positions this deep in random games; how many are asked about, and how many games are played for
# each.
FAR_PLIES, FAR_COUNT, FAR_GAMES = 40, 100, 10
# What the players of a table of decisions can reach: either one wins, or nobody.
ENDS = (0, 1, DRAWN)


class ValuedDecision(NamedTuple):
    """A decision to ask about: how it is reached, its value, and the regret of each move."""

    state: Any
    line: tuple[Move, ...] | None  # None if it is unknown
    value: Value
    regrets: dict[Move, int]
    stratum: str
    weight: float


def far_theory(game: Game[Any], limits: Limits = NONE) -> Theory[Any] | None:
    """Return the theory of a game whose numbers alone make it too large for a table."""
    return theory_of(game) if largest(game.initial()) > limits.positions else None


def far_decisions(theory: Theory[Any], count: int, seed: int) -> list[ValuedDecision]:
    """Find decisions in the first moves of random games, valued by a theory: no table is needed.

    There may be fewer than `count`.
    """
    game, rng = theory.game, Random(seed)  # noqa: S311
    solution = Solution.by_theory(game, theory)
    found: dict[Any, ValuedDecision] = {}
    for _ in range(FAR_GAMES * count):
        state, line = game.initial(), list[Move]()
        for _ in range(rng.randrange(FAR_PLIES)):
            if game.outcome(state) is None and (moves := game.moves(state)):
                line.append(rng.choice(moves))
                state = game.play(state, line[-1])
        if state not in found and (asked := valued(solution, state, tuple(line))):
            found[state] = asked
        if len(found) == count:
            break
    return list(found.values())


def drawn_decisions(
    solution: Solution[Any], table: MappedTable[Any], count: int, seed: int
) -> list[ValuedDecision]:
    """Draw decisions from all positions of a table on the disk; there may be fewer than `count`."""
    drawn = table.drawn(FAR_GAMES * count, seed)
    found = (valued(solution, state) for state in drawn)
    return list(islice(filter(None, found), count))


def valued(
    solution: Solution[Any], state: Any, line: tuple[Move, ...] | None = None
) -> ValuedDecision | None:
    """Return a position as a decision, if it is one, and all its moves are known."""
    values = solution.known_moves(state)
    regrets = regrets_of({move: then for move, then in values.items() if then is not None})
    if not any(regrets.values()) or len(regrets) < len(values):
        return None
    right = sum(regret == 0 for regret in regrets.values())
    stratum = band_name(band_of(right, len(regrets)))
    value = solution.value(state)
    if not solution.game.lists_all(state) or value is None:
        return None
    return ValuedDecision(state, line, value, regrets, stratum, 1.0)


class FarTable(Table[S]):
    """A table of some decisions of a game; after one move, each ends as best play would end it.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits", start=10**40)
    >>> table = FarTable(game, far_decisions(far_theory(game), count=5, seed=0))
    >>> int(table.critical.sum())
    5
    """

    def __init__(
        self, game: Game[S], asked: Sequence[ValuedDecision], positions: int | None = None
    ) -> None:
        """Take the decisions, each with the regret of every legal move.

        `positions` is how many they were drawn from, if they were not found in random games.
        """
        self.positions = positions
        self.decisions = [*{decision.state: decision for decision in asked}.values()]
        self.game, self.symmetric = game, False
        first_end = len(self.decisions)
        states: list[Any] = [decision.state for decision in self.decisions]
        players = [state.player for state in states]
        states += [("end", end) for end in ENDS]
        self._index = {state: number for number, state in enumerate(states)}
        values = [int(decision.value.result == "win") for decision in self.decisions]
        targets = []
        for decision, player, value in zip(self.decisions, players, values, strict=True):
            for move in game.moves(decision.state):
                kept = value - decision.regrets[move]
                winner = player if kept > 0 else 1 - player if kept < 0 else DRAWN
                targets.append(first_end + winner)
        choices = [len(decision.regrets) for decision in self.decisions]
        self.offsets = np.cumsum([0, *choices, 0, 0, 0], dtype=np.int32)
        self.targets = np.array(targets, np.int32)
        self.player = np.array([*players, 0, 0, 0], np.int8)
        self.winner = np.array([*[-1] * first_end, *ENDS], np.int8)
        self.value = np.array([*values, 1, -1, 0], np.int8)
        self.plies = np.zeros(len(self.player), np.int32)

    def slips(self, level: str) -> Floats:
        """Return the chance of every edge at a level, which plays any of the right moves."""
        right, rate = self.regret == 0, SLIPS[level]
        legal = np.diff(self.offsets)[self.sources]
        count = np.bincount(self.sources, right, len(self.player))[self.sources]
        chances: Floats = rate / legal + (1 - rate) * right / count
        return chances


class FarLines:
    """The moves that led to each decision, where they are known."""

    def __init__(self, table: FarTable[Any]) -> None:
        """Count the moves."""
        self._lines = [decision.line for decision in table.decisions]
        self.plies: Longs = np.full(len(table), -1, np.int64)
        self.plies[: len(self._lines)] = [-1 if line is None else len(line) for line in self._lines]

    def moves_to(self, state: int) -> tuple[Move, ...] | None:
        """Return the moves that led to a decision; None if they are unknown."""
        return self._lines[state]


def lines_of(table: Table[Any], follow: Follow | None = None) -> Lines | FarLines:
    """Return the shortest lines of a table, or those by which far decisions were found."""
    return FarLines(table) if isinstance(table, FarTable) else Lines(table, follow)
