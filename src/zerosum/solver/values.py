"""Values compared: which is better, what a move makes of one, and which moves are best."""

from collections.abc import Mapping

from zerosum.protocol import Move, Result, S, Value

OTHER: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}
RANK: dict[Result, int] = {"win": 2, "draw": 1, "loss": 0}


def for_mover(state: S, then: S, value: Value) -> Value:
    """Return the value after a move for its player, counting the move.

    >>> from zerosum.books.even_steven.rules import State
    >>> for_mover(State(2, 0), State(1, 1), Value("loss", 4))
    Value(result='win', plies=5)
    """
    mine = value.result if then.player == state.player else OTHER[value.result]
    return Value(mine, None if value.plies is None else value.plies + 1, value.endless)


def best_of(values: Mapping[Move, Value]) -> tuple[Move, ...]:
    """Return the best moves; all that keep the result if plies are unknown."""
    if not values:
        return ()
    result = max((value.result for value in values.values()), key=RANK.__getitem__)
    keep = {move: value for move, value in values.items() if value.result == result}
    if result != "draw" and any(value.plies is None for value in keep.values()):
        return tuple(keep)
    top = max(map(worth, keep.values()))
    return tuple(move for move, value in keep.items() if worth(value) == top)


def regrets_of(values: Mapping[Move, Value]) -> dict[Move, int]:
    """Return what each move gives away of the best result, in half points.

    >>> regrets_of({1: Value("win", 3), 2: Value("draw"), 3: Value("win", 5)})
    {1: 0, 2: 1, 3: 0}
    """
    best = max((RANK[value.result] for value in values.values()), default=0)
    return {move: best - RANK[value.result] for move, value in values.items()}


def worth(value: Value) -> tuple[int, int]:
    """Return a value's sort key: by result, then quick wins and slow losses.

    >>> worth(Value("win", 3)) > worth(Value("win", 5)) > worth(Value("draw"))
    True
    >>> worth(Value("loss", 2)) < worth(Value("loss", 8))
    True
    """
    plies = value.plies or 0
    return RANK[value.result], -plies if value.result == "win" else plies
