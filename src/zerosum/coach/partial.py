"""Advice where not everything is known: what is proved, what is not, and when it will be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zerosum.errors import Unknown
from zerosum.protocol import Move, Result, S, Value
from zerosum.solver.knowledge import Knowledge
from zerosum.text import runs, short

STANDING: dict[Result, str] = {
    "win": "You can force a win; how many moves it takes is not known.",
    "loss": "You lose if your opponent plays well.",
    "draw": "Neither side can force a win.",
}
ADVICE: dict[Result, str] = {
    "win": "Play {}. It wins; how many moves that takes is not known.",
    "loss": "Every move loses. Try {}.",
    "draw": "Play {}. It keeps the draw.",
}


def standing(knowledge: Knowledge[S], state: S) -> str:
    """Describe a position that has no table for the player to move."""
    value = known_value(knowledge, state)
    return knowledge.unknown(state) if value is None else STANDING[value.result]


def known_value(knowledge: Knowledge[S], state: S) -> Value | None:
    """Return the value of a position as far as it, or one of its best moves, is proved."""
    values = knowledge.moves(state)
    best = knowledge.best(state, values)
    return values[best[0]] if best else knowledge.proved(state)


def best_move(knowledge: Knowledge[S], state: S) -> Move:
    """Return a move that is proved to be best, or raise Unknown."""
    best = knowledge.best(state)
    if not best:
        raise Unknown(knowledge.unknown(state))
    return best[0]


def hint(knowledge: Knowledge[S], state: S, named: Callable[[S, Move], str]) -> str:
    """Recommend a move that is proved to be best, or tell which moves are known to be bad."""
    values = knowledge.moves(state)
    best = knowledge.best(state, values)
    complete = knowledge.game.lists_all(state)
    if complete and len(values) == 1:
        return f"Your only move is {named(state, next(iter(values)))}."
    if best and (value := values[best[0]]):
        return ADVICE[value.result].format(named(state, best[0]))
    losing = [move for move, value in values.items() if value and value.result == "loss"]
    drawing = [move for move, value in values.items() if value and value.result == "draw"]
    others = [move for move in values if move not in losing]
    if complete and len(others) == 1:
        return f"Play {named(state, others[0])}. Every other move loses."
    if not losing and not drawing:
        return knowledge.unknown(state)
    lines = []
    if losing:
        lines.append(f"{in_words(losing)} {verb('lose', losing)}.")
    if drawing:
        lines.append(f"{in_words(drawing)} {verb('draw', drawing)}.")
    return " ".join((*lines, "What the other moves are worth is not known yet."))


def verb(word: str, moves: Sequence[Move]) -> str:
    """Return a verb for one move or several."""
    return word if len(moves) > 1 else f"{word}s"


def in_words(moves: Sequence[Move]) -> str:
    """List moves; numbers in ascending order."""
    in_order = sorted(moves, key=lambda move: (isinstance(move, str), move))
    return short(runs(in_order, "and"))
