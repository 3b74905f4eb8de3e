"""Values compared: which is better, what a move makes of one, and which moves are best."""

from collections.abc import Mapping

from zerosum.protocol import Move, Result, S, Value

OTHER: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}
RANK: dict[Result, int] = {"win": 2, "draw": 1, "loss": 0}


def for_mover(state: S, then: S, value: Value) -> Value:
    """Return the value of the position after a move for the player who made it, counting the move.

    >>> from zerosum.books.even_steven.rules import State
    >>> for_mover(State(2, 0), State(1, 1), Value("loss", 4))
    Value(result='win', plies=5)
    """
    mine = value.result if then.player == state.player else OTHER[value.result]
    return Value(mine, None if value.plies is None else value.plies + 1, value.endless)


def best_of(values: Mapping[Move, Value]) -> tuple[Move, ...]:
    """Return the best of some moves; all that keep the result if plies are unknown."""
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
