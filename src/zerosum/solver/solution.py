"""A solved game: the value of every position, its moves, the best ones, and a best line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from zerosum.errors import NotSolved
from zerosum.protocol import Game, Move, Result, S, Value
from zerosum.solver.table import DRAWN, OPEN, RESULTS, StateGraph
from zerosum.solver.theory import Theory, ask_theory
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.solver.cache import Cache
    from zerosum.solver.retrograde import Ints, Small

OTHER: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}
RANK: dict[Result, int] = {"win": 2, "draw": 1, "loss": 0}
LONGEST_LINE = 1000


class SolvedTable(NamedTuple, Generic[S]):
    """A table with the values of its states, by their index.

    `worth` is WON, LOST or DRAWN for the player to move, or OPEN for endless play; `plies` counts
    the moves to the end, and is -1 for a draw.
    """

    graph: StateGraph[S]
    worth: Small
    plies: Ints

    def value(self, index: int) -> Value:
        """Return the value of a state by its index."""
        worth = int(self.worth[index])
        if worth in (DRAWN, OPEN):
            return Value("draw", endless=worth == OPEN)
        return Value(RESULTS[worth], int(self.plies[index]))


class Solution(Generic[S]):
    """The value of every position of one variant; `solved` is its table, if it has one.

    `cache` is where what is found in the table is kept, if it is.

    A move is counted from the position before it: the best move of a win in 5 wins in 5.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven"))
    >>> state = solution.game.initial()
    >>> solution.value(state)
    Value(result='loss', plies=8)
    >>> solution.best(solution.game.play(state, 1))
    (2,)
    """

    def __init__(
        self, game: Game[S], known: Callable[[S], Value], solved: SolvedTable[S] | None = None
    ) -> None:
        """Wrap a function that returns the value of a state."""
        self.game = game
        self.solved = solved
        self.cache: Cache | None = None
        self._known = known
        self._kind = type(game.initial())

    def value(self, state: S) -> Value:
        """Return the value of a position for the player to move."""
        # A plain tuple equals a state but is not one; symmetry may make any seat equal to 0.
        if type(state) is not self._kind or state.player not in (0, 1):
            raise unknown_state(self.game, state)
        return self._known(state)

    def moves(self, state: S) -> dict[Move, Value]:
        """Return every legal move with its value for the player who makes it."""
        self.value(state)  # which refuses what is not a position of the game
        return {move: self.move_value(state, move) for move in self.game.moves(state)}

    def move_value(self, state: S, move: Move) -> Value:
        """Return the value of a legal move for its player; the move itself is counted."""
        then = self.game.play(state, move)
        return for_mover(state, then, self.value(then))

    def history(self, states: Iterable[S]) -> tuple[Value, ...]:
        """Return the values of the states of a game, all for the seat that moved first."""
        values = ((state.player, self.value(state)) for state in states)
        return tuple(v._replace(result=OTHER[v.result]) if seat else v for seat, v in values)

    def best(self, state: S) -> tuple[Move, ...]:
        """Return the best moves: they keep the result, then win soonest or hold out longest."""
        return best_of(self.moves(state))

    def line(self, state: S, most: int = LONGEST_LINE) -> tuple[Move, ...]:
        """Return a best line to the end, to the first repetition, or of `most` moves."""
        moves: list[Move] = []
        seen = {state}
        while len(moves) < most and (best := self.best(state)):
            moves.append(best[0])
            state = self.game.play(state, best[0])
            if state in seen:
                break
            seen.add(state)
        return tuple(moves)


def for_mover(state: S, then: S, value: Value) -> Value:
    """Return the value of the position after a move for the player who made it, counting the move.

    >>> from zerosum.books.even_steven.rules import State
    >>> for_mover(State(2, 0), State(1, 1), Value("loss", 4))
    Value(result='win', plies=5)
    """
    mine = value.result if then.player == state.player else OTHER[value.result]
    return Value(mine, None if value.plies is None else value.plies + 1, value.endless)


def best_of(values: dict[Move, Value]) -> tuple[Move, ...]:
    """Return the best of some moves; all that keep the result where plies are unknown."""
    if not values:
        return ()
    result = max((value.result for value in values.values()), key=RANK.__getitem__)
    keep = {move: value for move, value in values.items() if value.result == result}
    if result != "draw" and any(value.plies is None for value in keep.values()):
        return tuple(keep)
    top = max(map(worth, keep.values()))
    return tuple(move for move, value in keep.items() if worth(value) == top)


def worth(value: Value) -> tuple[int, int]:
    """Return a sort key for values: by result, then quick wins and slow losses first.

    >>> worth(Value("win", 3)) > worth(Value("win", 5)) > worth(Value("draw"))
    True
    >>> worth(Value("loss", 2)) < worth(Value("loss", 8))
    True
    """
    plies = value.plies or 0
    return RANK[value.result], -plies if value.result == "win" else plies


def unknown_state(game: Game[Any], state: Any, root: Any = None) -> NotSolved:
    """Return the error for a state without a value: of another game, or unreachable."""
    first = game.initial()
    if type(state) is not type(first):
        return NotSolved(
            f"{brief(state, 80)} is not a position of this game; one looks like {brief(first, 80)}."
        )
    start = "the start of this game" if root is None else brief(root, 80)
    return NotSolved(f"{brief(state, 80)} cannot be reached from {start}.")


def from_theory(game: Game[S], theory: Theory[S]) -> Solution[S]:
    """Solve a game by its theory."""

    def known(state: S) -> Value:
        value: Value | None = ask_theory(theory, "value", state)
        if value is None:
            raise NotSolved(f"{type(theory).__name__} does not cover {brief(state, 80)}.")
        return value

    return Solution(game, known)


def from_table(game: Game[S], solved: SolvedTable[S], root: S | None = None) -> Solution[S]:
    """Solve a game by its table: of all its positions, or of those that can follow `root`."""
    index, canonical = solved.graph.index, game.canonical

    def known(state: S) -> Value:
        try:
            number = index[canonical(state)]
        except (KeyError, TypeError):
            raise unknown_state(game, state, root) from None
        return solved.value(number)

    return Solution(game, known, solved)
