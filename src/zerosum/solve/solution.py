"""A solved game: the value of every position, its moves, the best ones, and a best line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from zerosum.game import Game, GameError, Value, ZerosumError, brief
from zerosum.sources import blame

OTHER = {"win": "loss", "loss": "win", "draw": "draw"}
RANK = {"win": 2, "draw": 1, "loss": 0}
LONGEST_LINE = 1000


class NotSolved(ZerosumError):
    """A position that a solution does not have: unreachable, or no position of the game."""


class Solution:
    """The truth about every position of one variant; `known` gives the value of a state.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven"))
    >>> state = solution.game.initial()
    >>> solution.value(state)
    Value(result='loss', plies=8)
    >>> solution.best(solution.game.play(state, 1))
    (2,)
    """

    def __init__(self, game: Game[Any], known: Callable[[Any], Value]) -> None:
        """Wrap what gives the value of a state."""
        self.game = game
        self._known = known

    def value(self, state: Any) -> Value:
        """Give the value for the player to move."""
        return self._known(state)

    def moves(self, state: Any) -> dict[int, Value]:
        """Give every legal move with the value it leads to, for the one who makes it."""
        self._known(state)  # which says what is wrong with a state that is none
        return {move: self.after(state, move) for move in self.game.moves(state)}

    def after(self, state: Any, move: int) -> Value:
        """Give the value that a legal move leads to, for the one who makes it."""
        then = self.game.play(state, move)
        value = self._known(then)
        return value if then.player == state.player else _flipped(value)

    def history(self, states: Iterable[Any]) -> tuple[Value, ...]:
        """Give the values of the states of a game, all seen from the seat that moved first."""
        return tuple(
            _flipped(self._known(state)) if state.player else self._known(state) for state in states
        )

    def best(self, state: Any) -> tuple[int, ...]:
        """Give the best moves: they keep the result, then win soonest or hold out longest."""
        values = self.moves(state)
        if not values:
            return ()
        result = max((value.result for value in values.values()), key=RANK.__getitem__)
        keep = {move: value for move, value in values.items() if value.result == result}
        if result != "draw" and any(value.plies is None for value in keep.values()):
            return tuple(keep)  # which of them is the fastest is not known
        top = max(map(worth, keep.values()))
        return tuple(move for move, value in keep.items() if worth(value) == top)

    def line(self, state: Any, most: int = LONGEST_LINE) -> tuple[int, ...]:
        """Give a best line to the end, to the first repetition, or to the given length."""
        moves: list[int] = []
        seen = {state}
        while len(moves) < most and (best := self.best(state)):
            moves.append(best[0])
            state = self.game.play(state, best[0])
            if state in seen:
                break
            seen.add(state)
        return tuple(moves)


def _flipped(value: Value) -> Value:
    """Turn a value into what it is worth to the other player."""
    return Value(OTHER[value.result], value.plies)


def worth(value: Value) -> tuple[int, int]:
    """Order the values that moves lead to: by result, then a win by haste, a loss by delay.

    >>> worth(Value("win", 3)) > worth(Value("win", 5)) > worth(Value("draw", None))
    True
    >>> worth(Value("loss", 2)) < worth(Value("loss", 8))
    True
    """
    plies = value.plies or 0
    return RANK[value.result], -plies if value.result == "win" else plies


def unknown_state(game: Game[Any], state: Any) -> NotSolved:
    """Say why a state has no value: it is none of this game, or cannot be reached."""
    first = game.initial()
    if type(state) is not type(first):
        return NotSolved(
            f"{brief(state, 80)} is no position of this game; one looks like {brief(first, 80)}."
        )
    return NotSolved(f"{brief(state, 80)} cannot be reached from the start of this game.")


def ask_theory(theory: Any, game: Game[Any], state: Any) -> Value | None:
    """Ask a theory for a value, and blame it for what it raises."""
    try:
        value: Value | None = theory.value(game, state)
    except ZerosumError:
        raise
    except Exception as error:
        raise GameError(f"The theory of {type(game).__name__} fails: {blame(error)}") from error
    return value


def from_theory(game: Game[Any], theory: Any) -> Solution:
    """Solve a game by its law."""
    kind = type(game.initial())
    bound = getattr(theory, "most", None)
    most = None if bound is None else bound(game)

    def known(state: Any) -> Value:
        if type(state) is not kind:
            raise unknown_state(game, state)
        if most is not None and any(type(n) is int and n > most for n in state):
            raise unknown_state(game, state)
        value = ask_theory(theory, game, state)
        if value is None:
            raise NotSolved(
                f"The theory of {type(game).__name__} does not cover {brief(state, 80)}."
            )
        return value

    return Solution(game, known)
