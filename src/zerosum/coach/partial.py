"""Advice where not everything is known: what is proved, and what is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from random import Random

from zerosum.errors import Unknown
from zerosum.players.searching import favourite, searched
from zerosum.protocol import Move, Result, S, Value
from zerosum.solver.knowledge import Knowledge
from zerosum.text import counted, runs, short

STANDING: dict[Result, str] = {
    "win": "You can force a win{}.",
    "loss": "You lose{} if your opponent plays well.",
    "draw": "Neither side can force a win.",
}
ADVICE: dict[Result, str] = {
    "win": "Play {}. It wins{}.",
    "loss": "Every move loses. Try {}.",
    "draw": "Play {}. It keeps the draw.",
}


def standing(knowledge: Knowledge[S], state: S) -> str:
    """Describe a position that has no table for the player to move."""
    value = known_value(knowledge, state)
    if value is None:
        return knowledge.unknown(state)
    return STANDING[value.result].format(_length(value))


def known_value(knowledge: Knowledge[S], state: S) -> Value | None:
    """Return the value of a position as far as it, or one of its best moves, is proved.

    It has the length of that move only if no other move can be better.
    """
    values = knowledge.moves(state)
    move = proved_move(knowledge, state, values)
    value = None if move is None else values[move]
    if value is None:
        return knowledge.proved(state)
    exact = knowledge.game.lists_all(state) and all(map(_is_exact, values.values()))
    if value == Value("win", 1) or (exact and value.result != "draw"):
        return value
    return Value(value.result)


def proved_move(
    knowledge: Knowledge[S], state: S, values: Mapping[Move, Value | None] | None = None
) -> Move | None:
    """Return a move that is proved to be best, a win of known length first; None if none is."""
    values = knowledge.moves(state) if values is None else values
    best = knowledge.best(state, values)
    return min(best, key=lambda move: _plies_to_win(values[move]), default=None)


def best_move(knowledge: Knowledge[S], state: S) -> Move:
    """Return a move that is proved to be best, or raise Unknown."""
    best = proved_move(knowledge, state)
    if best is None:
        raise Unknown(knowledge.unknown(state))
    return best


def hint(knowledge: Knowledge[S], state: S, named: Callable[[S, Move], str]) -> str:
    """Recommend a move that is proved to be best, or tell which moves are known to be bad.

    Where none is proved, name one that a level might choose, which is a true sentence too.
    """
    values = knowledge.moves(state)
    best = proved_move(knowledge, state, values)
    complete = knowledge.game.lists_all(state)
    if complete and len(values) == 1:
        return f"Your only move is {named(state, next(iter(values)))}."
    if best is not None and (value := values[best]):
        return ADVICE[value.result].format(named(state, best), _length(value))
    losing = [move for move, value in values.items() if value and value.result == "loss"]
    drawing = [move for move, value in values.items() if value and value.result == "draw"]
    others = [move for move in values if move not in losing]
    if complete and len(others) == 1:
        return f"Play {named(state, others[0])}. Every other move loses."
    lines = []
    if losing:
        lines.append(f"{in_words(losing)} {verb('lose', losing)}.")
    if drawing:
        lines.append(f"{in_words(drawing)} {verb('draw', drawing)}.")
    others_unknown = "What the other moves are worth is not known yet."
    lines.append(others_unknown if lines else knowledge.unknown(state))
    chosen, _ = favourite(searched(knowledge.game, "hard", state, Random(0)))  # noqa: S311
    if chosen not in losing:
        lines.append(f"The hard level might play {named(state, chosen)}.")
    return " ".join(lines)


def _plies_to_win(value: Value | None) -> float:
    """Return the length of a win, infinite if it is unknown or there is none."""
    return inf if value is None or value.plies is None or value.result != "win" else value.plies


def _is_exact(value: Value | None) -> bool:
    """Return whether the length of a move is known, where it can have one."""
    return value is not None and (value.plies is not None or value.result == "draw")


def _length(value: Value) -> str:
    """Say how long a win or a loss takes, or that nobody knows."""
    if value.plies is not None:
        return short(f" in {counted(value.plies, 'move')}")
    return "; how many moves it takes is not known" if value.result == "win" else ""


def verb(word: str, moves: Sequence[Move]) -> str:
    """Return a verb for one move or several."""
    return word if len(moves) > 1 else f"{word}s"


def in_words(moves: Sequence[Move], last_word: str = "and") -> str:
    """List moves; numbers in ascending order."""
    in_order = sorted(moves, key=lambda move: (isinstance(move, str), move))
    return short(runs(in_order, last_word))
