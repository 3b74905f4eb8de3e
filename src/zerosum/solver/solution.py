"""A solved game: the value of every position, its moves, the best ones, and a best line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from zerosum.errors import NotSolved
from zerosum.protocol import Game, Move, Result, S, Value
from zerosum.solver.table import DRAWN, OPEN, WON, Table
from zerosum.solver.theory import Theory, ask_theory
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.solver.retrograde import Ints, Small

OTHER: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}
RANK: dict[Result, int] = {"win": 2, "draw": 1, "loss": 0}
LONGEST_LINE = 1000


class Solved(NamedTuple, Generic[S]):
    """A table with what was found out about its states, by their places.

    `worth` is WON, LOST or DRAWN for the player to move, or OPEN for endless play; `plies` counts
    the moves to the end, and is -1 for a draw.
    """

    table: Table[S]
    worth: Small
    plies: Ints

    def value(self, place: int) -> Value:
        """Give the value of the state at a place."""
        worth = int(self.worth[place])
        if worth in (DRAWN, OPEN):
            return Value("draw", endless=worth == OPEN)
        return Value("win" if worth == WON else "loss", int(self.plies[place]))


class Solution(Generic[S]):
    """The truth about every position of one variant; `solved` is the table where there is one.

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
        self, game: Game[S], known: Callable[[S], Value], solved: Solved[S] | None = None
    ) -> None:
        """Wrap what gives the value of a state."""
        self.game = game
        self.solved = solved
        self._known = known
        self._kind = type(game.initial())

    def value(self, state: S) -> Value:
        """Give the value for the player to move."""
        # A plain tuple is equal to a state, and is none; symmetry may make any seat equal to 0.
        if type(state) is not self._kind or state.player not in (0, 1):
            raise unknown_state(self.game, state)
        return self._known(state)

    def moves(self, state: S) -> dict[Move, Value]:
        """Give every legal move with its value for the one who makes it."""
        self.value(state)  # which says what is wrong with a state that is none
        return {move: self.move_value(state, move) for move in self.game.moves(state)}

    def move_value(self, state: S, move: Move) -> Value:
        """Give the value of a legal move for the one who makes it; the move itself is counted."""
        then = self.game.play(state, move)
        result, plies, endless = self.value(then)
        mine = result if then.player == state.player else OTHER[result]
        return Value(mine, None if plies is None else plies + 1, endless)

    def history(self, states: Iterable[S]) -> tuple[Value, ...]:
        """Give the values of the states of a game, all seen from the seat that moved first."""
        values = ((state.player, self.value(state)) for state in states)
        return tuple(v._replace(result=OTHER[v.result]) if seat else v for seat, v in values)

    def best(self, state: S) -> tuple[Move, ...]:
        """Give the best moves: they keep the result, then win soonest or hold out longest."""
        return best_of(self.moves(state))

    def line(self, state: S, most: int = LONGEST_LINE) -> tuple[Move, ...]:
        """Give a best line to the end, to the first repetition, or to the given length."""
        moves: list[Move] = []
        seen = {state}
        while len(moves) < most and (best := self.best(state)):
            moves.append(best[0])
            state = self.game.play(state, best[0])
            if state in seen:
                break
            seen.add(state)
        return tuple(moves)


def best_of(values: dict[Move, Value]) -> tuple[Move, ...]:
    """Choose the best among moves with their values; all that keep it where lengths are unknown."""
    if not values:
        return ()
    result = max((value.result for value in values.values()), key=RANK.__getitem__)
    keep = {move: value for move, value in values.items() if value.result == result}
    if result != "draw" and any(value.plies is None for value in keep.values()):
        return tuple(keep)
    top = max(map(worth, keep.values()))
    return tuple(move for move, value in keep.items() if worth(value) == top)


def worth(value: Value) -> tuple[int, int]:
    """Order the values of moves: by result, then a win by haste, a loss by delay.

    >>> worth(Value("win", 3)) > worth(Value("win", 5)) > worth(Value("draw"))
    True
    >>> worth(Value("loss", 2)) < worth(Value("loss", 8))
    True
    """
    plies = value.plies or 0
    return RANK[value.result], -plies if value.result == "win" else plies


def unknown_state(game: Game[Any], state: Any) -> NotSolved:
    """Say why a state has no value: it is not one of this game, or cannot be reached."""
    first = game.initial()
    if type(state) is not type(first):
        return NotSolved(
            f"{brief(state, 80)} is not a position of this game; one looks like {brief(first, 80)}."
        )
    return NotSolved(f"{brief(state, 80)} cannot be reached from the start of this game.")


def from_theory(game: Game[S], theory: Theory[S]) -> Solution[S]:
    """Solve a game by its theory."""

    def known(state: S) -> Value:
        value = ask_theory(theory, state)
        if value is None:
            raise NotSolved(f"{type(theory).__name__} does not cover {brief(state, 80)}.")
        return value

    return Solution(game, known)


def from_table(game: Game[S], solved: Solved[S]) -> Solution[S]:
    """Solve a game by its table."""
    index, canonical = solved.table.index, game.canonical

    def known(state: S) -> Value:
        try:
            place = index[canonical(state)]
        except (KeyError, TypeError):
            raise unknown_state(game, state) from None
        return solved.value(place)

    return Solution(game, known, solved)
